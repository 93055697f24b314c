"""Narrow integers give what Numba gives: computed in 64 bits."""

import itertools
import math
import sys

import numpy as np
import pytest

import kern

numba = pytest.importorskip("numba")

PAIRS = ["BB", "bb", "Bb", "hB", "II", "Ii", "Lb", "lL"]
LETTER = {"B": "u1", "b": "i1", "H": "u2", "h": "i2", "I": "u4", "i": "i4"}
LETTER |= {"L": "u8", "l": "i8", "?": "b1", "f": "f4", "d": "f8"}


def add(x, y): return x + y
def subtract(x, y): return x - y
def multiply(x, y): return x * y
def true_divide(x, y): return x / y
def floor_divide(x, y): return x // y
def remainder(x, y): return x % y
def bit_and(x, y): return x & y
def bit_or(x, y): return x | y
def bit_xor(x, y): return x ^ y
def less(x, y): return x < y
def equal(x, y): return x == y
def greater_equal(x, y): return x >= y
def smallest(x, y): return min(x, y)
def largest(x, y): return max(x, y)
def midpoint(x, y): return (x + y) // 2
def difference(x, y): return abs(x - y)
def minus_one(x, y): return (x - 1) // 2 + y
def chosen(x, y): return x if x < y else y
def or_literal(x, y): return (x if x < y else 3) - y
def largest_literal(x, y): return max(x, 3) - y
def absolute(x, y): return abs(x) + abs(y)
def negative(x, y): return -x - +y
def inverted(x, y): return ~x // 2 + ~y
def casts(x, y): return int(x) - int(y)
def as_float(x, y): return float(x - y) / 4
def narrow(x, y): return (np.uint8(x) - np.uint8(y)) // 2
def to_bool(x, y): return bool(x) + bool(y)


def rebound(x, y):
    x = x - y
    if x > 100:
        x = 7
    return x // 3


def accumulated(x, y):
    total = 0
    for i in range(3):
        total += x
        total -= y * i
    return total // 2


def in_place(x, y):
    x -= y
    x //= 2
    x *= 3
    return x


def joined(x, y):
    if x < y:
        z = x
    else:
        z = 0
    return (z - 1) // 2


BINARY = [
    add, subtract, multiply, true_divide, floor_divide, remainder, bit_and, bit_or,
    bit_xor, less, equal, greater_equal, smallest, largest, midpoint, difference,
    minus_one, chosen, or_literal, largest_literal, absolute, negative, inverted,
    casts, as_float, narrow, to_bool, rebound, accumulated, in_place, joined,
]  # fmt: skip
if sys.version_info >= (3, 12):
    # There Numba types what follows a conditional expression apart for each of its
    # values: of two u8 this is a u64 or an i64, and so a f64.
    BINARY.remove(or_literal)


