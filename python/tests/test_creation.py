"""np.zeros, np.empty, np.ones and np.full in the bodies of decorated functions."""

import linecache

import numpy as np
import pytest

import kern

BODY = """
def f(x):
    a = {}
    a[0] = {}
    return {} + a[0] * 2
"""
DTYPES = "bool|np.bool_|int|float|np.float32|np.int8|complex|'f4'|'float32'|"
DTYPES += "np.dtype('f4')|np.dtype(np.int16)|np.uint64|kern.float32"
CALLS = "np.zeros(3, {0})|np.zeros((3,), dtype={0})|np.empty(3, dtype={0})|"
CALLS += "np.ones(3, dtype={0})|np.ones(shape=3, order='C', dtype={0})|"
CALLS += "np.full(3, 1, dtype={0})|np.full(3, x, dtype={0})|"
CALLS += "np.full(3, fill_value=1, dtype={0}, order='F')|np.full((3,), 0, {0})"


def made(text):
    """The function of a text, which is at hand as that of a file is."""
    name = f"<{len(linecache.cache)} {hash(text)}>"
    linecache.cache[name] = len(text), None, text.splitlines(True), name
    space = {"np": np, "kern": kern}
    exec(compile(text, name, "exec"), space)
    return space["f"]


def agrees(body, *, is_complex=False):
    python = made(body)
    for signature in (["c16(c16)"] if is_complex else ["f8(f8)"], None):
        ours = kern.vectorize(signature)(python) if signature else kern.vectorize(python)
        for x in (2.0, 0.0):
            assert ours(x) == python(x)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("call", CALLS.split("|"))
@pytest.mark.parametrize("dtype", DTYPES.split("|"))
def test_types(call, dtype):
    first = "a[0]" if "empty" in call else "a[1]"
    agrees(BODY.format(call.format(dtype), "1", f"1.5 * {first}"), is_complex="plex" in dtype)


@pytest.mark.parametrize(
    "value, letter",
    [("2.5", "d"), ("-2.0", "d"), ("3", "l"), ("True", "?"), ("2j", "D"), ("x", "f")],
)
@pytest.mark.parametrize("call", ["np.full(3, {})", "np.full((3,), fill_value={})"])
def test_full_has_the_type_of_numpys(call, value, letter):
    """Beside a float32, which weak numbers would follow."""
    f = kern.vectorize(made(f"def f(x):\n    a = {call.format(value)}\n    return a[0]"))
    x = np.float32(3)
    assert f(x).dtype == letter and f(x) == eval(value)
    g = kern.vectorize(
        made(f"def f(x):\n    a = {call.format(value)}\n    return a[0] + x")
    )
    assert g(x).dtype == np.result_type(letter, "f")


ELEMENTS = """
def f(x, y):
    a = {}
    for i in range(len(x)):
        y[i] = x[i] + a[0]
"""


@pytest.mark.parametrize("dtype", ["f4", "i2", "u1", "c8", "?", "f2"])
def test_dtype_of_a_parameter_without_signatures(dtype):
    x = np.array([1, 0, 1], dtype)
    for call, first in [
        ("np.ones(3, dtype=x.dtype)", 1),
        ("np.zeros(len(x), x.dtype)", 0),
        ("np.zeros(shape=(len(x),), dtype=x.dtype, order='C')", 0),
    ]:
        f = kern.guvectorize("(n)->(n)")(made(ELEMENTS.format(call)))
        assert f(x).dtype == dtype
        np.testing.assert_array_equal(f(x), x + x.dtype.type(first))
        assert f(x[:0]).dtype == dtype
    matrix = made("def f(x, y):\n    y[0] = np.ones(1, x.dtype)[0]")
    assert kern.guvectorize("(m,n)->()")(matrix)(np.ones((2, 3), dtype)).dtype == dtype


def test_what_is_refused():
    for call in ("np.full(3, 1, dtype=x.dtype)", "np.zeros(3, y.dtype)"):
        with pytest.raises(kern.CompileError, match="the type of `.` is not known"):
            kern.guvectorize("(n)->(n)")(made(ELEMENTS.format(call)))
    with pytest.raises(kern.CompileError, match="the shape comes first"):
        kern.vectorize(made("def f(x):\n    return np.ones(dtype=bool, shape=3)[0]"))


STORED = {
    "seen[0] = 1; seen[1] = 0": "bool",
    "seen[0] = x[0] > 1; seen[1] = x[1]": "np.bool_",
    "seen[0] = x[0] * 100; seen[1] = 250 + len(x)": "np.uint8",
    "seen[0] = x[0]; seen[1] = -x[1]": "'i8'",
}


@pytest.mark.parametrize("stores", STORED)
@pytest.mark.parametrize("signatures", [["void(f8[:], f8[:])"], None])
def test_stores_to_local_arrays(stores, signatures):
    """As Numba's, they convert, whether the types are known or not."""
    text = f"def f(x, y):\n    seen = np.zeros(2, dtype={STORED[stores]})\n    {stores}\n"
    python = made(text + "    y[0] = seen[0] + 0.5\n    y[1] = seen[1]\n")
    args = [signatures] if signatures else []
    f = kern.guvectorize(*args, "(n)->(n)")(python)
    for x in (np.array([1.75, 2.5]), np.array([0.25, 0.0])):
        y = np.zeros(2)
        python(x, y)
        np.testing.assert_array_equal(f(x), y)
