"""Processes that are forked from one that has made calls: the CPU works in them; CUDA,
if it had been used, is refused with the reason, and nothing crashes."""

import subprocess
import sys

import pytest

# `in_child` gives what `ask` returns in a forked process, and fails if that ends badly.
FORKING = """
import os, sys, warnings
import numpy as np
import kern
warnings.simplefilter("ignore", DeprecationWarning)  # of forks beside threads

m = kern.compile('''
ufunc scaled(x: T, by: T) -> T where T in (f32, f64): return x * by
@associative(identity=0)
ufunc add(x: T, y: T) -> T where T in (f32, f64): return x + y
''')
x = np.arange(1 << 20, dtype="f4")

def in_child(ask):
    ours, theirs = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(ours)
        try:
            said = str(ask())
        except SystemExit:  # of a child of this child
            raise
        except BaseException as error:
            said = f"{type(error).__name__}: {error}"
        os.write(theirs, said.encode())
        os.close(theirs)
        sys.exit(0)  # with the destructors of all libraries
    os.close(theirs)
    with os.fdopen(ours) as pipe:
        said = pipe.read()
    assert os.waitpid(child, 0)[1] == 0, said
    return said

def on_the_cpu():
    fresh = kern.compile("ufunc fresh(x): return x * 3 + 1").fresh
    good = [np.array_equal(m.scaled(x, 2), x * 2) for _ in range(3)]
    good += [np.array_equal(fresh(x), x * 3 + 1), m.add.reduce(np.ones(9)) == 9]
    return all(good)
"""
CPU = """
kern.set_num_threads(4)
for _ in range(3):
    m.scaled(x, 2)
assert in_child(on_the_cpu) == "True", in_child(on_the_cpu)
assert in_child(lambda: in_child(on_the_cpu)) == "True"  # a child's child
assert on_the_cpu()

import multiprocessing

def square(i):
    return float(m.scaled(np.full(1 << 16, i, "f4"), i)[-1])

with multiprocessing.get_context("fork").Pool(2) as pool:
    assert pool.map(square, range(6)) == [i * i for i in range(6)]
print("fine")
"""
GPU = """
why = "CUDA was in use when this process was forked"
for _ in range(3):  # a known call at last
    kern_result = m.scaled(x, 2, device="cuda")
kept = [kern_result]
try:
    import cupy
except ImportError:
    cupy = None
there = cupy.asarray(x) if cupy else None
if cupy:
    for _ in range(3):
        kept.append(m.scaled(there, 2))

assert in_child(lambda: [str(one) for one in kern.devices()]) == "['cpu']"
assert why in in_child(kern.cuda_unavailable_reason)
assert in_child(on_the_cpu) == "True", in_child(on_the_cpu)
asks = [lambda: m.scaled(x, 2, device="cuda"), lambda: m.add(x, x, device="cuda"),
        lambda: kern.synchronize("cuda"), lambda: kern.Device("cuda").memory_free]
for ask in asks:
    assert why in in_child(ask), in_child(ask)
if cupy:
    # CuPy itself cannot read an array there. What counts is that nothing crashes.
    assert "Error" in in_child(lambda: m.scaled(there, 2))
# All of the child's work after a refusal, and the parent's after a child.
assert in_child(lambda: (in_child(asks[0]), on_the_cpu())[1]) == "True"
np.testing.assert_array_equal(m.scaled(x, 2, device="cuda"), x * 2)
assert len(kern.devices()) > 1
print("fine")
"""
FIRST_IN_CHILD = """
assert in_child(lambda: np.array_equal(m.scaled(x, 2, device="cuda"), x * 2)) == "True"
np.testing.assert_array_equal(m.scaled(x, 2, device="cuda"), x * 2)
print("fine")
"""
ANOTHER_LIBRARY = """
import torch
torch.ones(1, device="cuda")
assert in_child(on_the_cpu) == "True"
said = in_child(lambda: m.scaled(x, 2, device="cuda"))
assert "forked after CUDA had been" in said, said
print("fine")
"""


def run(program):
    done = subprocess.run(
        [sys.executable, "-c", FORKING + program],
        capture_output=True,
        text=True,
        timeout=100,
    )
    assert done.returncode == 0 and done.stdout == "fine\n", done.stdout + done.stderr


def test_calls_on_the_cpu():
    run(CPU)


def test_cuda_that_the_parent_has_used(gpu):
    run(GPU)


def test_cuda_that_the_child_uses_first(gpu):
    """Loading the package and compiling do not touch CUDA."""
    run(FIRST_IN_CHILD)


def test_cuda_that_another_library_has_used(gpu):
    torch = pytest.importorskip("torch")
    if not torch.cuda.is_available():
        pytest.skip("torch sees no GPU")
    run(ANOTHER_LIBRARY)
