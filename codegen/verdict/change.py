"""A change of a schema, and what it means for saves that were made before."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from source.source import Place


class Verdict(IntEnum):
    """What becomes of saves, from best to worst."""

    WHOLE = 0
    LOSES = 1
    MISREADS = 2  # values end in something else that has their name now
    MAY_REFUSE = 3  # it depends on the values that are in them
    REFUSED = 4

    @property
    def text(self) -> str:
        return ("whole", "loses", "misreads", "may be refused", "refused")[self]


@dataclass(frozen=True)
class Change:
    verdict: Verdict
    what: str  # "field 'x' of component 'body' is gone"
    fate: str  # what saves do, behind "saves": "lose it"
    place: Place  # in the schema; in the lock where nothing is left there to point at
    compiles: bool = True  # source of the game that uses it, as it is
    help: str = ""
    recorded: Place | None = None  # in the lock, of what is gone
