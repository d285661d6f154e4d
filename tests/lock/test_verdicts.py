"""Every verdict of `check` comes true: saves are made, and source is compiled, to see it.

All edits of one table stand in one pair of schemas, so that two programs are enough for them.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import pytest

from compilers import RUNTIME
from edits import BREAKS, CARRIED, REFUSED, Edit
from generated import generate
from lock_files import Recorded
from probes import WORLD, probe, refused

CARRIED_ONES = tuple(edit.own(number) for number, edit in enumerate(CARRIED))
REFUSED_ONES = tuple(edit.own(number) for number, edit in enumerate(REFUSED))


def before(edits: Iterable[Edit]) -> str:
    return "\n".join(edit.before for edit in edits)


def after(edits: Iterable[Edit]) -> str:
    return "\n".join(edit.after for edit in edits)


def spawned(edits: tuple[Edit, ...]) -> str:
    """A script that makes the two entities of each."""
    return f"spawn {2 * len(edits)}"


# ---- what is said


@pytest.mark.parametrize("edits", [CARRIED_ONES, REFUSED_ONES], ids=["carried", "refused"])
def test_every_change_has_its_verdict(tmp_path: Path, edits: tuple[Edit, ...]) -> None:
    recorded = Recorded(tmp_path, WORLD)
    recorded.lock(before(edits))
    summary, *lines = recorded.verdicts(after(edits))
    said = [line.strip() for line in lines]
    assert sorted(said) == sorted(line for edit in edits for line in edit.verdicts)
    worst = "is refused" if edits is REFUSED_ONES else "may be refused"
    assert summary == f"a save of release 1 {worst}"


@pytest.mark.parametrize("edits", [CARRIED_ONES, REFUSED_ONES], ids=["carried", "refused"])
def test_the_table_does_what_its_verdicts_say(edits: tuple[Edit, ...]) -> None:
    for edit in edits:
        text = " ".join(edit.verdicts)
        assert bool(edit.unfit) == ("may be refused: " in text), edit.id
        assert edit.compiles == (BREAKS not in text), edit.id
        assert edit.answers or edit.unfit or edit.refusal or not edit.made or "_gone" in text, edit


# ---- saves


def test_saves_come_to_what_was_said(tmp_path: Path) -> None:
    path = tmp_path / "evolve.save"
    made = "\n".join([spawned(CARRIED_ONES), *(edit.made for edit in CARRIED_ONES)])
    assert probe(before(CARRIED_ONES)).tell(f"{made}\nsave {path}\n") == []
    asked = "\n".join(edit.asked for edit in CARRIED_ONES if edit.asked)
    answers = iter(probe(after(CARRIED_ONES)).tell(f"load {path}\n{asked}\n"))
    found = {edit.id: tuple(next(answers, "") for _ in edit.answers) for edit in CARRIED_ONES}
    assert found == {edit.id: edit.answers for edit in CARRIED_ONES}
    assert list(answers) == []


def test_saves_that_may_be_refused_are_if_their_values_do_not_suit(tmp_path: Path) -> None:
    path = tmp_path / "evolve.save"
    for edit in CARRIED_ONES:
        if not edit.unfit:
            continue
        made = "\n".join([spawned(CARRIED_ONES), edit.made, edit.unfit])
        assert probe(before(CARRIED_ONES)).tell(f"{made}\nsave {path}\n") == []
        answers = probe(after(CARRIED_ONES)).tell(f"load {path}\nstats\n")
        assert answers == [refused(path, edit.refusal), "0 0 0 0"]


def test_saves_that_are_refused_are(tmp_path: Path) -> None:
    path = tmp_path / "evolve.save"
    made = "\n".join([spawned(REFUSED_ONES), *(edit.made for edit in REFUSED_ONES)])
    assert probe(before(REFUSED_ONES)).tell(f"{made}\nsave {path}\n") == []
    for edit in REFUSED_ONES:
        answers = probe(edit.after).tell(f"load {path}\nstats\n")
        assert answers == [refused(path, edit.refusal), "0 0 0 0"]


# ---- source


@cache
def headers(schema: str, folder: Path) -> Path:
    folder.mkdir()
    (folder / "evolve.toml").write_text(WORLD + schema, encoding="utf-8")
    return generate(folder / "evolve.toml").write(folder)


def compiled(edits: Iterable[Edit], include: Path) -> str:
    """What the compiler has against the source of a game that uses what was edited."""
    functions = "".join(
        f"static void game_{edit.id}(evolve_world *w, evolve_entity e) "
        f"{{ (void)w; (void)e; {edit.source} }}\n"
        for edit in edits
    )
    wrong = ("implicit-function-declaration", "int-conversion", "incompatible-pointer-types")
    done = subprocess.run(
        ["gcc", "-std=c11", "-fsyntax-only", *(f"-Werror={id}" for id in wrong), f"-I{RUNTIME}",
         f"-I{include}", "-x", "c", "-"],
        input=f'#include "evolve.h"\n{functions}', capture_output=True, text=True, check=False,
    )  # fmt: skip
    return done.stderr


@pytest.mark.parametrize("edits", [CARRIED_ONES, REFUSED_ONES], ids=["carried", "refused"])
def test_source_compiles_where_that_was_said(tmp_path: Path, edits: tuple[Edit, ...]) -> None:
    old, new = headers(before(edits), tmp_path / "old"), headers(after(edits), tmp_path / "new")
    assert compiled(edits, old) == ""
    assert compiled([edit for edit in edits if edit.compiles], new) == ""
    unexpected = [e.id for e in edits if not e.compiles and compiled([e], new) == ""]
    assert unexpected == []
