from collections.abc import Callable
from typing import Any, Protocol, type_check_only

from kern._function import Function

@type_check_only
class _Operator(Protocol):
    function: Function
    overload: Any  # torch's own OpOverload
    __name__: str
    def __call__(self, *arguments: Any, **named: Any) -> Any: ...

def op(
    function: Function,
    name: str | None = None,
    *,
    partials: Callable[..., Any] | None = None,
    vjp: Callable[..., Any] | None = None,
) -> _Operator: ...
