"""Edits of relations."""

from __future__ import annotations

from edits.edit import Edit

_DETACH = 'on_parent_despawn = "detach"'

RELATION_EDITS = (
    Edit(
        "relation_renamed", f"[relation.@]\n{_DETACH}", f'[relation.@_now]\nwas = "@"\n{_DETACH}',
        ("whole: relation '@_now' was renamed from '@': saves keep it~",),
        "attach #0 #1 @", "parent #0 @_now", ("entity #1",), "evolve_@_detach(w, e);", False,
    ),
    Edit(
        "relations_moved", f"[relation.@]\n{_DETACH}\n[relation.@_z]\n{_DETACH}",
        f"[relation.@_z]\n{_DETACH}\n[relation.@]\n{_DETACH}", (), "attach #0 #1 @",
        "parent #0 @\nparent #0 @_z", ("entity #1", "none"), "evolve_@_detach(w, e);",
    ),
    Edit(
        "relation_renamed_in_silence", f"[relation.@]\n{_DETACH}", f"[relation.@_now]\n{_DETACH}",
        (
            "whole: relation '@_now' is new: saves do not contain it",
            "loses: relation '@' was removed: saves lose it~",
        ),
        "attach #0 #1 @", "parent #0 @_now", ("none",), "evolve_@_detach(w, e);", False,
    ),
    Edit(
        "relation_changed", f"[relation.@]\n{_DETACH}",
        '[relation.@]\non_parent_despawn = "despawn"',
        ("whole: relation '@' has a different on_parent_despawn: saves keep their links",),
        "attach #0 #1 @", "parent #0 @", ("entity #1",), "evolve_@_detach(w, e);",
    ),
)  # fmt: skip
