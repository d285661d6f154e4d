"""A game in C++20, written from the pages alone: CMake builds it, it is saved, its schema is
edited.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from installed import ROOT, Folder, block

USER = ROOT / "tests/user"
SAYS = (USER / "dungeon.txt").read_text(encoding="utf-8")
FLAGS = "-Wall -Wextra -Wpedantic -Wconversion -Wold-style-cast -Wmissing-declarations -Werror"

EDITS = {
    "dungeon.toml": (
        ('fields = { gold = "u32" }', 'fields = { coins = { type = "u32", was = "gold" } }'),
        ("purse = { gold = 3 }", "purse = { coins = 3 }"),
        ("purse = { gold = 5 }", "purse = { coins = 5 }"),
        (
            'most = { type = "i32", default = 6 } }',
            'most = { type = "i32", default = 6 }, armour = { type = "i32", default = 1 } }',
        ),
        (
            "[component.hero]",
            '[component.lamp]\nquiet = { never-read = "the game shines it" }\n'
            'fields = { oil = "f32" }\n\n[component.hero]',
        ),
    ),
    "dungeon.cpp": (
        ("purse[i].gold += piles.purse[k].gold", "purse[i].coins += piles.purse[k].coins"),
        ("found += piles.purse[k].gold", "found += piles.purse[k].coins"),
        ("purse[i].gold == 0", "purse[i].coins == 0"),
        ("heroes.purse[i].gold", "heroes.purse[i].coins"),
        ("points -= blow.damage;", "points -= std::max(blow.damage - health->armour, 0);"),
    ),
}


@pytest.fixture
def dungeon(tmp_path: Path, commands: Path) -> Folder:
    (tmp_path / "weft").symlink_to(ROOT)
    (tmp_path / "dungeon").mkdir()
    folder = Folder(tmp_path / "dungeon", commands)
    for name in ("dungeon.toml", "dungeon.cpp"):
        shutil.copy(USER / name, folder.path)
    folder.write("CMakeLists.txt", block(ROOT / "runtime/BUILDS.md", "cmake in C++"))
    return folder


def test_it_is_saved_and_its_schema_edited(dungeon: Folder) -> None:
    build = f"CXXFLAGS='{FLAGS}' cmake -B build && cmake --build build -j2"
    dungeon.run(build)
    assert dungeon.run("build/dungeon 100") == SAYS
    half = dungeon.run("build/dungeon 40 --save half.save")
    assert "gold 21" in half
    assert dungeon.run("build/dungeon 60 --load half.save") == SAYS

    dungeon.run("weft lock dungeon.toml")
    for name, edits in EDITS.items():
        for before, after in edits:
            dungeon.edit(name, before, after)
    assert "a save of release 1 loads completely" in dungeon.run("weft check --saves dungeon.toml")
    dungeon.run(build)
    assert dungeon.run("build/dungeon 0 --load half.save") == half
    later = dungeon.run("build/dungeon 60 --load half.save")
    assert later != SAYS, "armour helps"
