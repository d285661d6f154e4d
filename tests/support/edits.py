"""Every kind of edit of a schema: what `check` says of it, what a save goes through, what source
does.

One table for all tests of it. An edit is two pieces of a schema, and those of many edits can stand
in one schema each, since every edit has names of its own: `@` in all its texts becomes its id, `@@`
the same in capitals. `#0` and `#1` are two entities of its own.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

BREAKS = "; source that uses it does not compile"


@dataclass(frozen=True)
class Edit:
    id: str
    before: str
    after: str
    verdicts: tuple[str, ...]  # lines of `check --saves`; ~ stands for what source does not survive
    made: str = ""  # script of the probe, in the world of before
    asked: str = ""  # script in the world of after, once it has loaded that
    answers: tuple[str, ...] = ()
    source: str = ""  # statements of a game with w, a world, and e, an entity
    compiles: bool = True  # with the world of after; with that of before they always do
    unfit: str = ""  # what else makes a save that is refused
    refusal: str = ""  # with these words

    def own(self, number: int) -> Edit:
        """With names and entities put in; the entities are the number-th two."""

        def put(text: str) -> str:
            text = text.replace("@@", self.id.upper()).replace("@", self.id).replace("~", BREAKS)
            return text.replace("#0", str(2 * number)).replace("#1", str(2 * number + 1))

        texts = {key: put(value) for key, value in vars(self).items() if isinstance(value, str)}
        lists = {
            "verdicts": tuple(map(put, self.verdicts)),
            "answers": tuple(map(put, self.answers)),
        }
        return replace(self, **{**texts, **lists})


FIELDS = "[component.@.fields]\n"
USES_X = "evolve_@_edit(w, e)->x = 1;"


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
        compiles, bad, f"field {refusal}" if refusal else "",
    )  # fmt: skip


def _set(line: str) -> str:
    path, value = line.split()
    return f"{'text' if value.isalpha() else 'set'} #0 @.{path} {value}"


def _number(was: str, now: str, fits: str, answer: str, unfit: str = "") -> Edit:
    """A number of another type: fits is carried over as answer, unfit is refused."""
    change = f"field 'x' of component '@' is {now} and was {was}: saves"
    rounded = "are rounded to f32 and " if (was, now) == ("f64", "f32") else ""
    verdict = f"may be refused: {change} {rounded}are refused if {now} cannot hold a value"
    return _fields(
        f"{was}_to_{now}", f'x = "{was}"', f'x = "{now}"',
        verdict if unfit else f"whole: {change} keep it",
        made=f"x {fits}", asked="x", answers=(answer,),
        unfit=f"x {unfit}" if unfit else "",
        refusal=f"'x' of component '@' holds a number of type {was} that {now} cannot hold",
    )  # fmt: skip


FIELD_EDITS = (
    _fields(
        "field_added", 'x = "i32"', 'x = "i32"\ny = { type = "u8", default = 7 }',
        "whole: field 'y' of component '@' is new: saves get its default",
        made="x -5", asked="x\ny", answers=("-5", "7"),
    ),
    _fields(
        "field_gone", 'x = "i32"\ny = "u8"', 'y = "u8"',
        "loses: field 'x' of component '@' is gone: saves lose it~",
        made="y 9", asked="y", answers=("9",), compiles=False,
    ),
    _fields(
        "field_moved", 'x = "u8"\ny = "f64"\nz = "u16"', 'z = "u16"\nx = "u8"\ny = "f64"',
        "whole: fields of component '@' are in another order: saves keep them",
        made="x 1\ny 2.5\nz 3", asked="x\ny\nz", answers=("1", "2.5", "3"),
    ),
    _fields(
        "field_renamed", 'x = "i32"', 'left = { type = "i32", was = "x" }',
        "whole: field 'left' of component '@' was 'x': saves keep it~",
        made="x 5", asked="left", answers=("5",), compiles=False,
    ),
    _fields(
        "field_renamed_in_silence", 'x = "i32"', 'left = { type = "i32", default = 3 }',
        "whole: field 'left' of component '@' is new: saves get its default",
        "loses: field 'x' of component '@' is gone: saves lose it~",
        made="x 5", asked="left", answers=("3",), compiles=False,
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
        "whole: field 'x' of component '@' is u8[4] and was u8[2]: saves keep it",
        made="x[0] 9\nx[1] 8", asked="x[0]\nx[1]\nx[2]\nx[3]", answers=("9", "8", "3", "4"),
        source="evolve_@_edit(w, e)->x[1] = 1;",
    ),
    _fields(
        "array_shrunk", 'x = "u8[4]"', 'x = "u8[2]"',
        "loses: field 'x' of component '@' is u8[2] and was u8[4]: saves lose all but the first 2",
        made="x[1] 8\nx[3] 7", asked="x[0]\nx[1]", answers=("0", "8"),
        source="evolve_@_edit(w, e)->x[1] = 1;",
    ),
    _fields(
        "list_grown", 'x = "u16[..2]"', 'x = "u16[..9]"',
        "whole: field 'x' of component '@' is u16[..9] and was u16[..2]: saves keep it",
        made="x.count 2\nx[1] 300", asked="x.count\nx[1]", answers=("2", "300"),
        source="evolve_@_edit(w, e)->x.items[0] = 1;",
    ),
    _fields(
        "list_shrunk", 'x = "u16[..9]"', 'x = "u32[..2]"',
        "may be refused: field 'x' of component '@' is u32[..2] and was u16[..9]: saves are "
        "refused if one has more than 2 items",
        made="x.count 2\nx[1] 300", asked="x.count\nx[1]", answers=("2", "300"),
        source="evolve_@_edit(w, e)->x.items[0] = 1;",
        unfit="x.count 3",
        refusal="'x' of component '@' has 3 items, and there is room for 2 now",
    ),
    _fields(
        "text_grown", 'x = "char[4]"', 'x = "char[40]"',
        "whole: field 'x' of component '@' is char[40] and was char[4]: saves keep it",
        made="x abc", asked="x", answers=("abc",),
        source="evolve_@_edit(w, e)->x[0] = 'a';",
    ),
    _fields(
        "text_shrunk", 'x = "char[16]"', 'x = "char[4]"',
        "may be refused: field 'x' of component '@' is char[4] and was char[16]: saves are refused "
        "if one has more than 3 bytes",
        made="x abc", asked="x", answers=("abc",),
        source="evolve_@_edit(w, e)->x[0] = 'a';",
        unfit="x abcd",
        refusal="'x' of component '@' has 4 bytes, and there is room for 3 now",
    ),
    _fields(
        "array_shrunk_and_narrowed", 'x = "i16[4]"', 'x = "i8[2]"',
        "may be refused: field 'x' of component '@' is i8[2] and was i16[4]: saves lose all but "
        "the first 2 and are refused if i8 cannot hold a value",
        made="x[1] -128\nx[3] 999", asked="x[1]", answers=("-128",),
        source="evolve_@_edit(w, e)->x[1] = 1;",
        unfit="x[0] 128",
        refusal="'x' of component '@' holds a number of type i16 that i8 cannot hold",
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
        f"field 'x' of component '@' is '{unfit}', which enum '@_job' does not have any more",
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
            "whole: field 'y' of struct '@_p' is u32 and was u16: saves keep it",
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
            "whole: field 'one' of component '@' is @_q and was @_p: saves keep it~",
            "whole: struct '@_q' is new: saves know no names of structs",
            "whole: struct '@_p' is gone: saves know no names of structs~",
        ),
        "add #0 @\nset #0 @.one.y 300", "get #0 @.one.y", ("300",),
        "evolve_@_p one = evolve_@_get(w, e)->one; (void)one;", False,
    ),
    Edit(
        "struct_field_renamed", f'[struct.@_p.fields]\nx = "u8"\ny = "u16"\n{FIELDS}{_INSIDE}',
        '[struct.@_p.fields]\nleft = { type = "u8", was = "x" }\n'
        f'z = {{ type = "u32", was = "y" }}\n{FIELDS}{_INSIDE}',
        (
            "whole: field 'left' of struct '@_p' was 'x': saves keep it~",
            "whole: field 'z' of struct '@_p' was 'y': saves keep it~",
            "whole: field 'z' of struct '@_p' is u32 and was u16: saves keep it",
        ),
        _MADE_INSIDE,
        "get #0 @.one.z\nget #0 @.many[1].z\nget #0 @.many[0].z\nget #0 @.list[1].left",
        ("300", "301", "0", "5"),
        _USES_STRUCT, False,
    ),
    Edit(
        "struct_field_gone", f'[struct.@_p.fields]\nx = "u8"\ny = "u16"\n{FIELDS}one = "@_p"',
        f'[struct.@_p.fields]\nx = "u8"\n{FIELDS}one = "@_p"',
        ("loses: field 'y' of struct '@_p' is gone: saves lose it~",),
        "add #0 @\nset #0 @.one.x 3", "get #0 @.one.x", ("3",),
        "evolve_@_edit(w, e)->one.y = 1;", False,
    ),
    Edit(
        "fields_put_into_a_struct", f'{FIELDS}x = "u8"\ny = "u8"',
        f'[struct.@_p.fields]\nx = "u8"\ny = "u8"\n{FIELDS}at = "@_p"',
        (
            "whole: field 'at' of component '@' is new: saves get its default",
            "loses: field 'x' of component '@' is gone: saves lose it~",
            "loses: field 'y' of component '@' is gone: saves lose it~",
            "whole: struct '@_p' is new: saves know no names of structs",
        ),
        "add #0 @\nset #0 @.y 7", "get #0 @.at.y", ("0",), USES_X, False,
    ),
    Edit(
        "struct_nested", f'[struct.@_p.fields]\ny = "u16"\n{FIELDS}x = "@_p"\n',
        f'[struct.@_p.fields]\ny = "u16"\ninner = {{ type = "@_i" }}\n'
        f'[struct.@_i.fields]\nz = {{ type = "i8", default = -2 }}\n{FIELDS}x = "@_p"\n',
        (
            "whole: field 'inner' of struct '@_p' is new: saves get its default",
            "whole: struct '@_i' is new: saves know no names of structs",
        ),
        "add #0 @\nset #0 @.x.y 7", "get #0 @.x.y\nget #0 @.x.inner.z", ("7", "-2"),
        "evolve_@_edit(w, e)->x.y = 1;",
    ),
    Edit(
        "struct_unused", '[struct.@.fields]\nx = "u8"\ny = "u8"', '[struct.@.fields]\nx = "u16[2]"',
        (
            "whole: field 'x' of struct '@' is u16[2] and was u8: saves have never had it~",
            "whole: field 'y' of struct '@' is gone: saves have never had it~",
        ),
        source="evolve_@ value = {0}; value.x = 1; (void)value;", compiles=False,
    ),
)  # fmt: skip


def _extern(fields: str) -> str:
    """A type of the game's own, `own_@` of own.h."""
    c = 'header = "own.h"\nc = "own_@"\nsize = 8\nalign = 4'
    return f"[extern.@_m]\n{c}\nfields = {{ {fields} }}\n"


