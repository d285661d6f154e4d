"""Edits that add, remove and rename components."""

from __future__ import annotations

from edits.edit import USES_X, WITH_X, Edit

_GONE = "component '@_gone' was removed"


COMPONENT_EDITS = (
    Edit(
        "component_added", "", WITH_X, ("whole: component '@' is new: saves do not contain it",),
        asked="has #0 @", answers=("no",),
    ),
    Edit(
        "components_moved", f'[component.@_tag]\n[component.@_z.fields]\nz = "u8"\n{WITH_X}',
        f'{WITH_X}[component.@_z.fields]\nz = "u8"\n[component.@_tag]\n', (),
        "add #0 @_tag\nadd #0 @_z\nset #0 @_z.z 4\nadd #1 @\nset #1 @.x 5",
        "has #0 @_tag\nget #0 @_z.z\nget #1 @.x\nhas #1 @_z", ("yes", "4", "5", "no"), USES_X,
    ),
    Edit(
        "component_gone", '[component.@_gone.fields]\nx = "u8"', "",
        (f"loses: {_GONE}: saves lose it~",),
        "add #0 @_gone", source="evolve_@_gone_get(w, e);", compiles=False,
    ),
    Edit(
        "component_renamed", WITH_X,
        '[component.@_now]\nwas = "@"\n[component.@_now.fields]\nx = "u8"',
        ("whole: component '@_now' was renamed from '@': saves keep it~",),
        "add #0 @\nset #0 @.x 5", "get #0 @_now.x\nhas #1 @_now", ("5", "no"), USES_X, False,
    ),
    Edit(
        "tag_renamed", "[component.@]", '[component.@_now]\nwas = "@"',
        ("whole: component '@_now' was renamed from '@': saves keep it~",),
        "add #0 @", "has #0 @_now\nhas #1 @_now", ("yes", "no"), "evolve_@_set(w, e);", False,
    ),
    Edit(
        "tag_gone", "[component.@_gone]", "", (f"loses: {_GONE}: saves lose it~",),
        "add #0 @_gone", source="evolve_@_gone_set(w, e);", compiles=False,
    ),
    Edit(
        "tag_not_saved_gone", "[component.@_gone]\nsave = false", "",
        (f"whole: {_GONE}: saves never contained it~",),
        "add #0 @_gone", source="evolve_@_gone_set(w, e);", compiles=False,
    ),
)  # fmt: skip
