"""This module pairs things of two schemas, and guesses which new thing a lost one may be.

It has the rule by which saves find things: a thing goes by its own name, else by its old one
(`was`).
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from typing import Protocol, TypeVar

from source.source import Place

ACCEPT = "if that is meant, the next `lock` accepts it"


class Renamed(Protocol):
    """A thing that has a name, and may have had another one."""

    @property
    def name(self) -> str: ...
    @property
    def was(self) -> str: ...
    @property
    def place(self) -> Place: ...


One = TypeVar("One", bound=Renamed)


def pairs(was: Iterable[One], now: Iterable[One]) -> list[tuple[One | None, One]]:
    """Pairs everything there is now with what it was, or with None if it is new."""
    old = {one.name: one for one in was}
    return [(old.get(one.name) or old.get(one.was), one) for one in now]


def gone(was: Iterable[One], matched: Iterable[tuple[One | None, One]]) -> list[One]:
    """Lists the things that nothing of now continues."""
    kept = {before.name for before, _ in matched if before}
    return [one for one in was if one.name not in kept]


def reordered(matched: Sequence[tuple[One | None, One]], was: Iterable[One]) -> bool:
    """Returns whether things that were there before are in another order now."""
    places = {one.name: index for index, one in enumerate(was)}
    order = [places[before.name] for before, _ in matched if before]
    return order != sorted(order)


def renamed_to(name: str, new: Iterable[Renamed]) -> str:
    """Guesses which new thing without an old name may be the lost one; else returns ""."""
    names = [one.name for one in new if not one.was]
    near = difflib.get_close_matches(name, names, n=1, cutoff=0.0)
    return near[0] if near else ""


def remedy(name: str, now: str, write: str = "") -> str:
    """Returns help about a thing that is gone: how to declare that it was renamed."""
    if not now:
        return ACCEPT
    write = write or f'was = "{name}"'
    return f"'{now}' is new: if that is what '{name}' is called now, write {write} there; {ACCEPT}"
