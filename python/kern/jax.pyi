from collections.abc import Callable
from typing import Any, Protocol, type_check_only

from kern._function import Function

@type_check_only
class _Wrapped(Protocol):
    function: Function
    __name__: str
    def __call__(self, *arguments: Any, **named: Any) -> Any: ...

def wrap(
    function: Function,
    *,
    partials: Callable[..., Any] | None = None,
    vjp: Callable[..., Any] | None = None,
    jvp: Callable[..., Any] | None = None,
) -> _Wrapped: ...
