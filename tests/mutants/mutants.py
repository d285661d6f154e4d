"""Checks that the tests notice small changes to the runtime and the generator: 200 mutants, one at
a time, each in a copy of the repository below build/mutants. Handwritten mistakes follow.

    mutants.py            tries those without a verdict, then reports; `ninja mutants`
    mutants.py list       lists them with the verdicts so far
    mutants.py mistakes   tries only the mistakes of mistakes.toml
    mutants.py NAME...    tries these mutants again, whether they are among the 200 or not
    mutants.py draw SEED FOLDER=COUNT...
                          tries others in place of the 200: COUNT of the files whose path begins
                          with FOLDER, drawn with that seed

You can interrupt it at any time; the next run continues. A killed mutant stays killed until its
file changes; one that survived is tried again if a test changes. The last line counts. A mutant
that survived is a failure.
"""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path

import verdicts
from by_hand import Mistake, mistakes, stale
from candidates import drawn, every, usual
from mutation import Mutation
from narrowest import ALL_PYTHON, C_TESTS, FIRST_C, FIRST_PYTHON, LAST_PYTHON, row_of
from verdicts import ROOT, Verdict, digest, equivalents

sys.path.append(str(ROOT / "tests/bench"))
from progress import Progress

HOME = ROOT / "build/mutants"
TREE = HOME / "tree"
BASE = HOME / "base.json"
NINJA = ("ninja", "-k", "0")
LIBRARIES = tuple(f"build/{build}/libweft.a" for build in ("gcc", "clang", "asan", "tsan"))
GAME = C_TESTS + "colony"
GOLDENS = "tests/output/golden/test_golden.py"
PYTEST = (".venv/bin/python3", "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider")

MEMORY_MAX = 4 << 30  # bytes that a mutant's program may take
FILE_MAX = 1 << 30  # bytes of a file that it may write
PYTEST_SECONDS = 300
# Accesses beyond the end; tables that move at each change; the runtime without asserts.
OTHER_BUILDS = ("asan", "hard", "clang")
BATCH = 12  # programs that are built before the first of them runs
LIKELY_BATCH = 4  # of those that killed others of its folder

# Compiled Python is recognised by the second it was written in: two mutants may share that. Tests
# that play the game play the one that has the mutation.
ENVIRONMENT = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "WEFT_GAME": str(TREE / GAME)}


@dataclass(frozen=True)
class Program:
    """A test program as it is without a mutation."""

    digest: str
    seconds: float


@dataclass(frozen=True)
class Base:
    """The test programs and the game without a mutation."""

    programs: dict[str, Program]
    game: str  # digest


# ---- the copy


def tracked_files() -> list[str]:
    command = ("git", "ls-files", "-co", "--exclude-standard", "-z")
    said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [file for file in said.split("\0") if file and (ROOT / file).is_file()]


def renew_tree() -> None:
    """Makes the copy what the repository is. What is alike is left alone: Ninja looks at times."""
    files = set(tracked_files())
    for file in files:
        there = TREE / file
        if not there.is_file() or there.read_bytes() != (ROOT / file).read_bytes():
            there.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / file, there)
    for path in sorted(TREE.rglob("*"), reverse=True):
        kept = path.relative_to(TREE).as_posix()
        if path.is_file() and not kept.startswith(("build/", ".venv")) and kept not in files:
            path.unlink()
    if not (TREE / ".venv").exists():
        (TREE / ".venv").symlink_to((ROOT / ".venv").resolve())


def tests_digest() -> str:
    return digest(*(ROOT / file for file in sorted(tracked_files()) if file.startswith("tests/")))


# ---- running


