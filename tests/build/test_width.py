"""Handwritten C fits 100 columns, comments too, which clang-format leaves as they are."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
COLUMNS = 100


def too_wide(folder: str) -> list[str]:
    return [
        f"{path.relative_to(ROOT)}:{number}: {len(line)} columns"
        for path in sorted((ROOT / folder).rglob("*.[ch]"))
        if "expected" not in path.parts
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if len(line) > COLUMNS
    ]


@pytest.mark.parametrize("folder", ["runtime", "tests"])
def test_no_line_is_too_wide(folder: str) -> None:
    assert too_wide(folder) == []
