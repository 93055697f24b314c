"""NumPy's calling convention: Kern functions against NumPy's own ufuncs."""

import itertools

import kern
import numpy as np
import pytest

from pairs import MODULE, agree, ones, same

BINARY = ["add", "multiply", "hypot", "less", "equal", "maximum", "logical_and"]
UNARY = ["negative", "sqrt", "isnan", "logical_not", "sin"]
TWO_RESULTS = ["divmod"]
LETTERS = "?bBhHiIlLefdFD"


@pytest.mark.parametrize("name", BINARY + TWO_RESULTS)
@pytest.mark.parametrize("letters", list(itertools.product("?bHilLfd", repeat=2)))
def test_types_of_two(name, letters):
    if name == "hypot" and letters == ("?", "?"):
        pytest.skip("hypot of bools: NumPy computes it in half precision")
    first, second = letters
    agree(name, lambda: ((ones(3, first), ones((2, 3), second, 1)), {}))


@pytest.mark.parametrize("name", BINARY + TWO_RESULTS + ["true_divide", "subtract"])
@pytest.mark.parametrize("letter", LETTERS)
@pytest.mark.parametrize("number", [True, 2, 2.5, 1.5j], ids=str)
def test_numbers(name, letter, number):
    agree(name, lambda: ((ones(3, letter), number), {}))
    agree(name, lambda: ((number, ones(3, letter)), {}))


@pytest.mark.parametrize("name", UNARY)
@pytest.mark.parametrize("letter", LETTERS)
def test_types_of_one(name, letter):
    if name == "sin" and letter in "FD":
        pytest.skip("this one has loops over real numbers")
    agree(name, lambda: ((ones((2, 3), letter),), {}))


@pytest.mark.parametrize("name", BINARY + TWO_RESULTS)
@pytest.mark.parametrize(
    "args",
    [
        (1, 2),
        (1.5, 2),
        (True, 2),
        (1j, 2),
        (np.float32(1.5), 2),
        (np.float32(1.5), np.float64(2)),
        (np.int8(3), 2.5),
        (np.array(3.0), 2),
        (np.array(3, "i2"), np.array(2, "u1")),
        ([1, 2, 3], 2),
        ([[1.5], [2]], (1, 2, 3)),
        ([], 1.0),
        (np.bool(True), np.bool(False)),
    ],
    ids=repr,
)
def test_scalars_and_lists(name, args):
    agree(name, lambda: (args, {}))


@pytest.mark.parametrize("name", BINARY + TWO_RESULTS)
@pytest.mark.parametrize(
    "shapes",
    [((), (3,)), ((3, 1), (1, 4)), ((2, 3, 4), (4,)), ((0, 3), (1, 3)), ((0,), (1,))]
    + [((3,), (4,)), ((2, 3), (3, 2)), ((0,), (2,)), ((1,) * 32, (1,))],
    ids=str,
)
def test_broadcasting(name, shapes):
    agree(name, lambda: (tuple(ones(shape) for shape in shapes), {}))


@pytest.mark.parametrize("order", ["K", "C", "F", "A", "k", "c", None])
@pytest.mark.parametrize(
    "make",
    [
        lambda: ones((3, 4)),
        lambda: ones((3, 4)).T,
        lambda: np.asfortranarray(ones((3, 4))),
        lambda: ones((3, 4, 5)).transpose(1, 2, 0),
        lambda: ones((3, 8))[:, ::2],
        lambda: ones((3, 4))[::-1],
        lambda: np.broadcast_to(ones(4), (3, 4)),
        lambda: ones((3, 1, 4)),
    ],
)
def test_order(order, make):
    got = MODULE.add(make(), 1.0, order=order)
    expected = np.add(make(), 1.0, order=order)
    same(got, expected)
    assert got.flags.c_contiguous == expected.flags.c_contiguous
    assert got.flags.f_contiguous == expected.flags.f_contiguous
    assert got.strides == expected.strides


@pytest.mark.parametrize("order", "KCFA")
def test_order_of_two(order):
    first, second = np.asfortranarray(ones((3, 4))), ones((3, 4))
    for pair in itertools.product((first, second), repeat=2):
        got = MODULE.add(*pair, order=order)
        assert got.strides == np.add(*pair, order=order).strides


def strange(kind, dtype):
    base = ones((4, 6), dtype)
    if kind == "negative strides":
        return base[::-1, ::-2]
    if kind == "zero strides":
        return np.broadcast_to(base[0], (4, 6))
    if kind == "swapped":
        return base.astype(base.dtype.newbyteorder())
    if kind == "misaligned":
        raw = np.zeros(base.nbytes + 1, "u1")[1:].view(base.dtype)
        raw[:] = base.ravel()
        return raw.reshape(base.shape)
    if kind == "field":
        record = np.zeros((4, 6), [("c", "i1"), ("x", base.dtype), ("d", "i2")])
        record["x"] = base
        return record["x"]
    if kind == "read-only":
        base.flags.writeable = False
        return base
    if kind == "huge strides":
        return np.zeros((1 << 15, 256), dtype)[:: 1 << 13, :6]
    if kind == "transposed":
        return np.ascontiguousarray(base.T).T
    return base[:0]


