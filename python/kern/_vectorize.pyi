from collections.abc import Callable, Iterable
from typing import Any, Literal, TypeAlias, TypedDict, Unpack, overload

from kern._jit import PythonFunction, _Target
from kern._signatures import _Signatures

_Python: TypeAlias = Callable[..., Any]

# Numba's keywords that have no meaning here.
class _Ignored(TypedDict, total=False):
    nopython: bool
    cache: bool
    nogil: bool
    parallel: bool
    error_model: str
    locals: dict[str, Any]
    debug: bool
    inline: str
    looplift: bool

class _Options(_Ignored, total=False):
    fastmath: bool
    identity: Literal[0, 1, "reorderable"] | None
    boundscheck: bool

class _GufuncOptions(_Options, total=False):
    writable_args: Iterable[int | str]

@overload
def vectorize(
    ftylist_or_function: _Python, *, target: _Target = "cpu", **kws: Unpack[_Options]
) -> PythonFunction: ...
@overload
def vectorize(
    ftylist_or_function: _Signatures | None = (),
    *,
    target: _Target = "cpu",
    **kws: Unpack[_Options],
) -> Callable[[_Python], PythonFunction]: ...
@overload
def guvectorize(
    layout: str, /, *, target: _Target = "cpu", **kws: Unpack[_GufuncOptions]
) -> Callable[[_Python], PythonFunction]: ...
@overload
def guvectorize(
    signatures: _Signatures,
    layout: str,
    /,
    *,
    target: _Target = "cpu",
    **kws: Unpack[_GufuncOptions],
) -> Callable[[_Python], PythonFunction]: ...
