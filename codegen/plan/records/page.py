"""The record of the public page of a declaration."""

from __future__ import annotations

from model.record import record
from plan.lists import ListPlan


@record
class PagePlan:
    """The header of a declaration, for people, and its row of reflection, for programs."""

    doc: list[str]
    header: str
    guard: str
    includes: list[str]
    row: dict[str, str]  # of reflection; a resource has none
    lists: list[ListPlan]  # const arrays that the row names
