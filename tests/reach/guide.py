"""Follows GUIDE.md word by word, as a reader who has CMake and only the command `weft`.

Also builds the same tutorial in C by CMake; test_pages.py tries the rest of that page.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from installed import ROOT, Folder, block, new_python

PAGE = ROOT / "schema/GUIDE.md"
IN_C = ROOT / "schema/tutorials/in-c.md"


@pytest.fixture
def burrow(tmp_path: Path) -> Folder:
    (tmp_path / "weft").symlink_to(ROOT)
    (tmp_path / "games").mkdir()
    parent = Folder(tmp_path / "games", new_python(tmp_path / "python"))
    assert parent.run(block(PAGE, "sh begin")).endswith("a boat at 3, 2\n")
    return Folder(parent.path / "burrow", parent.commands)


def the_line(page: str) -> str:
    (line,) = re.findall(r"^.*level \+=.*\n", page, re.MULTILINE)
    return str(line)


def test_the_guide(burrow: Folder) -> None:
    for head in ("toml burrow.toml", "cpp main.cpp"):
        burrow.write(head.split()[1], block(PAGE, head))
    burrow.run("weft check --strict burrow.toml && weft stubs burrow.toml --cpp > build/stubs.cpp")
    assert burrow.run(block(PAGE, "sh run")).endswith(block(PAGE, "text run"))
    stubs = (burrow.path / "build/stubs.cpp").read_text(encoding="utf-8")
    assert stubs.count("void burrow_") == 3
    headers = "".join(path.read_text(encoding="utf-8") for path in burrow.path.rglob("*.h*"))
    calls = set(re.findall(r"\bburrow_\w+", PAGE.read_text(encoding="utf-8")))
    assert {call for call in calls if not re.search(rf"\b{call}\b", headers)} == set()

    burrow.run(block(PAGE, "sh lock"))
    burrow.run(block(PAGE, "sh rename"))
    schema = (burrow.path / "burrow.toml").read_text(encoding="utf-8")
    (before,) = re.findall(r"^\[component\.appetite\]\n.+\n", schema, re.MULTILINE)
    after = block(PAGE, "toml appetite")
    burrow.edit("burrow.toml", before, after.replace('was = "hunger"\n', ""))
    warned = burrow.try_run(block(PAGE, "sh check")).stdout
    assert "saves of release 1 lose it [save-loses]" in warned
    burrow.edit("burrow.toml", "[component.appetite]\n", '[component.appetite]\nwas = "hunger"\n')
    assert after in (burrow.path / "burrow.toml").read_text(encoding="utf-8")
    assert burrow.run(block(PAGE, "sh check")) == block(PAGE, "text check")
    main = (burrow.path / "main.cpp").read_text(encoding="utf-8")
    burrow.edit("main.cpp", the_line(main), block(PAGE, "cpp appetite"))
    assert burrow.run(block(PAGE, "sh load")).endswith(block(PAGE, "text load"))


def test_the_guide_in_c_by_cmake(tmp_path: Path, commands: Path) -> None:
    (tmp_path / "weft").symlink_to(ROOT)
    (tmp_path / "burrow").mkdir()
    game = Folder(tmp_path / "burrow", commands)
    for head in ("toml burrow.toml", "c main.c", "cmake CMakeLists.txt"):
        game.write(head.split()[1], block(IN_C, head))
    page = IN_C.read_text(encoding="utf-8")
    (build,) = re.findall(r"^cmake -B build .*\n", page, re.MULTILINE)
    first = re.findall(r"^```text\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)[0]
    assert game.run(build).endswith(first)
