"""The number of threads of calls on the CPU."""

import os
import subprocess
import sys

import numpy as np
import pytest

import kern

MODULE = kern.compile("ufunc add(x, y): return x + y")


@pytest.fixture
def restored():
    before = kern.get_num_threads()
    yield before
    kern.set_num_threads(before)


def test_it_is_set(restored):
    for count in (1, 7, np.int64(3)):
        kern.set_num_threads(count)
        assert kern.get_num_threads() == count


@pytest.mark.parametrize("count", [0, -1, 1025])
def test_other_numbers_are_refused(restored, count):
    with pytest.raises(ValueError, match=f"from 1 to 1024, not {count}"):
        kern.set_num_threads(count)
    assert kern.get_num_threads() == restored


@pytest.mark.parametrize("count", [2.0, "2", None])
def test_other_types_are_refused(count):
    with pytest.raises(TypeError):
        kern.set_num_threads(count)


def test_results_do_not_depend_on_it(restored):
    x = np.arange(1 << 20, dtype="f4")
    for count in (1, 2, 5, 1):
        kern.set_num_threads(count)
        for _ in range(4):  # known calls among them
            np.testing.assert_array_equal(MODULE.add(x, x), x + x)


def threads_of(text):
    return int(text.split(" thread")[0].rsplit(" ", 1)[1])


def test_a_call_may_ask_for_fewer(restored):
    kern.set_num_threads(4)
    x = np.arange(1 << 20, dtype="f4")
    most = {None: 0, 1: 0, np.int64(2): 0, 1024: 0}
    for _ in range(100):  # a thread that wakes late does not join
        for count in most:
            said = MODULE.add.explain(x, x, threads=count).splitlines()[1]
            most[count] = max(most[count], threads_of(said))
    assert most[1] == 1 and most[2] <= 2 and max(most[None], most[1024]) <= 4
    out = np.empty_like(x)
    prepared = MODULE.add.prepare(x, x, out=out, threads=1)
    for _ in range(3):
        np.testing.assert_array_equal(MODULE.add(x, x, threads=2), x + x)
        np.testing.assert_array_equal(prepared(), x + x)
    assert kern.get_num_threads() == 4


@pytest.mark.parametrize("count", [0, -1, 1025, 1 << 70])
def test_a_call_refuses_other_numbers(count):
    with pytest.raises(ValueError, match=f"from 1 to 1024, not {count}"):
        MODULE.add(1, 2, threads=count)


@pytest.mark.parametrize("count", [2.0, "2"])
def test_a_call_refuses_other_types(count):
    with pytest.raises(TypeError):
        MODULE.add(1, 2, threads=count)


START = "import kern; print(kern.get_num_threads())"


@pytest.mark.parametrize(
    "variables, expected",
    [
        ({"KERN_NUM_THREADS": "3", "OMP_NUM_THREADS": "2"}, 3),
        ({"KERN_NUM_THREADS": "", "OMP_NUM_THREADS": "2,4"}, 2),
    ],
)
def test_variables_have_the_number_at_first(variables, expected):
    done = subprocess.run(
        [sys.executable, "-c", START],
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        check=True,
    )
    assert int(done.stdout) == expected


def test_asking_starts_no_thread():
    code = "import os, numpy, kern\nn = len(os.listdir('/proc/self/task'))\n"
    code += "kern.set_num_threads(64); kern.get_num_threads()\n"
    code += "print(len(os.listdir('/proc/self/task')) - n)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "0"
