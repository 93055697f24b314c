from collections.abc import Callable
from typing import (
    Any,
    Literal,
    SupportsIndex,
    TextIO,
    TypeAlias,
    TypeVar,
    overload,
    type_check_only,
)

from kern._function import Function
from kern._signatures import _Signatures

_F = TypeVar("_F", bound=Callable[..., Any])
_Target: TypeAlias = Literal["cpu", "parallel", "cuda", "auto"]

# What the decorators give is a Function with these attributes.
@type_check_only
class PythonFunction(Function):
    py_func: Callable[..., Any]
    targetdevice: str
    is_dynamic: bool
    def inspect_types(self, file: TextIO | None = None) -> None: ...
    def inspect_ptx(
        self, *, signature: str | None = None, target: str = "sm_90"
    ) -> str: ...

@overload
def njit(function: _F, /) -> _F: ...
@overload
def njit(
    signatures: _Signatures | None = None, /, **options: Any
) -> Callable[[_F], _F]: ...
@overload
def jit(function: _F, /) -> _F: ...
@overload
def jit(
    signatures: _Signatures | None = None, /, **options: Any
) -> Callable[[_F], _F]: ...
def prange(*args: SupportsIndex) -> range: ...
