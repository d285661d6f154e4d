"""Edits of structs inside fields, arrays and lists."""

from __future__ import annotations

from edits.edit import FIELDS, USES_X, Edit

_USES_STRUCT = (
    "evolve_@ value = *evolve_@_get(w, e); value.one.y = 1; value.many[1].y = 2; (void)value;"
)
_INSIDE = 'one = "@_p"\nmany = "@_p[2]"\nlist = "@_p[..3]"\n'
_MADE_INSIDE = (
    "add #0 @\nset #0 @.one.y 300\nset #0 @.many[1].y 301\nset #0 @.list.count 2\n"
    "set #0 @.list[1].x 5"
)

STRUCT_EDITS = (
    Edit(
        "struct_changed", f'[struct.@_p.fields]\nx = "u8"\ny = "u16"\n{FIELDS}{_INSIDE}',
        '[struct.@_p.fields]\ny = "u32"\nz = { type = "u8", default = 6 }\nx = "u8"\n'
        f"{FIELDS}{_INSIDE}",
        (
            "whole: field 'y' of struct '@_p' changed from u16 to u32: saves keep it",
            "whole: field 'z' of struct '@_p' is new: saves get its default",
            "whole: fields of struct '@_p' are in another order: saves keep them",
        ),
        _MADE_INSIDE,
        "get #0 @.one.y\nget #0 @.one.z\nget #0 @.many[1].y\nget #0 @.many[1].z\n"
        "get #0 @.list.count\nget #0 @.list[1].x\nget #0 @.list[1].z",
        ("300", "6", "301", "6", "2", "5", "6"),
        _USES_STRUCT,
    ),
    Edit(
        "struct_renamed", f'[struct.@_p.fields]\nx = "u8"\ny = "u16"\n{FIELDS}one = "@_p"',
        f'[struct.@_q.fields]\nx = "u8"\ny = "u16"\n{FIELDS}one = "@_q"',
        (
            "whole: field 'one' of component '@' changed from @_p to @_q: saves keep it~",
            "whole: struct '@_q' is new: saves do not contain names of structs",
            "whole: struct '@_p' was removed: saves do not contain names of structs~",
        ),
        "add #0 @\nset #0 @.one.y 300", "get #0 @.one.y", ("300",),
        "evolve_@_p one = evolve_@_get(w, e)->one; (void)one;", False,
    ),
    Edit(
        "struct_field_renamed", f'[struct.@_p.fields]\nx = "u8"\ny = "u16"\n{FIELDS}{_INSIDE}',
        '[struct.@_p.fields]\nleft = { type = "u8", was = "x" }\n'
        f'z = {{ type = "u32", was = "y" }}\n{FIELDS}{_INSIDE}',
        (
            "whole: field 'left' of struct '@_p' was renamed from 'x': saves keep it~",
            "whole: field 'z' of struct '@_p' was renamed from 'y': saves keep it~",
            "whole: field 'z' of struct '@_p' changed from u16 to u32: saves keep it",
        ),
        _MADE_INSIDE,
        "get #0 @.one.z\nget #0 @.many[1].z\nget #0 @.many[0].z\nget #0 @.list[1].left",
        ("300", "301", "0", "5"),
        _USES_STRUCT, False,
    ),
    Edit(
        "struct_field_added_between",
        f'[struct.@_p.fields]\nx = "u8"\ny = "u8"\n{FIELDS}one = "@_p"',
        '[struct.@_p.fields]\nx = "u8"\nz = { type = "u8", default = 6 }\ny = "u8"\n'
        f'{FIELDS}one = "@_p"',
        ("whole: field 'z' of struct '@_p' is new: saves get its default",),
        "add #0 @\nset #0 @.one.x 3\nset #0 @.one.y 4",
        "get #0 @.one.x\nget #0 @.one.y\nget #0 @.one.z", ("3", "4", "6"),
        "evolve_@_edit(w, e)->one.y = 1;",
    ),
    Edit(
        "struct_field_gone", f'[struct.@_p.fields]\nx = "u8"\ny = "u16"\n{FIELDS}one = "@_p"',
        f'[struct.@_p.fields]\nx = "u8"\n{FIELDS}one = "@_p"',
        ("loses: field 'y' of struct '@_p' was removed: saves lose it~",),
        "add #0 @\nset #0 @.one.x 3", "get #0 @.one.x", ("3",),
        "evolve_@_edit(w, e)->one.y = 1;", False,
    ),
    Edit(
        "fields_put_into_a_struct", f'{FIELDS}x = "u8"\ny = "u8"',
        f'[struct.@_p.fields]\nx = "u8"\ny = "u8"\n{FIELDS}at = "@_p"',
        (
            "whole: field 'at' of component '@' is new: saves get its default",
            "loses: field 'x' of component '@' was removed: saves lose it~",
            "loses: field 'y' of component '@' was removed: saves lose it~",
            "whole: struct '@_p' is new: saves do not contain names of structs",
        ),
        "add #0 @\nset #0 @.y 7", "get #0 @.at.y", ("0",), USES_X, False,
    ),
    Edit(
        "struct_nested", f'[struct.@_p.fields]\ny = "u16"\n{FIELDS}x = "@_p"\n',
        f'[struct.@_p.fields]\ny = "u16"\ninner = {{ type = "@_i" }}\n'
        f'[struct.@_i.fields]\nz = {{ type = "i8", default = -2 }}\n{FIELDS}x = "@_p"\n',
        (
            "whole: field 'inner' of struct '@_p' is new: saves get its default",
            "whole: struct '@_i' is new: saves do not contain names of structs",
        ),
        "add #0 @\nset #0 @.x.y 7", "get #0 @.x.y\nget #0 @.x.inner.z", ("7", "-2"),
        "evolve_@_edit(w, e)->x.y = 1;",
    ),
    Edit(
        "struct_unused", '[struct.@.fields]\nx = "u8"\ny = "u8"', '[struct.@.fields]\nx = "u16[2]"',
        (
            "whole: field 'x' of struct '@' changed from u8 to u16[2]: saves never contained it~",
            "whole: field 'y' of struct '@' was removed: saves never contained it~",
        ),
        source="evolve_@ value = {0}; value.x = 1; (void)value;", compiles=False,
    ),
)  # fmt: skip
