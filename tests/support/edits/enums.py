"""Edits of enums and of their values."""

from __future__ import annotations

from edits.edit import UNSUITED, Edit

_JOB = '[enum.@_job]\nvalues = ["idle", "dig", "haul"]\n[component.@.fields]\nx = "@_job"'
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
        f"field 'x' of component '@' of entity #0:1 is '{unfit}', which enum '@_job' does not have "
        f"any more{UNSUITED}",
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
        "whole: value 'carry' of enum '@_job' was 'haul': saves keep it~",
        answer="carry", compiles=False,
    ),
    _enum(
        "value_gone", '"idle", "haul"',
        "may be refused: value 'dig' of enum '@_job' is gone: saves are refused where it is in "
        "use~",
        source="evolve_@_edit(w, e)->x = EVOLVE_@@_JOB_DIG;", compiles=False, unfit="dig",
    ),
    Edit(
        "enum_renamed", _JOB, '[enum.@_work]\ntype = "u32"\nvalues = ["idle", "dig", "haul"]\n'
        '[component.@.fields]\nx = "@_work"',
        (
            "whole: field 'x' of component '@' is @_work and was @_job: saves keep it",
            "whole: enum '@_work' is u32 and was u8: saves keep it",
            "whole: enum '@_work' is new: saves know no names of enums",
            "whole: enum '@_job' is gone: saves know no names of enums~",
        ),
        "add #0 @\ntext #0 @.x haul", "get #0 @.x", ("haul",), _USES_HAUL, False,
    ),
    Edit(
        "enum_unused", '[enum.@]\nvalues = ["a", "b"]', '[enum.@]\nvalues = ["a"]',
        ("whole: value 'b' of enum '@' is gone: saves have never had it~",),
        source="(void)EVOLVE_@@_B;", compiles=False,
    ),
)  # fmt: skip
