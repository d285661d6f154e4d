"""Which runtime function a component's direct calls go to.

What no rule concerns is inlined with its column and size as constants (runtime/weft_direct.h); the
rest, and soa components, whose value is many columns, takes the general call.
"""

from __future__ import annotations

from collections.abc import Sequence

from names import Names


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


_STEM = {"aos": "weft_component", "sparse": "weft_sparse", "tag": "weft_tag"}


def _direct(names: Names, function: str, arguments: list[str]) -> str:
    return _call(names, function, arguments, [names.world("entity_format")])


def _call(names: Names, function: str, arguments: list[str], format: Sequence[str] = ()) -> str:
    base = f"{names.world('world_base')}(w)"
    return f"{function}({', '.join([base, *format, 'e.bits', *arguments])})"
