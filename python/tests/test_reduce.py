"""reduce and accumulate: against NumPy's ufuncs."""

import kern
import numpy as np
import pytest

from pairs import MODULE, array, compare, outcome, same

NAMES = ["add", "multiply", "subtract", "maximum", "hypot", "bitwise_or"]


def fits(name, dtype):
    """Whether NumPy's function takes the type, and widens nothing."""
    if name == "bitwise_or":
        return np.dtype(dtype).kind in "?iu"
    if name == "hypot":
        return dtype in ("f4", "f8")
    return name == "maximum" or dtype in ("i8", "f4", "f8", "c16")


TYPES = ["?", "i1", "u2", "i8", "f4", "f8", "c16"]
PAIRS = [(name, dtype) for name in NAMES for dtype in TYPES if fits(name, dtype)]


@pytest.mark.parametrize("name, dtype", PAIRS)
@pytest.mark.parametrize("axis", [0, 1, 2, -1, -3, 3, None, (0, 1), (2, 0), (), (1, 1)])
@pytest.mark.parametrize("keepdims", [False, True])
def test_reduce(name, dtype, axis, keepdims):
    several = axis is None or isinstance(axis, tuple) and len(axis) > 1
    if several and name in ("maximum", "hypot", "bitwise_or"):
        # NumPy knows that they are associative; these sources do not say so.
        with pytest.raises(ValueError):
            MODULE[name].reduce(array(dtype), axis, keepdims=keepdims)
        return
    if np.dtype(dtype).kind in "?iu" and name in ("add", "multiply"):
        keywords = {"dtype": dtype}  # NumPy widens these two
    else:
        keywords = {}
    compare(
        lambda f: f(name).reduce(array(dtype), axis, keepdims=keepdims, **keywords),
        rtol=1e-4,
    )


@pytest.mark.parametrize("name", ["add", "multiply", "subtract"])
@pytest.mark.parametrize("dtype", [None, "f4", "f8", "i8", "c16", "i2"])
@pytest.mark.parametrize("given", ["i8", "f4", "f8"])
def test_dtype(name, dtype, given):
    compare(lambda f: f(name).reduce(array(given), dtype=dtype), 1e-4)
    compare(lambda f: f(name).accumulate(array(given), dtype=dtype), 1e-4)
    compare(lambda f: f(name).reduceat(array(given), [0, 2], dtype=dtype), 1e-4)


@pytest.mark.parametrize("name", ["add", "subtract", "maximum"])
@pytest.mark.parametrize("initial", [0, 5, -2.5, None, np.float32(3)])
@pytest.mark.parametrize("shape", [(3, 4), (0, 4), (3, 0), (), (1,)])
def test_initial(name, initial, shape):
    if name == "maximum" and initial is None:
        return
    compare(lambda f: f(name).reduce(array("f8", shape), initial=initial))
    compare(lambda f: f(name).reduce(array("f8", shape), axis=-1, initial=initial))


@pytest.mark.parametrize("shape", [(0,), (0, 3), (3, 0), (1, 0, 2), ()])
@pytest.mark.parametrize("name", ["add", "multiply", "subtract", "hypot"])
def test_of_nothing(name, shape):
    if name == "hypot" and 0 in shape[:1]:
        with pytest.raises(ValueError):  # NumPy's has the identity 0
            MODULE.hypot.reduce(np.zeros(shape))
        return
    compare(lambda f: f(name).reduce(np.zeros(shape)))
    compare(lambda f: f(name).accumulate(np.zeros(shape)))
    if name in ("add", "multiply"):
        compare(lambda f: f(name).reduce(np.zeros(shape), axis=None))


