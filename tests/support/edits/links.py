"""Edits of links."""

from __future__ import annotations

from edits.edit import Edit

_SET = "evolve_@_set(w, e, e, (evolve_@){.x = 1});"
_X = 'fields = { x = "u8" }'

LINK_EDITS = (
    Edit(
        "link_renamed", f"[link.@]\n{_X}", f'[link.@_now]\nwas = "@"\n{_X}',
        ("whole: link '@_now' was renamed from '@': saves keep it~",),
        "tie #0 #1 @ 7", "tied #0 #1 @_now", ("7",), _SET, False,
    ),
    Edit(
        "links_moved", f"[link.@]\n{_X}\n[link.@_z]\n{_X}", f"[link.@_z]\n{_X}\n[link.@]\n{_X}", (),
        "tie #0 #1 @ 7", "tied #0 #1 @\ntied #0 #1 @_z", ("7", "none"), _SET,
    ),
    Edit(
        "link_renamed_in_silence", f"[link.@]\n{_X}", f"[link.@_now]\n{_X}",
        (
            "whole: link '@_now' is new: saves do not contain it",
            "loses: link '@' was removed: saves lose it~",
        ),
        "tie #0 #1 @ 7", "tied #0 #1 @_now", ("none",), _SET, False,
    ),
    Edit(
        "link_ends", f"[link.@]\n{_X}", f'[link.@]\non_despawn = {{ from = "despawn" }}\n{_X}',
        ("whole: link '@' has a different on_despawn: saves keep their links",),
        "tie #0 #1 @ 7", "tied #0 #1 @", ("7",), _SET,
    ),
    Edit(
        "link_filled", "[link.@]", '[link.@]\nfields = { x = { type = "u8", default = 3 } }',
        ("whole: link '@' has fields now, but had none: saves get its defaults~",),
        "tie #0 #1 @ 0", "tied #0 #1 @", ("3",), "evolve_@_set(w, e, e);", False,
    ),
    Edit(
        "link_emptied", f"[link.@]\n{_X}", "[link.@]",
        ("loses: link '@' has no fields now, but had some: saves lose its values~",),
        "tie #0 #1 @ 7", "tied #0 #1 @", ("yes",), _SET, False,
    ),
    Edit(
        "link_field_added", f"[link.@]\n{_X}",
        '[link.@]\nfields = { y = { type = "u8", default = 5 }, x = "u8" }',
        ("whole: field 'y' of link '@' is new: saves get its default",),
        "tie #0 #1 @ 7", "tied #0 #1 @", ("5",), _SET,
    ),
    Edit(
        "link_field_removed", '[link.@]\nfields = { x = "u8", y = "u8" }',
        '[link.@]\nfields = { y = "u8" }',
        ("loses: field 'x' of link '@' was removed: saves lose it~",),
        "tie #0 #1 @ 7", "tied #0 #1 @", ("0",), _SET, False,
    ),
    Edit(
        "link_joined", f"[link.@]\n{_X}", f"[link.@]\nsymmetric = true\n{_X}",
        ("loses: link '@' is symmetric now: saves lose one of two links in opposite directions",),
        "tie #0 #1 @ 7", "tied #1 #0 @", ("7",), _SET,
    ),
    Edit(
        "link_parted", f"[link.@]\nsymmetric = true\n{_X}", f"[link.@]\n{_X}",
        (
            "loses: link '@' is not symmetric any more: saves keep one direction of each link: "
            "from the lower index to the higher",
        ),
        "tie #1 #0 @ 7", "tied #0 #1 @\ntied #1 #0 @", ("7", "none"), _SET,
    ),
)  # fmt: skip