EXTERN_EDITS = (
    Edit(
        "extern_reflected_otherwise", f'{_extern("""a = "f32", b = "i32" """)}{FIELDS}x = "@_m"',
        f'{_extern("""b = "i32" """)}{FIELDS}x = "@_m"',
        ("loses: field 'a' of extern '@_m' is gone: saves lose it",),
        "add #0 @\nset #0 @.x.b 7", "get #0 @.x.b", ("7",), "evolve_@_edit(w, e)->x.a = 1;",
    ),
    Edit(
        "extern_to_struct", f'{_extern("""a = "f32", b = "i32" """)}{FIELDS}x = "@_m"',
        f'[struct.@_m.fields]\nb = "i32"\na = "f64"\n{FIELDS}x = "@_m"',
        (
            "whole: field 'x' of component '@' is struct @_m and was extern @_m: saves keep it~",
            "whole: fields of struct '@_m' are in another order: saves keep them",
            "whole: field 'a' of struct '@_m' is f64 and was f32: saves keep it",
            "whole: extern '@_m' is gone: saves know no names of externs",
            "whole: struct '@_m' is new: saves know no names of structs",
        ),
        "add #0 @\nset #0 @.x.a 0.5\nset #0 @.x.b 7", "get #0 @.x.a\nget #0 @.x.b", ("0.5", "7"),
        "own_@ x = evolve_@_get(w, e)->x; (void)x;", False,
    ),
)  # fmt: skip

