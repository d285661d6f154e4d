"""Which runtime function a component's direct calls go to, and its commands.

What no rule concerns is inlined with its column and size as constants (runtime/change/direct.h,
change/runs.h); the rest, and soa components, whose value is many columns, takes the general way.
"""

from __future__ import annotations

from collections.abc import Sequence

from names.names import Names
from plan.data_records import RunsPlan


def place_call(
    names: Names, kind: str, ruled: bool, component: str, where: list[str], type: str
) -> str:
    """The call that says where a value is to be written, in the common case; "": there is none."""
    given = {"aos": [component, *where], "sparse": where}.get(kind)
    if ruled or given is None:
        return ""
    return _direct(names, f"{_STEM[kind]}_try_place", [*given, f"sizeof({type})"])


def set_call(names: Names, kind: str, ruled: bool, component: str, where: list[str]) -> str:
    """The call that adds or overwrites; of a value whatever the case. `where`: that of a tag."""
    if kind != "tag":
        value = "&value" if ruled or kind == "soa" else "&general"
        return _call(names, "weft_component_set", [component, value])
    if ruled:
        return _call(names, "weft_tag_set", [component])
    return _direct(names, "weft_tag_set_as", [component, *where])


def remove_call(
    names: Names, kind: str, ruled: bool, component: str, where: list[str], type: str
) -> str:
    if ruled or kind == "soa":
        return _call(names, "weft_component_remove", [component])
    size = [] if kind == "tag" else [f"sizeof({type})"]
    return _direct(names, f"{_STEM[kind]}_remove_as", [component, *where, *size])


def write_value(type: str, align: int) -> str:
    """How a value is written behind its command, where it lies as any u64 does.

    Assigned, it can stay in registers; copying its bytes would take it through memory.
    """
    if align > 8:
        return "memcpy(weft_command_value(c), &value, sizeof value)"
    return f"*({type} *)(void *)weft_command_value(c) = value"


def despawn_call(names: Names, general: bool) -> str:
    """Inlined where no relation has a say in it, and no hook is told."""
    if general:
        return "weft_despawn(&w->world, e.bits)"
    return f"weft_despawn_as(&w->world, {names.world('entity_format')}, e.bits)"


def runs(
    names: Names, name: str, kind: str, ruled: bool, where: list[str], type: str
) -> RunsPlan | None:
    """How commands on the component are run that are alike and concern an entity each."""
    if ruled or kind == "soa":
        return None
    size = [] if kind == "tag" else [f"sizeof({type})"]
    given = ["world", names.world("entity_format"), "first", "end", names.number("component", name)]
    stem = f"{_STEM[kind]}_run"
    return RunsPlan(
        sets=names.local("sets", name),
        removals=names.local("removals", name),
        sets_call=f"{stem}_sets({', '.join([*given, *where, *size])})",
        removals_call=f"{stem}_removals({', '.join([*given, *where, *size])})",
    )


_STEM = {"aos": "weft_component", "sparse": "weft_sparse", "tag": "weft_tag"}


def _direct(names: Names, function: str, arguments: list[str]) -> str:
    return _call(names, function, arguments, [names.world("entity_format")])


def _call(names: Names, function: str, arguments: list[str], format: Sequence[str] = ()) -> str:
    base = f"{names.world('world_base')}(w)"
    return f"{function}({', '.join([base, *format, 'e.bits', *arguments])})"
