"""The two tables of scalar types agree: model/scalars.py, and runtime/plan/scalars.c.

Each has its rows by hand, since the generator reads no C and the runtime no Python. A type that is
missing in one of them, or differs, would be found late: by a save or by JSON.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from model.scalars import SCALARS, Kind, Scalar

RUNTIME = Path(__file__).resolve().parent.parent.parent / "runtime"
ENUM = re.search(r"enum weft_type \{(.*?)\}", (RUNTIME / "weft.h").read_text("utf-8"), re.DOTALL)
ROW = re.compile(r"\[(WEFT_TYPE_\w+)\] = \{\"(\w+)\", (WEFT_\w+), (\d+), (\w+)\}")
DIGITS = {"FLT_MANT_DIG": 24, "DBL_MANT_DIG": 53}
KINDS = {
    Kind.BOOL: "WEFT_UNSIGNED",
    Kind.UNSIGNED: "WEFT_UNSIGNED",
    Kind.SIGNED: "WEFT_SIGNED",
    Kind.FLOAT: "WEFT_FLOAT",
    Kind.CHAR: "WEFT_NO_NUMBER",
}
NO_SCALARS = {"entity", "enum", "struct", "extern"}  # the schema decides what they are

# The numbers of types are in saves, so none may ever move.
SAVED = (
    "BOOL", "U8", "U16", "U32", "U64", "I8", "I16", "I32", "I64", "F32", "F64", "ENTITY", "CHAR",
    "ENUM", "STRUCT", "EXTERN",
)  # fmt: skip

Row = tuple[str, str, int, int]


def constants() -> list[str]:
    assert ENUM
    return re.findall(r"^\s*(WEFT_TYPE_\w+)", ENUM[1], re.MULTILINE)


def rows() -> dict[str, Row]:
    """Returns name, kind, bytes and digits of each row in C, by its constant."""
    text = (RUNTIME / "plan/scalars.c").read_text("utf-8")
    return {
        constant: (name, kind, int(size), DIGITS.get(digits) or int(digits))
        for constant, name, kind, size, digits in ROW.findall(text)
    }


@pytest.mark.parametrize("scalar", SCALARS.values(), ids=SCALARS)
def test_a_scalar_is_alike_in_both_tables(scalar: Scalar) -> None:
    expected = (scalar.name, KINDS[scalar.kind], scalar.bytes, scalar.digits)
    assert rows().get(scalar.constant) == expected


def test_no_row_is_in_c_alone() -> None:
    assert {name for name, *_ in rows().values()} == {*SCALARS, *NO_SCALARS}


def test_every_type_has_a_row() -> None:
    assert set(constants()) == set(rows())


def test_numbers_of_types_stay() -> None:
    assert constants()[: len(SAVED)] == [f"WEFT_TYPE_{name}" for name in SAVED]
