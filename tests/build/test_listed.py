"""The lists in build files are complete: every C file, test program and build is in its list."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
FOLDERS = (
    "runtime",
    "generated/colony",
    "tests/game",
    "tests/game/picture",
    "tests/game/window",
    "tests/game/inspect",
    "tests/game/web",
    "runtime/serve",
    "runtime/trace",
    "tests/runtime/unit",
    "tests/runtime/world",
    "tests/fuzz",
    "tests/runtime/hooks",
    "tests/saves/exact",
    "tests/saves/harm",
)
BUILDS = ("build", "build/clang", "build/asan", "build/hard")
IN_EVERY_BUILD = ("generated/colony/", "tests/game/")
# They need what no other build does.
IN_ONE_BUILD = (
    "tests/game/picture/",
    "tests/game/window/",
    "tests/game/inspect/",
    "tests/game/web/",
)
ONE_FILE = {"runtime/weft.c", "runtime/weft_json.c"}
FOR_USERS = "runtime/serve/weft_serve.c"  # compiled by tests/game/inspect/copied.py


def files_of(folder: str) -> list[Path]:
    """The C files of a folder; those of the runtime lie in its folders (see test_one_file.py)."""
    if folder != "runtime":
        return sorted((ROOT / folder).glob("*.c"))
    parts = (ROOT / folder).glob("*/**/*.c")
    return sorted(path for path in parts if path.parent.name not in {"serve", "trace"})


@pytest.fixture(scope="module")
def steps() -> list[dict[str, str]]:
    """Every step that Ninja knows: its command, its output and the first of what it reads."""
    text = subprocess.run(
        ["ninja", "-t", "compdb"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    found: list[dict[str, str]] = json.loads(text)
    return found


@pytest.fixture(scope="module")
def compiled(steps: list[dict[str, str]]) -> set[tuple[str, str]]:
    """Every (build, source) that Ninja knows how to compile."""
    found = set()
    for entry in steps:
        source = entry["file"].removeprefix("./")
        if source.endswith(".c"):
            parts = Path(entry["output"]).parts
            build = "/".join(parts[:2]) if "/".join(parts[:2]) in BUILDS else parts[0]
            found.add((build, source))
    return found


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_c_file_is_compiled(folder: str, compiled: set[tuple[str, str]]) -> None:
    here = {path.relative_to(ROOT).as_posix() for path in files_of(folder)} - {FOR_USERS}
    assert here
    assert here <= {source for _, source in compiled}


@pytest.mark.parametrize("build", BUILDS)
def test_every_build_has_all_of_it(build: str, compiled: set[tuple[str, str]]) -> None:
    here = {source for where, source in compiled if where == build}
    wanted = {
        source
        for _, source in compiled
        if source.startswith(IN_EVERY_BUILD)
        and not source.startswith(IN_ONE_BUILD)
        and not Path(source).name.startswith("test_")
    }
    assert wanted <= here


def answer(*question: str) -> str:
    """Asks Ninja about its steps."""
    return subprocess.run(
        ["ninja", "-t", *question], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout


def run_by(*lists: str) -> set[str]:
    """The test programs whose results are in lists, each without its build."""
    return set(re.findall(r"build/\w+/(\S+)\.result", answer("commands", *lists)))


@pytest.fixture(scope="module")
def programs() -> set[str]:
    known = answer("targets", "rule", "test_program")
    found = set(re.findall(r"^build/asan/(\S+)\.result", known, re.M))
    assert found
    return found


def test_every_test_program_runs_with_the_address_sanitizer(programs: set[str]) -> None:
    """Two builds have it, and each width of handles is in one of them."""
    lists = [f"build/{build}/{name}" for build in ("asan", "hard") for name in ("results", "long")]
    assert programs == run_by(*lists)


def test_only_other_builds_and_widths_are_left_to_a_longer_run(programs: set[str]) -> None:
    """`ninja test` runs every program with the address sanitizer, over some width of handles."""

    def without_width(names: set[str]) -> set[str]:
        return {re.sub(r"/(narrow|middle|wide)/", "/", name) for name in names}

    here = run_by("build/asan/results", "build/hard/results")
    assert without_width(here) == without_width(programs)


@pytest.mark.parametrize("build", ["clang", "asan", "hard"])
def test_nothing_is_run_twice(build: str) -> None:
    both = [run_by(f"build/{build}/{name}") for name in ("results", "long")]
    assert all(both)
    assert not both[0] & both[1]


@pytest.fixture(scope="module")
def libraries(steps: list[dict[str, str]]) -> dict[str, dict[str, str]]:
    """By library of the runtime the sources of its objects, each with its compiler."""
    compiled = {
        one["output"]: (one["file"].removeprefix("./"), one["command"].split()[0])
        for one in steps
        if one["output"].endswith(".o")
    }
    return {
        one["output"]: dict(
            compiled[word] for word in one["command"].split() if word.endswith(".o")
        )
        for one in steps
        if Path(one["output"]).name == "libweft.a"
    }


def test_every_library_has_all_of_the_runtime(libraries: dict[str, dict[str, str]]) -> None:
    parts = {path.relative_to(ROOT).as_posix() for path in files_of("runtime")}
    wrong = {
        library: sorted(sources.keys() ^ parts)
        for library, sources in libraries.items()
        if sources.keys() not in (parts, ONE_FILE)
    }
    assert not wrong


def test_the_runtime_is_built_in_both_forms_by_both_compilers(
    libraries: dict[str, dict[str, str]],
) -> None:
    tested = [libraries[f"build/{build}/libweft.a"] for build in ("gcc", "clang", "asan", "hard")]
    forms = {(one.keys() == ONE_FILE, compiler) for one in tested for compiler in one.values()}
    assert forms == {
        (one_file, compiler) for one_file in (True, False) for compiler in ("gcc", "clang")
    }


def test_what_python_asks_for_is_built_before_it_begins() -> None:
    """`built` would make what lacks, and add whole builds to a run without a word."""
    asked = {
        name
        for path in (ROOT / "tests").rglob("test_*.py")
        for name in re.findall(r'(?<![.\w])built\("([^"]+)"\)', path.read_text(encoding="utf-8"))
    }
    assert asked
    assert asked <= set(answer("inputs", "test", "test-long").split())


def test_ninja_runs_each_module_of_tests_that_pytest_does_not_find() -> None:
    """`ninja test-look` and `ninja test-reach` name them."""
    here = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "tests").rglob("*.py")
        if not path.name.startswith("test_")
        and re.search(r"^(?:    )?def test_", path.read_text(encoding="utf-8"), re.M)
    }
    commands = answer("commands", "test-look", "test-reach")
    lists = re.findall(r"tests/run\.py some -- (.*)", commands)
    assert len(lists) == 2
    assert here == set(" ".join(lists).split())


def test_machines_without_posix_run_all_tests_of_modules() -> None:
    text = (ROOT / "tests/programs.ninja").read_text(encoding="utf-8")
    lists = re.findall(r"^build \$builddir/(?:less_)?portable: list((?: .*\$\n)* .*\n)", text, re.M)
    assert len(lists) == 2
    listed = set(re.findall(r"/unit/(test_\w+)\.result", "".join(lists)))
    assert listed == {path.stem for path in (ROOT / "tests/runtime/unit").glob("test_*.c")}


def test_the_lists_of_programs_are_up_to_date() -> None:
    made = subprocess.run(
        [sys.executable, "tests/programs.py", "--diff"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (made.returncode, made.stdout) == (0, "")