@pytest.mark.parametrize(
    "mask",
    [
        True,
        False,
        np.arange(5) % 2 == 0,
        (np.arange(20) % 3 == 0).reshape(4, 5),
        [[True], [False], [True], [True]],
        np.ones((3, 4, 5), bool),
        np.ones((2, 3, 4, 5), bool),
        np.ones(6, bool),
        [1, 0, 1, 0, 1],
    ],
    ids=lambda one: str(np.shape(one)),
)
@pytest.mark.parametrize("axis", [0, -1, None, (0, 2)])
def test_where(mask, axis):
    compare(lambda f: f("add").reduce(array("f8"), axis, where=mask))
    compare(lambda f: f("add").reduce(array("f8"), axis, where=mask, initial=3))
    if isinstance(axis, int):
        compare(lambda f: f("subtract").reduce(array("f8"), axis, where=mask))
        compare(
            lambda f: f("subtract").reduce(array("f8"), axis, where=mask, initial=3)
        )


@pytest.mark.parametrize(
    "make",
    [
        lambda: np.zeros((4, 5)),
        lambda: np.zeros((4, 5), "f4"),
        lambda: np.zeros((4, 5), "i4"),
        lambda: np.zeros((4, 10))[:, ::2],
        lambda: np.zeros((4, 5), order="F"),
        lambda: (np.zeros((4, 5)),),
        lambda: np.zeros(5),
        lambda: np.zeros((1, 4, 5)),
        lambda: np.zeros((5, 4)),
        lambda: [1],
        lambda: (np.zeros((4, 5)),) * 2,
        lambda: (),
    ],
)
@pytest.mark.parametrize("keepdims", [False, True])
def test_out(make, keepdims):
    def call(f):
        out = make()
        got = f("add").reduce(array("f8"), out=out, keepdims=keepdims)
        assert got is (out[0] if isinstance(out, tuple) else out)
        return got

    compare(call)


@pytest.mark.parametrize("keepdims", [False, True])
def test_reductions_do_not_broadcast_to_out(keepdims):
    for dtype in ("f8", "f4"):
        for shape in [(2, 3), (1, 3), (3,), (1, 1), (1,), ()]:
            for extents in [(2, 3), (2, 1), (1, 1), (1,), (4,)]:
                x = np.ones(extents, dtype)

                def call(f):
                    out = np.zeros(shape)
                    f("add").reduce(x, out=out, keepdims=keepdims)
                    return out

                compare(call)


def test_scans_have_an_out_of_their_shape():
    add = MODULE.add
    for _ in range(3):
        for x, shape in [(np.ones((2, 1)), (2, 3)), (np.ones(2), (3, 2))]:
            with pytest.raises(ValueError, match=r"shape \(., .\), but the result has"):
                add.accumulate(x, out=np.zeros(shape))
            with pytest.raises(ValueError, match=r"shape \(., .\), but the result has"):
                add.reduceat(x, [0, 1], out=np.zeros(shape))


def test_out_of_scalars():
    def call(f):
        out = np.zeros(())
        assert f("add").reduce(np.arange(4.0), out=out) is out
        return out

    compare(call)


@pytest.mark.parametrize("name", ["add", "subtract", "maximum"])
@pytest.mark.parametrize("axis", [0, 1, -1, 2, None, (0, 1), (1,)])
def test_accumulate(name, axis):
    for one in (
        array("f8", (3, 4)),
        array("f8", (3, 4)).T,
        array("f4", (3, 8))[:, ::-2],
    ):
        compare(lambda f: f(name).accumulate(one, axis))
        compare(lambda f: f(name).accumulate(one, axis, out=np.zeros(one.shape, "f8")))


def test_huge_arrays():
    """Of one element in memory, and of several dimensions."""
    x = np.broadcast_to(np.float32(1), (1 << 12, 1 << 10))
    compare(lambda f: f("maximum").reduce(x, 1))
    compare(lambda f: f("add").reduce(x, None))
    deep = np.ones((2,) * 20, "f4")
    compare(lambda f: f("add").reduce(deep, tuple(range(0, 20, 2))))
    compare(lambda f: f("subtract").reduce(deep, 7))
    deeper = np.ones((1,) * 63 + (3,))
    compare(lambda f: f("subtract").reduce(deeper, 63))
    compare(lambda f: f("subtract").reduce(deeper, 0))