def values(letter):
    dtype = np.dtype(letter)
    info = np.iinfo(dtype)
    near = [info.min, info.min + 1, info.max - 1, info.max, info.max // 2]
    small = [n for n in (-100, -7, -2, -1, 0, 1, 2, 3, 7, 100) if n >= info.min]
    return np.array(sorted({*near, *small}), dtype)


def operands(pair):
    # Numba compares i64 with u64 as f64; Kern by value. So no larger ones here.
    known = [one for one in values(pair[0]) if pair != "lL" or abs(int(one)) < 2**52]
    both = list(itertools.product(known, values(pair[1])))
    if pair == "lL":
        both = [one for one in both if one[1] < 2**52]
    return [np.array([one[i] for one in both], pair[i]) for i in (0, 1)]


def signature_of(args):
    return ", ".join(LETTER[one.dtype.char] for one in args)


def check(function, args, result=None):
    """`result` is a letter; without one it is the type that Numba finds."""
    declared = LETTER[result] if result else ""
    signature = f"{declared}({signature_of(args)})"
    with np.errstate(all="ignore"):
        want = numba.vectorize([signature])(function)(*args)
        declared = LETTER[want.dtype.char]
        got = kern.vectorize([f"{declared}({signature_of(args)})"])(function)(*args)
    assert got.dtype == want.dtype
    np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize("function", BINARY, ids=lambda f: f.__name__)
def test_result_of_64_bits(function, pair):
    check(function, operands(pair))


NARROWED = [f for f in BINARY if f not in (true_divide, as_float)]


@pytest.mark.parametrize("pair", ["BB", "bB"])
@pytest.mark.parametrize("function", NARROWED, ids=lambda f: f.__name__)
def test_result_of_the_first_type(function, pair):
    check(function, operands(pair), pair[0])


def left(x, y): return (x << y) // 3
def right(x, y): return (x >> y) - 1
def power(x, y): return x**y
def square(x, y): return x**2 - y


@pytest.mark.parametrize("letter", "BbIi")
@pytest.mark.parametrize("function", [left, right, power, square])
@pytest.mark.parametrize("count", "Bl")
def test_shifts_and_powers(function, letter, count):
    x = np.repeat(values(letter), 20)
    y = np.resize(np.arange(20), x.size).astype(count)
    check(function, [x, y])


CASTS = ["B", "b", "i", "L", "f", "?"]


def same(x): return x


@pytest.mark.parametrize("to", CASTS)
@pytest.mark.parametrize("of", "BbHilL")
def test_integers_convert_to_the_declared_type(of, to):
    check(same, [values(of)], to)


@pytest.mark.parametrize("to", "BbHhil?")
def test_floats_truncate(to):
    check(same, [np.array([0.0, 0.5, 1.7, 2.0, 100.9])], to)


@pytest.mark.parametrize("to", "bhil")
def test_negative_floats_truncate(to):
    check(same, [np.array([-0.5, -1.7, -100.9])], to)


def minus(x): return -1
def large(x): return 300


@pytest.mark.parametrize("function", [minus, large])
@pytest.mark.parametrize("to", "BbHhilLd")
def test_literals_convert_to_the_declared_type(function, to):
    check(function, [np.array([1, 2])], to)


def root(x): return np.sqrt(x) + x


@pytest.mark.parametrize("of", "BbHhIilL")
def test_numpy_functions_of_integers(of):
    x = np.abs(values(of).astype("i8")).astype(of)
    want = numba.vectorize([f"f8({LETTER[of]})"])(root)(x)
    got = kern.vectorize([f"f8({LETTER[of]})"])(root)(x)
    np.testing.assert_allclose(got, want, rtol=1e-6)


LAZY = ["bb", "il", "Bl", "hB", "BB", "HI", "BL", "LB", "LL", "Lb", "bL", "Hl"]


def compare(function, args):
    """Without signatures. Numba's function is new, since a second call may take the
    loop of the first."""
    with np.errstate(all="ignore"):
        want = numba.vectorize(function)(*args)
    got = kern.vectorize(function)(*args)
    assert got.dtype == want.dtype
    np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("pair", LAZY)
@pytest.mark.parametrize("function", BINARY, ids=lambda f: f.__name__)
def test_calls_without_signatures(function, pair):
    x, y = operands(pair)
    if "L" in pair and len(set(pair)) > 1:  # Numba compares u64 with others as f64
        small = (x.astype("f8") < 2**52) & (y.astype("f8") < 2**52)
        x, y = x[small], y[small]
    compare(function, (x, y))


BESIDE_FLOATS = [
    add, subtract, multiply, true_divide, less, smallest, largest, difference, chosen,
    absolute, negative, casts, to_bool,
]  # fmt: skip


@pytest.mark.parametrize("letter", "BbHhIil")
@pytest.mark.parametrize("function", BESIDE_FLOATS, ids=lambda f: f.__name__)
def test_calls_with_integers_beside_floats(function, letter):
    both = list(itertools.product(values(letter), [0.0, 1.0, 2.5, 100.0]))
    x = np.array([one[0] for one in both], letter)
    y = np.array([one[1] for one in both], "f")
    compare(function, (x, y))
    compare(function, (y, x))


def square_root(x): return np.sqrt(x)
def added(x, y):
    x += y
    return x


@pytest.mark.parametrize("letter", "BHIL")
def test_functions_of_numpy_in_calls_without_signatures(letter):
    x = values(letter)
    want = numba.vectorize(square_root)(x)
    got = kern.vectorize(square_root)(x)
    assert got.dtype == want.dtype
    np.testing.assert_allclose(got, want, rtol=1e-6)
    compare(added, (x, x.astype("f")))


def test_unsigned_numbers_beside_others():
    f = kern.vectorize(lambda x, y: x - y)
    for x, y, want in (
        (np.uint8([1]), 2, -1),  # a number of Python's is signed
        (np.uint8([1]), np.uint64(2), 2**64 - 1),
        (np.uint8([1]), True, 0),
        (np.uint16([1]), np.float64(2.5), -1.5),
        (np.uint64([1]), np.int32([2]), -1),
    ):
        got = f(x, y)
        assert got[0] == want, (x, y, got)


def test_helpers_and_functions_of_unsigned_integers():
    def lower(x):
        return x - 1

    half = kern.vectorize(lambda x: lower(x) // 2)
    twice = kern.vectorize(lambda x, y: half(x) + half(y))
    x = np.uint8([0, 5])
    np.testing.assert_array_equal(half(x), [-1, 2])
    np.testing.assert_array_equal(twice(x, x), [-2, 4])


def mixed(a, b, c, d): return (a + b) * (c - d) // 3 + -a


@pytest.mark.parametrize("letters", ["BBBB", "BHIL", "LLLL", "Bbhl", "bBLi", "Bbif"])
def test_four_parameters(letters):
    args = [np.array([0, 1, 5, 100, 127], one) for one in letters]
    args[1] = args[1][::-1]
    if "f" in letters:  # a literal does not widen it
        want = numba.vectorize(mixed)(*args)
        np.testing.assert_allclose(kern.vectorize(mixed)(*args), want, rtol=1e-6)
    else:
        compare(mixed, args)


def test_more_than_four_parameters():
    f = kern.vectorize(lambda a, b, c, d, e: a + b + c + d + e)
    got = f(*[np.uint8([200])] * 5)
    assert got == 1000 and got.dtype == np.int64


@pytest.mark.parametrize("letter", "bBHil")
def test_bools_beside_integers(letter):
    x, y = np.array([0, 1, 100], letter), np.array([True, False, True])
    for function in (add, subtract, multiply, added):
        compare(function, (x, y))


@pytest.mark.parametrize("letter", "?BbHilLf")
@pytest.mark.parametrize("function", BINARY, ids=lambda f: f.__name__)
def test_bools_without_signatures(function, letter):
    if letter == "f" and function not in BESIDE_FLOATS:
        pytest.skip("a literal does not widen it")
    kinds = [0, 1, 3, 100] if letter != "?" else [0, 1]
    both = list(itertools.product([False, True], kinds))
    x = np.array([one[0] for one in both], "?")
    y = np.array([one[1] for one in both], letter)
    for args in ((x, y), (y, x)):
        try:
            with np.errstate(all="ignore"):
                numba.vectorize(function)(*args)
        except numba.core.errors.NumbaError:
            continue
        compare(function, args)


def exponential(x): return math.exp(x)
def scaled_sine(x): return math.sin(x) * 0.1
def length(x): return math.hypot(x, x)
def angle(x): return np.arctan2(x, x)


@pytest.mark.parametrize("function", [exponential, scaled_sine, length, angle, square_root])
def test_functions_of_bools(function):
    x = np.array([True, False])
    want, got = numba.vectorize(function)(x), kern.vectorize(function)(x)
    assert got.dtype == want.dtype
    np.testing.assert_allclose(got, want, rtol=3e-7)


def test_functions_of_whole_numbers_have_64_bits():
    for function in (math.gcd, math.lcm):
        f = kern.vectorize(lambda x, y: function(x, y))
        got = f(np.int8([100, -128]), np.int8([99, 0]))
        assert got.dtype == np.int64
        assert list(got) == [function(100, 99), function(-128, 0)]


def rounded_both(x, y):
    return math.floor(x) + math.ceil(y)


def rounded_product(x, y):
    return round(x) * math.ceil(y) - math.trunc(x)


def extremes_of_rounded(x, y):
    return min(math.floor(x), y) + max(y, math.trunc(x))


@pytest.mark.parametrize("letters", ["bB", "Bb", "BB", "lL", "iB", "fB", "Bd", "?H", "L?"])
@pytest.mark.parametrize(
    "function", [rounded_both, rounded_product, extremes_of_rounded]
)
def test_whole_numbers_beside_others(function, letters):
    """math.floor of a u8 is a u64 to Numba, and an i64 beside a signed one."""
    x, y = (np.array([3, 1, 0]).astype(letter) for letter in letters)
    want, got = numba.vectorize(function)(x, y), kern.vectorize(function)(x, y)
    assert got.dtype == want.dtype
    np.testing.assert_array_equal(got, want)