STRANGE = """negative strides|zero strides|swapped|misaligned|field|read-only|
huge strides|transposed|empty""".replace("\n", "").split("|")


@pytest.mark.parametrize("name", ["add", "less", "divmod"])
@pytest.mark.parametrize("kind", STRANGE)
@pytest.mark.parametrize("dtype", ["f4", "f8", "i2", "c16"])
def test_strange_arrays(name, kind, dtype):
    if name == "divmod" and dtype == "c16":
        pytest.skip("complex numbers have no remainder")
    agree(name, lambda: ((strange(kind, dtype), np.array(2, dtype)), {}))
    agree(name, lambda: ((np.array(2, dtype), strange(kind, dtype)), {}))


@pytest.mark.parametrize("kind", STRANGE)
@pytest.mark.parametrize("dtype", ["f4", "c16"])
def test_strange_outputs(kind, dtype):
    if kind == "zero strides":
        return  # read-only as NumPy makes it

    def arguments():
        out = strange(kind, dtype)
        return ((np.ones(out.shape, dtype), 2), {"out": out})

    agree("add", arguments)


@pytest.mark.parametrize(
    "view",
    [
        lambda a: (a[1:-1], a[2:], a[:-2]),
        lambda a: (a[1:-1], a[:-2], a[1:-1]),
        lambda a: (a[2:], a[1:-1], a[2:]),
        lambda a: (a, a[::-1], a),
        lambda a: (a[::-1], a, a[::-1]),
        lambda a: (a[::2], a[1::2], a[::2]),
        lambda a: (a[:5], a[5:10], a[0:10:2]),
        lambda a: (a, a, a),
        lambda a: (a[:1], a, a),
        lambda a: (a[3], a, a),
    ],
)
@pytest.mark.parametrize("name", ["add", "maximum"])
def test_overlap(name, view):
    agree(name, lambda: (view(ones(10)), {}))
    agree(name, lambda: (view(ones(5000)), {}) if name == "maximum" else ((1, 2), {}))


def test_overlap_of_matrices():
    def arguments():
        a = ones((5, 5))
        return ((a, a.T), {"out": a})

    agree("add", arguments)


@pytest.mark.parametrize(
    "array",
    [
        np.array([1, None], object),
        np.array(["a", "b"]),
        np.array([b"a", b"b"]),
        np.array(["2020-01-01"], "M8[D]"),
        np.array([1], "m8[s]"),
        np.array([(1, 2.0)], [("a", "i4"), ("b", "f4")]),
        np.array([1.0], np.longdouble),
        np.array([1.0], np.clongdouble),
        "text",
        b"bytes",
        None,
        object(),
        {},
        [1, "a"],
        np.longdouble(1),
        np.datetime64("2020-01-01"),
        np.timedelta64(1, "s"),
        np.str_("a"),
        np.void(b"abc"),
    ],
    ids=lambda one: type(one).__name__,
)
def test_refused_arrays(array):
    for args in ((array, 1), (1, array)):
        with pytest.raises(TypeError):
            MODULE.hypot(*args)


def test_ragged_list():
    agree("add", lambda: (([[1, 2], [3]], 1), {}))


@pytest.mark.parametrize("number", [2**63, 2**64 - 1, 2**64, 2**100, -(2**63) - 1])
@pytest.mark.parametrize("name", ["add", "multiply"])
@pytest.mark.parametrize("letter", ["i8", "u8", "i4", "f4", "f8", "c8"])
def test_large_integers(name, number, letter):
    agree(name, lambda: ((ones(2, letter, 1), number), {}))
    agree(name, lambda: ((number, ones(2, letter, 1)), {}))
    agree(name, lambda: ((number, 1), {}))


def test_integers_beyond_all_floats():
    with pytest.raises(OverflowError):
        MODULE.add(1.0, 10**400)


@pytest.mark.parametrize("number", [2**63, 2**64, 2**100, -(2**80)])
def test_large_integers_where_nothing_else_is_taken(number):
    module = kern.compile(
        "ufunc product(x: T, y: T) -> T where T in (f32, f64): return x * y\n"
        "gufunc scaled(v: f64[n], by: f64) -> (y: f64[n]): y[:] = v * by\n"
        "ufunc mixed(x: u64) -> u64: return x ^ (x >> 3)\n"
        "ufunc whole(x: T) -> T where T in (i64, f64): return x"
    )
    assert module.product(number, 2) == np.float64(number) * 2
    assert module.scaled([0.5], number) == np.array([number / 2])
    with pytest.raises(OverflowError):
        module.whole(number)
    if 0 < number < 2**64:
        assert module.mixed(number) == np.uint64(number ^ number >> 3)
    else:
        with pytest.raises(OverflowError):
            module.mixed(number)
    with pytest.raises(OverflowError, match="to float"):
        module.product(10**400, 1)


