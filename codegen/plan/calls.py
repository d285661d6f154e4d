"""Direct calls and commands of a component go to runtime functions that are chosen here.

A component that nothing else depends on is written inline, with its column and size as constants
(runtime/change/direct.h, runtime/change/runs.h). Rules, readers and hooks need the general call,
and so does a soa component, whose value is spread over several columns.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from names.names import Names
from plan.data_records import CallsPlan, RunsPlan

_STEM = {"aos": "weft_component", "sparse": "weft_sparse", "tag": "weft_tag"}
_STORAGE = {"aos": "WEFT_RUN_TABLE", "sparse": "WEFT_RUN_SPARSE", "tag": "WEFT_RUN_TAG"}


@dataclass(frozen=True)
class Target:
    """Describes a component for its direct calls."""

    name: str
    kind: str
    general: bool  # rules, readers or hooks need the general call
    constant: str
    where: list[str]  # constants of its column, and of its bitset or store
    type: str
    align: int

    @property
    def inlined(self) -> bool:
        return not self.general and self.kind != "soa"

    @property
    def size(self) -> list[str]:
        return [] if self.kind == "tag" else [f"sizeof({self.type})"]


def make_calls(names: Names, target: Target) -> CallsPlan:
    return CallsPlan(
        place=_place_call(names, target),
        set=_set_call(names, target),
        remove=_remove_call(names, target),
        write_value=_write_value(target),
    )


def despawn_call(names: Names, general: bool) -> str:
    """Returns the call of despawn, which is inlined in a world without relations and hooks."""
    if general:
        return "weft_despawn(&w->world, e.bits)"
    return f"weft_despawn_as(&w->world, {names.world('entity_format')}, e.bits)"


def make_runs(names: Names, target: Target) -> RunsPlan | None:
    """Plans the loops that apply commands in a row, each of which changes one entity."""
    if not target.inlined:
        return None
    given = ["world", names.world("entity_format"), "first", "end", _STORAGE[target.kind]]
    part = ["0"] if target.kind == "aos" else []
    size = target.size or ["0"]
    arguments = ", ".join([*given, target.constant, *target.where, *part, *size])
    return RunsPlan(names.local("runs", target.name), f"weft_run({arguments})")


def _place_call(names: Names, target: Target) -> str:
    """Returns the call that finds where a value goes in the common case, or "" without one."""
    if not target.inlined or target.kind == "tag":
        return ""
    given = ["e.bits, at", target.constant]
    if target.kind == "sparse":
        given = [names.world("entity_format"), "e.bits, at"]
    arguments = ["base", *given, *target.where, *target.size]
    return f"{_STEM[target.kind]}_place_at({', '.join(arguments)})"


def _set_call(names: Names, target: Target) -> str:
    """Returns the call that adds or overwrites, whatever the case."""
    if target.kind != "tag":
        return _call(names, "weft_component_set", [target.constant, "&value"])
    if target.general:
        return _call(names, "weft_tag_set", [target.constant])
    return _direct(names, "weft_tag_set_as", [target.constant, *target.where])


def _remove_call(names: Names, target: Target) -> str:
    if not target.inlined:
        return _call(names, "weft_component_remove", [target.constant])
    arguments = [target.constant, *target.where, *target.size]
    return _direct(names, f"{_STEM[target.kind]}_remove_as", arguments)


def _write_value(target: Target) -> str:
    """Returns the statement that assigns a value behind its command, from registers if possible.

    It lies there as any u64 does, so a type with a wider alignment is copied byte by byte instead.
    """
    if target.align > 8:
        return "memcpy(weft_command_value(c), &value, sizeof value)"
    return f"*({target.type} *)(void *)weft_command_value(c) = value"


def _direct(names: Names, function: str, arguments: list[str]) -> str:
    return _call(names, function, arguments, [names.world("entity_format")])


def _call(names: Names, function: str, arguments: list[str], format: Sequence[str] = ()) -> str:
    base = f"{names.world('world_base')}(w)"
    return f"{function}({', '.join([base, *format, 'e.bits', *arguments])})"
