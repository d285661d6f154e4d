"""This record holds what stands in public of a thing that the schema declares."""

from __future__ import annotations

from model.record import record
from plan.lists import ListPlan


@record
class PagePlan:
    """A thing's header, which people read, and its row of reflection, which programs read."""

    doc: list[str]
    header: str
    guard: str
    includes: list[str]
    row: dict[str, str]  # of reflection; a resource has none
    lists: list[ListPlan]  # const arrays that the row names
