from collections.abc import Iterable
from typing import Any

from kern._function import Function

def call(
    function: Function, *arguments: Any, allow_rechunk: bool = False, **keywords: Any
) -> Any: ...

# Gives a distributed.SpecCluster, which has no types.
def gpu_cluster(
    gpus: Iterable[int | str] | None = None, *, nthreads: int = 1, **worker: Any
) -> Any: ...
