"""Edits of the fields of a component: their set, order, types and array sizes."""

from __future__ import annotations

from edits.edit import FIELDS, UNSUITED, USES_X, Edit


def _fields(
    id: str,
    before: str,
    after: str,
    *verdicts: str,
    made: str = "",
    asked: str = "",
    answers: tuple[str, ...] = (),
    source: str = USES_X,
    compiles: bool = True,
    unfit: str = "",
    refusal: str = "",
) -> Edit:
    """An edit of the fields of a component. Scripts are a line a field: "x 5", "x"."""
    sets = "".join(f"\n{_set(line)}" for line in made.splitlines())
    bad = "\n".join(_set(line) for line in unfit.splitlines())
    gets = "\n".join(f"get #0 @.{line}" for line in asked.splitlines())
    return Edit(
        id, FIELDS + before, FIELDS + after, verdicts, f"add #0 @{sets}", gets, answers, source,
        compiles, bad, f"field {refusal}{UNSUITED}" if refusal else "",
    )  # fmt: skip


def _set(line: str) -> str:
    path, value = line.split()
    return f"{'text' if value.isalpha() else 'set'} #0 @.{path} {value}"


def _number(was: str, now: str, fits: str, answer: str, unfit: str = "") -> Edit:
    """A number of another type: fits is converted to answer, unfit is refused."""
    change = f"field 'x' of component '@' changed from {was} to {now}: saves"
    rounded = "are rounded to f32 and " if (was, now) == ("f64", "f32") else ""
    verdict = f"may be refused: {change} {rounded}are refused if a value does not fit into {now}"
    return _fields(
        f"{was}_to_{now}", f'x = "{was}"', f'x = "{now}"',
        verdict if unfit else f"whole: {change} keep it",
        made=f"x {fits}", asked="x", answers=(answer,),
        unfit=f"x {unfit}" if unfit else "",
        refusal=f"'x' of component '@' of entity #0:1 holds a number of type {was} that {now} "
        "cannot hold",
    )  # fmt: skip


