"""`check` predicts the effect of every edit in the table on saves and source, and the source
behaves so.

tests/saves/load/test_evolution.py checks that saves behave so.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import pytest

from compilers import RUNTIME
from edits import CONVERTED, OWN, REFUSED, after, before
from edits.edit import BREAKS, Edit
from generated import generate
from lock_files import Recorded
from probes import WORLD

# ---- what is said


@pytest.mark.parametrize("edits", [CONVERTED, REFUSED], ids=["carried", "refused"])
def test_every_change_has_its_verdict(tmp_path: Path, edits: tuple[Edit, ...]) -> None:
    recorded = Recorded(tmp_path, WORLD)
    recorded.lock(before(edits))
    summary, *lines = recorded.verdicts(after(edits))
    said = [line.strip() for line in lines]
    assert sorted(said) == sorted(line for edit in edits for line in edit.verdicts)
    worst = "is refused" if edits is REFUSED else "may be refused"
    assert summary == f"a save of release 1 {worst}"


@pytest.mark.parametrize("edits", [CONVERTED, REFUSED], ids=["carried", "refused"])
def test_the_table_does_what_its_verdicts_say(edits: tuple[Edit, ...]) -> None:
    for edit in edits:
        text = " ".join(edit.verdicts)
        assert bool(edit.unfit) == ("may be refused: " in text), edit.id
        assert edit.compiles == (BREAKS not in text), edit.id
        assert edit.answers or edit.unfit or edit.refusal or not edit.made or "_gone" in text, edit


# ---- source


@cache
def headers(schema: str, folder: Path) -> Path:
    folder.mkdir()
    (folder / "own.h").write_text(OWN, "utf-8")
    (folder / "evolve.toml").write_text(WORLD + schema, encoding="utf-8")
    return generate(folder / "evolve.toml").write(folder)


ERROR = re.compile(r"^<stdin>:(\d+):\d+: error: ", re.MULTILINE)
FIRST_LINE = 2  # of the functions, each of which is a line


def compiled(edits: Iterable[Edit], include: Path) -> str:
    """Returns what the compiler has against the source of a game that uses what was edited."""
    functions = "".join(
        f"static void game_{edit.id}(evolve_world *w, evolve_entity e) "
        f"{{ (void)w; (void)e; {edit.source} }}\n"
        for edit in edits
    )
    wrong = ("implicit-function-declaration", "int-conversion", "incompatible-pointer-types")
    done = subprocess.run(
        ["gcc", "-std=c11", "-fsyntax-only", *(f"-Werror={id}" for id in wrong), f"-I{RUNTIME}",
         f"-I{include}", f"-I{include.parent}", "-x", "c", "-"],
        input=f'#include "evolve.h"\n{functions}', capture_output=True, text=True, check=False,
    )  # fmt: skip
    return done.stderr


@pytest.mark.parametrize("edits", [CONVERTED, REFUSED], ids=["carried", "refused"])
def test_source_compiles_where_that_was_said(tmp_path: Path, edits: tuple[Edit, ...]) -> None:
    old, new = headers(before(edits), tmp_path / "old"), headers(after(edits), tmp_path / "new")
    assert compiled(edits, old) == ""
    assert compiled([edit for edit in edits if edit.compiles], new) == ""
    breaking = [edit for edit in edits if not edit.compiles]
    lines = {int(line) for line in ERROR.findall(compiled(breaking, new))}
    assert [e.id for line, e in enumerate(breaking, FIRST_LINE) if line not in lines] == []
