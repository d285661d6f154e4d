"""These records hold the iterators and calls of indexes."""

from __future__ import annotations

from dataclasses import dataclass

from plan.records.page import PagePlan
from plan.records.selection import SelectionPlan


@dataclass(frozen=True)
class IndexCallPlan:
    """A function that asks an index."""

    comment: str
    result: str  # C type, with a blank or star at its end
    function: str
    parameters: list[str]
    body: list[str]
    inline: str = "static inline"


@dataclass(frozen=True)
class IndexPlan:
    name: str
    page: PagePlan
    selection: SelectionPlan
    constant: str  # COLONY_INDEX_…
    summary: str  # comment
    example: list[str]  # comment
    iterator: str  # C type
    members: list[tuple[str, str]]  # of the iterator: declaration, comment
    calls: list[IndexCallPlan]
    typed: list[tuple[str, str]]  # for C++: what a call is named there, and its function
    key: str  # for C++: the type of what is asked for; of a grid that of a coordinate
    axes: int  # of a grid; 0: it is none
    row: dict[str, str]  # of the runtime
    words: str  # for the overview

    @property
    def box(self) -> str:
        """Returns the iterator of a box, which is that of a ball by another name; "": no grid."""
        near, _, kind = self.iterator.rpartition("_near_")
        return f"{near}_box_{kind}" if near else ""


@dataclass(frozen=True)
class IndexedPlan:
    """An index that a system lists, and its own functions for it."""

    name: str
    header: str
    calls: list[IndexCallPlan]
