"""The choice of mutants depends only on the tree, and each folder has tests. No mutant is tried."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

import mutate_c
import mutate_python
import narrowest
from by_hand import Entry, entries, mistakes, stale
from candidates import C_COUNT, PYTHON_COUNT, drawn, every, sources, usual
from mutation import Change, Mutation, chosen, named
from verdicts import ROOT, equivalents

from mutants import Program, in_order, program_names


def after(changes: list[Change], text: str) -> set[str]:
    """The line that each change makes of a text of one line in a function."""
    return {
        mutation.applied_to(text.encode()).decode().splitlines()[1].strip()
        for mutation in named("file", text.encode(), changes)
    }


def in_c(line: str) -> set[str]:
    text = f"{{\n    {line}\n}}\n"
    return after(list(mutate_c.changes(text.encode())), text)


def in_python(line: str) -> set[str]:
    text = f"def f(a, b):\n    {line}\n"
    return after(list(mutate_python.changes(text.encode())), text)


@pytest.fixture(scope="module")
def everything() -> list[Mutation]:
    return every()


def test_the_choice_is_settled(everything: list[Mutation]) -> None:
    names = [mutation.name for mutation in usual(everything)]
    assert len(names) == len(set(names)) == C_COUNT + PYTHON_COUNT == 200
    assert names == [mutation.name for mutation in usual(everything[::-1])]


def test_a_seed_draws_others_of_the_places_asked_for(everything: list[Mutation]) -> None:
    places = {"runtime/run/": 5, "codegen/check/": 3}
    some, more = (drawn(everything, seed, places) for seed in (7, 8))
    assert [sum(m.file.startswith(place) for m in some) for place in places] == [5, 3]
    assert not {m.name for m in some} & {m.name for m in usual(everything)}
    assert some == drawn(everything, 7, places) and some != more


def test_programs_that_are_likely_to_notice_come_first() -> None:
    seconds = {"unit/a": 3.0, "unit/b": 1.0, "world/c": 2.0, "world/d": 1.0}
    programs = {name: Program("", taken) for name, taken in seconds.items()}
    batches = list(in_order(programs, ("world/",), ["unit/a", "test_gone"]))
    assert batches == [["unit/a"], ["world/d", "world/c"], ["unit/b"]]
    assert list(in_order({}, ("world/",), [])) == []
    assert list(in_order(programs, (), [])) == [["unit/b", "world/d", "world/c", "unit/a"]]


def test_a_change_elsewhere_in_a_file_replaces_few() -> None:
    text = (ROOT / "runtime/edit/batch.c").read_bytes()
    longer = b"// A line above.\n" + text
    kept = [chosen(named("f", t, mutate_c.changes(t)), 20, 1) for t in (text, longer)]
    assert [m.name for m in kept[0]] == [m.name for m in kept[1]]
    assert [m.line + 1 for m in kept[0]] == [m.line for m in kept[1]]


def test_changes_to_c() -> None:
    assert in_c("if (a < b) return 0;") == {
        "if (a <= b) return 0;",
        "if (!(a < b)) return 0;",
        "if (a < b) return 1;",
    }
    assert in_c("call(a);") == {";"}
    assert in_c("at->x = true;") == {"at->x = false;", ";"}
    assert in_c("for (;; i++) break;") == {"for (;; i--) break;", "for (;; i++) ;"}


def test_what_decides_nothing_stays() -> None:
    assert in_c("WEFT_ASSERT(a, <, b, words);") == set()
    assert in_c("const char *text = words; // a < b && c") == set()
    assert in_python("assert a < b") == set()
    assert in_python("x: list[1] = zip(a, b, strict=True)") == set()


def test_changes_to_python() -> None:
    assert in_python("return a < b and not a") == {
        "return (a < b or not a)",
        "return (a <= b) and not a",
        "return a < b and (a)",
    }
    assert in_python("a.append(1)") == {"pass", "a.append((2))"}


def test_changed_python_is_python(everything: list[Mutation]) -> None:
    for mutation in usual(everything):
        if mutation.file.endswith(".py"):
            ast.parse(mutation.applied_to((ROOT / mutation.file).read_bytes()))


def test_every_folder_has_its_tests() -> None:
    files = [path.relative_to(ROOT).as_posix() for path in sources()]
    files += [entry.file for entry in entries()]
    tables = narrowest.FIRST_C.keys() | narrowest.FIRST_PYTHON.keys()
    assert {narrowest.row_of(file) for file in files} == tables


def test_the_tests_of_the_tables_exist() -> None:
    listed = {name for row in narrowest.FIRST_C.values() for name in row.python}
    listed |= {file for row in narrowest.FIRST_PYTHON.values() for file in row}
    listed |= {*narrowest.ALL_PYTHON, *narrowest.LAST_PYTHON}
    assert [file for file in sorted(listed) if not (ROOT / file).is_file()] == []
    programs = program_names(ROOT)
    begun = {begin for row in narrowest.FIRST_C.values() for begin in row.programs}
    begun |= {begin for entry in entries() for begin in entry.first}
    assert [b for b in begun if not any(p.startswith(b) for p in programs)] == []


def test_files_that_no_program_has_are_tried_in_the_game() -> None:
    programs = [narrowest.C_TESTS + name for name in program_names(ROOT)]
    command = ("ninja", "-t", "inputs", *programs)
    said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    compiled = {narrowest.row_of(file) for file in said.split() if file.startswith("runtime/")}
    compiled |= {"runtime", "runtime/plan"}  # have headers, which all of them include
    compiled |= {"runtime/serve"}  # its tests include C files of it
    in_game = {row for row, narrow in narrowest.FIRST_C.items() if narrow.only_game}
    assert narrowest.FIRST_C.keys() - compiled == in_game
    assert all(narrowest.FIRST_C[row].python for row in in_game)


def test_every_equivalent_mutant_exists_and_has_a_reason(everything: list[Mutation]) -> None:
    made = {mutation.name for mutation in [*everything, *mistakes()]}
    assert {name: reason for name, reason in equivalents().items() if name not in made} == {}
    assert all(len(reason) > 20 for reason in equivalents().values())


def test_mistakes_follow_the_code() -> None:
    assert [(entry.file, entry.was) for entry in stale()] == []
    assert len({entry.meaning for entry in entries()}) == len(entries())
    names = [mistake.name for mistake in mistakes()]
    assert len(set(names)) == len(names)


def test_a_mistake_is_made_in_one_place() -> None:
    def lines(was: str) -> list[str]:
        entry = Entry("it errs", "tests/mutants/mutants.py", was, "", ())
        return [mistake.code for mistake in entry.mistakes()]

    assert lines("def judge(trial:   Trial,\n tests: str)") == [
        "def judge(trial: Trial, tests: str) -> Verdict:"
    ]
    assert lines("import") == lines("no such code") == []
