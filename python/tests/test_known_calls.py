"""Calls that a function has had before, which take a shorter way: the results
are those of the long way, whatever has changed since."""

import gc
import itertools
import random
import threading
import weakref

import kern
import numpy as np
import pytest

import small_arrays
from pairs import same

SOURCE = """
ufunc add(x, y): return x + y
ufunc both(x, y): return x + y, x - y
ufunc wide(x: T, y: T) -> T where T in (f32, f64): return x + y
gufunc first(v: T[n], k: dim) -> (w: T[k]) where T in (f32, f64):
    for i in prange(k):
        w[i] = v[i]
gufunc total(v: T[n]) -> T where T in (f32, f64, i64):
    return sum(v[i] for i in range(n))
ufunc sine(x: T) -> T where T in (f32, f64): return sin(x)
"""


@pytest.fixture
def module():
    """Functions that know nothing yet."""
    number = next(_numbers)
    return kern.compile(SOURCE, f"known{number}.kern")


_numbers = itertools.count()


def known(function, *args, **keywords):
    """Calls until the call is known; gives the last result."""
    before = function._known_calls
    for _ in range(3):
        result = function(*args, **keywords)
    assert function._known_calls == before + 1
    return result


def test_the_second_call_of_a_layout_is_learnt(module):
    x = np.arange(8, dtype="f4")
    counts = []
    for _ in range(4):
        module.add(x, x)
        counts.append(module.add._known_calls)
    assert counts == [0, 1, 1, 1]


LAYOUTS = [
    lambda: np.arange(1.0, 9),
    lambda: np.arange(1.0, 10)[1:],  # not aligned to 16 bytes
    lambda: np.arange(1.0, 17)[::2],
    lambda: np.arange(1.0, 9)[::-1],
    lambda: np.arange(1, 9, dtype="f4"),
    lambda: np.arange(1, 9, dtype="i8"),
    lambda: np.arange(1, 9, dtype=">f8"),
    lambda: np.array([True, False] * 4),
    lambda: np.arange(1.0, 65).reshape(8, 8),
    lambda: np.arange(1.0, 65).reshape(8, 8).T,
    lambda: np.array(3.0),
    lambda: np.arange(1.0, 2),
    lambda: np.frombuffer(b"\1" + np.arange(8.0).tobytes(), "u1")[1:].view("f8"),
    lambda: np.zeros((0, 8)),
    lambda: 2.5,
    lambda: 3,
    lambda: 2**40,
    lambda: -1,
    lambda: True,
    lambda: 1j,
    lambda: np.float32(1.5),
    lambda: np.float64(1.5),
    lambda: np.int8(4),
    lambda: np.bool(True),
    lambda: np.complex128(1 + 2j),
    lambda: np.float16(0.5),
    lambda: [1.0] * 8,
    lambda: np.arange(1.0, 9).view(np.matrix),
    lambda: np.ma.masked_array(np.arange(1.0, 9), [1, 0] * 4),
]


def test_any_call_after_any_other(module):
    """Every pair of layouts, again and again in random order."""
    pairs = list(itertools.product(LAYOUTS, repeat=2))
    dice = random.Random(4)
    hot = dice.sample(pairs, 6)
    learnt = 0
    for _ in range(4000):
        first, second = dice.choice(hot if dice.random() < 0.8 else pairs)
        if dice.random() < 0.01:
            hot = dice.sample(pairs, 6)
        x, y = first(), second()
        with np.errstate(all="ignore"):
            try:
                expected = np.add(x, y)
            except (ValueError, OverflowError) as error:
                with pytest.raises(type(error)):
                    module.add(x, y)
                continue
        got = module.add(x, y)
        same(np.asarray(got), np.asarray(expected))
        assert type(got) is type(expected)
        if isinstance(got, np.ndarray):
            assert got.strides == expected.strides or got.size < 2
        learnt = max(learnt, module.add._known_calls)
    assert learnt == 8


def test_results_are_new_each_time(module):
    x = np.arange(8.0)
    results = [module.add(x, x) for _ in range(5)]
    assert len({one.ctypes.data for one in results}) == 5
    results[4][:] = 0
    np.testing.assert_array_equal(results[3], 2 * x)


