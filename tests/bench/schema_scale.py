"""Measures the cost of working on a large schema: generating, compiling, changing, doing nothing.
Measures its world too: opening, ticks, tables, loading.

    schema_scale.py FOLDER [RUNS]

Empties FOLDER, makes the project of stress.py in it, builds it and measures. The best of RUNS (5)
is reported because other load on the machine can only add time. Exit 1 if something does not build,
or if a change recompiles files that do not depend on it. Slow times are not a failure.
"""

from __future__ import annotations

import os
import re
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import stress
from progress import Progress

CHANGED = "part_010"  # the component of which a field changes

# Python keeps what it compiles, as for whoever generates a second time.
KEEPS = {"PYTHONDONTWRITEBYTECODE": ""}


@dataclass(frozen=True)
class Figure:
    what: str
    value: str
    target: str


def run(folder: Path, *command: str, environment: dict[str, str] | None = None) -> str:
    """Runs a command that must succeed; what it prints."""
    done = subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, **(environment or {})},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}\n{done.stdout}")
    return done.stdout


def best(runs: int, before: Callable[[], object], work: Callable[[], object]) -> float:
    """Seconds of the fastest run; what has to be done before each is not timed."""
    seconds = []
    for _ in range(runs):
        before()
        begun = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - begun)
    return min(seconds)


def generating(folder: Path, runs: int) -> list[Figure]:
    python = str(stress.WEFT / ".venv" / "bin" / "python3")
    out = folder / "again"

    def forget() -> None:
        shutil.rmtree(out, ignore_errors=True)

    def generate() -> str:
        command = (python, str(stress.WEFT / "codegen"), "generate", "stress.toml")
        return run(folder, *command, "--out", str(out), environment=KEEPS)

    fresh = best(runs, forget, generate)
    same = best(runs, lambda: None, generate)
    headers = len(list(out.glob("*/*.h")))
    forget()
    return [
        Figure(f"generating {headers} headers", f"{fresh:.2f} s", "2 s"),
        Figure("generating the same again", f"{same:.2f} s", "2 s"),
    ]


def compiling(folder: Path, runs: int) -> Figure:
    flags = ("-std=c11", "-O2", "-I", "generated/stress", "-I", str(stress.WEFT / "runtime"))
    command = ("gcc", *flags, "-c", "three.c", "-o", "build/three_again.o")
    seconds = best(runs, lambda: None, lambda: run(folder, *command))
    return Figure("compiling a file that uses three components", f"{seconds:.2f} s", "0.5 s")


def texts(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (folder / "generated").rglob("*.[ch]")}


def dependents(folder: Path, names: set[str]) -> set[str]:
    """The objects that Ninja knows to be compiled from any of these generated files."""
    found = set()
    built = ""
    for line in run(folder, "ninja", "-t", "deps").splitlines():
        if not line.startswith(" "):
            built = line.split(":")[0]
        elif Path(line.strip()).name in names and built.endswith(".o"):
            found.add(built)
    return found


def changing(folder: Path) -> list[Figure]:
    """Compares what is compiled again after a field got another type with what has to be."""
    schema = folder / "stress.toml"
    text = schema.read_text(encoding="utf-8")
    head = f"[component.{CHANGED}.fields]\na = "
    if text.count(head + '"f32"') != 1:
        sys.exit(f"stress.toml has no field 'a' of {CHANGED} to change")
    before = texts(folder)
    schema.write_text(text.replace(head + '"f32"', head + '"f64"'), encoding="utf-8")
    begun = time.perf_counter()
    compiled = set(re.findall(r" -c \S+ -o (\S+)$", run(folder, "ninja", "-v"), re.MULTILINE))
    seconds = time.perf_counter() - begun
    after = texts(folder)
    changed = {name for name in after if after[name] != before.get(name)}
    needed = dependents(folder, changed)
    if compiled != needed:
        sys.exit(f"compiled for no reason or not at all: {sorted(compiled ^ needed)}")
    objects = len(list((folder / "build").glob("*.o")))
    return [
        Figure(f"generated files that a field of {CHANGED} changes", str(len(changed)), ""),
        Figure(
            "objects compiled again for it", f"{len(compiled)} of {objects}", "what includes it"
        ),
        Figure("ninja for all that", f"{seconds:.1f} s", ""),
    ]


def building(folder: Path) -> list[Figure]:
    """Compiles everything from nothing."""
    ccache = {"CCACHE_DISABLE": "1"}
    run(folder, "ninja", "build/stress.dd", "generated/stress/stress_world.c")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    begun = time.perf_counter()
    run(folder, "ninja", environment=ccache)
    wall = time.perf_counter() - begun
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    what = "compiling all of it"
    return [
        Figure(f"{what}, on {os.cpu_count()} processors", f"{wall:.1f} s", "15 s"),
        Figure(f"{what}, of the processor", f"{used:.1f} s", ""),
    ]


def living(folder: Path) -> list[Figure]:
    """Runs the program that times its world, whose lines have three parts each."""
    return [Figure(*line.split("|")) for line in run(folder, "./stress").splitlines()]


def idle(folder: Path, runs: int) -> Figure:
    seconds = best(runs, lambda: None, lambda: run(folder, "ninja"))
    if "no work to do" not in run(folder, "ninja"):
        sys.exit("ninja finds something to do a second time")
    return Figure("ninja with nothing to do", f"{seconds:.3f} s", "0.1 s")


def main(arguments: list[str]) -> int:
    if not 1 <= len(arguments) <= 2:
        print(__doc__, file=sys.stderr)
        return 2
    folder = Path(arguments[0]).resolve()
    runs = int(arguments[1]) if len(arguments) == 2 else 5
    shutil.rmtree(folder, ignore_errors=True)
    stress.main([str(folder)])
    parts: list[tuple[str, Callable[[], list[Figure]]]] = [
        ("generating", lambda: generating(folder, runs)),
        ("building", lambda: building(folder)),
        ("running", lambda: living(folder)),
        ("compiling a file", lambda: [compiling(folder, runs)]),
        ("building nothing", lambda: [idle(folder, runs)]),
        ("changing a field", lambda: changing(folder)),
        ("building nothing again", lambda: [idle(folder, runs)]),
    ]
    progress = Progress(len(parts))
    figures: list[Figure] = []
    for what, measured in parts:
        progress.begin(what)
        figures += measured()
    progress.end()
    for figure in figures:
        target = f"  (target {figure.target})" if figure.target else ""
        print(f"{figure.what:<48} {figure.value:>10}{target}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
