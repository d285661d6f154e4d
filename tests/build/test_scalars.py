"""The two tables of scalar types agree: model/scalars.py and runtime/value/numbers.c.

Both tables are written by hand, since the generator does not read C and the runtime does not read
Python. Without this test, a type that is missing in one or differs would be found late, by a save
or by JSON.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from model.scalars import SCALARS, Kind, Scalar

RUNTIME = Path(__file__).resolve().parent.parent.parent / "runtime"
TABLES = (RUNTIME / "weft_schema.h").read_text("utf-8")
ENUM = re.search(r"enum weft_type \{(.*?)\}", TABLES, re.DOTALL)
TABLE = (RUNTIME / "value/numbers.c").read_text("utf-8")
ROW = re.compile(r"\[(WEFT_TYPE_\w+)\] = \{\"(\w+)\", (WEFT_\w+), (\d+), (\w+)\}")
DIGITS = {"FLT_MANT_DIG": 24, "DBL_MANT_DIG": 53}
KINDS = {
    Kind.BOOL: "WEFT_UNSIGNED",
    Kind.UNSIGNED: "WEFT_UNSIGNED",
    Kind.SIGNED: "WEFT_SIGNED",
    Kind.FLOAT: "WEFT_FLOAT",
    Kind.CHAR: "WEFT_NO_NUMBER",
}
# The types of which the schema decides what they are, so they have neither a size nor digits.
NO_SCALARS = {
    "entity": "WEFT_NO_NUMBER",
    "enum": "WEFT_UNSIGNED",
    "struct": "WEFT_NO_NUMBER",
    "extern": "WEFT_NO_NUMBER",
}

# The numbers of types are in saves, so none may ever move. A new type is added at the end.
SAVED = (
    "BOOL", "U8", "U16", "U32", "U64", "I8", "I16", "I32", "I64", "F32", "F64", "ENTITY", "CHAR",
    "ENUM", "STRUCT", "EXTERN",
)  # fmt: skip

Row = tuple[str, str, int, int]


def constants() -> list[str]:
    """Returns the members of the enum in their order, each with its number if it gives one."""
    assert ENUM
    text = re.sub(r"//[^\n]*|/\*.*?\*/", "", ENUM[1], flags=re.DOTALL)
    return [member.strip() for member in text.split(",") if member.strip()]


def rows() -> dict[str, Row]:
    """Returns name, kind, bytes and digits of each row in C, by its constant."""
    found = {
        constant: (name, kind, int(size), DIGITS.get(digits) or int(digits))
        for constant, name, kind, size, digits in ROW.findall(TABLE)
    }
    assert len(found) == TABLE.count("[WEFT_TYPE_"), "a row is not read"
    return found


@pytest.mark.parametrize("scalar", SCALARS.values(), ids=SCALARS)
def test_a_scalar_is_alike_in_both_tables(scalar: Scalar) -> None:
    expected = (scalar.name, KINDS[scalar.kind], scalar.bytes, scalar.digits)
    assert rows().get(scalar.constant) == expected


@pytest.mark.parametrize("name", NO_SCALARS)
def test_what_the_schema_decides_is_left_open(name: str) -> None:
    assert rows().get(f"WEFT_TYPE_{name.upper()}") == (name, NO_SCALARS[name], 0, 0)


def test_no_row_is_in_c_alone() -> None:
    assert sorted(name for name, *_ in rows().values()) == sorted([*SCALARS, *NO_SCALARS])


def test_every_type_has_a_row() -> None:
    assert set(constants()) == set(rows())


def test_numbers_of_types_stay() -> None:
    assert constants() == [f"WEFT_TYPE_{name}" for name in SAVED], "add a new type to SAVED"