_X = f'{FIELDS}x = {{ type = "u8", default = 3 }}\n'
_COLUMN = '[query.@_all]\nread = ["@"]\n'
_USES_COLUMN = (
    "evolve_@_all_iter it = evolve_@_all_begin(w); while (evolve_@_all_next(&it)) "
    "{ const evolve_@ *column = it.@; (void)column; }"
)
_HAS = "has #0 @\nhas #1 @"
_GONE = "component '@_gone' is gone"

COMPONENT_EDITS = (
    Edit(
        "component_added", "", _X, ("whole: component '@' is new: saves know nothing of it",),
        asked="has #0 @", answers=("no",),
    ),
    Edit(
        "components_moved", f'[component.@_tag]\n[component.@_z.fields]\nz = "u8"\n{_X}',
        f'{_X}[component.@_z.fields]\nz = "u8"\n[component.@_tag]\n', (),
        "add #0 @_tag\nadd #0 @_z\nset #0 @_z.z 4\nadd #1 @\nset #1 @.x 5",
        "has #0 @_tag\nget #0 @_z.z\nget #1 @.x\nhas #1 @_z", ("yes", "4", "5", "no"), USES_X,
    ),
    Edit(
        "component_gone", '[component.@_gone.fields]\nx = "u8"', "",
        (f"loses: {_GONE}: saves lose it~",),
        "add #0 @_gone", source="evolve_@_gone_get(w, e);", compiles=False,
    ),
    Edit(
        "component_renamed", _X, '[component.@_now]\nwas = "@"\n[component.@_now.fields]\nx = "u8"',
        ("whole: component '@_now' was '@': saves keep it~",),
        "add #0 @\nset #0 @.x 5", "get #0 @_now.x\nhas #1 @_now", ("5", "no"), USES_X, False,
    ),
    Edit(
        "tag_renamed", "[component.@]", '[component.@_now]\nwas = "@"',
        ("whole: component '@_now' was '@': saves keep it~",),
        "add #0 @", "has #0 @_now\nhas #1 @_now", ("yes", "no"), "evolve_@_set(w, e);", False,
    ),
    Edit(
        "tag_gone", "[component.@_gone]", "", (f"loses: {_GONE}: saves lose it~",),
        "add #0 @_gone", source="evolve_@_gone_set(w, e);", compiles=False,
    ),
    Edit(
        "tag_not_saved_gone", "[component.@_gone]\nsave = false", "",
        (f"whole: {_GONE}: saves have never had it~",),
        "add #0 @_gone", source="evolve_@_gone_set(w, e);", compiles=False,
    ),
    Edit(
        "tag_gets_fields", "[component.@]", _X,
        ("whole: component '@' has fields now and was a tag: saves get its defaults~",),
        "add #1 @", "has #0 @\nget #1 @.x", ("no", "3"), "evolve_@_set(w, e);", False,
    ),
    Edit(
        "component_loses_fields", _X, "[component.@]",
        ("loses: component '@' is a tag now and had fields: saves lose its values~",),
        "add #1 @", _HAS, ("no", "yes"), USES_X, False,
    ),
    Edit(
        "layout_changed", _X + _COLUMN, f'[component.@]\nlayout = "soa"\n{_X}{_COLUMN}',
        ("whole: component '@' is soa and was aos: saves keep it~",),
        "add #0 @\nset #0 @.x 8", "get #0 @.x", ("8",), USES_X, False,
    ),
    Edit(
        "layout_changed_back", f'[component.@]\nlayout = "soa"\n{_X}', _X,
        ("whole: component '@' is aos and was soa: saves keep it~",),
        "add #0 @\nset #0 @.x 8", "get #0 @.x", ("8",), "*evolve_@_edit(w, e).x = 1;", False,
    ),
    Edit(
        "storage_changed", _X + _COLUMN, f'[component.@]\nstorage = "sparse"\n{_X}{_COLUMN}',
        ("whole: component '@' is sparse and was table: saves keep it~",),
        "add #0 @\nset #0 @.x 8", "get #0 @.x\nhas #1 @", ("8", "no"), _USES_COLUMN, False,
    ),
    Edit(
        "storage_changed_back", f'[component.@]\nstorage = "sparse"\n{_X}{_COLUMN}', _X + _COLUMN,
        ("whole: component '@' is table and was sparse: saves keep it~",),
        "add #0 @\nset #0 @.x 8", "get #0 @.x\nhas #1 @", ("8", "no"),
        _USES_COLUMN.replace("*column", "*const *column"), False,
    ),
    Edit(
        "component_not_saved_any_more", _X, f"[component.@]\nsave = false\n{_X}",
        ("loses: component '@' is not saved any more: saves lose its values",),
        "add #0 @\nset #0 @.x 8", f"get #0 @.x\n{_HAS}", ("3", "yes", "no"), USES_X,
    ),
    Edit(
        "component_saved_now", f"[component.@]\nsave = false\n{_X}", _X,
        ("whole: component '@' is saved now: saves get its defaults",),
        "add #0 @\nset #0 @.x 8", "get #0 @.x", ("3",), USES_X,
    ),
    Edit(
        "tag_not_saved_any_more", "[component.@]", "[component.@]\nsave = false",
        ("loses: component '@' is not saved any more: saves lose who has it",),
        "add #0 @", _HAS, ("no", "no"), "evolve_@_set(w, e);",
    ),
    Edit(
        "tag_saved_now", "[component.@]\nsave = false", "[component.@]",
        ("whole: component '@' is saved now: saves have nobody with it",),
        "add #0 @", _HAS, ("no", "no"), "evolve_@_set(w, e);",
    ),
    Edit(
        "tag_gets_unsaved_fields", "[component.@]", f"[component.@]\nsave = false\n{_X}",
        ("whole: component '@' has fields now and was a tag: saves get its defaults~",),
        "add #1 @", "has #0 @\nget #1 @.x", ("no", "3"), "evolve_@_set(w, e);", False,
    ),
    Edit(
        "component_becomes_unsaved_tag", _X, "[component.@]\nsave = false",
        (
            "loses: component '@' is a tag now and had fields: saves lose its values and who has "
            "it~",
        ),
        "add #1 @", _HAS, ("no", "no"), USES_X, False,
    ),
    Edit(
        "unsaved_component_becomes_unsaved_tag", f"[component.@]\nsave = false\n{_X}",
        "[component.@]\nsave = false",
        ("loses: component '@' is a tag now and had fields: saves lose who has it~",),
        "add #1 @", _HAS, ("no", "no"), USES_X, False,
    ),
    Edit(
        "unsaved_component_becomes_tag", f"[component.@]\nsave = false\n{_X}", "[component.@]",
        ("whole: component '@' is a tag now and had fields: saves keep who has it~",),
        "add #1 @", _HAS, ("no", "yes"), USES_X, False,
    ),
    Edit(
        "unsaved_changed", f'[component.@]\nsave = false\n{FIELDS}x = "u8"\ny = "u8"',
        f'[component.@]\nsave = false\n{FIELDS}x = "entity"',
        (
            "whole: field 'x' of component '@' is entity and was u8: saves have never had it~",
            "whole: field 'y' of component '@' is gone: saves have never had it~",
        ),
        "add #0 @", "get #0 @.x", ("none",), USES_X, False,
    ),
    Edit(
        "requires_added", f"{_X}[component.@_mark]", f'{_X}[component.@_mark]\nrequires = ["@"]',
        ("whole: component '@_mark' requires '@': saves get '@' at its defaults where it is "
         "missing",),
        "add #0 @_mark", "get #0 @.x\nhas #1 @", ("3", "no"), "evolve_@_mark_set(w, e);",
    ),
    Edit(
        "excludes_added", f"{_X}[component.@_mark]", f'{_X}[component.@_mark]\nexcludes = ["@"]',
        ("may be refused: component '@_mark' excludes '@': saves are refused if an entity has "
         "both",),
        "add #0 @_mark\nadd #1 @", "has #0 @_mark\nhas #1 @", ("yes", "yes"),
        "evolve_@_mark_set(w, e);", True,
        "add #1 @_mark",
        "the save has entities with both '@' and '@_mark', which exclude each other now",
    ),
    Edit(
        "excludes_through_requires",
        f'{_X}[component.@_mark]\nexcludes = ["@"]\n[component.@_flag]\n',
        f'{_X}[component.@_mark]\nexcludes = ["@"]\n[component.@_flag]\nrequires = ["@_mark"]\n',
        (
            "whole: component '@_flag' requires '@_mark': saves get '@_mark' at its defaults where "
            "it is missing",
            "may be refused: component '@_mark' excludes '@': saves are refused if an entity has "
            "both",
        ),
        "add #0 @_flag\nadd #1 @", "has #0 @_mark\nhas #1 @_mark", ("yes", "no"), "", True,
        "add #1 @_flag",
        "the save has entities with both '@' and '@_mark', which exclude each other now",
    ),
)  # fmt: skip