def processor_seconds() -> float:
    """Returns what this process and all that it ran have taken so far."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def memory_of(pid: int) -> int:
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="utf-8").split()[1])
    except (OSError, IndexError):
        return 0
    return pages * resource.getpagesize()


def passes(command: Iterable[str | Path], seconds: float) -> bool:
    """Runs a command in the copy. True: it succeeded within that time and MEMORY_MAX."""
    process = subprocess.Popen(
        command, cwd=TREE, env=ENVIRONMENT, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL, start_new_session=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (FILE_MAX, FILE_MAX)),
    )  # fmt: skip
    end = time.monotonic() + seconds
    while True:
        try:
            return process.wait(0.02) == 0
        except subprocess.TimeoutExpired:
            if time.monotonic() < end and memory_of(process.pid) < MEMORY_MAX:
                continue
        os.killpg(process.pid, 9)
        process.wait()
        return False


def built(*targets: str) -> bool:
    """Has Ninja make these in the copy. True: it did."""
    return passes((*NINJA, *targets), 900)


def program_names(tree: Path) -> list[str]:
    """All test programs in C, `unit/test_table`."""
    command = (*NINJA, "-t", "targets", "rule", "test_program")
    said = subprocess.run(command, cwd=tree, capture_output=True, text=True, check=True).stdout
    ours = (line for line in said.splitlines() if line.startswith(C_TESTS))
    return sorted(line.removeprefix(C_TESTS).removesuffix(".result") for line in ours)


@cache
def run_in(build: str) -> list[str]:
    """The test programs that `ninja test` runs in a build."""
    command = (*NINJA, "-t", "inputs", f"build/{build}/results")
    said = subprocess.run(command, cwd=TREE, capture_output=True, text=True, check=True).stdout
    results = (line for line in said.splitlines() if line.endswith(".result"))
    return sorted(line.removeprefix(f"build/{build}/").removesuffix(".result") for line in results)


def read_base() -> Base:
    """Builds it; each program has to pass, or no verdict means anything."""
    said = json.loads(BASE.read_text(encoding="utf-8")) if BASE.exists() else {}
    known = {name: Program(**entry) for name, entry in said.items()}
    names = program_names(TREE)
    if not built(GAME, *(C_TESTS + name for name in names)):
        sys.exit("the tests do not compile without a mutation")
    programs = {}
    for name in names:
        now = digest(TREE / C_TESTS / name)
        if name in known and known[name].digest == now:
            programs[name] = known[name]
            continue
        start = time.monotonic()
        if not passes([C_TESTS + name], 600):
            sys.exit(f"{name} does not pass without a mutation")
        programs[name] = Program(now, time.monotonic() - start)
    BASE.write_text(json.dumps({name: asdict(entry) for name, entry in programs.items()}))
    return Base(programs, digest(TREE / GAME))


# ---- trying one


def in_order(
    programs: dict[str, Program], first: tuple[str, ...], likely: list[str]
) -> Iterator[list[str]]:
    """The programs that are likely to notice, the narrow ones, then all others, a few at a time;
    each time the fastest first, since a mutant that one of them kills spares what would be built
    for the rest. No batch is empty: Ninja makes everything where it is asked for nothing."""
    fastest = sorted(programs, key=lambda name: programs[name].seconds)
    begun = [name for name in likely if name in programs][:LIKELY_BATCH]
    narrow = [name for name in fastest if name.startswith(first) and name not in begun]
    others = [name for name in fastest if name not in narrow and name not in begun]
    for names in (begun, narrow, others):
        yield from (names[i : i + BATCH] for i in range(0, len(names), BATCH))


def in_generator(mutation: Mutation) -> bool:
    return mutation.file.startswith("codegen/")


def likely_killers(
    mutation: Mutation, everything: list[Mutation], programs: Iterable[str]
) -> list[str]:
    """The tests that killed others of its folder; those of its file count twice. Those that a
    mistake names count more."""
    kills: Counter[str] = Counter()
    if isinstance(mutation, Mistake):
        kills.update({name: 100 for name in programs if name.startswith(mutation.first or ("-",))})
    known = verdicts.read()
    for other in everything:
        verdict = known.get(other.name)
        if verdict and verdict.word == "killed" and row_of(other.file) == row_of(mutation.file):
            kills[verdict.by] += 2 if other.file == mutation.file else 1
    return [test for test, _ in kills.most_common()]


@dataclass
class Trial:
    mutation: Mutation
    base: Base
    likely: list[str] = field(default_factory=list)  # tests, the likeliest first
    reached: bool = False  # a program is another one by the mutation

    def killer(self) -> str:
        """The first test that fails; none: it survives."""
        row = row_of(self.mutation.file)
        if in_generator(self.mutation) and isinstance(self.mutation, Mistake):
            return self.killer_of_mistake()
        if in_generator(self.mutation):
            begun = [test for test in self.likely if test in ALL_PYTHON]
            files = dict.fromkeys((*begun, *FIRST_PYTHON[row], *ALL_PYTHON))  # each once
            return self.pytest(files) or self.c_programs(()) or self.linked(LAST_PYTHON)
        narrow = FIRST_C[row]
        if narrow.only_game:
            return self.in_game(narrow.python)
        killer = self.c_programs(narrow.programs)
        if killer or not self.reached:
            return killer
        return self.elsewhere(narrow.programs) or self.linked(narrow.python)

    def killer_of_mistake(self) -> str:
        """For the generator. Goldens are left out, since who makes a mistake may renew them."""
        files = (test for test in ALL_PYTHON if test != GOLDENS)
        return self.c_programs(()) or self.pytest(files) or self.linked(LAST_PYTHON)

    def in_game(self, files: Iterable[str]) -> str:
        """For a file that the game has and no test program."""
        if not built(GAME):
            return "the build"
        self.reached = digest(TREE / GAME) != self.base.game
        return self.pytest(files) if self.reached else ""

    def pytest(self, files: Iterable[str]) -> str:
        failing = (file for file in files if not passes((*PYTEST, file), PYTEST_SECONDS))
        return next(failing, "")

    def linked(self, files: tuple[str, ...]) -> str:
        """Those link the runtime of other builds, and would take one that is there as it is."""
        if files and not passes(("ninja", *LIBRARIES), 900):
            return "the build of the runtime"
        return self.pytest(files)

    def elsewhere(self, first: tuple[str, ...]) -> str:
        """The narrow programs in the builds that see what the first one does not."""
        for build in OTHER_BUILDS:
            narrow = [name for name in run_in(build) if name.startswith(first)]
            if not built(*(f"build/{build}/{name}" for name in narrow)):
                return f"the build {build}"
            for name in narrow:
                if not passes([f"build/{build}/{name}"], 120):
                    return f"{name} in the build {build}"
        return ""

    def c_programs(self, first: tuple[str, ...]) -> str:
        for names in in_order(self.base.programs, first, self.likely):
            if not built(*(C_TESTS + name for name in names)):
                return "the build"
            for name in names:
                plain = self.base.programs[name]
                if digest(TREE / C_TESTS / name) == plain.digest:
                    continue
                self.reached = True
                if not passes([C_TESTS + name], plain.seconds * 10 + 10):
                    return name
        return ""


@cache
def check_sound(test: str) -> None:
    """Ends if a test in Python fails without a mutation as well: it would prove nothing."""
    passes(("ninja", *LIBRARIES, GAME), 900)  # as they are without it
    if not passes((*PYTEST, test), PYTEST_SECONDS):
        sys.exit(f"{test} does not pass without a mutation")


def judge(trial: Trial, tests: str) -> Verdict:
    mutation = trial.mutation
    target = TREE / mutation.file
    text = target.read_bytes()
    generates = in_generator(mutation)
    target.write_bytes(mutation.applied_to(text))
    try:
        by = trial.killer()
    finally:
        target.write_bytes(text)
    if by.endswith(".py"):
        check_sound(by)
    if by == "the build" and not generates:
        word = "not compiled"
    elif by:
        word = "killed"
    elif not generates and not trial.reached:
        word, by = "equivalent", "no byte of any program differs"
    else:
        word = "survived"
    return Verdict(word, by, digest(ROOT / mutation.file), tests)


# ---- all of them


def asked(everything: list[Mutation], arguments: list[str]) -> list[Mutation]:
    """The mutants that the arguments are about."""
    match arguments:
        case [] | ["list"]:
            return [*usual(everything), *mistakes()]
        case ["mistakes"]:
            return mistakes()
        case ["draw", seed, *places]:
            pairs = (place.rpartition("=") for place in places)
            return drawn(everything, int(seed), {place: int(count) for place, _, count in pairs})
    everything = [*everything, *mistakes()]
    unknown = set(arguments) - {mutation.name for mutation in everything}
    if unknown:
        sys.exit(f"no mutant of this tree is called {', '.join(sorted(unknown))}")
    return [mutation for mutation in everything if mutation.name in arguments]


def try_some(todo: list[Mutation], everything: list[Mutation], tests: str) -> None:
    os.nice(5)
    TREE.mkdir(parents=True, exist_ok=True)
    renew_tree()
    base = read_base()
    progress = Progress(len(todo))
    for mutation in todo:
        progress.begin(str(mutation))
        start = processor_seconds()
        likely = likely_killers(mutation, everything, base.programs)
        verdict = judge(Trial(mutation, base, likely), tests)
        verdicts.keep(mutation.name, verdict)
        took = processor_seconds() - start
        progress.end()
        print(f"{verdict.word} ({verdict.by}, {took:.0f} s): {mutation}", flush=True)
    print(f"{processor_seconds():.0f} s of processor time")


def main(arguments: list[str]) -> int:
    everything = every()
    tests = tests_digest()
    ours = asked(everything, arguments)
    known = verdicts.holding(ours, tests)
    named_here = bool(arguments) and arguments[0] not in ("list", "draw", "mistakes")
    if arguments == ["list"]:
        for m in ours:
            verdict = known.get(m.name)
            print(f"{verdict.word + ' by ' + verdict.by if verdict else 'not tried'}: {m}")
    else:
        todo = ours if named_here else [m for m in ours if m.name not in known]
        try:
            try_some(todo, [*everything, *mistakes()], tests)
        except KeyboardInterrupt:
            print("interrupted; it goes on from here next time")
    unnamed = equivalents().keys() - {mutation.name for mutation in [*everything, *mistakes()]}
    if unnamed:
        print(f"equivalent.toml names what this tree does not have: {', '.join(sorted(unnamed))}")
    for entry in stale():
        print(f"mistakes.toml: {entry.file} does not have this exactly once: {entry.was}")
    return verdicts.report(ours, verdicts.holding(ours, tests))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
