"""Finds names that were reused: a load would put values into another declaration.

A load matches a save only by names. The releases know the names in between (`was`). A declaration
that is followed from release to release must end at the name where the load finds it. Fields and
values of types are followed as long as the type keeps its name.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from model.code import Listener
from model.data import Relation
from model.model import Model
from model.states import with_states
from model.types import EnumType, ExternType, Field, StructType
from verdict.change import Change, Fate, Verdict
from verdict.renames import One, Renamed, pairs
from verdict.things import Thing, is_in_saves

Path = tuple[str, ...]  # ("component", "body"); its field "x" is ("component", "body", "x")


@dataclass(frozen=True)
class _Way:
    """The new path of a name in a later schema."""

    was: Renamed
    now: Renamed
    to: Path
    saved: bool  # saves of both schemas contain its values


def misread(was: Model, between: Sequence[Model], now: Model) -> list[Change]:
    """Returns the declarations that receive values of others, although the schemas between
    differ.
    """
    was, now = with_states(was), with_states(now)
    direct = last = _ways(was, now)
    ends = {path: path for path in direct}
    for older, newer in pairwise([was, *map(with_states, between), now]):
        last = _ways(older, newer)
        ends = dict(_followed(ends, last))
    wrong = {path for path in ends if ends[path] != direct[path].to}
    here = {way.to: way.now for way in last.values()}
    return [
        _misread(path, direct[path], ends[path], here.get(ends[path]))
        for path in direct
        if path in wrong and direct[path].saved and (len(path) == 2 or path[:2] not in wrong)
    ]


def _followed(ends: Mapping[Path, Path], ways: Mapping[Path, _Way]) -> Iterable[tuple[Path, Path]]:
    """Follows names one schema further. A removed name may be added again, so it is left out."""
    for path, end in ends.items():
        if end in ways:
            yield path, ways[end].to
        elif end[-1] != path[-1]:
            yield path, end


def _misread(path: Path, way: _Way, end: Path, moved: Renamed | None) -> Change:
    old, new = path[-1], end[-1]
    help = "give it another name"
    if not moved:
        help = f"{help}, or write {_was(path, old, new)} there if it is the same again"
    elif not moved.was:
        help = f"{help}, and write {_was(path, new, old)} at '{new}'"
    return Change(
        f"{_called(way.to)} is not the '{old}' that was renamed to '{new}'",
        Fate(Verdict.MISREADS, f"load the old '{old}' into it"),
        way.now.place,
        help=f"{help}; or remove a release from the lock if its saves need not load any more",
        recorded=way.was.place,
    )


def _was(path: Path, name: str, was: str) -> str:
    """Returns how the schema declares a former name."""
    return f'{{ name = "{name}", was = "{was}" }}' if path[0] == "enum" else f'was = "{was}"'


def _called(path: Path) -> str:
    kind, name, *part = path
    if not part:
        return f"{kind} '{name}'"
    return f"{'value' if kind == 'enum' else 'field'} '{part[0]}' of {kind} '{name}'"


def _ways(was: Model, now: Model) -> dict[Path, _Way]:
    return {
        **_things("component", was.data.components, now.data.components),
        **_things("singleton", was.data.kept.singletons, now.data.kept.singletons),
        **_things("event", was.data.events, now.data.events),
        **_things("relation", was.data.relations, now.data.relations),
        **_things("link", was.data.links, now.data.links),
        **_things("listener", was.code.listeners, now.code.listeners),
        **_enums(was.types.enums, now.types.enums),
        **_structs("struct", was.types.structs, now.types.structs),
        **_structs("extern", was.types.externs, now.types.externs),
    }


def _things(kind: str, was: Mapping[str, Thing], now: Mapping[str, Thing]) -> dict[Path, _Way]:
    found: dict[Path, _Way] = {}
    for before, thing in _kept(was.values(), now.values()):
        old, new, saved = (kind, before.name), (kind, thing.name), is_in_saves(before)
        found[old] = _Way(before, thing, new, saved)
        if isinstance(before, Relation | Listener) or isinstance(thing, Relation | Listener):
            continue
        found |= _fields(old, new, before.fields, thing.fields, saved)
    return found


def _structs(
    kind: str,
    was: Mapping[str, StructType | ExternType],
    now: Mapping[str, StructType | ExternType],
) -> dict[Path, _Way]:
    found: dict[Path, _Way] = {}
    for path in ((kind, name) for name in was if name in now):
        found |= _fields(path, path, was[path[1]].fields, now[path[1]].fields, saved=True)
    return found


def _enums(was: Mapping[str, EnumType], now: Mapping[str, EnumType]) -> dict[Path, _Way]:
    found: dict[Path, _Way] = {}
    for path in (("enum", name) for name in was if name in now):
        for before, value in _kept(was[path[1]].values, now[path[1]].values):
            found[*path, before.name] = _Way(before, value, (*path, value.name), saved=True)
    return found


def _fields(
    old: Path, new: Path, was: Iterable[Field], now: Iterable[Field], saved: bool
) -> dict[Path, _Way]:
    return {
        (*old, one.name): _Way(one, field, (*new, field.name), saved and one.save and field.save)
        for one, field in _kept(was, now)
    }


def _kept(was: Iterable[One], now: Iterable[One]) -> list[tuple[One, One]]:
    return [(before, one) for before, one in pairs(was, now) if before]
