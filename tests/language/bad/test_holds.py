"""Any two values compared in `holds`: `check` refuses the pair, or C compares it.

The expected refusals are computed here from the rules in component.md: numbers are compared with
numbers, but no u64 with a signed type. All other types are compared with their own type, and only
by == and !=.
"""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from check import check
from emit.emit import render
from model.holds import MAX_RULES
from model.scalars import NUMBER_TYPES
from parse import parse
from plan import make_plan
from source.source import Report

TYPES = {
    **{f"x_{type}": type for type in NUMBER_TYPES},
    "job": "job",
    "mood": "mood",
    "who": "entity",
    "bag.count": "u32",
}
LITERALS = {
    "1": NUMBER_TYPES[1:], "0.5": ("f32", "f64"), "-1": ("i8", "i16", "i32", "i64", "f32", "f64"),
    "true": ("bool",), "none": ("entity",), "idle": ("job",), "glad": ("mood",), "other": (),
}  # fmt: skip
SIGNS = ("==", "!=", "<", ">=")


def is_number(type: str) -> bool:
    return type in NUMBER_TYPES and type != "bool"


def comparable(left: str, sign: str, right: str) -> bool:
    if right in LITERALS:
        alike = left in LITERALS[right]
    elif is_number(left) and is_number(right := TYPES[right]):
        alike = "u64" not in (left, right) or {left[0], right[0]} != {"u", "i"}
    else:
        alike = left == TYPES.get(right, right)
    return alike and (is_number(left) or sign in ("==", "!="))


def schema(left: str, sign: str, right: str) -> str:
    fields = ", ".join(f'{name} = "{type}"' for name, type in TYPES.items() if "." not in name)
    return (
        '[world]\nname = "w"\n[enum.job]\nvalues = ["idle", "dig"]\n'
        '[enum.mood]\nvalues = ["glad", "sad"]\n[component.a]\n'
        f'holds = "{left} {sign} {right}"\nfields = {{ {fields}, bag = "u8[..4]" }}\n'
    )


@pytest.mark.parametrize("left", TYPES)
def test_any_two_values(left: str, tmp_path: Path) -> None:
    file = tmp_path / "s.toml"
    for right, sign in itertools.product((*TYPES, *LITERALS), SIGNS):
        file.write_text(schema(left, sign, right), encoding="utf-8")
        report = Report()
        parsed = parse(str(file), report)
        check(parsed, report)
        wanted = comparable(TYPES[left], sign, right)
        assert (report.errors == 0) is wanted, report.render()
        if wanted:
            text = render(make_plan(parsed.model))["w/w_insight.h"]
            assert "w_a_broken" in text
        else:
            assert {one.id for one in report.diagnostics()} <= {"holds-value", "holds-field"}


@pytest.mark.parametrize("count", [1, MAX_RULES - 1, MAX_RULES, MAX_RULES + 1])
def test_as_many_rules_as_the_limit_says(count: int, tmp_path: Path) -> None:
    file = tmp_path / "s.toml"
    rules = " & ".join(f"x != {i}" for i in range(count))
    file.write_text(
        f'[world]\nname = "w"\n[component.a]\nholds = "{rules}"\nfields = {{ x = "u8" }}\n',
        encoding="utf-8",
    )
    report = Report()
    parsed = parse(str(file), report)
    check(parsed, report)
    refused = ["holds-rules"] if count > MAX_RULES else []
    assert [one.id for one in report.diagnostics()] == refused
    if not refused:
        text = render(make_plan(parsed.model))["w/w_insight.h"]
        assert text.count("broken |= 0x") == count