FIELD_EDITS = (
    _fields(
        "field_added", 'x = "i32"', 'x = "i32"\ny = { type = "u8", default = 7 }',
        "whole: field 'y' of component '@' is new: saves get its default",
        made="x -5", asked="x\ny", answers=("-5", "7"),
    ),
    _fields(
        "field_gone", 'x = "i32"\ny = "u8"', 'y = "u8"',
        "loses: field 'x' of component '@' was removed: saves lose it~",
        made="y 9", asked="y", answers=("9",), compiles=False,
    ),
    _fields(
        "field_moved", 'x = "u8"\ny = "f64"\nz = "u16"', 'z = "u16"\nx = "u8"\ny = "f64"',
        "whole: fields of component '@' are in another order: saves keep them",
        made="x 1\ny 2.5\nz 3", asked="x\ny\nz", answers=("1", "2.5", "3"),
    ),
    _fields(
        "field_renamed", 'x = "i32"', 'left = { type = "i32", was = "x" }',
        "whole: field 'left' of component '@' was renamed from 'x': saves keep it~",
        made="x 5", asked="left", answers=("5",), compiles=False,
    ),
    _fields(
        "field_renamed_in_silence", 'x = "i32"', 'left = { type = "i32", default = 3 }',
        "whole: field 'left' of component '@' is new: saves get its default",
        "loses: field 'x' of component '@' was removed: saves lose it~",
        made="x 5", asked="left", answers=("3",), compiles=False,
    ),
    _fields(
        "field_renamed_to_one_there_was", 'x = "u8"\ny = "u8"', 'y = { type = "u8", was = "x" }',
        "loses: field 'x' of component '@' was removed: saves lose it~",
        made="x 5\ny 6", asked="y", answers=("6",), compiles=False,
    ),
    _fields(
        "field_not_saved_any_more", 'x = "u8"', 'x = { type = "u8", save = false, default = 4 }',
        "loses: field 'x' of component '@' is not saved any more: saves lose its values",
        made="x 9", asked="x", answers=("4",),
    ),
    _fields(
        "field_saved_now", 'x = { type = "u8", save = false }', 'x = { type = "u8", default = 4 }',
        "whole: field 'x' of component '@' is saved now: saves get its default",
        made="x 9", asked="x", answers=("4",),
    ),
    _fields(
        "array_grown", 'x = "u8[2]"', 'x = { type = "u8[4]", default = [1, 2, 3, 4] }',
        "whole: field 'x' of component '@' changed from u8[2] to u8[4]: saves keep it",
        made="x[0] 9\nx[1] 8", asked="x[0]\nx[1]\nx[2]\nx[3]", answers=("9", "8", "3", "4"),
        source="evolve_@_edit(w, e)->x[1] = 1;",
    ),
    _fields(
        "array_shrunk", 'x = "u8[4]"', 'x = "u8[2]"',
        "loses: field 'x' of component '@' changed from u8[4] to u8[2]: saves lose all but "
        "the first 2 items",
        made="x[1] 8\nx[3] 7", asked="x[0]\nx[1]", answers=("0", "8"),
        source="evolve_@_edit(w, e)->x[1] = 1;",
    ),
    _fields(
        "list_grown", 'x = "u16[..2]"', 'x = "u16[..9]"',
        "whole: field 'x' of component '@' changed from u16[..2] to u16[..9]: saves keep it",
        made="x.count 2\nx[1] 300", asked="x.count\nx[1]", answers=("2", "300"),
        source="evolve_@_edit(w, e)->x.items[0] = 1;",
    ),
    _fields(
        "list_shrunk", 'x = "u16[..9]"', 'x = "u32[..2]"',
        "may be refused: field 'x' of component '@' changed from u16[..9] to u32[..2]: saves are "
        "refused if a list has more than 2 items",
        made="x.count 2\nx[1] 300", asked="x.count\nx[1]", answers=("2", "300"),
        source="evolve_@_edit(w, e)->x.items[0] = 1;",
        unfit="x.count 3",
        refusal="'x' of component '@' of entity #0:1 has 3 items, and there is room for 2 now",
    ),
    _fields(
        "text_grown", 'x = "char[4]"', 'x = "char[40]"',
        "whole: field 'x' of component '@' changed from char[4] to char[40]: saves keep it",
        made="x abc", asked="x", answers=("abc",),
        source="evolve_@_edit(w, e)->x[0] = 'a';",
    ),
    _fields(
        "text_shrunk", 'x = "char[16]"', 'x = "char[4]"',
        "may be refused: field 'x' of component '@' changed from char[16] to char[4]: saves are "
        "refused if a text has more than 3 bytes",
        made="x abc", asked="x", answers=("abc",),
        source="evolve_@_edit(w, e)->x[0] = 'a';",
        unfit="x abcd",
        refusal="'x' of component '@' of entity #0:1 has 4 bytes, and there is room for 3 now",
    ),
    _fields(
        "array_shrunk_and_narrowed", 'x = "i16[4]"', 'x = "i8[2]"',
        "may be refused: field 'x' of component '@' changed from i16[4] to i8[2]: saves lose all "
        "but the first 2 items and are refused if a value does not fit into i8",
        made="x[1] -128\nx[3] 999", asked="x[1]", answers=("-128",),
        source="evolve_@_edit(w, e)->x[1] = 1;",
        unfit="x[0] 128",
        refusal="'x' of component '@' of entity #0:1 holds a number of type i16 that i8 cannot "
        "hold",
    ),
    _number("u8", "u64", "255", "255"),
    _number("i8", "i64", "-128", "-128"),
    _number("bool", "u8", "1", "1"),
    _number("u8", "f32", "255", "255"),
    _number("f32", "f64", "0.5", "0.5"),
    _number("i64", "i8", "-128", "-128", "-129"),
    _number("i16", "i8", "127", "127", "-129"),
    _number("u16", "u8", "255", "255", "256"),
    _number("u8", "i8", "127", "127", "128"),
    _number("i8", "u64", "0", "0", "-1"),
    _number("f64", "i32", "7", "7", "1.5"),
    _number("u32", "u16", "65535", "65535", "65536"),
    _number("u16", "i8", "127", "127", "128"),
    _number("i32", "u8", "127", "127", "-1"),
    _number("u8", "bool", "1", "1", "2"),
    _number("u32", "f32", "16777216", "16777216", "16777217"),
    _number("f64", "i8", "-3", "-3", "1.5"),
    _number("f64", "f32", "0.1", "0.10000000149011612", "1e300"),
    _number("f64", "u64", "3", "3", "1e300"),
)  # fmt: skip
