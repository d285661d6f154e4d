"""Edits of the storage of components, and of whether they are saved."""

from __future__ import annotations

from edits.edit import FIELDS, USES_X, WITH_X, Edit

_COLUMN = '[query.@_all]\nread = ["@"]\nrows = "runs"\n'
_USES_COLUMN = (
    "evolve_@_all_iter it = evolve_@_all_begin(w); while (evolve_@_all_next(&it)) "
    "{ const evolve_@ *column = it.@; (void)column; }"
)


_HAS = "has #0 @\nhas #1 @"

# Two fields and two rows, so that columns are not structs one after the other.
_XY = f'{WITH_X}y = "u16"\n'
_MADE_XY = "add #0 @\nset #0 @.x 8\nadd #1 @\nset #1 @.y 700"
_ASKED_XY = "get #0 @.x\nget #0 @.y\nget #1 @.x\nget #1 @.y"


STORAGE_EDITS = (
    Edit(
        "tag_gets_fields", "[component.@]", WITH_X,
        ("whole: component '@' has fields now, but was a tag: saves get its defaults~",),
        "add #1 @", "has #0 @\nget #1 @.x", ("no", "3"), "evolve_@_set(w, e);", False,
    ),
    Edit(
        "component_loses_fields", WITH_X, "[component.@]",
        ("loses: component '@' is a tag now, but had fields: saves lose its values~",),
        "add #1 @", _HAS, ("no", "yes"), USES_X, False,
    ),
    Edit(
        "layout_changed", _XY + _COLUMN, f'[component.@]\nlayout = "soa"\n{_XY}{_COLUMN}',
        ("whole: component '@' changed from aos to soa: saves keep it~",),
        _MADE_XY, _ASKED_XY, ("8", "0", "3", "700"), USES_X, False,
    ),
    Edit(
        "layout_changed_back", f'[component.@]\nlayout = "soa"\n{_XY}', _XY,
        ("whole: component '@' changed from soa to aos: saves keep it~",),
        _MADE_XY, _ASKED_XY, ("8", "0", "3", "700"), "*evolve_@_edit(w, e).x = 1;", False,
    ),
    Edit(
        "storage_changed", WITH_X + _COLUMN,
        f'[component.@]\nstorage = "sparse"\n{WITH_X}{_COLUMN}',
        ("whole: component '@' changed from table to sparse: saves keep it~",),
        "add #0 @\nset #0 @.x 8", "get #0 @.x\nhas #1 @", ("8", "no"), _USES_COLUMN, False,
    ),
    Edit(
        "storage_changed_back", f'[component.@]\nstorage = "sparse"\n{WITH_X}{_COLUMN}',
        WITH_X + _COLUMN,
        ("whole: component '@' changed from sparse to table: saves keep it~",),
        "add #0 @\nset #0 @.x 8", "get #0 @.x\nhas #1 @", ("8", "no"),
        _USES_COLUMN.replace("*column", "*const *column"), False,
    ),
    Edit(
        "component_not_saved_any_more", WITH_X, f"[component.@]\nsave = false\n{WITH_X}",
        ("loses: component '@' is not saved any more: saves lose its values",),
        "add #0 @\nset #0 @.x 8", f"get #0 @.x\n{_HAS}", ("3", "yes", "no"), USES_X,
    ),
    Edit(
        "component_saved_now", f"[component.@]\nsave = false\n{WITH_X}", WITH_X,
        ("whole: component '@' is saved now: saves get its defaults",),
        "add #0 @\nset #0 @.x 8", "get #0 @.x", ("3",), USES_X,
    ),
    Edit(
        "tag_not_saved_any_more", "[component.@]", "[component.@]\nsave = false",
        ("loses: component '@' is not saved any more: saves lose which entities have it",),
        "add #0 @", _HAS, ("no", "no"), "evolve_@_set(w, e);",
    ),
    Edit(
        "tag_saved_now", "[component.@]\nsave = false", "[component.@]",
        ("whole: component '@' is saved now: saves load without any entity that has it",),
        "add #0 @", _HAS, ("no", "no"), "evolve_@_set(w, e);",
    ),
    Edit(
        "tag_gets_unsaved_fields", "[component.@]", f"[component.@]\nsave = false\n{WITH_X}",
        ("whole: component '@' has fields now, but was a tag: saves get its defaults~",),
        "add #1 @", "has #0 @\nget #1 @.x", ("no", "3"), "evolve_@_set(w, e);", False,
    ),
    Edit(
        "component_becomes_unsaved_tag", WITH_X, "[component.@]\nsave = false",
        (
            "loses: component '@' is a tag now, but had fields: saves lose its values and "
            "which entities have it~",
        ),
        "add #1 @", _HAS, ("no", "no"), USES_X, False,
    ),
    Edit(
        "unsaved_component_becomes_unsaved_tag", f"[component.@]\nsave = false\n{WITH_X}",
        "[component.@]\nsave = false",
        ("loses: component '@' is a tag now, but had fields: saves lose which entities have it~",),
        "add #1 @", _HAS, ("no", "no"), USES_X, False,
    ),
    Edit(
        "unsaved_component_becomes_tag", f"[component.@]\nsave = false\n{WITH_X}", "[component.@]",
        ("whole: component '@' is a tag now, but had fields: saves keep which entities have it~",),
        "add #1 @", _HAS, ("no", "yes"), USES_X, False,
    ),
    Edit(
        "unsaved_changed", f'[component.@]\nsave = false\n{FIELDS}x = "u8"\ny = "u8"',
        f'[component.@]\nsave = false\n{FIELDS}x = "entity"',
        (
            "whole: field 'x' of component '@' changed from u8 to entity: saves never "
            "contained it~",
            "whole: field 'y' of component '@' was removed: saves never contained it~",
        ),
        "add #0 @", "get #0 @.x", ("none",), USES_X, False,
    ),
)  # fmt: skip
