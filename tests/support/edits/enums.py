"""Edits of enums and of their values."""

from __future__ import annotations

from edits.edit import UNSUITED, Edit

_JOB = '[enum.@_job]\nvalues = ["idle", "dig", "haul"]\n[component.@.fields]\nx = "@_job"'
_GOODS = '[enum.@_goods]\nvalues = ["bread", "stone", "wood", "salt"]\n[component.@]\n'
_USES_HAUL = "evolve_@_edit(w, e)->x = EVOLVE_@@_JOB_HAUL;"


def _enum(
    id: str,
    values: str,
    *verdicts: str,
    answer: str = "haul",
    source: str = _USES_HAUL,
    compiles: bool = True,
    made: str = "haul",
    unfit: str = "",
) -> Edit:
    return Edit(
        id, _JOB, f'[enum.@_job]\nvalues = [{values}]\n[component.@.fields]\nx = "@_job"',
        verdicts, f"add #0 @\ntext #0 @.x {made}", "get #0 @.x", (answer,), source, compiles,
        f"text #0 @.x {unfit}" if unfit else "",
        f"field 'x' of component '@' of entity #0:1 is '{unfit}', which enum '@_job' no longer "
        f"contains{UNSUITED}",
    )  # fmt: skip


ENUM_EDITS = (
    _enum(
        "values_moved", '"haul", "idle", "dig"',
        "whole: values of enum '@_job' are in another order: saves keep them",
    ),
    _enum(
        "value_added", '"rest", "idle", "dig", "haul"',
        "whole: value 'rest' of enum '@_job' is new: saves do not use it",
    ),
    _enum(
        "value_renamed", '"idle", "dig", { name = "carry", was = "haul" }',
        "whole: value 'carry' of enum '@_job' was renamed from 'haul': saves keep it~",
        answer="carry", compiles=False,
    ),
    _enum(
        "value_gone", '"idle", "haul"',
        "may be refused: value 'dig' of enum '@_job' was removed: saves are refused if they "
        "use it~",
        source="evolve_@_edit(w, e)->x = EVOLVE_@@_JOB_DIG;", compiles=False, unfit="dig",
    ),
    Edit(
        "array_by_enum_moved", _GOODS + 'fields = { n = "u32[@_goods]" }\n',
        '[enum.@_goods]\nvalues = ["wheat", "wood", { name = "loaf", was = "bread" }, "stone"]\n'
        '[component.@]\nfields = { n = { type = "u16[@_goods]", default = { wheat = 9 } } }\n',
        (
            "loses: field 'n' of component '@' no longer has salt: saves lose its elements "
            "salt~",
            "may be refused: field 'n' of component '@' changed from u32[@_goods] to u16[@_goods]: "
            "saves are refused if a value does not fit into u16",
            "whole: value 'wheat' of enum '@_goods' is new: saves do not use it",
            "whole: value 'loaf' of enum '@_goods' was renamed from 'bread': saves keep it~",
            "whole: values of enum '@_goods' are in another order: saves keep them",
        ),
        "add #0 @\nset #0 @.n[bread] 5\nset #0 @.n[stone] 6\nset #0 @.n[2] 7\n"
        "set #0 @.n[salt] 8",
        "get #0 @.n[wheat]\nget #0 @.n[wood]\nget #0 @.n[loaf]\nget #0 @.n[3]",
        ("9", "7", "5", "6"), "evolve_@_edit(w, e)->n[EVOLVE_@@_GOODS_SALT] = 1;", False,
        "set #0 @.n[wood] 70000",
        "field 'n' of component '@' of entity #0:1 holds a number of type u32 that u16 cannot hold"
        + UNSUITED,
    ),
    Edit(
        "array_by_place_by_enum", '[component.@]\nfields = { n = "u32[3]" }\n',
        _GOODS + 'fields = { n = "u32[@_goods]" }\n',
        (
            "whole: field 'n' of component '@' changed from u32[3] to u32[@_goods]: saves keep it",
            "whole: enum '@_goods' is new: saves do not contain names of enums",
        ),
        "add #0 @\nset #0 @.n[0] 5\nset #0 @.n[2] 7", "get #0 @.n[bread]\nget #0 @.n[wood]",
        ("5", "7"), "evolve_@_edit(w, e)->n[0] = 1;",
    ),
    Edit(
        "enum_renamed", _JOB, '[enum.@_work]\ntype = "u32"\nvalues = ["idle", "dig", "haul"]\n'
        '[component.@.fields]\nx = "@_work"',
        (
            "whole: field 'x' of component '@' changed from @_job to @_work: saves keep it",
            "whole: enum '@_work' changed from u8 to u32: saves keep it",
            "whole: enum '@_work' is new: saves do not contain names of enums",
            "whole: enum '@_job' was removed: saves do not contain names of enums~",
        ),
        "add #0 @\ntext #0 @.x haul", "get #0 @.x", ("haul",), _USES_HAUL, False,
    ),
    Edit(
        "enum_unused", '[enum.@]\nvalues = ["a", "b"]', '[enum.@]\nvalues = ["a"]',
        ("whole: value 'b' of enum '@' was removed: saves never contained it~",),
        source="(void)EVOLVE_@@_B;", compiles=False,
    ),
)  # fmt: skip
