"""`with kern.on(...)`: where the calls of a block run."""

import asyncio
import signal
import threading

import numpy as np
import pytest

import kern

MODULE = kern.compile("ufunc add(x, y): return x + y")
X = np.arange(3, dtype="f4")
# A device that no machine has shows where a call would have run.
NOWHERE = "cuda:999"


def runs_nowhere(*arguments, **keywords):
    try:
        MODULE.add(*arguments, **keywords)
    except kern.Error:
        return True
    return False


def test_calls_of_the_block_run_there():
    for _ in range(4):  # until the call is a known one
        assert not runs_nowhere(X, X)
    with kern.on(NOWHERE):
        assert runs_nowhere(X, X)
        assert runs_nowhere(1, 2)
        with pytest.raises(kern.Error):
            MODULE.add.reduce(X)
    assert not runs_nowhere(X, X)


def test_a_known_call_does_not_stay_there():
    with kern.on("cpu"):
        for _ in range(4):
            np.testing.assert_array_equal(MODULE.add(X, X), 2 * X)
    with kern.on(NOWHERE):
        assert runs_nowhere(X, X)


def test_arguments_of_a_call_go_first():
    with kern.on(NOWHERE):
        np.testing.assert_array_equal(MODULE.add(X, 1, device="cpu"), X + 1)
    with kern.on("cpu"):
        assert runs_nowhere(X, 1, device=NOWHERE)


def test_blocks_nest():
    with kern.on(NOWHERE):
        with kern.on("cpu"):
            assert not runs_nowhere(X, X)
        with kern.on(stream=1):
            assert runs_nowhere(X, X)
        assert runs_nowhere(X, X)


def test_an_exception_ends_the_block():
    with pytest.raises(KeyError):
        with kern.on(NOWHERE):
            raise KeyError
    assert not runs_nowhere(X, X)


def test_devices_are_taken():
    with kern.on(kern.devices()[0]):
        assert not runs_nowhere(X, X)


@pytest.mark.parametrize(
    "arguments, stream, error",
    [
        ((), None, TypeError),
        (("gpu",), None, ValueError),
        ((3.5,), None, TypeError),
        ((), "s", TypeError),
    ],
)
def test_what_is_no_device_is_refused(arguments, stream, error):
    with pytest.raises(error):
        with kern.on(*arguments, stream=stream):
            pass
    assert not runs_nowhere(X, X)


def test_other_threads_are_not_in_the_block():
    found = []
    inside, done = threading.Barrier(2), threading.Event()

    def other():
        inside.wait()
        found.append(runs_nowhere(X, X))
        done.set()

    thread = threading.Thread(target=other)
    thread.start()
    with kern.on(NOWHERE):
        inside.wait()
        done.wait()
        assert runs_nowhere(X, X)
    thread.join()
    assert found == [False]


def test_tasks_have_their_own():
    async def one(device, turns):
        found = []
        with kern.on(device):
            for _ in range(turns):
                await asyncio.sleep(0)
                found.append(runs_nowhere(X, X))
        return found

    async def all_of_them():
        with kern.on(NOWHERE):
            inherits = asyncio.ensure_future(late())
        return await asyncio.gather(one(NOWHERE, 5), one("cpu", 5), inherits)

    async def late():
        await asyncio.sleep(0)
        return runs_nowhere(X, X)

    assert asyncio.run(all_of_them()) == [[True] * 5, [False] * 5, True]


def test_on_a_gpu(gpu):
    x = np.arange(5, dtype="f4")
    with kern.on("cuda"):
        np.testing.assert_array_equal(MODULE.add(x, 1), x + 1)


LARGE = np.arange(1 << 23, dtype="f4")


def threads_of_a_call(**keywords):
    said = MODULE.add.explain(LARGE, LARGE, **keywords).splitlines()[1]
    return int(said.split(" thread")[0].rsplit(" ", 1)[1])


