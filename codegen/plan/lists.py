"""Lists and sets as C prints them."""

from __future__ import annotations

from dataclasses import dataclass

NONE = "WEFT_NONE"  # where there is no bitset, store, component


@dataclass(frozen=True)
class ListPlan:
    """A static const array. C has none without items: then its name is NULL, and it is left out."""

    name: str
    items: list[str]


@dataclass(frozen=True)
class SetPlan:
    """A set of components as an array of words."""

    name: str
    words: list[str]
    comment: str  # who is in it


def list_plan(name: str, items: list[str]) -> ListPlan:
    return ListPlan(name if items else "NULL", items)