_DAY = '[singleton.@.fields]\nd = { type = "u8", default = 1 }\n'

SINGLETON_EDITS = (
    Edit(
        "singleton_added", "", _DAY, ("whole: singleton '@' is new: saves know nothing of it",),
        asked="get - @.d", answers=("1",),
    ),
    Edit(
        "singletons_moved", f'[singleton.@_z.fields]\nd = "u8"\n{_DAY}',
        f'{_DAY}[singleton.@_z.fields]\nd = "u8"', (), "set - @_z.d 4\nset - @.d 5",
        "get - @_z.d\nget - @.d", ("4", "5"), "evolve_@_edit(w)->d = 1;",
    ),
    Edit(
        "singleton_gone", '[singleton.@_gone.fields]\nd = "u8"', "",
        ("loses: singleton '@_gone' is gone: saves lose it~",),
        "set - @_gone.d 2", source="evolve_@_gone_edit(w)->d = 1;", compiles=False,
    ),
    Edit(
        "singleton_renamed", _DAY,
        '[singleton.@_now]\nwas = "@"\n[singleton.@_now.fields]\nd = "u16"',
        (
            "whole: singleton '@_now' was '@': saves keep it~",
            "whole: field 'd' of singleton '@_now' is u16 and was u8: saves keep it",
        ),
        "set - @.d 200", "get - @_now.d", ("200",), "evolve_@_edit(w)->d = 1;", False,
    ),
    Edit(
        "singleton_not_saved_any_more", _DAY, f"[singleton.@]\nsave = false\n{_DAY}",
        ("loses: singleton '@' is not saved any more: saves lose its values",),
        "set - @.d 9", "get - @.d", ("1",), "evolve_@_edit(w)->d = 1;",
    ),
    Edit(
        "singleton_saved_now", f"[singleton.@]\nsave = false\n{_DAY}", _DAY,
        ("whole: singleton '@' is saved now: saves get its defaults",),
        "set - @.d 9", "get - @.d", ("1",), "evolve_@_edit(w)->d = 1;",
    ),
    Edit(
        "unsaved_singleton_gone", "[singleton.@_gone]\nsave = false\n"
        '[singleton.@_gone.fields]\nd = "u8"', "",
        ("whole: singleton '@_gone' is gone: saves have never had it~",),
        source="evolve_@_gone_edit(w)->d = 1;", compiles=False,
    ),
)  # fmt: skip