def test_threads_of_a_block():
    before = kern.get_num_threads()
    kern.set_num_threads(4)
    try:
        for _ in range(20):
            with kern.on(threads=1):
                assert threads_of_a_call() == 1
                with kern.on("cpu"):
                    assert threads_of_a_call() == 1
                assert threads_of_a_call(threads=2) <= 2
                np.testing.assert_array_equal(MODULE.add(LARGE, LARGE), LARGE + LARGE)
        # A thread that wakes late does not join.
        assert any(threads_of_a_call() > 1 for _ in range(200))
    finally:
        kern.set_num_threads(before)
    with pytest.raises(ValueError, match="from 1 to 1024, not 0"):
        kern.on(threads=0).__enter__()


METHODS = {
    "reduce": (X,),
    "accumulate": (X,),
    "reduceat": (X, [0, 2]),
    "outer": (X, X),
    "at": (X.copy(), [0, 0, 1], 2),
}


@pytest.mark.parametrize("name", METHODS)
def test_methods_take_the_keywords_of_calls(name):
    method = getattr(MODULE.add, name)
    ours = getattr(np.add, name)
    for _ in range(3):  # until they are known ones
        for keywords in ({}, {"threads": 1}, {"device": "cpu"}, {"stream": None}):
            given, known = ([np.copy(one) for one in METHODS[name]] for _ in "ab")
            got, want = method(*given, **keywords), ours(*known)
            np.testing.assert_array_equal(got, want)
            np.testing.assert_array_equal(given[0], known[0])
        for keywords, error in (
            ({"device": NOWHERE}, kern.Error),
            ({"threads": 0}, ValueError),
            ({"threads": 1.5}, TypeError),
            ({"stream": "s"}, TypeError),
        ):
            with pytest.raises(error):
                method(*METHODS[name], **keywords)


def test_methods_of_a_gpu_take_streams(gpu):
    cupy = pytest.importorskip("cupy")
    stream = cupy.cuda.Stream(non_blocking=True)
    x = cupy.zeros(1 << 24, "f4")
    cupy.cuda.get_current_stream().synchronize()
    for _ in range(50):  # what another stream would not wait for
        MODULE.add(x, 1, out=x, stream=stream)
    total = MODULE.add.reduce(x, dtype="f8", stream=stream)
    sums = MODULE.add.accumulate(x[:1000], stream=stream)
    pieces = MODULE.add.reduceat(x, [0, 10, 30], stream=stream)[:2]
    pairs = MODULE.add.outer(x[:3], x[:2], stream=stream)
    MODULE.add.at(x, [0, 0, 5], 1, stream=stream)
    stream.synchronize()
    assert float(total.get()) == 50 * 2.0**24
    np.testing.assert_array_equal(sums.get(), 50 * np.arange(1, 1001))
    np.testing.assert_array_equal(pieces.get(), [500, 1000])
    np.testing.assert_array_equal(pairs.get(), np.full((3, 2), 100))
    np.testing.assert_array_equal(x[[0, 1, 5]].get(), [52, 50, 51])


def test_names_of_devices():
    for name in ("gpu", "cuda:", "cuda:-1", "cuda:every", "automatic", ""):
        with pytest.raises(ValueError, match="'cuda:all' or 'auto', not"):
            MODULE.add(X, X, device=name)
    # With a GPU or without, and whatever it takes.
    np.testing.assert_array_equal(MODULE.add(X, X, device="auto"), 2 * X)
    with kern.on("auto"):
        np.testing.assert_array_equal(MODULE.add(X, X), 2 * X)


def test_all_gpus(gpu):
    x = np.arange(1 << 22, dtype="f4")
    np.testing.assert_array_equal(MODULE.add(x, x, device="cuda:all"), 2 * x)


def test_signals_end_a_call_on_a_gpu(gpu):
    """A handler that raises ends it after a piece, and everything works on."""
    x = np.zeros(1 << 30, "u1")
    MODULE.add(x[:9], 1, device="cuda")

    class Stop(Exception):
        pass

    def stop(*_):
        raise Stop

    before = signal.signal(signal.SIGALRM, stop)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.002)
        with pytest.raises(Stop):
            MODULE.add(x, 1, out=x, device="cuda")
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert x[-1] == 0, "the last piece was not reached"
    np.testing.assert_array_equal(MODULE.add(x[-9:], 1, device="cuda"), np.ones(9, "u1"))
