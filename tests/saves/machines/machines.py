"""Runs the tests on other machines, and sends saves from each to each.

    machines.py        on every machine that is installed; prints which are not

WEFT_MACHINES="i386 s390x" selects these, WEFT_MACHINES=all selects all; a selected machine that is
not installed is then a failure. machines.ninja lists the machines. The output of a world must equal
its output here, line by line, from its beginning and from half-way out of the save of any machine.
The last line is `N passed, N failed`.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import product
from pathlib import Path

HERE = Path(__file__).resolve().parent
TESTS = HERE.parent.parent
sys.path[:0] = [str(TESTS), str(TESTS / "support"), str(TESTS.parent / "codegen")]

from run import Result, read_results, report  # noqa: E402
from wild import World  # noqa: E402
from wild_build import write_world  # noqa: E402

BUILD = Path("build/machines")
NINJA = HERE / "machines.ninja"
HOME = "x86-64"  # what the others are compared with
LISTS = ("results", "portable", "less_portable")  # of results of test programs, as far as there are
HANG_SECONDS = 300
WINE = {"WINEDEBUG": "-all", "WINEPREFIX": str(BUILD.absolute() / "wine")}


@dataclass(frozen=True)
class Journey:
    """A world that is saved on one machine and goes on on others."""

    name: str
    ticks: int
    ticks_a_line: int


JOURNEYS = (
    Journey("colony", 2000, 100),
    *(Journey(f"wild{seed}", 100, 10) for seed in range(3)),
)
WORKERS_BEGIN, WORKERS_LOAD = 0, 3  # any number gives one result


@dataclass(frozen=True)
class Machine:
    name: str
    compiler: tuple[str, ...]
    emulator: tuple[str, ...]

    @property
    def missing(self) -> list[str]:
        """Returns what it needs that is not installed."""
        programs = [self.compiler[0], *self.emulator[:1]]
        absent = [program for program in programs if shutil.which(program) is None]
        if absent:
            return absent
        command = [*self.compiler, "-x", "c", "-fsyntax-only", "-"]
        include = "#include <stdlib.h>\n"
        done = subprocess.run(command, input=include, capture_output=True, text=True, check=False)
        return [] if done.returncode == 0 else [f"the C library for {self.compiler[0]}"]

    def run(self, program: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
        command = [*self.emulator, BUILD / self.name / program, *arguments]
        return subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, text=True,
            timeout=HANG_SECONDS, check=False, env={**os.environ, **WINE},
        )  # fmt: skip


def all_machines() -> list[Machine]:
    """Those of machines.ninja, where what is not said again stays as it was."""
    machines, said = [], {}
    for line in NINJA.read_text(encoding="utf-8").splitlines():
        if found := re.fullmatch(r"(machine|cc|emulator) =(.*)", line):
            said[found[1]] = found[2].split()
        elif line.startswith("subninja"):
            (name,) = said["machine"]
            machines.append(Machine(name, tuple(said["cc"]), tuple(said["emulator"])))
    return machines


def wanted_machines() -> tuple[list[Machine], list[Result]]:
    """Those to run on, and a failure for each that was asked for and is not there."""
    asked = os.environ.get("WEFT_MACHINES", "").split()
    machines = all_machines()
    names = {machine.name for machine in machines}
    if unknown := set(asked) - names - {"all"}:
        sys.exit(f"WEFT_MACHINES: no machine is called {', '.join(sorted(unknown))}")
    failures = []
    wanted = []
    for machine in machines:
        if asked and not {"all", machine.name} & set(asked) and machine.name != HOME:
            continue
        missing = machine.missing
        if not missing:
            wanted.append(machine)
            continue
        trouble = f"not installed: {', '.join(missing)} (.ci/install --machines)"
        print(f"{machine.name}: {trouble}")
        if asked:
            failures.append(Result(machine.name, 0, 1, trouble, ""))
    return wanted, failures


def write_worlds() -> None:
    for seed, journey in enumerate(one for one in JOURNEYS if one.name.startswith("wild")):
        folder = BUILD / "generated" / journey.name
        folder.mkdir(parents=True, exist_ok=True)
        write_world(World(seed, folder), folder)


def build(machines: list[Machine]) -> int:
    """Compiles everything and runs the test programs; what goes wrong there is for Ninja to say."""
    command = ["ninja", "-k", "0", "-f", NINJA, *(machine.name for machine in machines)]
    environment = {**os.environ, **WINE}
    return subprocess.run(
        command, stdin=subprocess.DEVNULL, check=False, env=environment
    ).returncode


def travel(machine: Machine, verb: str, journey: Journey, save: Path, workers: int) -> list[str]:
    """The lines of a journey; what it complained of, if it did not get to its end."""
    arguments = (str(journey.ticks), str(journey.ticks_a_line), str(workers))
    try:
        done = machine.run(f"journey/{journey.name}/journey", verb, save, *arguments)
    except subprocess.TimeoutExpired:
        return [f"still running after {HANG_SECONDS} s"]
    lines = done.stdout.splitlines()
    return lines if done.returncode == 0 else [*lines, f"exit code {done.returncode}", done.stderr]


def save_of(machine: Machine, journey: Journey) -> Path:
    return BUILD / machine.name / "journey" / journey.name / "half.save"


def compare(name: str, lines: list[str], expected: list[str]) -> Result:
    if lines == expected:
        return Result(name, 1, 0, "", "")
    pairs = list(zip(lines, expected, strict=False))
    at = next((i for i, (one, other) in enumerate(pairs) if one != other), len(pairs))
    shown = "\n".join(f"    {line}" for line in lines[at : at + 3])
    wanted = "\n".join(f"    {line}" for line in expected[at : at + 1])
    return Result(name, 0, 1, "", f"it comes to\n{shown}\nand not to\n{wanted}\n")


def journeys(machines: list[Machine]) -> list[Result]:
    """Every world from its beginning on every machine, then from every save on every machine."""

    def begin(pair: tuple[Journey, Machine]) -> list[str]:
        journey, machine = pair
        return travel(machine, "begin", journey, save_of(machine, journey), WORKERS_BEGIN)

    def load(way: tuple[Journey, Machine, Machine]) -> list[str]:
        journey, writer, reader = way
        return travel(reader, "load", journey, save_of(writer, journey), WORKERS_LOAD)

    home = next(machine for machine in machines if machine.name == HOME)
    results = []
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        starts = list(product(JOURNEYS, machines))
        courses = dict(zip(starts, pool.map(begin, starts), strict=True))
        expected = {journey: courses[journey, home] for journey in JOURNEYS}
        for (journey, machine), lines in courses.items():
            full = journey.ticks // journey.ticks_a_line + 1
            whole = expected[journey] if len(expected[journey]) == full else ["every line"]
            results.append(compare(f"{journey.name} on {machine.name}", lines, whole))
        ways = list(product(JOURNEYS, machines, machines))
        for (journey, writer, reader), lines in zip(ways, pool.map(load, ways), strict=True):
            name = f"{journey.name} of {writer.name} on {reader.name}"
            half = journey.ticks // 2 // journey.ticks_a_line
            results.append(compare(name, lines, expected[journey][half:]))
    return results


def games(machines: list[Machine]) -> list[Result]:
    """The game itself: every word that it prints, and a save of here that it goes on from."""
    home = next(machine for machine in machines if machine.name == HOME)
    save = BUILD / "colony.save"
    begin = ("--ticks", "800", "--seed", "3")
    expected = home.run("colony", *begin, "--save", save).stdout.splitlines()
    on = home.run("colony", "--ticks", "400", "--load", save).stdout.splitlines()
    results = []
    for machine in machines:
        said = machine.run("colony", *begin, "--workers", "2").stdout.splitlines()
        results.append(compare(f"the game on {machine.name}", said, expected or ["words"]))
        said = machine.run("colony", "--ticks", "400", "--load", save).stdout.splitlines()
        results.append(compare(f"the game goes on on {machine.name}", said, on or ["words"]))
    return results


def main() -> int:
    machines, failures = wanted_machines()
    write_worlds()
    if build(machines) != 0:
        failures.append(Result("the build", 0, 1, "Ninja says above what went wrong", ""))
        return report({}, failures)
    lists = [BUILD / machine.name / name for machine in machines for name in LISTS]
    tried = read_results([path for path in lists if path.exists()])  # of those with more than saves
    print("tried:", ", ".join(machine.name for machine in machines))
    return report(tried, [*failures, *games(machines), *journeys(machines)])


if __name__ == "__main__":
    sys.exit(main())
