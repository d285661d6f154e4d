"""Pairs the declarations of two schemas, and guesses new names of missing ones.

It matches names like a load does: by name, else by the old name (`was`).
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from typing import Protocol, TypeVar

from source.source import Place

ACCEPT = "if this is intended, the next `lock` accepts it"


class Renamed(Protocol):
    """A declaration that may have been renamed."""

    @property
    def name(self) -> str: ...
    @property
    def was(self) -> str: ...
    @property
    def place(self) -> Place: ...


One = TypeVar("One", bound=Renamed)


def pairs(was: Iterable[One], now: Iterable[One]) -> list[tuple[One | None, One]]:
    """Returns each present declaration with its former one, or with None if it is new."""
    old = {one.name: one for one in was}
    return [(old.get(one.name) or old.get(one.was), one) for one in now]


def gone(was: Iterable[One], matched: Iterable[tuple[One | None, One]]) -> list[One]:
    """Returns the former declarations that do not exist any more."""
    kept = {before.name for before, _ in matched if before}
    return [one for one in was if one.name not in kept]


def reordered(matched: Sequence[tuple[One | None, One]], was: Iterable[One]) -> bool:
    """Returns whether the declarations that existed before have another order now."""
    places = {one.name: index for index, one in enumerate(was)}
    order = [places[before.name] for before, _ in matched if before]
    return order != sorted(order)


def renamed_to(name: str, new: Iterable[Renamed]) -> str:
    """Returns the new declaration that a missing one was probably renamed to; "" if none is."""
    names = [one.name for one in new if not one.was]
    near = difflib.get_close_matches(name, names, n=1, cutoff=0.0)
    return near[0] if near else ""


def remedy(name: str, now: str, write: str = "") -> str:
    """Returns help about a missing declaration: how to declare that it was renamed."""
    if not now:
        return ACCEPT
    write = write or f'was = "{name}" there'
    return f"'{now}' is new: if it is the new name of '{name}', write {write}; {ACCEPT}"
