"""A change of a schema, and what it means for older saves."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

from source.source import Place


class Verdict(IntEnum):
    """What happens to saves, from best to worst."""

    WHOLE = 0
    LOSES = 1
    MISREADS = 2  # values are loaded into another declaration that has their name now
    MAY_REFUSE = 3  # it depends on the values in the save
    REFUSED = 4

    @property
    def text(self) -> str:
        return ("whole", "loses", "misreads", "may be refused", "refused")[self]


class Fate(NamedTuple):
    """The verdict on saves after one change, and its words."""

    verdict: Verdict
    words: str  # completes "saves …": "lose it"


NEVER_HAD = Fate(Verdict.WHOLE, "never contained it")


@dataclass(frozen=True)
class Change:
    what: str  # "field 'x' of component 'body' is gone"
    fate: Fate
    place: Place  # in the schema, or in the lock if it was removed from the schema
    compiles: bool = True  # whether source code that uses it still compiles
    help: str = ""
    recorded: Place | None = None  # its place in the lock if it was removed
