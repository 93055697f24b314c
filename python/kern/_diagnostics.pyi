from dataclasses import dataclass
from typing import Literal

@dataclass(frozen=True)
class Place:
    file: str
    begin: int
    end: int
    line: int
    column: int
    end_line: int
    end_column: int

@dataclass(frozen=True)
class Note:
    place: Place | None
    text: str

@dataclass(frozen=True)
class Fix:
    place: Place | None
    replacement: str

@dataclass(frozen=True)
class Diagnostic:
    severity: Literal["remark", "warning", "error"]
    code: str
    text: str
    help: str
    place: Place | None
    notes: tuple[Note, ...]
    fixes: tuple[Fix, ...]
