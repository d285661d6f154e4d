"""Direct calls and commands of a component go to runtime functions that are chosen here.

A component that nothing else depends on is written inline, with its column and size as constants
(runtime/edit/direct.h). Rules, readers and hooks need the general call,
and so does a soa component, whose value is spread over several columns.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from model.record import record
from names.names import Names
from plan.records.data import CallsPlan, HookPlan, RunsPlan

_STORAGE = {"aos": "WEFT_DIRECT_TABLE", "sparse": "WEFT_DIRECT_SPARSE", "tag": "WEFT_DIRECT_TAG"}


@record
class Value:
    """The values of a component in C."""

    type: str
    align: int
    bytes: tuple[int, ...]  # on every kind of machine


@record
class Target:
    """Describes a component for its direct calls."""

    name: str
    kind: str
    general: bool  # rules, readers or hooks need the general call
    constant: str
    where: list[str]  # constants of its column, and of its bitset or store
    value: Value

    @property
    def inlined(self) -> bool:
        return not self.general and self.kind != "soa"

    @property
    def constants(self) -> str:
        """Returns what the runtime's direct calls are told of it."""
        part = ["0"] if self.kind == "aos" else []
        told = [_STORAGE[self.kind], self.constant, *self.where, *part, self.size]
        return f"weft_direct_of({', '.join(told)})"

    @property
    def size(self) -> str:
        return "0" if self.kind == "tag" else f"sizeof({self.value.type})"


def make_calls(names: Names, target: Target, hooks: list[HookPlan]) -> CallsPlan:
    return CallsPlan(
        direct=target.constants if target.inlined and target.kind != "tag" else "",
        set=_set_call(names, target),
        remove=_remove_call(names, target),
        write_value=_write_value(target),
        granted=_granted_call(names, target),
        hooks=hooks,
    )


def despawn_call(names: Names, general: bool) -> str:
    """Returns the call of despawn, which is inlined in a world without relations and hooks."""
    if general:
        return "weft_despawn(&w->world, e.bits)"
    return f"weft_direct_despawn(&w->world, {names.world('entity_format')}, e.bits)"


def make_runs(
    names: Names, target: Target, shared: dict[Hashable, RunsPlan] | None
) -> RunsPlan | None:
    """Plans the loops that apply commands in a row, each of which changes one entity.

    In a large schema components of one storage and one size share them, so that it compiles as few
    as there are sizes. They have the name of the first of these components.
    """
    if not target.inlined:
        return None
    of = target.constants if shared is None else f"{_STORAGE[target.kind]}, {target.size}"
    call = "weft_run" if shared is None else "weft_run_shared"
    runs = RunsPlan(
        names.local("runs", target.name),
        f"{call}(world, {names.world('entity_format')}, first, end, {of})",
    )
    return runs if shared is None else shared.setdefault((target.kind, target.value.bytes), runs)


def _set_call(names: Names, target: Target) -> str:
    """Returns the call that adds or overwrites, whatever the case."""
    if target.kind != "tag":
        return _call(names, "weft_component_set", [target.constant, "&value"])
    if target.general:
        return _call(names, "weft_component_set", [target.constant, "NULL"])
    return _call(names, "weft_direct_tag", [target.constants], [names.world("entity_format")])


def _remove_call(names: Names, target: Target) -> str:
    if not target.inlined:
        return _call(names, "weft_component_remove", [target.constant])
    return _call(names, "weft_direct_remove", [target.constants], [names.world("entity_format")])


def _granted_call(names: Names, target: Target) -> str:
    if target.kind != "tag":
        return ""
    world = f"weft_granted_value(grant.reader.door, {target.constant}, true)"
    if target.general:
        return f"weft_granted_tag_write({world}, e.bits, {target.constant}, "
    format = names.world("entity_format")
    return f"weft_granted_tag({world}, {format}, e.bits, {target.constants}, "


def _write_value(target: Target) -> str:
    """Returns the statement that assigns a value behind its command, from registers if possible.

    It lies there as any u64 does, so a type with a wider alignment is copied byte by byte instead.
    """
    if target.value.align > 8:
        return "memcpy(weft_command_value(c), &value, sizeof value)"
    return f"*({target.value.type} *)(void *)weft_command_value(c) = value"


def _call(names: Names, function: str, arguments: list[str], format: Sequence[str] = ()) -> str:
    base = f"{names.world('world_base')}(w)"
    return f"{function}({', '.join([base, *format, 'e.bits', *arguments])})"
