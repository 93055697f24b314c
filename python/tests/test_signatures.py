"""Numba's names, signatures and layouts."""

import numpy as np
import pytest

import kern
from kern import types
from kern._signatures import parse_layout, parse_signature


def test_types_are_numbas():
    numba = pytest.importorskip("numba")
    for name in types.__all__:
        theirs = getattr(numba.types, name, None) or getattr(numba, name, None)
        if name in ("single", "f2", "none", "void"):
            continue
        assert theirs is not None, name
        assert getattr(types, name).name == theirs.name, name


def test_numbas_types_are_there():
    numba = pytest.importorskip("numba")
    for name in numba.types.__all__:
        one = getattr(numba.types, name)
        if isinstance(one, numba.types.Number):
            assert getattr(types, name).bits == one.bitwidth, name


def test_short_names_count_bytes():
    assert kern.i8.bits == 64
    assert kern.u8.kern == "u64"
    assert kern.f4.kern == "f32"
    assert kern.c16.kern == "c128"


def test_types_for_numpy():
    assert np.zeros(2, kern.float32).dtype == np.float32
    assert kern.int8(3).dtype == np.int8
    assert np.dtype(kern.boolean) == bool


@pytest.mark.parametrize(
    "given, want",
    [
        ("f8(f8, f4)", "float64(float64, float32)"),
        (" float64 ( float64 , i8 ) ", "float64(float64, int64)"),
        ("(f8, f8)", "(float64, float64)"),
        ("f8, f8", "(float64, float64)"),
        ("void(f8[:], f8[:,:], f4[::1], f4[:,::1])",
         "void(float64[:], float64[:, :], float32[:], float32[:, :])"),
        ("f8[:], f8", "(float64[:], float64)"),
        ("ff->f", "float32(float32, float32)"),
        ("lB->?", "bool(int64, uint8)"),
        ("u1(uint8, uchar)", "uint8(uint8, uint8)"),
        ("boolean(double)", "bool(float64)"),
        (kern.float64(kern.float64), "float64(float64)"),
        (kern.void(kern.f8[:], kern.f8[:, :]), "void(float64[:], float64[:, :])"),
        ((kern.f8, kern.f4), "(float64, float32)"),
        ((np.float32, np.dtype("i2")), "(float32, int16)"),
    ],
)  # fmt: skip
def test_signatures(given, want):
    assert repr(parse_signature(given)) == want


def test_signatures_agree_with_numba():
    numba = pytest.importorskip("numba")
    from numba.core import sigutils

    for text in ("f8(f8, f4)", "(i8, u1)", "void(f8[:], i4[:,:])", "b1(c16)"):
        args, result = sigutils.normalize_signature(text)
        ours = parse_signature(text)
        theirs = parse_signature(args if result is None else result(*args))
        assert ours == theirs
        assert parse_signature(numba.types.void(numba.f8[:, ::1])).args[0].ndim == 2


@pytest.mark.parametrize(
    "layout, inputs, outputs",
    [
        ("(n),()->(n)", (("n",), ()), (("n",),)),
        ("(m, n), (n,p) -> (m ,p)", (("m", "n"), ("n", "p")), (("m", "p"),)),
        ("(),()->()", ((), ()), ((),)),
        ("(n)->(n),()", (("n",),), (("n",), ())),
        ("(3),(m?,n)->(3,m?)", (("3",), ("m?", "n")), (("3", "m?"),)),
        ("(t),()->", (("t",), ()), ()),
        ("(n,)->()", (("n",),), ((),)),
        ("(t),()", (("t",), ()), ()),
    ],
)
def test_layouts(layout, inputs, outputs):
    parsed = parse_layout(layout)
    assert (parsed.inputs, parsed.outputs) == (inputs, outputs)


@pytest.mark.parametrize("layout", ["n->n", "(n),,(m)->()", "(n)->(m)", "(n->n", 3])
def test_layouts_that_are_refused(layout):
    with pytest.raises(TypeError):
        parse_layout(layout)
