"""Decisions are split into conditions correctly, and the conditions that are left out exist."""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

import mcdc
from branches import lines_of

ENTRIES = tomllib.loads(mcdc.UNDECIDABLE.read_text(encoding="utf-8")).get("condition", [])


@pytest.mark.parametrize(
    ("decision", "conditions"),
    [
        ("a && b", ["a", "b"]),
        ("a || !(b && c)", ["a", "b", "c"]),
        ("(a || b) && (uint32_t)c < d", ["a", "b", "(uint32_t)c < d"]),
        ("call(a && b) || c[d || e]", ["call(a && b)", "c[d || e]"]),
        ("a == '(' && strcmp(b, \"||\") == 0", ["a == '('", 'strcmp(b, "||") == 0']),
        ("!(a) && (b)", ["!(a)", "(b)"]),
        ("a && WEFT_OBSERVER(world, watch)", ["a", "WEFT_OBSERVABLE", "observer"]),
        ("WEFT_OBSERVER(world, watch)", ["WEFT_OBSERVABLE", "observer"]),
        ("a && WEFT_OBSERVER", ["a", "WEFT_OBSERVABLE", "observer"]),
    ],
)
def test_a_decision_is_split(decision: str, conditions: list[str]) -> None:
    assert mcdc.conditions_of(decision) == conditions


def test_copies_of_a_function_are_added_up() -> None:
    records: list[list[object]] = [
        [1, 5, 1, 11, 0, 5, [True, False, False]],
        [1, 5, 1, 11, 0, 5, [False, True, False]],
    ]
    shown = mcdc.merged([{"runtime/a.h": records[:1]}, {"runtime/a.h": records[1:]}])
    assert shown == {(mcdc.Span("runtime/a.h", 1, 5, 1, 11), 3): [True, True, False]}


def condition(decision: str, text: str) -> mcdc.Condition:
    return mcdc.Condition(mcdc.Span("runtime/a.c", 1, 1, 1, 2), decision, text, shown=False)


def test_a_call_that_reports_is_no_condition() -> None:
    decision = "fits || weft_value_refuse(why, words)"
    assert mcdc.reports(condition(decision, "weft_value_refuse(why, words)"))
    assert not mcdc.reports(condition(decision, "fits"))
    assert not mcdc.reports(condition("a && refuse(why)", "refuse(why)"))
    assert mcdc.reports(condition("found || WEFT_SELECT_REFUSE", "WEFT_SELECT_REFUSE"))
    assert mcdc.reports(condition("bound || weft_resource_missing(w)", "weft_resource_missing(w)"))


def test_a_constant_of_the_build_is_no_condition() -> None:
    assert mcdc.is_constant(condition("!WEFT_BIG_ENDIAN && a", "!WEFT_BIG_ENDIAN"))
    assert mcdc.is_constant(condition("WEFT_OBSERVER(world, watch)", "WEFT_OBSERVABLE"))
    assert not mcdc.is_constant(condition("!WEFT_BIG_ENDIAN && a", "a"))


@pytest.mark.parametrize("entry", ENTRIES, ids=[one["condition"][:40] for one in ENTRIES])
def test_an_entry_names_code_that_exists(entry: dict[str, str]) -> None:
    code = " ".join(re.sub(r"//.*", "", line).strip() for line in lines_of(entry["file"]))
    assert entry["decision"] in code
    assert entry["condition"] in mcdc.conditions_of(entry["decision"])
    assert len(entry["reason"]) > 20


def test_no_condition_has_two_entries() -> None:
    assert len(mcdc.undecidable()) == len(ENTRIES)
