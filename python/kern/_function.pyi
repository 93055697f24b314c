import inspect
from collections.abc import Sequence
from types import EllipsisType
from typing import Any, Literal, SupportsIndex, TypeAlias

import numpy as np
from numpy.typing import DTypeLike

from kern._devices import Device
from kern._module import Module

_Casting: TypeAlias = Literal["no", "equiv", "safe", "same_kind", "unsafe"]
_Order: TypeAlias = Literal["K", "C", "F", "A", "k", "c", "f", "a"]
_Axes: TypeAlias = SupportsIndex | tuple[SupportsIndex, ...]
_Shape: TypeAlias = SupportsIndex | tuple[SupportsIndex, ...]
_Signature: TypeAlias = str | tuple[DTypeLike | None, ...]
# Of any library: arrays say at run time what they are.
_Array: TypeAlias = Any
_Out: TypeAlias = _Array | tuple[_Array | None, ...] | EllipsisType | None

class Function:
    __doc__: str | None
    __module__: str
    @property
    def __name__(self) -> str: ...
    @property
    def __qualname__(self) -> str: ...
    @property
    def __signature__(self) -> inspect.Signature: ...
    @property
    def nin(self) -> int: ...
    @property
    def nout(self) -> int: ...
    @property
    def nargs(self) -> int: ...
    @property
    def ntypes(self) -> int: ...
    @property
    def types(self) -> list[str]: ...
    @property
    def signature(self) -> str | None: ...
    @property
    def identity(self) -> Any: ...
    @property
    def module(self) -> Module: ...
    @property
    def source(self) -> str | None: ...
    @property
    def device(self) -> str | None: ...
    def explain(self, /, *arguments: Any, **keywords: Any) -> str: ...
    def prepare(self, /, *arguments: Any, **keywords: Any) -> Prepared: ...
    @property
    def ufunc(self) -> np.ufunc: ...
    def __call__(
        self,
        *args: Any,
        out: _Out = None,
        where: _Array = True,
        axis: _Axes | None = -1,
        axes: list[_Axes] | None = None,
        keepdims: bool = False,
        casting: _Casting = "same_kind",
        order: _Order | None = "K",
        dtype: DTypeLike | None = None,
        subok: bool = True,
        signature: _Signature | None = None,
        device: Device | str | None = None,
        stream: Any = None,
        threads: SupportsIndex | None = None,
        shape: _Shape | None = None,
        **named: Any,
    ) -> Any: ...
    def resolve_dtypes(
        self,
        dtypes: tuple[np.dtype[Any] | type[int] | type[float] | type[complex] | None, ...],
        *,
        signature: _Signature | None = None,
        casting: _Casting | None = None,
        reduction: bool = False,
    ) -> tuple[np.dtype[Any] | type[int], ...]: ...
    def reduce(
        self,
        array: _Array,
        axis: _Axes | None = 0,
        dtype: DTypeLike | None = None,
        out: _Out = None,
        keepdims: bool = False,
        initial: Any = ...,
        where: _Array = True,
        *,
        device: Device | str | None = None,
        stream: Any = None,
        threads: SupportsIndex | None = None,
    ) -> Any: ...
    def accumulate(
        self,
        array: _Array,
        axis: SupportsIndex = 0,
        dtype: DTypeLike | None = None,
        out: _Out = None,
        *,
        device: Device | str | None = None,
        stream: Any = None,
        threads: SupportsIndex | None = None,
    ) -> Any: ...
    def reduceat(
        self,
        array: _Array,
        indices: _Array | Sequence[int],
        axis: SupportsIndex = 0,
        dtype: DTypeLike | None = None,
        out: _Out = None,
        *,
        device: Device | str | None = None,
        stream: Any = None,
        threads: SupportsIndex | None = None,
    ) -> Any: ...
    def outer(self, A: _Array, B: _Array, **keywords: Any) -> Any: ...
    def at(
        self,
        a: _Array,
        indices: Any,
        b: _Array = ...,
        *,
        device: Device | str | None = None,
        stream: Any = None,
        threads: SupportsIndex | None = None,
    ) -> None: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __dask_tokenize__(self) -> tuple[str, ...]: ...

class Prepared:
    @property
    def function(self) -> Function: ...
    def __call__(self, *arguments: Any, out: _Out = None, stream: Any = None) -> Any: ...