_DETACH = 'on_parent_despawn = "detach"'

RELATION_EDITS = (
    Edit(
        "relation_renamed", f"[relation.@]\n{_DETACH}", f'[relation.@_now]\nwas = "@"\n{_DETACH}',
        ("whole: relation '@_now' was '@': saves keep it~",),
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
            "whole: relation '@_now' is new: saves know nothing of it",
            "loses: relation '@' is gone: saves lose it~",
        ),
        "attach #0 #1 @", "parent #0 @_now", ("none",), "evolve_@_detach(w, e);", False,
    ),
    Edit(
        "relation_changed", f"[relation.@]\n{_DETACH}",
        '[relation.@]\non_parent_despawn = "despawn"',
        ("whole: relation '@' has another on_parent_despawn: saves keep their links",),
        "attach #0 #1 @", "parent #0 @", ("entity #1",), "evolve_@_detach(w, e);",
    ),
)  # fmt: skip


def _numbered(*edits: Edit) -> tuple[Edit, ...]:
    return tuple(edit.own(number) for number, edit in enumerate(edits))


# What saves come through, if their values suit it: these can all be in one pair of schemas.
CARRIED = _numbered(
    *FIELD_EDITS, *ENUM_EDITS, *STRUCT_EDITS, *EXTERN_EDITS, *COMPONENT_EDITS,
    *SINGLETON_EDITS, *RELATION_EDITS,
)  # fmt: skip


