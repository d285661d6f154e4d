"""Plays the game as a program from its start to its end.

The program is build/gcc/colony or the one that WEFT_GAME names; that of another compiler is
build/clang/colony or the one that WEFT_GAME_OTHER names. Both are built if they are missing.
"""

from __future__ import annotations

import os
import re
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from built import built

GAME, OTHER = "WEFT_GAME", "WEFT_GAME_OTHER"
TARGETS = {GAME: "build/gcc/colony", OTHER: "build/clang/colony"}

DAY_TICKS = 96
YEAR_TICKS = 12 * DAY_TICKS


@dataclass(frozen=True)
class Played:
    code: int
    out: str
    err: str

    def number(self, name: str) -> int:
        """Returns the first number in a line of the summary."""
        return int(self._line(name).split()[0])

    def died_of(self, cause: str) -> int:
        found = re.search(rf"(\d+) of {cause}", self._line("died"))
        assert found, self.out
        return int(found[1])

    @property
    def hash(self) -> str:
        return self._line("colony_hash")

    @property
    def maps(self) -> list[list[str]]:
        """Returns the maps that it drew, each a list of rows without the frame."""
        found: list[list[str]] = []
        for line in self.out.splitlines():
            if line.startswith("+") and (not found or found[-1]):
                found.append([])
            elif line.startswith("|"):
                found[-1].append(line[1:-1])
        return [rows for rows in found if rows]

    def _line(self, name: str) -> str:
        found = re.search(rf"^  {name} +(.*)$", self.out, re.MULTILINE)
        assert found, f"no line '{name}' in:\n{self.out}"
        return found[1]


def program(game: str) -> Path:
    named = os.environ.get(game)
    return Path(named) if named else built(TARGETS[game])


@cache
def play(*arguments: str, game: str = GAME) -> Played:
    done = subprocess.run([program(game), *arguments], capture_output=True, text=True, timeout=300)
    return Played(done.returncode, done.stdout, done.stderr)


def quiet(ticks: int, *arguments: str, game: str = GAME) -> Played:
    played = play("--quiet", "--ticks", str(ticks), *arguments, game=game)
    assert played.code == 0, played.err
    return played
