"""What the generator prints for each schema here is what stands beside it, file by file.

`pytest tests/golden --update` writes what comes out now, to be read in the diff.
"""

from __future__ import annotations

import difflib
import shutil
from pathlib import Path

import pytest

from generated import GOLDEN, generate, golden_cases, write_files


def read_tree(folder: Path) -> dict[str, str]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {
        path.relative_to(folder).as_posix(): path.read_bytes().decode("utf-8") for path in files
    }


def difference(expected: dict[str, str], got: dict[str, str]) -> str:
    """What to change in `expected` to have `got`, as a unified diff; "" if they are the same."""
    lines: list[str] = []
    for path in sorted(expected.keys() | got.keys()):
        one, other = (files.get(path, "").splitlines() for files in (expected, got))
        lines += difflib.unified_diff(one, other, f"expected/{path}", path, lineterm="", n=1)
        if one == other and expected.get(path) != got.get(path):
            lines.append(f"{path}: there is an empty file, or the ends of lines differ")
    return "\n".join(lines)


@pytest.mark.parametrize("case", golden_cases())
def test_prints_what_is_expected(case: str, update: bool) -> None:
    expected = GOLDEN / case / "expected"
    got = generate(GOLDEN / case / "schema.toml").files
    if update:
        shutil.rmtree(expected, ignore_errors=True)
        write_files(got, expected)
    different = difference(read_tree(expected), got)
    assert not different, f"\n{different}\n(--update takes this as what is expected)"


def test_every_folder_is_a_case() -> None:
    folders = {path.name for path in GOLDEN.iterdir() if path.is_dir()}
    assert folders - {"__pycache__"} == set(golden_cases())


def test_every_world_has_a_name_of_its_own() -> None:
    """So that other tests can put all of them into one folder."""
    worlds = [generate(GOLDEN / case / "schema.toml").world for case in golden_cases()]
    assert len(worlds) == len(set(worlds))


def test_a_difference_is_seen() -> None:
    assert difference({"a": "1\n"}, {"a": "1\n"}) == ""
    assert "+2" in difference({"a": "1\n"}, {"a": "2\n"})
    assert "+1" in difference({}, {"a": "1\n"})
    assert "-1" in difference({"a": "1\n"}, {})
    assert "a: " in difference({"a": ""}, {})
    assert "a: " in difference({"a": "1\r\n"}, {"a": "1\n"})
