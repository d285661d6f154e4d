"""Compares named types. Saves contain only their content; their names matter to source code."""

from __future__ import annotations

from collections.abc import Mapping

from model.model import Model
from model.types import EnumType, ExternType, StructType
from verdict.change import Change, Fate, Verdict


def types(was: Model, now: Model) -> list[Change]:
    return [
        *_declared("enum", _enums(was), _enums(now)),
        *_declared("struct", was.types.structs, now.types.structs),
        *_declared("extern", was.types.externs, now.types.externs),
    ]


def _enums(model: Model) -> dict[str, EnumType]:
    return {name: enum for name, enum in model.types.enums.items() if enum.kind == "enum"}


def _declared(
    kind: str,
    was: Mapping[str, EnumType | StructType | ExternType],
    now: Mapping[str, EnumType | StructType | ExternType],
) -> list[Change]:
    fate = Fate(Verdict.WHOLE, f"do not contain names of {kind}s")
    new = [
        Change(f"{kind} '{name}' is new", fate, now[name].place) for name in now if name not in was
    ]
    gone = [
        Change(f"{kind} '{name}' was removed", fate, was[name].place, kind == "extern")
        for name in was
        if name not in now
    ]
    return new + gone
