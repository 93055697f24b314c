from dataclasses import dataclass
from types import TracebackType
from typing import Literal

from kern._devices import Device

@dataclass(frozen=True)
class TraceEvent:
    kind: Literal["compile", "cache", "transfer", "launch"]
    step: str
    name: str
    device: Device
    begin: int
    end: int
    bytes: int
    elements: int
    thread: int
    succeeded: bool
    @property
    def seconds(self) -> float: ...

class trace:
    def __init__(self) -> None: ...
    def __enter__(self) -> trace: ...
    def __exit__(
        self,
        type: type[BaseException] | None,
        value: BaseException | None,
        traceback: TracebackType | None,
        /,
    ) -> None: ...
    @property
    def events(self) -> list[TraceEvent]: ...
