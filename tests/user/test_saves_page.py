"""The code in SAVES.md compiles with generated code of a schema."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from command import CommandLine
from installed import ROOT

PAGE = (ROOT / "runtime/save/SAVES.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```c\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror"]
SCHEMA = '[world]\nname = "colony"\nphases = ["live"]\n'
# What the game around a block has.
AROUND = """#include "colony.h"
bool minutes_passed(int minutes);
void show(const char *text);
void use(colony_world *w, double dt);
void use(colony_world *w, double dt)
{
"""


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: str(block.split("\n")[0]))
def test_the_code_of_the_page_compiles(block: str, tmp_path: Path) -> None:
    (tmp_path / "colony.toml").write_text(SCHEMA, encoding="utf-8")
    done = CommandLine().run("generate", "colony.toml", "--out", ".", cwd=tmp_path)
    assert done.code == 0, done.err
    (tmp_path / "block.c").write_text(f"{AROUND}{block}}}\n", encoding="utf-8")
    folders = [f"-I{tmp_path / 'colony'}", f"-I{ROOT / 'runtime'}"]
    command = ["gcc", "-std=c11", "-fsyntax-only", *WARNINGS, *folders, tmp_path / "block.c"]
    made = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (made.returncode, made.stderr) == (0, "")
