from typing import Any, final

import numpy as np

from kern import dask as dask
from kern import importer as importer
from kern import ipython as ipython
from kern import jax as jax
from kern import torch as torch
from kern import types as types
from kern._devices import Device as Device
from kern._devices import cuda_unavailable_reason as cuda_unavailable_reason
from kern._devices import devices as devices
from kern._devices import get_num_threads as get_num_threads
from kern._devices import on as on
from kern._devices import set_num_threads as set_num_threads
from kern._devices import synchronize as synchronize
from kern._diagnostics import Diagnostic as Diagnostic
from kern._diagnostics import Fix as Fix
from kern._diagnostics import Note as Note
from kern._diagnostics import Place as Place
from kern._elementwise import elementwise as elementwise
from kern._errors import ArgumentError as ArgumentError
from kern._errors import ArtefactError as ArtefactError
from kern._errors import AxisError as AxisError
from kern._errors import CheckError as CheckError
from kern._errors import CompileError as CompileError
from kern._errors import DeviceError as DeviceError
from kern._errors import DTypeError as DTypeError
from kern._errors import Error as Error
from kern._errors import FileError as FileError
from kern._errors import InternalError as InternalError
from kern._errors import NotFoundError as NotFoundError
from kern._errors import OutOfMemoryError as OutOfMemoryError
from kern._errors import OverlapError as OverlapError
from kern._errors import RangeError as RangeError
from kern._errors import ShapeError as ShapeError
from kern._function import Function as Function
from kern._function import Prepared as Prepared
from kern._jit import jit as jit
from kern._jit import njit as njit
from kern._jit import prange as prange
from kern._module import Module as Module
from kern._module import cache_problem as cache_problem
from kern._module import compile as compile
from kern._module import compile_file as compile_file
from kern._module import include_path as include_path
from kern._module import load as load
from kern._module import loads as loads
from kern._trace import TraceEvent as TraceEvent
from kern._trace import trace as trace
from kern._vectorize import guvectorize as guvectorize
from kern._vectorize import vectorize as vectorize
from kern.types import *

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

__version__: str

@final
class DeviceArray:
    @property
    def shape(self) -> tuple[int, ...]: ...
    @property
    def dtype(self) -> np.dtype[Any]: ...
    @property
    def device(self) -> str: ...
    @property
    def __cuda_array_interface__(self) -> dict[str, Any]: ...
    def __dlpack__(
        self,
        *,
        stream: int | None = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> Any: ...
    def __dlpack_device__(self) -> tuple[int, int]: ...

def load_ipython_extension(shell: Any) -> None: ...
