"""These records hold the iterators and calls of indexes."""

from __future__ import annotations

from model.record import record
from plan.records.page import PagePlan
from plan.records.selection import SelectionPlan


@record
class IndexCallPlan:
    """A function that asks an index."""

    comment: str
    result: str  # C type, with a blank or star at its end
    function: str
    parameters: list[str]
    body: list[str]
    inline: str = "static inline"


@record
class KnownIndexPlan:
    """An index as the runtime knows it."""

    constant: str  # COLONY_INDEX_…
    selection: SelectionPlan
    row: dict[str, str]


@record
class IndexIteratorPlan:
    """The iterator of an index."""

    type: str
    members: list[tuple[str, str]]  # declaration, comment

    @property
    def box(self) -> str:
        """Returns the iterator of a box, which is that of a ball by another name; "": no grid."""
        near, _, kind = self.type.rpartition("_near_")
        return f"{near}_box_{kind}" if near else ""


@record
class IndexCallsPlan:
    """The calls of an index, and by which of them a game in C++ asks it."""

    functions: list[IndexCallPlan]
    granted: list[IndexCallPlan]  # those that take a grant; none: no system lists the index
    typed: list[tuple[str, str]]  # what a call is named in C++, and its function
    key: str  # the type of what is asked for; of a grid that of a coordinate
    axes: int  # of a grid; 0: it is none

    @property
    def printed(self) -> list[IndexCallPlan]:
        return [*self.functions, *self.granted]


@record
class IndexWords:
    """The comments that tell of an index."""

    summary: str
    example: list[str]
    overview: str


@record
class IndexPlan:
    name: str
    kind: str  # grid, hash or ordered
    stem: str  # its name in C, which names it in C++
    page: PagePlan
    words: IndexWords
    known: KnownIndexPlan
    iterator: IndexIteratorPlan
    calls: IndexCallsPlan
