"""Edits that no save survives."""

from __future__ import annotations

from edits.edit import FIELDS, USES_X, Edit


def _refused(
    id: str, before: str, after: str, types: str, source: str = USES_X, compiles: bool = False
) -> Edit:
    """A field that is something else now."""
    now, was = types.split(" and was ")
    verdict = f"refused: field 'x' of component '@' changed from {was} to {now}: saves are refused"
    return Edit(
        id, FIELDS + before, FIELDS + after, (verdict if compiles else f"{verdict}~",), "add #0 @",
        source=source, compiles=compiles,
        refusal=f"field 'x' of component '@' was {was} in the save and is {now} now, and values "
        "cannot be converted; give the new field another name",
    )  # fmt: skip


_ENUM = '\n[enum.@_job]\nvalues = ["idle", "dig"]'
_STRUCT = '\n[struct.@_p.fields]\ny = "u8"'

REFUSED_EDITS = (
    _refused("number_to_entity", 'x = "u8"', 'x = "entity"', "entity and was u8"),
    _refused(
        "entity_to_number", 'x = "entity"', 'x = "u64"', "u64 and was entity",
        "evolve_@_edit(w, e)->x = e;",
    ),
    _refused(
        "number_to_enum", f'x = "u8"{_ENUM}', f'x = "@_job"{_ENUM}', "@_job and was u8",
        compiles=True,
    ),
    _refused(
        "enum_to_number", f'x = "@_job"{_ENUM}', f'x = "u8"{_ENUM}', "u8 and was @_job",
        "evolve_@_edit(w, e)->x = EVOLVE_@@_JOB_DIG;", True,
    ),
    _refused(
        "number_to_struct", f'x = "u8"{_STRUCT}', f'x = "@_p"{_STRUCT}', "@_p and was u8",
    ),
    _refused("one_to_array", 'x = "u8"', 'x = "u8[2]"', "u8[2] and was u8"),
    _refused(
        "array_to_list", 'x = "u8[2]"', 'x = "u8[..2]"', "u8[..2] and was u8[2]",
        "evolve_@_edit(w, e)->x[1] = 1;",
    ),
    _refused(
        "text_to_array", 'x = "char[2]"', 'x = "u8[2]"', "u8[2] and was char[2]",
        "evolve_@_edit(w, e)->x[0] = 'a';", True,
    ),
)  # fmt: skip
