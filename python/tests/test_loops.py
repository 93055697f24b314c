"""types, ntypes, identity and resolve_dtypes: against NumPy's ufuncs."""

import itertools

import kern
import numpy as np
import pytest
from pairs import MODULE, builtin_of, outcome

LISTED = kern.compile(
    """
ufunc one(x: T) -> bool where T in (bf16, f16, f32, f64):
    return x > 0

ufunc scaled(x: T, n: i32) -> (y: T, z: i32) where T in (f32, c64):
    return x * n, n

gufunc shrink(v: T[n], k: dim) -> (y: T[n - k]) where T in (f32, f64):
    for i in prange(n - k):
        y[i] = v[i]

gufunc inner(a: T[n], b: T[n]) -> T where T in (f32, f64):
    return sum(a[i] * b[i] for i in range(n))

gufunc grow(v: T[n], w: T[k]) -> (y: T[n - k - 3]) where T in (f32, f64):
    for i in prange(n - k - 3):
        y[i] = v[i]

gufunc only_out(v: f32[n]) -> (y: f32[p]):
    for i in prange(p):
        y[i] = v[0]
"""
)


def test_types():
    assert LISTED.one.types == ["E->?", "e->?", "f->?", "d->?"]
    assert LISTED.one.ntypes == 4
    assert LISTED.scaled.types == ["fi->fi", "Fi->Fi"]
    assert LISTED.shrink.types == ["fl->f", "dl->d"]
    assert LISTED.inner.types == ["ff->f", "dd->d"]
    assert MODULE.add.types == [] and MODULE.add.ntypes == 0
    for letters in LISTED.scaled.types:
        assert np.dtype(letters[0]) in (np.dtype("f4"), np.dtype("c8"))


def test_identity():
    module = kern.compile(
        """
const LOWEST = -inf

@associative(identity=0)
ufunc total(x, y):
    return x + y

@associative(identity=LOWEST)
ufunc largest(x: T, y: T) -> T where T in (f32, f64):
    return max(x, y)

@associative(identity=True)
ufunc both(x: bool, y: bool) -> bool:
    return x & y

@associative(identity=1.5)
ufunc odd(x, y):
    return x * y

ufunc plain(x, y):
    return x - y

ufunc one(x):
    return x
"""
    )
    assert module.total.identity == 0 and type(module.total.identity) is int
    assert module.largest.identity == -np.inf
    assert module.both.identity is True
    assert module.odd.identity == 1.5
    assert module.plain.identity is None and module.one.identity is None
    assert LISTED.inner.identity is None
    assert LISTED.one.identity is None


DTYPES = [np.dtype(one) for one in "?bBhHiIlLefdFD"]


@pytest.mark.parametrize(
    "name", ["add", "less", "maximum", "true_divide", "equal", "bitwise_or", "copysign"]
)
@pytest.mark.parametrize("first", [*DTYPES, int, float, complex], ids=str)
def test_resolve_two(name, first):
    for second in [*DTYPES, int, float, complex]:
        dtypes = (first, second, None)
        got, error = outcome(lambda: MODULE[name].resolve_dtypes(dtypes))
        expected, numpy_error = outcome(
            lambda: getattr(np, name).resolve_dtypes(dtypes)
        )
        if numpy_error is not None:
            assert isinstance(error, builtin_of(numpy_error)), (second, got)
            continue
        if error is not None:
            raise error
        # A generic function takes each argument in its own type.
        assert got[2] == expected[2], second
        if name in ("bitwise_or", "copysign"):
            assert got == expected, second


@pytest.mark.parametrize("name", ["negative", "isnan", "sqrt", "sin", "logical_not"])
def test_resolve_one(name):
    for first in [*DTYPES, int, float, complex]:
        if name == "sin" and first in (complex, np.dtype("F"), np.dtype("D")):
            continue
        dtypes = (first, None)
        got, error = outcome(lambda: MODULE[name].resolve_dtypes(dtypes))
        expected, numpy_error = outcome(
            lambda: getattr(np, name).resolve_dtypes(dtypes)
        )
        if numpy_error is not None:
            assert isinstance(error, builtin_of(numpy_error))
        elif error is not None:
            raise error
        else:
            assert got[1] == expected[1], first


