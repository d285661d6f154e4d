"""Const arrays."""

from __future__ import annotations

from collections.abc import Sequence

from model.record import record

NONE = "WEFT_NONE"  # no bitset, store or component

Row = dict[str, str]  # a struct by its members and their values


@record
class ListPlan:
    """A static const array. Without items its name is NULL, and C does not define it."""

    kind: str  # C type of an item: "uint16_t", "char *const"
    name: str
    items: list[str]
    comment: Sequence[str] = ()  # lines above it
    note: str = ""  # comment after it

    @property
    def initialiser(self) -> str:
        return "{" + ", ".join(self.items) + "}"


@record
class TablePlan(ListPlan):
    """A const array with each item on its own line."""

    notes: Sequence[str] = ()  # comments after the items

    @property
    def initialiser(self) -> str:
        notes = [f" // {note}" for note in self.notes] or [""] * len(self.items)
        rows = [f"    {item},{note}\n" for item, note in zip(self.items, notes, strict=True)]
        return "{\n" + "".join(rows) + "}"


def list_plan(kind: str, name: str, items: list[str], comment: Sequence[str] = ()) -> ListPlan:
    return ListPlan(kind, name if items else "NULL", items, comment)


def table_plan(
    kind: str, name: str, rows: list[Row], comment: Sequence[str] = (), notes: Sequence[str] = ()
) -> ListPlan:
    """Makes an array of structs."""
    items = [initialiser(row) for row in rows]
    return TablePlan(kind, name if rows else "NULL", items, comment, notes=notes)


def initialiser(row: Row) -> str:
    """Writes a struct as in `{.name = "x", .count = 2}`."""
    return "{" + ", ".join([f".{member} = {value}" for member, value in row.items()]) + "}"


def printed(lists: list[ListPlan]) -> list[ListPlan]:
    """Leaves out lists without items."""
    return [one for one in lists if one.items]
