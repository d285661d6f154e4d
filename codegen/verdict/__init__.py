"""Decides what the present schema makes of saves from an older schema.

It is the only place in codegen with the rules of loading (`runtime/save/match.c` and
`runtime/save/SAVES.md`). Here they compare two schemas, not a save and a world.
"""

from __future__ import annotations

from collections.abc import Iterable

from model.model import Model
from model.states import with_states
from source.source import Place
from verdict.change import Change, Verdict
from verdict.fields import Fields
from verdict.rules import conflicts
from verdict.things import components, events, links, listeners, relations, singletons
from verdict.types import types
from verdict.world import world


def changes(was: Model, now: Model) -> list[Change]:
    """Returns every change that matters to saves, or to source code of the game."""
    was, now = with_states(was), with_states(now)
    fields = Fields(was, now)
    found = [
        *world(was.world, now.world),
        *components(was, now, fields),
        *conflicts(was, now),
        *singletons(was, now, fields),
        *events(was, now, fields),
        *relations(was, now),
        *links(was, now, fields),
        *listeners(was, now),
    ]
    fields.rest()
    return _each_once([*found, *fields.changes, *types(was, now)])


def worst(found: Iterable[Change]) -> Verdict:
    return max((change.fate.verdict for change in found), default=Verdict.WHOLE)


def _each_once(found: Iterable[Change]) -> list[Change]:
    """Keeps the worst of changes that are found several times, for example in a shared type."""
    kept: dict[tuple[str, Place], Change] = {}
    for change in found:
        first = kept.setdefault((change.what, change.place), change)
        if change.fate.verdict > first.fate.verdict:
            kept[change.what, change.place] = change
    return list(kept.values())