@pytest.mark.parametrize("order", ["K", "F", "C"])
def test_results_lie_as_their_arguments_do(module, order):
    x = np.asfortranarray(np.arange(64.0).reshape(8, 8))
    if order == "C":
        x = x[::-1].copy()
    for _ in range(4):
        got = module.add(x, x)
        assert got.strides == np.add(x, x).strides


def test_out(module):
    x, out = np.arange(8.0), np.zeros(8)
    assert known(module.add, x, x, out=out) is out
    for give in (
        lambda o: module.add(x, x, out=o),
        lambda o: module.add(x, x, o),
        lambda o: module.add(x, x, out=(o,)),
    ):
        fresh = np.zeros(8)
        assert give(fresh) is fresh
        np.testing.assert_array_equal(fresh, 2 * x)
    assert module.add._known_calls == 1
    for nothing in (None, (None,)):
        same(module.add(x, x, out=nothing), 2 * x)


def test_out_in_place_and_overlapping(module):
    size = 40
    ways = [
        lambda a, b: (a[:size], b[:size], b[60:]),
        lambda a, b: (a[:size], b[:size], a[:size]),
        lambda a, b: (a[:size], a[:size], a[:size]),
        lambda a, b: (a[:size], b[:size], a[1 : size + 1]),
        lambda a, b: (a[2 : size + 2], b[:size], a[:size]),
        lambda a, b: (a[size - 1 :: -1], b[:size], a[:size]),
        lambda a, b: (a[:size], b[:size], b[1 : size + 1]),
    ]
    dice = random.Random(2)
    for _ in range(400):
        way = dice.choice(ways)
        x, y, out = way(np.arange(100.0), np.arange(100.0) * 3)
        expected = x + y
        module.add(x, y, out=out)
        np.testing.assert_array_equal(out, expected)


def test_out_that_cannot_be_written(module):
    x, out = np.arange(8.0), np.zeros(8)
    known(module.add, x, x, out=out)
    out[:] = 0
    out.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        module.add(x, x, out=out)
    assert not out.any()
    with pytest.raises(TypeError, match="return arrays"):
        module.add(x, x, out=[0.0] * 8)


def test_one_of_two_results_is_given(module):
    x, y, out = np.arange(8.0), np.ones(8), np.zeros(8)
    for given in [(None, None), (out, None), (None, out), (out, np.zeros(8))]:
        for _ in range(3):
            got = module.both(x, y, out=given)
            for one, place, expected in zip(got, given, (x + y, x - y)):
                assert place is None or one is place
                np.testing.assert_array_equal(one, expected)
    assert module.both._known_calls == 4


def test_numbers_change(module):
    x = np.arange(8, dtype="f4")
    for number in (0.5, 1.5, float("nan"), float("inf")):
        same(module.wide(x, number), x + np.float32(number))
    x = np.arange(8, dtype="i1")
    for _ in range(3):
        for number in range(-20, 20):
            same(module.add(x, number), x + number)
    for _ in range(3):
        with pytest.raises((OverflowError, TypeError)):
            module.add(x, 300)
    same(module.add(x, 2), x + 2)
    for _ in range(3):
        with pytest.raises(OverflowError):
            module.add(x, 2**70)


def test_dims_are_values(module):
    v = np.arange(8.0)
    for _ in range(3):
        for k in (1, 3, 8):
            same(module.first(v, k), v[:k])
            same(module.first(v, np.int64(k)), v[:k])


def test_scalars_are_given_for_no_dimensions(module):
    assert type(known(module.add, 2.0, 3.0)) is np.float64
    assert type(known(module.add, np.array(2), np.array(3))) is np.int64
    assert type(known(module.total, np.arange(4.0))) is np.float64


def test_errors_stay_what_they_are(module):
    x = np.arange(8.0)
    known(module.add, x, x)
    with pytest.raises(TypeError, match="missing required argument"):
        module.add(x)
    with pytest.raises(TypeError, match="positional arguments"):
        module.add(x, x, x, x)
    with pytest.raises(TypeError, match="unexpected keyword"):
        module.add(x, x, into=x)
    with pytest.raises(ValueError):
        module.add(x, np.arange(7.0))
    with pytest.raises(TypeError, match="both a positional and keyword"):
        module.add(x, x, x, out=x)


