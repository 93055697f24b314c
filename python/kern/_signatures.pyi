"""Numba's types, which signatures are made of."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, TypeAlias, overload

import numpy as np

_Type: TypeAlias = Scalar | ArrayType | str | np.dtype[Any] | type[np.generic]
_OneSignature: TypeAlias = str | Signature | tuple[_Type, ...]
_Signatures: TypeAlias = _OneSignature | Iterable[_OneSignature]

@dataclass(frozen=True)
class Scalar:
    name: str
    kind: str
    bits: int
    @overload
    def __call__(self, *args: Scalar | ArrayType) -> Signature: ...
    @overload
    def __call__(self, value: Any, /) -> np.generic: ...
    def __getitem__(self, key: slice | tuple[slice, ...]) -> ArrayType: ...
    @property
    def dtype(self) -> np.dtype[Any]: ...
    @property
    def kern(self) -> str: ...
    @property
    def is_integer(self) -> bool: ...

@dataclass(frozen=True)
class ArrayType:
    element: Scalar
    ndim: int

@dataclass(frozen=True)
class Signature:
    args: tuple[Scalar | ArrayType, ...]
    result: Scalar | ArrayType | None = None
