"""The tables of weft_math.h have the numbers that math_tables.py computes, in any layout."""

from __future__ import annotations

from pathlib import Path

from math_tables import lines

TABLES = Path(__file__).resolve().parents[3] / "runtime" / "math" / "tables.h"


def words(text: str) -> str:
    return "".join(text.replace("//", "").split())


def test_the_header_is_what_is_worked_out() -> None:
    assert words(TABLES.read_text(encoding="utf-8")) == words("\n".join(lines()))