@pytest.mark.filterwarnings("ignore:Casting complex")
def test_byte_orders():
    x = np.arange(6.0).reshape(2, 3)
    for one in (x.astype(">f8"), x.astype(">i8"), x.astype(">c16")):
        for dtype in (None, ">f8", "<f8"):
            for out in (None, np.zeros(3, ">f8"), np.zeros(3, "<c16")):
                got, _ = outcome(
                    lambda: MODULE.subtract.reduce(one, dtype=dtype, out=out)
                )
                expected, error = outcome(
                    lambda: np.subtract.reduce(one, dtype=dtype, out=out)
                )
                if error is None:
                    np.testing.assert_array_equal(got, expected)


def test_out_decides_the_type():
    for out in (np.zeros(3, "f8"), np.zeros(3, "c16"), np.zeros(3, "i8")):
        for given in ("i4", "f4", "u1"):
            x = array(given, (4, 3))
            compare(lambda f: f("subtract").reduce(x, out=out.copy()))
            compare(
                lambda f: f("maximum").accumulate(x, out=np.zeros((4, 3), out.dtype))
            )


@pytest.mark.parametrize("identity", ["reorderable", 0])
@pytest.mark.parametrize("signatures", [["f8(f8, f8)"], None], ids=["listed", "generic"])
def test_several_axes_of_decorated_functions(identity, signatures):
    def plus(x, y):
        return x + y

    ours = (
        kern.vectorize(signatures, identity=identity)(plus)
        if signatures
        else kern.vectorize(identity=identity)(plus)
    )
    assert ours.identity == (0 if identity == 0 else None)
    x = np.arange(24.0).reshape(2, 3, 4)
    mask = x % 3 > 0
    for one in (x, x.T, x[:, ::-1], np.asfortranarray(x)):
        for axis in (None, (0, 1), (2, 0), (1,), -1, (0, 1, 2), ()):
            for options in (
                {},
                {"keepdims": True},
                {"initial": 5},
                {"where": mask if one.shape == x.shape else mask.T, "initial": 1},
            ):
                for _ in range(3):
                    np.testing.assert_allclose(
                        ours.reduce(one, axis, **options),
                        np.add.reduce(one, axis, **options),
                    )
    out = np.zeros(3)
    assert ours.reduce(x, (0, 2), out=out) is out
    np.testing.assert_allclose(out, x.sum((0, 2)))
    empty = np.zeros((0, 3))
    if identity == 0:
        for axis in (0, (0, 1)):
            np.testing.assert_array_equal(ours.reduce(empty, axis), empty.sum(axis))
        np.testing.assert_allclose(ours.reduce(x, (0, 1), where=mask), (x * mask).sum((0, 1)))
    else:
        for axis in (0, (0, 1)):
            with pytest.raises(ValueError):
                ours.reduce(empty, axis)
        with pytest.raises(ValueError):
            ours.reduce(x, (0, 1), where=mask)
    if signatures:
        np.testing.assert_allclose(ours.ufunc.reduce(x, (0, 2)), x.sum((0, 2)))
        assert ours.ufunc.identity == ours.identity


@pytest.mark.parametrize("name", ["add", "multiply"])
@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_sums_of_many_floats(name, dtype):
    """They have several accumulators; the bits of one layout are always the same."""
    rng = np.random.default_rng(3)
    for count in [0, 1, 2, 7, 8, 9, 63, 64, 65, 1000, 4097, 100_003]:
        x = (1 + rng.standard_normal(count) / 1000).astype(dtype)
        ours = MODULE[name].reduce(x)
        assert type(ours) is x.dtype.type and ours == MODULE[name].reduce(x.copy())
        exact = getattr(np, name).reduce(x.astype(np.longdouble))
        rtol = 2e-5 if dtype == "f4" else 1e-13
        np.testing.assert_allclose(float(ours), float(exact), rtol=rtol)
        if count:
            mask = rng.random(count) < 0.5
            ours = MODULE[name].reduce(x, where=mask)
            exact = getattr(np, name).reduce(x.astype(np.longdouble), where=mask)
            np.testing.assert_allclose(float(ours), float(exact), rtol=rtol)


