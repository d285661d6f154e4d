"""Each branch in unreachable.toml exists and has a reason, and the branches are counted
correctly.
"""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

import branches

ENTRIES = tomllib.loads(branches.UNREACHABLE.read_text(encoding="utf-8"))["branch"]


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry["code"][:40])
def test_the_line_is_there(entry: dict[str, str]) -> None:
    assert entry["code"] in {line.strip() for line in branches.lines_of(entry["file"])}
    assert len(entry["reason"]) > 20


def test_no_line_has_two_entries() -> None:
    assert len(branches.unreachable()) == len(ENTRIES)


def refuses(code: str, monkeypatch: pytest.MonkeyPatch) -> bool:
    monkeypatch.setattr(branches, "lines_of", lambda _: code.splitlines())
    return branches.refuses(("file", 1))


def test_refusals_are_known_over_several_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    assert refuses("return a < b ||\n    weft_value_refuse(why, words);\n", monkeypatch)
    assert refuses("return fits || weft_loader_damaged(l, words);", monkeypatch)
    assert not refuses("return a || b;\nreturn c || refuse(why);", monkeypatch)
    assert not refuses("return a < b && weft_value_refuse(why, words);", monkeypatch)


def test_what_is_taken_after_all_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(branches, "unreachable", lambda: {("file", "if (a) b();"): 1})
    monkeypatch.setattr(branches, "lines_of", lambda _: ["if (a) b();"])
    assert branches.without_unreachable({("file", 1): [3, 0]}) == {("file", 1): [3]}
    assert branches.without_unreachable({("file", 1): [3, 2]}) == {("file", 1): [3, 2]}
    assert branches.stale({("file", 1): [3, 2]}) == ["file: if (a) b();"]
