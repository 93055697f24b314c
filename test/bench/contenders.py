"""Kern and its peers on arrays of one GPU, and what each needs to run."""

import dataclasses
import os
import pathlib
import sys
from typing import Callable

import numpy as np

# numba-cuda still names functions that NumPy 2.5 has dropped.
for _name, _value in {"row_stack": np.vstack, "in1d": np.isin}.items():
    if not hasattr(np, _name):
        setattr(np, _name, _value)
os.environ.setdefault("NUMBA_CUDA_LOG_LEVEL", "ERROR")
os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")

import cupy

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "e2e"))
import kernapi

EXAMPLES = HERE.parents[1] / "examples"

try:
    import torch
except ImportError:
    torch = None
try:
    import numba
    from numba import cuda as numba_cuda
    numba.config.CUDA_LOW_OCCUPANCY_WARNINGS = 0
except ImportError:
    numba = None
try:
    import jax
    jax.config.update("jax_enable_x64", True)
except ImportError:
    jax = None


@dataclasses.dataclass
class Later:
    """A contender that is made with its benchmark. If that fails, the others still run."""
    make: Callable


@dataclasses.dataclass
class Work:
    """One benchmark and its contenders.

    `run` has a function for each contender, which either writes `out` or
    returns its result. `check` takes the results (one array for each of
    `out`) and gives the largest error in units of the tolerance: at most 1 is
    right. `goals` are pairs of a share and what it is a share of: "hand"
    (the CUDA C kernel's rate), "copy" (the rate of a copy) or "peers" (of the
    fastest peer). `before` is for work that leaves some of `out` as it was.
    """
    name: str
    bytes: int
    run: dict
    out: list
    check: Callable
    goals: list
    failed: dict = dataclasses.field(default_factory=dict)
    before: float | None = None  # what `out` holds before; else garbage
    tags: dict = dataclasses.field(default_factory=dict)  # of its row

    def __post_init__(self):
        for peer, run in list(self.run.items()):
            if isinstance(run, Later):
                del self.run[peer]
                self.add(peer, run.make)

    def add(self, peer, make):
        """Adds a contender, or the reason why there is none."""
        try:
            self.run[peer] = make()
        except Exception as error:
            self.failed[peer] = reason(error)


def reason(error):
    text = str(error).strip().splitlines()
    return f"{type(error).__name__}: {text[0][:160] if text else ''}"


def tensor(array):
    """A CuPy array as a DLPack tensor, without copying."""
    size = array.dtype.itemsize
    return kernapi.Tensor(
        array.data.ptr, array.dtype, array.shape,
        [s // size for s in array.strides], (kernapi.CUDA, array.device.id))


def as_torch(array):
    return torch.from_dlpack(array)


def as_numba(array):
    return numba_cuda.as_cuda_array(array)


def as_jax(array):
    return jax.dlpack.from_dlpack(array)


def as_cupy(result):
    """Whatever a contender returned."""
    return result if isinstance(result, cupy.ndarray) else \
        cupy.from_dlpack(result)


class Sources:
    """Kern's functions, compiled once."""

    def __init__(self, lib):
        self.lib = lib
        self.modules = {}

    def function(self, source, name):
        """`source` is a file of examples/, or a text."""
        if source not in self.modules:
            self.modules[source] = (
                self.lib.compile_file(EXAMPLES / source)
                if source.endswith(".kern") else self.lib.compile(source))
        return self.modules[source][name]

    def call(self, source, name, arguments, out, where=None, **asked):
        """A call with all arguments prepared."""
        if where is not None:
            asked["where"] = tensor(where)
        return Later(lambda: kernapi.Prepared(
            self.function(source, name),
            [tensor(a) if isinstance(a, cupy.ndarray) else a
             for a in arguments],
            [tensor(o) for o in out], **asked))


_handwritten = None


def handwritten(name, grid, block, *arguments):
    """A launch of a kernel of handwritten.cu."""
    global _handwritten
    if _handwritten is None:
        _handwritten = cupy.RawModule(
            code=(HERE / "handwritten.cu").read_text(),
            options=("--std=c++17",))
    kernel = _handwritten.get_function(name)
    grid = grid if isinstance(grid, tuple) else (grid,)
    block = block if isinstance(block, tuple) else (block,)
    return lambda: kernel(grid, block, arguments)


def over(n, per_block=256):
    """Blocks for n."""
    return (n + per_block - 1) // per_block


def elementwise(inputs, outputs, body, name, arguments, out):
    """CuPy's ElementwiseKernel."""
    kernel = cupy.ElementwiseKernel(inputs, outputs, body, f"bench_{name}")

    def call():
        kernel(*arguments, *out)
    return call


def vectorized(signature, function, arguments, out):
    """Numba's vectorize; scalars become arrays of one element."""
    compiled = numba.vectorize([signature], target="cuda")(function)
    inputs = [as_numba(a) if isinstance(a, cupy.ndarray)
              else numba_cuda.to_device(np.full(1, a, np.asarray(a).dtype))
              for a in arguments]
    result = as_numba(out)

    def call():
        compiled(*inputs, out=result)
    return call


def eager(function, arguments):
    inputs = [as_torch(a) if isinstance(a, cupy.ndarray) else a
              for a in arguments]
    return lambda: function(*inputs)


def compiled(function, arguments):
    torch._dynamo.reset()
    return eager(torch.compile(function, dynamic=False), arguments)


def jitted(function, arguments):
    inputs = [as_jax(a) if isinstance(a, cupy.ndarray) else a
              for a in arguments]
    call = jax.jit(function)
    state = {}

    def run():
        # The last result is released only now: its memory is used again.
        state["out"] = call(*inputs)
        return state["out"]
    run.wait = lambda: jax.block_until_ready(state["out"])
    return run


def add_peers(work, which, *, cupy_kernel=None, numba_kernel=None,
              torch_function=None, jax_function=None, arguments=(),
              torch_out=None, compile_torch=True):
    """Adds the usual peers of a benchmark on `arguments`, as far as they are
    installed and asked for."""
    if cupy_kernel and "CuPy" in which:
        inputs, outputs, body, name = cupy_kernel
        work.add("CuPy", lambda: elementwise(
            inputs, outputs, body, name, arguments, work.out))
    if numba_kernel and numba and "Numba" in which:
        signature, function = numba_kernel
        work.add("Numba", lambda: vectorized(
            signature, function, arguments, work.out[0]))
    if torch_function and torch:
        if "torch" in which:
            work.add("torch", torch_out or (
                lambda: eager(torch_function, arguments)))
        if compile_torch and "torch.compile" in which:
            work.add("torch.compile",
                     lambda: compiled(torch_function, arguments))
    if jax_function and jax and "JAX" in which:
        work.add("JAX", lambda: jitted(jax_function, arguments))
