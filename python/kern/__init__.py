"""Kern: NumPy-style universal functions, compiled for the CPU and for GPUs.

    >>> import kern, numpy as np
    >>> m = kern.compile("ufunc hypot(x, y): return sqrt(x * x + y * y)")
    >>> m.hypot(np.float32([3, 6]), 4)
    array([5.       , 7.2111025], dtype=float32)

Sources come from `compile`, `compile_file` and the import hook
(`import kern.importer`), compiled files from `load`, Python functions through
`vectorize` and `guvectorize`, and CuPy's kernels through `elementwise`. All of
them return `Function`s, which are called as NumPy's ufuncs are: with arrays of any
shape, of NumPy, CuPy, torch, JAX or Numba, whose memory and streams they use. Slow
imports happen at first use.
"""

import importlib

try:
    from kern import _kern
except ImportError as error:
    # libkern's package may lie in another folder than this one.
    import ctypes
    import importlib.util

    if "libkern.so" not in str(error) or not importlib.util.find_spec("kern_lang_core"):
        raise
    import kern_lang_core

    ctypes.CDLL(str(kern_lang_core.library()))
    from kern import _kern

from kern import _function, _loops, _methods, _outer_at, _reduceat  # noqa: F401
from kern._errors import (
    ArgumentError,
    ArtefactError,
    AxisError,
    CheckError,
    CompileError,
    DeviceError,
    DTypeError,
    Error,
    FileError,
    InternalError,
    NotFoundError,
    OutOfMemoryError,
    OverlapError,
    RangeError,
    ShapeError,
)
from kern._module import (
    Module,
    cache_problem,
    compile,
    compile_file,
    include_path,
    load,
    loads,
)

DeviceArray = _kern.DeviceArray
Function = _kern.Function
Prepared = _kern.Prepared
__version__ = _kern.version()

# Names that are imported when they are first asked for, and where they are.
_LAZY = {
    "Device": "kern._devices",
    "devices": "kern._devices",
    "on": "kern._devices",
    "synchronize": "kern._devices",
    "get_num_threads": "kern._devices",
    "set_num_threads": "kern._devices",
    "cuda_unavailable_reason": "kern._devices",
    "TraceEvent": "kern._trace",
    "trace": "kern._trace",
    "Diagnostic": "kern._diagnostics",
    "Fix": "kern._diagnostics",
    "Note": "kern._diagnostics",
    "Place": "kern._diagnostics",
    "vectorize": "kern._vectorize",
    "guvectorize": "kern._vectorize",
    "elementwise": "kern._elementwise",
    "njit": "kern._jit",
    "jit": "kern._jit",
    "prange": "kern._jit",
    "types": None,
    "dask": None,
    "importer": None,
    "ipython": None,
    "jax": None,
    "torch": None,
}

__all__ = [
    "ArgumentError",
    "ArtefactError",
    "AxisError",
    "CheckError",
    "CompileError",
    "DTypeError",
    "Device",
    "DeviceArray",
    "DeviceError",
    "Diagnostic",
    "Error",
    "FileError",
    "Fix",
    "Function",
    "InternalError",
    "Module",
    "NotFoundError",
    "Note",
    "OutOfMemoryError",
    "OverlapError",
    "Place",
    "Prepared",
    "RangeError",
    "ShapeError",
    "TraceEvent",
    "cache_problem",
    "compile",
    "compile_file",
    "cuda_unavailable_reason",
    "devices",
    "elementwise",
    "get_num_threads",
    "guvectorize",
    "include_path",
    "jit",
    "load",
    "loads",
    "njit",
    "on",
    "prange",
    "set_num_threads",
    "synchronize",
    "trace",
    "vectorize",
]


def __getattr__(name):
    if name not in _LAZY:
        if not name.startswith("_"):
            types = importlib.import_module("kern.types")
            if name in types.__all__:  # Numba's: kern.float64
                return getattr(types, name)
        raise AttributeError(f"module 'kern' has no attribute {name!r}")
    where = _LAZY[name]
    if where is None:
        value = importlib.import_module(f"kern.{name}")
    else:
        value = getattr(importlib.import_module(where), name)
    globals()[name] = value
    return value


def __dir__():
    return sorted(set(globals()) | set(_LAZY))


def _load_ipython_extension(shell):
    from kern import ipython

    ipython.load_ipython_extension(shell)


load_ipython_extension = _load_ipython_extension
