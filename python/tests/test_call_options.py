"""out, where, dtype, signature, casting and wrong keywords: Kern functions against
NumPy's own ufuncs."""

import numpy as np
import pytest

from pairs import MODULE, agree, ones, same

CASTINGS = ["no", "equiv", "safe", "same_kind", "unsafe"]


def outs(kind):
    x, y = ones(), ones((4,))
    out, other = np.zeros((3, 4)), np.zeros((3, 4))
    return {
        "positional": ((x, y, out), {}),
        "keyword": ((x, y), {"out": out}),
        "tuple": ((x, y), {"out": (out,)}),
        "tuple of None": ((x, y), {"out": (None,)}),
        "None": ((x, y), {"out": None}),
        "positional None": ((x, y, None), {}),
        "both": ((x, y, out), {"out": other}),
        "both, one None": ((x, y, None), {"out": other}),
        "two": ((x, y), {"out": (out, other)}),
        "none at all": ((x, y), {"out": ()}),
        "list": ((x, y), {"out": [out]}),
        "number": ((x, y), {"out": 1.0}),
        "scalar": ((x, y), {"out": np.float64(1)}),
        "wrong shape": ((x, y), {"out": np.zeros((4, 3))}),
        "broadcast": ((x, y), {"out": np.zeros((2, 3, 4))}),
        "too small": ((x, y), {"out": np.zeros(4)}),
        "float32": ((x, y), {"out": np.zeros((3, 4), "f4")}),
        "int": ((x, y), {"out": np.zeros((3, 4), "i8")}),
        "int, unsafe": (
            (x, y),
            {"out": np.zeros((3, 4), "i8"), "casting": "unsafe"},
        ),
        "complex": ((x, y), {"out": np.zeros((3, 4), "c16")}),
        "bool": ((x, y), {"out": np.zeros((3, 4), "?")}),
        "object": ((x, y), {"out": np.zeros((3, 4), "O")}),
        "strided": ((x, y), {"out": np.zeros((3, 8))[:, ::2]}),
        "reversed": ((x, y), {"out": np.zeros((3, 4))[::-1, ::-1]}),
        "Fortran": ((x, y), {"out": np.zeros((3, 4), order="F")}),
        "swapped": ((x, y), {"out": np.zeros((3, 4), ">f8")}),
        "the first argument": ((x, y, x), {}),
        "0-d": ((2.0, 3.0), {"out": np.zeros(())}),
        "three positional": ((x, y, out, other), {}),
        "unknown keyword": ((x, y), {"output": out}),
    }[kind]


OUTS = """positional|keyword|tuple|tuple of None|None|positional None|both|
both, one None|two|none at all|list|number|scalar|wrong shape|broadcast|too small|
float32|int|int, unsafe|complex|bool|strided|reversed|Fortran|swapped|
the first argument|0-d|three positional|unknown keyword""".replace("\n", "").split("|")


@pytest.mark.parametrize("name", ["add", "hypot", "less", "maximum"])
@pytest.mark.parametrize("kind", OUTS)
def test_out(name, kind):
    agree(name, lambda: outs(kind))


@pytest.mark.parametrize(
    "make",
    [
        lambda a, b: ((), {"out": (a, b)}),
        lambda a, b: ((), {"out": (None, b)}),
        lambda a, b: ((), {"out": (a, None)}),
        lambda a, b: ((), {"out": (None, None)}),
        lambda a, b: ((), {"out": a}),
        lambda a, b: ((), {"out": (a,)}),
        lambda a, b: ((), {"out": (a, b, a)}),
        lambda a, b: ((a,), {}),
        lambda a, b: ((a, b), {}),
        lambda a, b: ((None, b), {}),
        lambda a, b: ((a,), {"out": b}),
        lambda a, b: ((a, b, a), {}),
    ],
)
def test_out_of_two_results(make):
    def arguments():
        args, keywords = make(np.zeros(3), np.zeros(3, "f4"))
        return ((ones(3, scale=2.5), 2.0, *args), keywords)

    agree("divmod", arguments)


@pytest.mark.parametrize("name", ["add", "less", "divmod", "sin"])
@pytest.mark.parametrize(
    "mask",
    [
        True,
        False,
        [True, False, True, False],
        [[True], [False], [True]],
        np.array([True, False, False, True]),
        np.ones((3, 4), bool)[:, ::-1],
        np.True_,
    ],
    ids=repr,
)
def test_where_with_out(name, mask):
    count = 1 if name == "sin" else 2
    dtype = "?" if name == "less" else "f8"

    def arguments():
        out = tuple(np.full((3, 4), 7, dtype) for _ in range(MODULE[name].nout))
        return (ones(), ones((4,), scale=1))[:count], {"where": mask, "out": out}

    agree(name, arguments)


@pytest.mark.parametrize("mask", [[0, 1], [1.5], "x", [None], np.array([1, 0])])
def test_where_of_other_types(mask):
    agree("add", lambda: ((ones(2), 1.0), {"where": mask, "out": np.zeros(2)}))


