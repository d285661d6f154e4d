"""The header for C++20 costs nothing at run time, and accepts only what C accepts."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from compilers import RUNTIME
from installed import ROOT

HERE = Path(__file__).parent
GAME = ROOT / "tests/game"
COLONY = ROOT / "generated/colony"
INCLUDES = [flag for folder in (COLONY, RUNTIME, GAME) for flag in ("-I", str(folder))]
COMPILERS = ("g++", "clang++")


def compile_(compiler: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [compiler, *INCLUDES, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )


def functions(compiler: str, out: Path, *flags: str) -> dict[str, list[str]]:
    """The instructions of each function, with what they refer to, by name."""
    flags = ("-std=c++20", "-O2", "-DNDEBUG", "-fno-exceptions", *flags)
    done = compile_(compiler, *flags, "-c", HERE / "calls.cpp", "-o", out)
    assert done.returncode == 0, done.stdout
    text = subprocess.run(
        ["objdump", "-dr", "--no-show-raw-insn", str(out)],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    ).stdout
    found: dict[str, list[str]] = {}
    for block in re.split(r"\n\n", text):
        if head := re.search(r"^[0-9a-f]+ <(\w+)>:\n", block, re.MULTILINE):
            lines = block[head.end() :].splitlines()
            # Addresses are those of the file; a jump is told by its distance from the function.
            shown = [re.sub(r"^\s*[0-9a-f]+:\s*", "", line) for line in lines]
            code = [re.sub(r"\b[0-9a-f]+ (?=<)", "", line).strip() for line in shown]
            while re.match("(cs )?nop|xchg", code[-1]):  # between this function and the next one
                code.pop()
            found[head[1]] = code
    return found


def called(code: list[str]) -> list[str]:
    return sorted(line for line in code if "_PLT32" in line)


@pytest.mark.parametrize("compiler", COMPILERS)
def test_functions_come_to_the_code_of_the_c_calls(compiler: str, tmp_path: Path) -> None:
    in_c = functions(compiler, tmp_path / "c.o")
    in_cpp = functions(compiler, tmp_path / "cpp.o", "-DCPP")
    takes = r"^\w+ (\w+)\((?:world|const colony_\w+_ctx)\b"
    names = re.findall(takes, (HERE / "calls.cpp").read_text(), re.MULTILINE)
    assert len(set(names)) == 25
    # gcc gives `remove_it` the instructions of C, two of them in another order.
    assert sorted(in_cpp["remove_it"]) == sorted(in_c["remove_it"])
    # Iterators of indexes are large and lie in other registers: the calls are equal, and two
    # instructions, or one of a hundred, may be added to them.
    large = {"near_by", "namesakes", "known", "reached"}
    for name in large:
        assert called(in_cpp[name]) == called(in_c[name])
        assert len(in_cpp[name]) <= len(in_c[name]) + max(2, len(in_c[name]) // 100)
    exact = set(names) - {"remove_it"} - large
    assert {name: in_cpp[name] for name in exact} == {name: in_c[name] for name in exact}


# Statements that do not compile, each beside one that does.
SEALED = [
    ("w.get<colony_position>(e)->x = 1;", "w.edit<colony_position>(e)->x = 1;"),
    ("r.edit<colony_position>(e);", "r.get<colony_position>(e);"),
    ("r.despawn(e);", "r.alive(e);"),
    ("r.set(e, colony_position{});", "w.set(e, colony_position{});"),
    ("w.set(e, colony_died{});", "w.set(e, colony_stock{});"),
    ("w.get<colony_position>();", "w.get<colony_ledger>();"),
    ("w.get<colony_ledger>(e);", "w.get<colony_stock>(e);"),
    ("w.spawn(colony_stock{});", "w.spawn(colony_villager_defaults());"),
    ("w.each<colony_position>();", "w.each<colony_people>();"),
    ("r.each<colony_plants>();", "w.each<colony_plants>();"),
    ("weft::world<colony_world> other = w;", "weft::world<colony_world> other = std::move(w);"),
    ("weft::world<colony_world> other = r;", "weft::world_ref<colony_world> other = w;"),
    ("auto a = w.each<colony_people>(), b = a;", "auto a = w.each<colony_people>();"),
]


def functions_of(statements: list[str]) -> str:
    """A function for each statement, each on a line of its own."""
    takes = "weft::world<colony_world> &w, weft::world_ref<const colony_world> r, colony_entity e"
    lines = (
        f"void f{i}({takes}) {{ (void)w, (void)r, (void)e; {statement} }}"
        for i, statement in enumerate(statements)
    )
    return "\n".join(['#include "colony.hpp"', *lines, ""])


@pytest.mark.parametrize("compiler", COMPILERS)
def test_what_is_sealed_does_not_compile(compiler: str, tmp_path: Path) -> None:
    file = tmp_path / "sealed.cpp"
    flags = ("-std=c++20", "-fsyntax-only", "-w")
    file.write_text(functions_of([right for _, right in SEALED]), encoding="utf-8")
    assert compile_(compiler, *flags, file).stdout == ""
    file.write_text(functions_of([wrong for wrong, _ in SEALED]), encoding="utf-8")
    said = compile_(compiler, *flags, file).stdout
    refused = {int(line) - 2 for line in re.findall(r"sealed\.cpp:(\d+):\d+: error", said)}
    assert [wrong for i, (wrong, _) in enumerate(SEALED) if i not in refused] == []
