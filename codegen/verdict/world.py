"""Compares the widths of handles and the number of entities."""

from __future__ import annotations

from model.handles import indices
from model.model import Entities, World
from verdict.change import Change, Fate, Verdict
from verdict.renames import ACCEPT


def world(was: World, now: World) -> list[Change]:
    old, new = was.entities, now.entities
    most = f"they have more than {indices(new.index_bits):,} indices"
    beyond = f"an entity has a generation above {(1 << new.generation_bits) - 1:,}"
    many = f"they have more than {new.max:,} entities"
    keep = ACCEPT if new.chosen else f"{_keep(old, new)}; {ACCEPT}"
    numbers = (
        ("index_bits", old.index_bits, new.index_bits, most, keep),
        ("generation_bits", old.generation_bits, new.generation_bits, beyond, keep),
        ("max_entities", old.max, new.max, many, ACCEPT),
    )
    changes: list[Change] = []
    for name, before, after, condition, help in numbers:
        what = f"{name} changed from {before:,} to {after:,}"
        if after > before:
            changes.append(Change(what, Fate(Verdict.WHOLE, "load as they are"), now.place))
        elif after < before:
            fate = Fate(Verdict.MAY_REFUSE, f"are refused if {condition}")
            changes.append(Change(what, fate, now.place, help=help))
    return changes


def _keep(old: Entities, new: Entities) -> str:
    """Returns help to write widths that load all saves, instead of the default widths."""
    index = max(old.index_bits, new.index_bits)
    generation = max(old.generation_bits, new.generation_bits)
    bits = f"index_bits = {index}, generation_bits = {generation}"
    write = f"write entity = {{ {bits} }} in [world] to load all saves"
    return f"the default follows max_entities: {write}"