@pytest.mark.parametrize("name", ["add", "multiply"])
@pytest.mark.parametrize("dtype", ["f2", "bfloat16"])
def test_sums_of_halves(name, dtype):
    """They are added up in 32 bits."""
    if dtype == "bfloat16":
        dtype = pytest.importorskip("ml_dtypes").bfloat16
    rng = np.random.default_rng(4)
    for count in [1, 7, 1000, 100_003]:
        x = (1 + rng.standard_normal(count) / 1000).astype(dtype)
        mask = rng.random(count) < 0.5
        if name == "add":
            x /= x.dtype.type(8)
        for options in ({}, {"initial": 1.5}, {"where": mask}):
            ours = MODULE[name].reduce(x, **options)
            exact = getattr(np, name).reduce(x.astype(np.longdouble), **options)
            assert type(ours) is x.dtype.type
            assert ours == exact.astype(np.float32).astype(dtype)


CONVERSIONS = ["f4 f8", "f2 f4", "i4 i8", "i2 i8", "u1 i8", "u4 i8", "? i8", "? f4", "i4 f8"]
CONVERSIONS += ["f4 c8", "i1 c16", "f8 f4", "i8 i2", "f8 i8", "c16 f8"]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", ["add", "multiply", "subtract", "maximum"])
@pytest.mark.parametrize("types", CONVERSIONS)
def test_elements_of_another_type(name, types):
    """They are converted first, whether they lose something or not."""
    given, dtype = types.split()
    if name == "maximum" and dtype[0] == "c":
        return  # NumPy's complex numbers have no order in `initial`
    x = (np.arange(9 * 5 * 3) % 7 - 2).astype(given).reshape(9, 5, 3)
    if name == "multiply":
        x[:] = np.where(x == 1, 2, 1)
    mask = np.arange(x.size).reshape(x.shape) % 3 > 0
    for one in (x, x.T, x[::-2, :, 1:], np.asfortranarray(x), x[:1], x[:4]):
        for axis in range(3):
            options = {"axis": axis, "dtype": dtype}
            part = mask if one is x else True
            for _ in range(2):
                compare(lambda f: f(name).reduce(one, **options), 1e-4)
                compare(
                    lambda f: f(name).reduce(one, **options, where=part, initial=1), 1e-4
                )
                compare(lambda f: f(name).accumulate(one, **options), 1e-4)
                compare(lambda f: f(name).reduceat(one, [0, 0], **options), 1e-4)


@pytest.mark.parametrize("dtype", ["?", "u1", "i8", "f4", "f8", "c16"])
@pytest.mark.parametrize("name", ["logical_and", "logical_or"])
def test_logical_functions_of_any_type(name, dtype):
    identity = name == "logical_and"
    module = kern.compile(
        f"@associative(identity={identity})\nufunc f(x, y): return np.{name}(x, y)\n"
        f"ufunc g(x, y): return {name}(x, y)"
    )
    x = (np.arange(21 * 4) % 5 > 0).astype(dtype).reshape(21, 4)
    if dtype in ("f4", "f8"):
        x[3, 1], x[4, 2] = np.nan, -0.0
    for count in range(22):
        for one in (x[:count], x[:count].T, 0 * x[:count]):
            for axis in (0, 1):
                want = getattr(np, name).reduce(one, axis)
                same(module.f.reduce(one, axis), want)
                if one.shape[axis]:
                    same(module.g.reduce(one, axis), want)
                same(module.f.reduce(one, axis, initial=identity), want)


def test_dtype_is_no_byte_order():
    for method in ("reduce", "accumulate"):
        with pytest.raises(TypeError, match="byte order"):
            getattr(MODULE.add, method)(np.ones(3), dtype=">f8")
