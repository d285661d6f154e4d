"""This record holds what stands in public of a thing that the schema declares."""

from __future__ import annotations

from dataclasses import dataclass

from plan.lists import ListPlan


@dataclass(frozen=True, eq=False, repr=False)
class PagePlan:
    """A thing's header, which people read, and its row of reflection, which programs read."""

    doc: list[str]
    header: str
    guard: str
    includes: list[str]
    row: dict[str, str]  # of reflection; a resource has none
    lists: list[ListPlan]  # const arrays that the row names
