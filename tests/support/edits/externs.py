"""Edits of the game's own types."""

from __future__ import annotations

from edits.edit import FIELDS, Edit


def _extern(fields: str) -> str:
    """A type of the game's own, `own_@` of own.h."""
    c = 'header = "own.h"\nc = "own_@"\nsize = 8\nalign = 4'
    return f"[extern.@_m]\n{c}\nfields = {{ {fields} }}\n"


EXTERN_EDITS = (
    Edit(
        "extern_reflected_otherwise", f'{_extern("""a = "f32", b = "i32" """)}{FIELDS}x = "@_m"',
        f'{_extern("""b = "i32" """)}{FIELDS}x = "@_m"',
        ("loses: field 'a' of extern '@_m' was removed: saves lose it",),
        "add #0 @\nset #0 @.x.b 7", "get #0 @.x.b", ("7",), "evolve_@_edit(w, e)->x.a = 1;",
    ),
    Edit(
        "extern_to_struct", f'{_extern("""a = "f32", b = "i32" """)}{FIELDS}x = "@_m"',
        f'[struct.@_m.fields]\nb = "i32"\na = "f64"\n{FIELDS}x = "@_m"',
        (
            "whole: field 'x' of component '@' changed from extern @_m to struct @_m: saves "
            "keep it~",
            "whole: fields of struct '@_m' are in another order: saves keep them",
            "whole: field 'a' of struct '@_m' changed from f32 to f64: saves keep it",
            "whole: extern '@_m' was removed: saves do not contain names of externs",
            "whole: struct '@_m' is new: saves do not contain names of structs",
        ),
        "add #0 @\nset #0 @.x.a 0.5\nset #0 @.x.b 7", "get #0 @.x.a\nget #0 @.x.b", ("0.5", "7"),
        "own_@ x = evolve_@_get(w, e)->x; (void)x;", False,
    ),
)  # fmt: skip
