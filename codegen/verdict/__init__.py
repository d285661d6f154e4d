"""What the present schema makes of saves that were made with an older one.

The one place for the rules by which the runtime loads (`match.c`, `pairs.c` and `convert.c` in
`runtime/save/convert/`, and `runtime/save/SAVES.md`), as said of two schemas instead of done to
values.
"""

from __future__ import annotations

from collections.abc import Iterable

from model.model import Model
from source.source import Place
from verdict.change import Change, Verdict
from verdict.fields import Fields
from verdict.rules import conflicts
from verdict.things import components, events, relations, singletons
from verdict.types import types
from verdict.world import world


def changes(was: Model, now: Model) -> list[Change]:
    """Every change that matters to saves, or to source of the game."""
    fields = Fields(was, now)
    found = [
        *world(was.world, now.world),
        *components(was, now, fields),
        *conflicts(was, now),
        *singletons(was, now, fields),
        *events(was, now, fields),
        *relations(was, now),
    ]
    fields.rest()
    return _each_once([*found, *fields.changes, *types(was, now)])


def worst(found: Iterable[Change]) -> Verdict:
    return max((change.verdict for change in found), default=Verdict.WHOLE)


def _each_once(found: Iterable[Change]) -> list[Change]:
    """Of the same said several times, as of a type that many fields have, the worst."""
    kept: dict[tuple[str, Place], Change] = {}
    for change in found:
        first = kept.setdefault((change.what, change.place), change)
        if change.verdict > first.verdict:
            kept[change.what, change.place] = change
    return list(kept.values())
