"""Programs as users write them. mypy and pyright read it; nothing runs it."""

import pathlib
from typing import Any, assert_type

import numpy as np

import kern
import kern.dask
import kern.importer
import kern.jax
import kern.torch
from kern import float64, guvectorize, njit, vectorize
from kern.types import int32

# Sources and files.
m = kern.compile("ufunc add(x, y): return x + y", fp_mode="precise", checks=["bounds"])
assert_type(m, kern.Module)
assert_type(m.add, kern.Function)
assert_type(m["add"], kern.Function)
assert_type([f.__name__ for f in m], list[str])
assert_type(kern.compile_file(pathlib.Path("a.kern"), remarks=True, checks=True), kern.Module)
assert_type(kern.load("a.ptx"), kern.Module)
assert_type(kern.loads(b"..."), kern.Module)
assert_type(m.source, str | None)
assert_type(m.hash, str)
assert_type(m.diagnostics[0].severity == "warning", bool)
place = m.diagnostics[0].place
assert_type(place, kern.Place | None)
kern.include_path(["a", pathlib.Path("b")])
assert_type(kern.compile("", include_path=["a", pathlib.Path("b")]), kern.Module)

# Where calls run.
with kern.on("cuda:1", stream=0), kern.on(kern.devices()[0]):
    m.add(1, 2)
kern.set_num_threads(np.int64(2))
assert_type(kern.get_num_threads(), int)

# Calls.
add = m.add
x = np.arange(3.0)
assert_type(add(x, 1), Any)
add(x, y=2, out=np.empty(3), where=x > 1, dtype="f4", casting="unsafe", order="C")
add(x, 1, out=(x,), signature=("f8", None, None), subok=False)
add(x, 1, device="cuda", stream=0)
add(x, 1, device=kern.devices()[-1])
add(x, axis=(0, 1), keepdims=True)
add(x, axes=[0, (0, 1), ()])
add.reduce(x, axis=(0, 1), keepdims=True, initial=1, where=x > 0)
add.accumulate(x, 0, "f4")
add.reduceat(x, [0, 2])
add.outer(x, x, dtype="f4")
assert_type(add.at(x, [0, 0], 1), None)
assert_type(add.nin + add.nout + add.nargs + add.ntypes, int)
assert_type(add.types, list[str])
assert_type(add.signature, str | None)
assert_type(add.ufunc, np.ufunc)
assert_type(add.module, kern.Module)
assert_type(
    add.resolve_dtypes((np.dtype("f4"), float, None)),
    tuple[np.dtype[Any] | type[int], ...],
)


# Python functions, typed or not.
@vectorize
def bare(x: float) -> float:
    return 2 * x


@vectorize()
def called(x: float) -> float:
    return 2 * x


@vectorize(["float64(float64)", "f4(f4)"], nopython=True, cache=True, fastmath=True)
def texts(x: float) -> float:
    return 2 * x


@vectorize([float64(float64, int32)], identity=0, target="parallel")
def objects(x: float, y: int) -> float:
    return x + y


@vectorize("dd->d", target="cuda")
def on_a_gpu(x: float, y: float) -> float:
    return x + y


@guvectorize([(float64[:], float64, float64[:])], "(n),()->(n)", writable_args=(0,))
def scaled(x: Any, factor: Any, result: Any) -> None:
    for i in range(x.shape[0]):
        result[i] = factor * x[i]


@guvectorize("(n)->()", target="auto", boundscheck=True)
def lazy(x: Any, result: Any) -> None:
    result[0] = x[0]


@guvectorize(["void(f8[:], f8[:])"], "(n)->()", target="cuda")
def rows_on_a_gpu(x: Any, result: Any) -> None:
    result[0] = x[0]


for made in (bare, called, texts, objects, on_a_gpu, scaled, lazy, rows_on_a_gpu):
    f: kern.Function = made
    made.py_func(1.0)
    assert_type(made.targetdevice, str)
    assert_type(made.inspect_types(), None)
    assert_type(made.inspect_ptx(target="sm_90"), str)
on_a_gpu(x, x)
on_a_gpu.reduce(x)
assert_type(on_a_gpu.device, str | None)
rows_on_a_gpu(x, out=x)
assert_type(add.explain(x, 1), str)
prepared: kern.Prepared = add.prepare(x, 1, out=x)
assert_type(prepared.function, kern.Function)
prepared()
prepared(x, 2, out=x, stream=0)


@njit
def helper(x: float) -> float:
    return x


@njit(cache=True)
def other(x: int) -> int:
    return x


@kern.jit("f8(f8)", nopython=True)
def third(x: float) -> float:
    return x


assert_type(helper(1.0), float)
assert_type(other(1), int)
assert_type(third(1.0), float)
assert_type(list(kern.prange(3)), list[int])

square = kern.elementwise("T x", "T y", "y = x * x", name="square", preamble="", doc="d")
assert_type(square, kern.Function)

# Types of signatures.
assert_type(kern.types.float64.bits, int)
assert_type(kern.f8.kern, str)

# Devices.
gpu = kern.Device("cuda", 0)
assert_type(gpu.memory_free, int)
assert_type(gpu.name, str)
assert_type(kern.devices(), list[kern.Device])
assert_type(kern.cuda_unavailable_reason(), str)
assert_type(kern.cache_problem(), str)
kern.synchronize()
kern.synchronize(gpu)

# Errors.
try:
    kern.compile("ufunc f(x): return y")
except kern.CompileError as error:
    assert_type(error.lineno, int | None)
    assert_type(error.rendered, str)
    for one in error.diagnostics:
        assert_type(one, kern.Diagnostic)
        assert_type(one.notes, tuple[kern.Note, ...])
        assert_type(one.fixes, tuple[kern.Fix, ...])
errors: list[type[Exception]] = [kern.Error, kern.RangeError, kern.InternalError]


def what(error: kern.ShapeError | kern.DTypeError) -> ValueError | TypeError:
    return error


# Other libraries.
operator = kern.torch.op(m.add, "mine::add", partials=m.add)
assert_type(operator(x, 1), Any)
assert_type(operator.function, kern.Function)
kern.torch.op(m.add, vjp=lambda x, y, g: (g, g))
wrapped = kern.jax.wrap(m.add, jvp=lambda x, y, dx, dy: dx + dy)
assert_type(wrapped(x, 1), Any)
assert_type(wrapped.function, kern.Function)
kern.jax.wrap(m.add, partials=kern.jax.wrap(m.add))
assert_type(kern.dask.call(m.add, x, 1, allow_rechunk=True, dtype="f4"), Any)
cluster = kern.dask.gpu_cluster([0, 1], nthreads=2, memory_limit="4GB")
kern.importer.install()
