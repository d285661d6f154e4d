"""The table of runtime/LIMITS.md contains every limit of the code, with its value."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
RUNTIME = ROOT / "runtime"
LIMITS = (RUNTIME / "LIMITS.md").read_text(encoding="utf-8")

C_LIMIT = re.compile(r"^#define (WEFT_\w+)\s+\\?\s*(\S.*?)\s*(?://.*)?$", re.MULTILINE)
PYTHON_LIMIT = re.compile(r"^(MAX_[A-Z_]+|[A-Z_]+_MAX) = ([^#\n]+)", re.MULTILINE)
# A limit has the first of two values where pointers have 64 bits.
WIDE = re.compile(r"SIZE_MAX > UINT32_MAX \? (\d+) : \d+")
NUMBER = re.compile(r"2\^(\d+)( - 1)?|\d[\d,]*")


def rows() -> list[list[str]]:
    """The cells of the table, without its head."""
    lines = [line for line in LIMITS.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def limits_in_code() -> dict[str, float]:
    """Every constant that may stand in the table, by name."""
    found: dict[str, float] = {}
    for path in sorted(RUNTIME.rglob("*.[ch]")):
        for name, value in C_LIMIT.findall(path.read_text(encoding="utf-8")):
            plain = re.sub(r"\((?:size_t|uint32_t)\)|(?<=\d)u\b", "", value)
            plain = WIDE.sub(r"\1", plain)
            if re.fullmatch(r"[\d\s()*<x]+", plain):
                found.setdefault(name, eval(plain))
    for path in sorted((ROOT / "codegen").rglob("*.py")):
        for name, value in PYTHON_LIMIT.findall(path.read_text(encoding="utf-8")):
            limit = eval(value)
            assert found.setdefault(name, limit) == limit  # some are in both
    return found


def limits_in_table() -> dict[str, float]:
    found: dict[str, float] = {}
    for row in rows():
        name = re.match(r"`([A-Z_]+)`", row[0])
        value = NUMBER.match(row[1])
        if name and value:
            power = 2 ** int(value[1] or 0) - (1 if value[2] else 0)
            found[name[1]] = power if value[1] else int(value[0].replace(",", ""))
    return found


def test_limits_have_the_values_that_the_table_says() -> None:
    code = limits_in_code()
    table = limits_in_table()
    assert len(table) > 10
    assert table == {name: code.get(name) for name in table}


def test_every_limit_is_in_the_table() -> None:
    named = {name for name in limits_in_code() if name.endswith("_MAX") or name.startswith("MAX_")}
    assert len(named) > 10
    assert named - limits_in_table().keys() == set()