@pytest.mark.parametrize("number", [300, -1, 128, 255, 256])
@pytest.mark.parametrize("letter", ["i1", "u1", "u8"])
def test_integers_out_of_range(number, letter):
    agree("add", lambda: ((ones(2, letter), number), {}))


def test_dtype_of_results_that_are_so_anyway():
    """`dtype` does not take a loop that rounds arguments."""
    module = kern.compile(
        "ufunc isinf(x: T) -> bool where T in floats:\n    return np.isinf(x)"
    )
    assert not module.isinf(1e300, dtype=bool)
    assert module.isinf(np.inf, dtype=bool)


@pytest.mark.parametrize(
    "args, keywords",
    [
        ((), {}),
        ((1,), {}),
        ((1, 2, None, None), {}),
        ((), {"out": np.zeros(1)}),
        ((1,), {"z": 2}),
        ((1, 2), {"x1": 2}),
        ((np.ones((1,) * 64),) * 2, {}),
        ((np.ones((1,) * 64), 1), {}),
    ],
    ids=lambda one: "",
)
def test_counts(args, keywords):
    agree("add", lambda: (args, keywords))


def test_arguments_by_name():
    add = MODULE.add
    assert add(x=1, y=2) == add(1, y=2) == add(y=2, x=1) == 3
    with pytest.raises(TypeError, match="multiple values"):
        add(1, 2, x=3)
    with pytest.raises(TypeError, match="missing"):
        add(y=3)
    with pytest.raises(TypeError, match="multiple values"):
        add(1, x=2)
    out = np.zeros(2)
    assert add(x=[1, 2], y=2, out=out) is out
    with pytest.raises(TypeError):
        add(1, 2, None, x=1)


def test_parameters_named_as_options():
    module = kern.compile("ufunc f(where, out):\n    return where - out")
    assert module.f(5, 3) == 2
    with pytest.raises(TypeError, match="missing required argument 'out'"):
        module.f(5, where=True)


def test_results_of_scalars():
    for name in BINARY + TWO_RESULTS:
        agree(name, lambda: ((np.float32(2), np.array(3.0)), {}))
    agree("add", lambda: ((np.array(1.0), np.array(2.0)), {"out": np.zeros(())}))


def test_results_are_new_arrays():
    x = ones(5)
    got = MODULE.add(x, 0.0)
    assert got.base is None and got.flags.owndata and got.flags.writeable
    assert not np.shares_memory(got, x)
    got[:] = 0  # the memory is ours


def test_argument_order_of_errors():
    class Bad:
        def __array__(self, dtype=None, copy=None):
            raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine"):
        MODULE.add(Bad(), 1)
    with pytest.raises(ZeroDivisionError, match="mine"):
        MODULE.add(ones(3), Bad())


def test_array_protocols():
    class Interface:
        def __init__(self, array):
            self.array = array

        def __array__(self, dtype=None, copy=None):
            return self.array

    agree("add", lambda: ((Interface(ones(3)), 1.0), {}))

    class Buffer:
        def __init__(self, array):
            self.__array_interface__ = array.__array_interface__
            self.array = array

    agree("add", lambda: ((Buffer(ones(3)), 1.0), {}))
    agree("add", lambda: ((memoryview(ones(3)), 1.0), {}))
    agree("add", lambda: ((bytearray(b"abc"), np.uint8(1)), {}))


def test_numbers_of_other_kinds():
    class Float(float):
        pass

    class Int(int):
        pass

    for number in (Float(1.5), Int(3), True, np.float64(1.5)):
        for letter in "f4 f8 i2".split():
            agree("add", lambda: ((ones(3, letter), number), {}))


@pytest.mark.parametrize("kind", ["swapped", "unaligned"])
def test_a_failed_call_forgets_the_copy_of_its_out(kind):
    m = kern.compile("ufunc add(x, y): return x + y")
    out = np.zeros(3, ">f8")
    if kind == "unaligned":
        out = np.zeros(3, [("a", "u1"), ("b", "f8")])["b"]
    for call in (
        lambda: m.add([1, 2], 2, out=out),
        lambda: m.add(1j, 2, out=out),
        lambda: m.add.outer([1.0, 2.0], [3.0], out=out),
        lambda: m.add.accumulate(np.ones((2, 2)), out=out),
        lambda: m.add.reduce(np.ones((2, 2)), out=out),
    ):
        with pytest.raises((kern.ShapeError, kern.DTypeError)):
            call()
        assert not out.any()
    m.add(np.ones(3), 2, out=out)
    assert list(out) == [3, 3, 3]