def _refused(
    id: str, before: str, after: str, types: str, source: str = USES_X, compiles: bool = False
) -> Edit:
    """A field that is something else now."""
    now, was = types.split(" and was ")
    verdict = f"refused: field 'x' of component '@' is {types}: saves are refused"
    return Edit(
        id, FIELDS + before, FIELDS + after, (verdict if compiles else f"{verdict}~",), "add #0 @",
        source=source, compiles=compiles,
        refusal=f"field 'x' of component '@' was {was} in the save and is {now} now, which values "
        "cannot be carried over to; give the new field another name",
    )  # fmt: skip


_ENUM = '\n[enum.@_job]\nvalues = ["idle", "dig"]'
_STRUCT = '\n[struct.@_p.fields]\ny = "u8"'

# What no save survives: in one schema before, and in one each after.
REFUSED = _numbered(
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


def before(edits: Iterable[Edit]) -> str:
    """A schema, all but [world], of several edits."""
    return "\n".join(edit.before for edit in edits)


def after(edits: Iterable[Edit]) -> str:
    return "\n".join(edit.after for edit in edits)


# own.h: the types that externs stand for.
OWN = "#pragma once\n#include <stdint.h>\n" + "".join(
    f"typedef struct {{ float a; int32_t b; }} own_{edit.id};\n" for edit in EXTERN_EDITS
)
