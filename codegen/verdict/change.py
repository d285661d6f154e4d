"""This module holds a change of a schema, and its meaning for saves that were made before."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

from source.source import Place


class Verdict(IntEnum):
    """The fate of saves, from best to worst."""

    WHOLE = 0
    LOSES = 1
    MISREADS = 2  # values end in another thing that has their name now
    MAY_REFUSE = 3  # it depends on the values that are in them
    REFUSED = 4

    @property
    def text(self) -> str:
        return ("whole", "loses", "misreads", "may be refused", "refused")[self]


class Fate(NamedTuple):
    """The verdict on saves of one change, with the words that tell it."""

    verdict: Verdict
    words: str  # complete "saves …": "lose it"


NEVER_HAD = Fate(Verdict.WHOLE, "have never had it")


@dataclass(frozen=True)
class Change:
    what: str  # "field 'x' of component 'body' is gone"
    fate: Fate
    place: Place  # in the schema, or in the lock if nothing is left in the schema
    compiles: bool = True  # source code of the game that uses it still compiles
    help: str = ""
    recorded: Place | None = None  # where the lock has it, if it is gone
