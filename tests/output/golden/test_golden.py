"""The generator prints for each case exactly the files that are stored next to its schema.

One case stores its whole tree. Every other case stores the files that its schema is about, because
the rest would be equal in all of them. These are compared, and `files.txt` lists the names of all
files. `pytest tests/output/golden --update` writes the current output; read it in the diff. To
store one more file, make an empty one of its name under `expected/` and update.
"""

from __future__ import annotations

import difflib
from pathlib import Path

import pytest

from generated import GOLDEN, generate, golden_cases, write_files

WHOLE = "system"  # the case that keeps its whole tree


def read_tree(folder: Path) -> dict[str, str]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {
        path.relative_to(folder).as_posix(): path.read_bytes().decode("utf-8") for path in files
    }


def difference(expected: dict[str, str], got: dict[str, str]) -> str:
    """Returns a unified diff of what turns `expected` into `got`; "" if they are equal."""
    lines: list[str] = []
    for path in sorted(expected.keys() | got.keys()):
        one, other = (files.get(path, "").splitlines() for files in (expected, got))
        lines += difflib.unified_diff(one, other, f"expected/{path}", path, lineterm="", n=1)
        if one == other and expected.get(path) != got.get(path):
            lines.append(f"{path}: there is an empty file, or the ends of lines differ")
    return "\n".join(lines)


def renew(case: Path, got: dict[str, str]) -> None:
    """Writes the files that a case keeps, and removes those that the generator no longer makes."""
    expected = case / "expected"
    kept = got.keys() if case.name == WHOLE else read_tree(expected).keys()
    for path in kept - got.keys():
        (expected / path).unlink()
    write_files({path: got[path] for path in kept & got.keys()}, expected)
    (case / "files.txt").write_text(names(got), encoding="utf-8")


def names(files: dict[str, str]) -> str:
    return "".join(f"{path}\n" for path in sorted(files))


@pytest.mark.parametrize("case", golden_cases())
def test_prints_what_is_expected(case: str, update: bool) -> None:
    folder = GOLDEN / case
    got = generate(folder / "schema.toml").files
    if update:
        renew(folder, got)
    kept = {"files.txt": (folder / "files.txt").read_text(encoding="utf-8")}
    kept |= read_tree(folder / "expected")
    printed = {"files.txt": names(got)}
    printed |= {path: text for path, text in got.items() if path in kept or case == WHOLE}
    different = difference(kept, printed)
    assert not different, f"\n{different}\n(--update takes this as what is expected)"


def test_every_case_keeps_a_file() -> None:
    assert not [case for case in golden_cases() if not read_tree(GOLDEN / case / "expected")]


def test_every_folder_is_a_case() -> None:
    folders = {path.name for path in GOLDEN.iterdir() if path.is_dir()}
    assert folders - {"__pycache__"} == set(golden_cases())


def test_every_world_has_a_name_of_its_own() -> None:
    """Cases have different worlds, so that other tests can put all of them into one folder."""
    worlds = [generate(GOLDEN / case / "schema.toml").world for case in golden_cases()]
    assert len(worlds) == len(set(worlds))


def test_a_difference_is_seen() -> None:
    assert difference({"a": "1\n"}, {"a": "1\n"}) == ""
    assert "+2" in difference({"a": "1\n"}, {"a": "2\n"})
    assert "+1" in difference({}, {"a": "1\n"})
    assert "-1" in difference({"a": "1\n"}, {})
    assert "a: " in difference({"a": ""}, {})
    assert "a: " in difference({"a": "1\r\n"}, {"a": "1\n"})
