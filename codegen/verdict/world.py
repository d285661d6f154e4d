"""This module compares the widths of handles, and how many entities there may be."""

from __future__ import annotations

from model.handles import indices
from model.model import World
from source.source import Place
from verdict.change import Change, Fate, Verdict
from verdict.renames import ACCEPT


def world(was: World, now: World) -> list[Change]:
    most = f"one has more than {indices(now.entities.index_bits):,} indices"
    beyond = f"an entity lives in a generation beyond {(1 << now.entities.generation_bits) - 1:,}"
    many = f"one has more than {now.entities.max:,} entities"
    numbers = (
        ("index_bits", was.entities.index_bits, now.entities.index_bits, most),
        ("generation_bits", was.entities.generation_bits, now.entities.generation_bits, beyond),
        ("max_entities", was.entities.max, now.entities.max, many),
    )
    return [_number(*number, now.place) for number in numbers if number[1] != number[2]]


def _number(name: str, was: int, now: int, condition: str, place: Place) -> Change:
    what = f"{name} is {now:,} and was {was:,}"
    if now > was:
        return Change(what, Fate(Verdict.WHOLE, "load as they are"), place)
    return Change(what, Fate(Verdict.MAY_REFUSE, f"are refused if {condition}"), place, help=ACCEPT)