def test_resolve_with_outputs_and_casting():
    add, f4, f8, i4 = MODULE.add, *map(np.dtype, ("f4", "f8", "i4"))
    for dtypes, keywords in itertools.product(
        [(f4, f4, f4), (f4, f8, f4), (f4, f4, i4), (f8, f8, f8), (i4, i4, None)],
        [{}]
        + [{"casting": one} for one in ("no", "equiv", "safe", "same_kind", "unsafe")]
        + [{"signature": (None, None, f4)}, {"signature": "dd->d"}]
        + [{"signature": "dd->d", "casting": "unsafe"}],
    ):
        got, error = outcome(lambda: add.resolve_dtypes(dtypes, **keywords))
        expected, numpy_error = outcome(
            lambda: np.add.resolve_dtypes(dtypes, **keywords)
        )
        if numpy_error is not None:
            if dtypes[0] == dtypes[1]:
                assert isinstance(error, TypeError), (dtypes, keywords, got)
        elif error is not None:
            raise error
        else:
            assert got[2] == expected[2], (dtypes, keywords)


def test_resolve_reductions():
    f4, i8, b = map(np.dtype, ("f4", "i8", "?"))
    for dtypes in [(None, f4, None), (f4, f4, None), (i8, i8, None), (None, i8, None)]:
        for name in ("multiply", "subtract", "maximum"):
            got = MODULE[name].resolve_dtypes(dtypes, reduction=True)
            assert got == getattr(np, name).resolve_dtypes(dtypes, reduction=True)
    assert MODULE.logical_and.resolve_dtypes((None, i8, None), reduction=True) == (
        b,
        i8,
        b,
    )
    with pytest.raises(ValueError):
        MODULE.negative.resolve_dtypes((f4, None), reduction=True)


@pytest.mark.parametrize(
    "dtypes",
    [
        [np.dtype("f4"), float, None],
        (np.dtype("f4"),),
        (np.dtype("f4"),) * 4,
        (np.dtype("f4"), "f4", None),
        (np.dtype("f4"), bool, None),
        (np.dtype("f4"), None, None),
        (np.dtype("O"), np.dtype("f4"), None),
        (np.dtype("M8[s]"), np.dtype("f4"), None),
        (np.dtype("S3"), np.dtype("f4"), None),
        (),
        None,
    ],
    ids=repr,
)
def test_resolve_refusals(dtypes):
    with pytest.raises(TypeError):
        MODULE.add.resolve_dtypes(dtypes)


def test_resolve_of_inputs_alone():
    f4, f8 = np.dtype("f4"), np.dtype("f8")
    assert MODULE.add.resolve_dtypes((f4, float)) == (f4, f4, f4)
    assert MODULE.divmod.resolve_dtypes((f4, f8)) == (f4, f8, f8, f8)
    i4 = np.dtype("i4")
    assert LISTED.scaled.resolve_dtypes((f4, int)) == (f4, i4, f4, i4)
    with pytest.raises(TypeError):
        LISTED.scaled.resolve_dtypes((f8, int))


def test_resolve_of_gufuncs():
    f4, f8, i4 = np.dtype("f4"), np.dtype("f8"), np.dtype("i4")
    assert LISTED.inner.resolve_dtypes((f4, f4, None)) == (f4, f4, f4)
    assert LISTED.inner.resolve_dtypes((f4, i4, None)) == (f8, f8, f8)
    assert LISTED.shrink.resolve_dtypes((f4, int, None)) == (f4, int, f4)
    assert LISTED.shrink.resolve_dtypes((i4, None)) == (f8, int, f8)
    assert LISTED.only_out.resolve_dtypes((f4, None)) == (f4, f4)
    with pytest.raises(TypeError):
        LISTED.inner.resolve_dtypes((np.dtype("c16"), f4, None))


def test_resolve_where_extents_are_computed():
    f4 = np.dtype("f4")
    assert LISTED.grow.resolve_dtypes((f4, f4, None)) == (f4, f4, f4)


def test_resolve_bfloat16():
    ml_dtypes = pytest.importorskip("ml_dtypes")
    b = np.dtype(ml_dtypes.bfloat16)
    assert LISTED.one.resolve_dtypes((b, None)) == (b, np.dtype("?"))
    assert MODULE.add.resolve_dtypes((b, float, None))[2] == b


def test_nothing_is_run_or_compiled_for_a_gpu():
    # 64 arrays of 2^60 elements: only their types are looked at.
    assert MODULE.add.resolve_dtypes((np.dtype("f8"), np.dtype("f8")))
