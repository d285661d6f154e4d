"""Plans the page of a declaration: its own header, and its row of reflection."""

from __future__ import annotations

from collections.abc import Sequence

from names.names import Names
from plan import text
from plan.lists import ListPlan, Row
from plan.records.page import PagePlan


def make_page(
    names: Names,
    name: str,
    doc: str,
    row: Row,
    includes: Sequence[str] = (),
    lists: Sequence[ListPlan] = (),
) -> PagePlan:
    """Plans the header of a name, and its row of reflection."""
    return PagePlan(
        doc=text.comment_lines(doc),
        header=names.header(name),
        guard=names.guard(name),
        includes=list(includes),
        row=row,
        lists=list(lists),
    )