def test_other_options_are_heeded(module):
    x = np.arange(8.0)
    known(module.add, x, x)
    assert module.add(x, x, dtype="f4").dtype == np.float32
    same(module.add(x, x, where=x > 3, out=np.zeros(8)), np.where(x > 3, 2 * x, 0))
    assert module.add(np.array(1.0), 2.0, out=...).shape == ()
    same(module.add(x=x, y=x), 2 * x)


def test_subclasses_are_not_taken_for_arrays(module):
    class Mine(np.ndarray):
        pass

    x = np.arange(8.0)
    known(module.add, x, x)
    assert type(module.add(x.view(Mine), x)) is Mine
    out = np.zeros(8).view(Mine)
    assert module.add(x, x, out=out) is out


def test_arrays_are_not_kept(module):
    x = np.arange(8.0)
    out = np.zeros(8)
    known(module.add, x, x, out=out)
    gone = [weakref.ref(x), weakref.ref(out)]
    del x, out
    gc.collect()
    assert [one() for one in gone] == [None, None]


def test_functions_go(module):
    known(module.add, np.arange(8.0), 1.0)
    gone = weakref.ref(module.add)
    del module
    gc.collect()
    # The fixture's own reference is gone with the test's frame or earlier.
    assert gone() is None or gone()._known_calls == 1


def test_large_calls(module):
    x = np.arange(100_000.0)
    out = np.zeros_like(x)
    known(module.sine, x, out=out)
    np.testing.assert_allclose(out, np.sin(x), rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(known(module.sine, x), np.sin(x), 1e-12, 1e-12)


def test_many_layouts_are_not_learnt_each_time(module):
    """More hot layouts than are kept: they must not push each other out."""
    arrays = [np.arange(float(size)) for size in range(1, 40)]
    for _ in range(20):
        for x in arrays:
            same(module.add(x, x), 2 * x)
    assert module.add._known_calls == 8


def test_threads(module):
    """Calls of many layouts from many threads, some of them without the GIL."""
    sizes = [1, 3, 8, 17, 64, 1000, 5000, 9000, 20_000, 50_000, 7, 12, 33]
    failures = []

    def work(seed):
        dice = random.Random(seed)
        try:
            for _ in range(300):
                x = np.full(dice.choice(sizes), float(seed))
                out = np.empty_like(x) if dice.random() < 0.5 else None
                got = module.add(x, x, out=out)
                assert (got == 2 * seed).all() and got.shape == x.shape
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(16)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert not failures


def test_a_call_within_a_call(module):
    """Reading an array may run Python's code, which calls the same function."""
    calls = []

    class Array(small_arrays.Array):
        __module__ = small_arrays.__name__  # whose functions are its own

        def __dlpack__(self, **keywords):
            if len(calls) < 40:
                calls.append(1)
                x = np.arange(float(len(calls)))
                for _ in range(3):
                    module.add(x, x)
            return super().__dlpack__(**keywords)

    x = np.arange(8.0)
    for _ in range(60):
        got = module.add(Array(x), Array(x))
        np.testing.assert_array_equal(got.array, 2 * x)


NOTHING = [
    {"where": True},
    {"subok": True},
    {"casting": "same_kind"},
    {"order": "K"},
    {"where": True, "casting": "same_kind", "order": "K", "subok": True},
]


@pytest.mark.parametrize("options", NOTHING, ids=str)
def test_keywords_that_ask_nothing(module, options):
    x, y = np.arange(8.0), np.ones(8)
    for _ in range(3):
        same(module.add(x, y, **options), x + y)
        out = np.zeros(8)
        assert module.add(x, y, **options, out=out) is out
        assert module.add(x, y, out=(out,), **options) is out
        same(out, x + y)
        sums, differences = module.both(x, y, **options, out=(None, out))
        assert differences is out
        same((sums, differences), (x + y, x - y))
    # They are known, as the same calls without them are.
    known(module.add, x.astype("f4"), y.astype("f4"), **options)
    # The others still count.
    same(module.add(x, y, **{**options, "where": x > 3}), (x + y) * (x > 3))
    with pytest.raises(ValueError):
        module.add(x, y, **{**options, "casting": "no such"})
    with pytest.raises(TypeError):
        module.total(x, where=True)
    with pytest.raises(TypeError, match="out"):
        module.add(x, y, out, **options, out=out)
