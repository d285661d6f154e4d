"""Builds programs from schemas: each is the probe (probe.c) with the code generated from one of
them.
"""

from __future__ import annotations

import atexit
import os
import shutil
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

from built import built
from compilers import LINKERS, RUNTIME, SANITIZERS
from generated import generate
from probe_game import game_of

PROBE = Path(__file__).parent.parent / "saves" / "load" / "probe.c"
LIBRARY = "build/asan/libweft.a"
SAVE = "evolve.save"  # short, because long paths are cut in messages
WORLD = '[world]\nname = "evolve"\nphases = ["only"]\n'
FLAGS = ("-std=c11", "-ffp-contract=off", "-g1", "-w", *SANITIZERS, LINKERS["clang"])
QUIET = {**os.environ, "ASAN_OPTIONS": "detect_leaks=1"}


@dataclass(frozen=True)
class Probe:
    program: Path

    def tell(self, script: str, folder: Path | None = None) -> list[str]:
        """Returns the probe's answer to the lines of a script, run in a folder from which paths
        begin.
        """
        done = subprocess.run(
            [self.program],
            input=script,
            capture_output=True,
            text=True,
            env=QUIET,
            timeout=120,
            cwd=folder,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.splitlines()


def refused(why: str) -> str:
    """Returns the probe's answer to a load that the schema refuses. `why` may begin at a field."""
    converted = "the save cannot be converted: " if why.startswith("field ") else ""
    return f"the schema cannot take that save: '{SAVE}': {converted}{why}"


@cache
def probe(schema: str, world: str = WORLD, game: str = "", own: str = "") -> Probe:
    """schema: everything but [world]. game: C that defines its systems; by default they print what
    they see. own: own.h, for externs.
    """
    folder = Path(mkdtemp(prefix="weft_probe_"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    (folder / "own.h").write_text(own, encoding="utf-8")
    (folder / "evolve.toml").write_text(world + schema, encoding="utf-8")
    made = generate(folder / "evolve.toml")
    (folder / "game.c").write_text(game_of(made, game), encoding="utf-8")
    include = made.write(folder)
    bits = next(
        line.split()[0]
        for line in (include / "evolve_entity.h").read_text(encoding="utf-8").splitlines()
        if line.endswith(" bits;")
    )
    # All in one file, because most of the time goes into the headers that each file includes.
    files = [PROBE, folder / "game.c", *sorted(include.glob("*.c"))]
    whole = folder / "whole.c"
    whole.write_text("".join(f'#include "{file}"\n' for file in files), encoding="utf-8")
    _run(
        "clang", *FLAGS, f"-Devolve_bits={bits}", f"-I{RUNTIME}", f"-I{include}", f"-I{folder}",
        f"-I{PROBE.parent}", whole, built(LIBRARY), "-o", folder / "probe",
    )  # fmt: skip
    return Probe(folder / "probe")


def _run(*command: str | Path) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
