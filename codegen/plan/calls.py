"""Which runtime function a component's direct calls go to, and its commands.

What no rule concerns is inlined with its column and size as constants (runtime/weft_direct.h,
weft_run.h); the rest, and soa components, whose value is many columns, takes the general way.
"""

from __future__ import annotations

from collections.abc import Sequence

from names import Names
from plan.records import RunsPlan


def set_call(names: Names, kind: str, ruled: bool, component: str, where: list[str]) -> str:
    """The call that adds or overwrites. `where`: column, plane and store, as the kind has them."""
    value = [] if kind == "tag" else ["&value"]
    if ruled or kind == "soa":
        function = "weft_tag_set" if kind == "tag" else "weft_component_set"
        return _call(names, function, [component, *value])
    size = [] if kind == "tag" else ["sizeof value"]
    return _direct(names, f"{_STEM[kind]}_set_as", [component, *where, *value, *size])


def remove_call(
    names: Names, kind: str, ruled: bool, component: str, where: list[str], type: str
) -> str:
    if ruled or kind == "soa":
        return _call(names, "weft_component_remove", [component])
    size = [f"sizeof({type})"] if kind == "sparse" else []
    return _direct(names, f"{_STEM[kind]}_remove_as", [component, *where, *size])


def runs(
    names: Names, name: str, kind: str, ruled: bool, where: list[str], type: str
) -> RunsPlan | None:
    """How commands on the component are run that are alike and concern an entity each."""
    if ruled or kind == "soa":
        return None
    size = {"aos": ([f"sizeof({type})"], []), "sparse": ([f"sizeof({type})"],) * 2, "tag": ([], [])}
    with_value, without = size[kind]
    given = ["world", names.world("entity_format"), "first", "end", names.number("component", name)]
    stem = f"{_STEM[kind]}_run"
    return RunsPlan(
        sets=names.local("sets", name),
        removals=names.local("removals", name),
        sets_call=f"{stem}_sets({', '.join([*given, *where, *with_value])})",
        removals_call=f"{stem}_removals({', '.join([*given, *where, *without])})",
    )


_STEM = {"aos": "weft_component", "sparse": "weft_sparse", "tag": "weft_tag"}


def _direct(names: Names, function: str, arguments: list[str]) -> str:
    return _call(names, function, arguments, [names.world("entity_format")])


def _call(names: Names, function: str, arguments: list[str], format: Sequence[str] = ()) -> str:
    base = f"{names.world('world_base')}(w)"
    return f"{function}({', '.join([base, *format, 'e.bits', *arguments])})"
