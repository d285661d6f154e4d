"""This module compares the widths of handles, and how many entities there may be."""

from __future__ import annotations

from model.handles import indices
from model.model import World
from source.source import Place
from verdict.change import Change, Verdict
from verdict.renames import ACCEPT


def world(was: World, now: World) -> list[Change]:
    most = f"one has more than {indices(now.index_bits):,} indices"
    beyond = f"an entity lives in a generation beyond {(1 << now.generation_bits) - 1:,}"
    many = f"one has more than {now.max_entities:,} entities"
    numbers = (
        ("index_bits", was.index_bits, now.index_bits, most),
        ("generation_bits", was.generation_bits, now.generation_bits, beyond),
        ("max_entities", was.max_entities, now.max_entities, many),
    )
    return [_number(*number, now.place) for number in numbers if number[1] != number[2]]


def _number(name: str, was: int, now: int, condition: str, place: Place) -> Change:
    what = f"{name} is {now:,} and was {was:,}"
    if now > was:
        return Change(Verdict.WHOLE, what, "load as they are", place)
    return Change(Verdict.MAY_REFUSE, what, f"are refused if {condition}", place, help=ACCEPT)