def test_where_without_out():
    mask = np.array([True, False, True])
    got = MODULE.add(ones(3), 1.0, where=mask)
    np.testing.assert_array_equal(got, np.where(mask, ones(3) + 1, 0))
    # The mask takes part in broadcasting.
    mask = np.array([[True, False, True], [False, True, False]])
    got = MODULE.add(ones(3), 1.0, where=mask)
    np.testing.assert_array_equal(got, np.where(mask, ones(3) + 1, 0))
    for shape in ((2,), (3, 2), (0,)):
        agree("add", lambda: ((ones(3), 1.0), {"where": np.ones(shape, bool)}))


@pytest.mark.parametrize("name", ["add", "hypot", "less", "divmod", "maximum"])
@pytest.mark.parametrize("casting", CASTINGS + [None])
@pytest.mark.parametrize("dtype", ["i4", "f4", "f8", "c16", "?", np.int8, float, ">f4"])
@pytest.mark.parametrize("given", ["i2", "f4", "f8"])
def test_dtype(name, dtype, casting, given):
    keywords = {"dtype": dtype}
    if casting:
        keywords["casting"] = casting
    if name == "hypot" and np.dtype(dtype).kind in "?ib":
        with pytest.raises(TypeError):
            MODULE.hypot(ones(3, given), 2.0, **keywords)
        return
    if name == "hypot" and given == "i2" and casting in ("no", "equiv"):
        pytest.skip("a generic hypot has a loop that takes i16 and gives f32")
    agree(name, lambda: ((ones(3, given), ones(3, given)), keywords))


@pytest.mark.parametrize("casting", CASTINGS)
@pytest.mark.parametrize(
    "signature",
    ["dd->d", "ff->f", "ll->l", "bb->b", "d", ("f4", "f4", "f4"), (None, None, "f4")]
    + [("f4", None, None), (float,), ("f8", "f8", None)],
    ids=repr,
)
@pytest.mark.parametrize("given", ["i4", "f4", "f8"])
def test_signature(signature, casting, given):
    if signature == ("f4", None, None):
        # NumPy has no loop "fd->?"; a generic function has.
        got = MODULE.add(
            ones(3, given), ones(3, given), signature=signature, casting="unsafe"
        )
        same(got, np.add(ones(3, given).astype("f4"), ones(3, given)))
        return
    agree(
        "add",
        lambda: (
            (ones(3, given), ones(3, given)),
            {"signature": signature, "casting": casting},
        ),
    )


@pytest.mark.parametrize(
    "keywords",
    [
        {"signature": "dd"},
        {"signature": "ddd->d"},
        {"signature": "dd->dd"},
        {"signature": ("f8", "f8")},
        {"signature": ("f8",) * 4},
        {"signature": 1},
        {"signature": "OO->O"},
        {"signature": "zz->z"},
        {"dtype": "f8", "signature": "dd->d"},
        {"sig": "dd->d"},
        {"dtype": "M8[s]"},
        {"dtype": "U3"},
        {"dtype": "O"},
        {"dtype": "g"},
        {"dtype": "nonsense"},
        {"casting": "nonsense"},
        {"casting": 1},
        {"casting": None},
        {"order": "X"},
        {"order": 1},
        {"subok": "x"},
        {"keepdims": True},
        {"axis": 0},
        {"axes": [0, 0, 0]},
        {"nonsense": 1},
        {"extobj": []},
    ],
    ids=repr,
)
def test_keywords_that_are_wrong(keywords):
    if keywords.get("signature") in ("OO->O", "zz->z") or keywords.get("dtype") in (
        "O",
        "g",
    ):
        with pytest.raises(TypeError):  # NumPy has loops for these
            MODULE.add(ones(3), 1.0, **keywords)
        return
    agree("add", lambda: ((ones(3), 1.0), keywords))


@pytest.mark.parametrize("order", "KACF")
@pytest.mark.parametrize("out", "CF")
@pytest.mark.parametrize("x", ["row", "C", "F", "number"])
def test_layout_of_a_result_beside_an_out(order, out, x):
    full = ones((4, 2, 3), scale=2.5)
    x = {"row": full[:1, 0], "C": full, "F": np.asfortranarray(full), "number": 1.5}[x]

    def make(place):
        outs = [None, None]
        outs[place] = np.zeros((4, 2, 3), order=out)
        return {"out": tuple(outs), "order": order}

    for place in (0, 1):
        ours, theirs = MODULE["modf"](x, **make(place)), np.modf(x, **make(place))
        same(ours, theirs)
        assert [one.strides for one in ours] == [one.strides for one in theirs]


NUMBERS = [2, 2.5, 2j, True, -3]


@pytest.mark.parametrize("dtype", ["i8", "i4", "u1", "f8", "f4", "c16", "?"])
@pytest.mark.parametrize("number", NUMBERS, ids=repr)
@pytest.mark.parametrize("casting", ["same_kind", "unsafe"])
def test_numbers_beside_a_dtype(number, dtype, casting):
    """A float becomes no integer of itself, as it does not in NumPy."""
    if dtype == "?" and type(number) is int or dtype == "u1" and number == -3:
        return  # Kern's ranges: an integer that does not fit is refused
    for x in (np.arange(3, dtype="i4"), np.float32([1, 2]), np.True_, 1.5):
        agree("multiply", lambda: ((x, number), {"dtype": dtype, "casting": casting}))
        agree("multiply", lambda: ((number, x), {"dtype": dtype, "casting": casting}))
