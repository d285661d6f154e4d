"""Compiles a random world (`wild`) with its game (`wild_game`), and links programs that run it."""

from __future__ import annotations

import atexit
import shutil
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

from built import built
from compilers import LINKERS, RUNTIME
from generated import ROOT, write_change, write_files
from wild import ROWS, World
from wild_game import Game


@dataclass(frozen=True)
class Compiled:
    """A world and its game as an object."""

    world: World
    folder: Path
    object: Path
    command: tuple[str, ...]

    def program(self, main: Path, folder: Path, library: str) -> Path:
        """Links a program that runs the world, with a library of the runtime
        (`clang/libweft.a`).
        """
        out = folder / "wild.out"
        parts = (main, self.object, built(f"build/{library}"))
        _compile(self.command, self.folder, *parts, LINKERS[self.command[0]], "-o", out)
        return out


@cache
def compiled(seed: int, *command: str) -> Compiled:
    """Compiles the code that all programs that run a world share, which is most of it. Tests that
    run one world go to one worker of pytest (an xdist_group), so that it is compiled once.
    """
    folder = Path(mkdtemp(prefix="weft_wild_"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return compile_world(World(seed, folder), folder, *command)


def compile_world(world: World, folder: Path, *command: str) -> Compiled:
    """Writes a world and its game, and compiles them as one file because all parts include most of
    the headers.
    """
    whole = folder / "whole.c"
    files = write_world(world, folder)
    whole.write_text("".join(f'#include "{file}"\n' for file in files), encoding="utf-8")
    object = whole.with_suffix(".o")
    _compile(command, folder, "-c", whole, "-o", object)
    return Compiled(world, folder, object, command)


def _compile(command: tuple[str, ...], folder: Path, *more: str | Path) -> None:
    """Compiles with -O1 at most: a world runs briefly, so optimising takes longer than it saves."""
    include = [f"-I{one}" for one in (RUNTIME, ROOT / "tests" / "support", folder / "wild")]
    done = subprocess.run(
        [command[0], "-std=c11", "-O1", "-pthread", *command[1:], *include, *more],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def write_world(world: World, folder: Path) -> list[Path]:
    """Writes the world and the game. Returns the C files."""
    own = write_files(world.files, folder) / "wild"
    game = folder / "game.c"
    write_change(game, Game(world).text())
    if any(one.inline for one in world.systems):
        write_change(own / ROWS, Game(world).rows())
    return [*sorted(own.glob("*.c")), game]
