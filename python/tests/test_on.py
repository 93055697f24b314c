"""`with kern.on(...)`: where the calls of a block run."""

import asyncio
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
