"""A game of an author who has only README, built outside this repository by the commands it gives.

The blocks of README, and of BUILDS.md for Ninja, are what is tested: the example is built and run
as it stands, and the game in this folder (another world altogether) by these commands with its own
name in them. Both stand in a folder beside Weft, where README puts them, and are built with gcc and
with clang as `cc`: README's example by its two lines with gcc as it stands, and what is built
besides without optimising, which takes a third of the time; that optimising changes nothing is
shown by the builds of `ninja test`.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from built import built

HERE = Path(__file__).resolve().parent
WEFT = HERE.parent.parent
PAGES = "".join(
    (WEFT / page).read_text(encoding="utf-8") for page in ("README.md", "runtime/BUILDS.md")
)
EXAMPLE = "drift"
COMPILERS = ("gcc", "clang")
STEPS = ("plain", "ninja")
FAST_TO_BUILD = "-O0"
WARNINGS = "-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror"

# Projects that are built once stay together on one processor.
pytestmark = pytest.mark.xdist_group("user")

ASTEROIDS_SAYS = (HERE / "expected.txt").read_text(encoding="utf-8")


def block(head: str) -> str:
    """The text of the only code block that begins with these words: "c main.c", "sh plain"."""
    found = re.findall(rf"^```{re.escape(head)}\n(.*?)^```$", PAGES, re.MULTILINE | re.DOTALL)
    assert len(found) == 1, f"the pages have {len(found)} blocks '{head}'"
    return str(found[0])


@dataclass(frozen=True)
class Project:
    """A folder of a user's own, beside Weft, and the compiler that is `cc` there."""

    folder: Path
    name: str
    environment: dict[str, str]

    def run(self, commands: str) -> str:
        """Returns what the commands print, with README's example renamed. They must succeed."""
        done = subprocess.run(
            ["sh", "-e", "-c", commands.replace(EXAMPLE, self.name)],
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout
        return done.stdout

    def build(self, step: str) -> None:
        if step == "ninja":
            text = block("ninja build.ninja").replace(EXAMPLE, self.name)
            (self.folder / "build.ninja").write_text(text, encoding="utf-8")
        self.run(block(f"sh {step}"))

    def says(self) -> str:
        return self.run(f"./{self.name}")


def with_tools(folder: Path, compiler: str, flag: str) -> Project:
    """The project in this folder; `cc` is this compiler, and adds a flag."""
    tools = folder.parent / "tools"
    tools.mkdir()
    found = shutil.which(compiler)
    assert found is not None
    (tools / "cc").write_text(f'#!/bin/sh\nexec {found} "$@" {flag}\n', encoding="utf-8")
    (tools / "cc").chmod(0o755)
    return Project(folder, folder.name, dict(os.environ, PATH=f"{tools}:{os.environ['PATH']}"))


def beside_weft(parent: Path, name: str, compiler: str, flag: str) -> Project:
    """An empty project in a folder with Weft beside it."""
    (parent / "weft").symlink_to(WEFT)
    (parent / name).mkdir()
    return with_tools(parent / name, compiler, flag)


def example(parent: Path, compiler: str, flag: str) -> Project:
    project = beside_weft(parent, EXAMPLE, compiler, flag)
    for kind, file in (("toml", f"{EXAMPLE}.toml"), ("c", "main.c")):
        (project.folder / file).write_text(block(f"{kind} {file}"), encoding="utf-8")
    return project


def asteroids(parent: Path, compiler: str, flag: str) -> Project:
    project = beside_weft(parent, "asteroids", compiler, flag)
    for file in ("asteroids.toml", "main.c"):
        shutil.copy(HERE / file, project.folder)
    return project


def swarm(parent: Path, compiler: str, flag: str) -> Project:
    project = beside_weft(parent, "swarm", compiler, flag)
    for file in ("swarm.toml", "main.c", "drum.h"):
        shutil.copy(HERE / "swarm" / file, project.folder)
    return project


Game = Callable[[Path, str, str], Project]


@dataclass(frozen=True)
class Builds:
    """Projects are built once each, and every test gets copies of its own, with the times of the
    files as they were. What is compiled in a copy is not optimised."""

    root: Path
    copies: Path

    def copy(self, game: Game, compiler: str, step: str) -> Project:
        parent = self.root / f"{game.__name__}-{compiler}-{step}"
        if not parent.exists():
            parent.mkdir()
            to_the_letter = (game, compiler, step) == (example, "gcc", "plain")
            game(parent, compiler, "" if to_the_letter else FAST_TO_BUILD).build(step)
        mine = Path(tempfile.mkdtemp(dir=self.copies))
        tools = shutil.ignore_patterns("tools")
        shutil.copytree(parent, mine, symlinks=True, ignore=tools, dirs_exist_ok=True)
        [folder] = (path for path in mine.iterdir() if path.name != "weft")
        return with_tools(folder, compiler, FAST_TO_BUILD)


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("builds")


@pytest.fixture
def builds(root: Path, tmp_path: Path) -> Builds:
    return Builds(root, tmp_path)


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("step", STEPS)
def test_the_example_says_what_readme_says(builds: Builds, compiler: str, step: str) -> None:
    assert builds.copy(example, compiler, step).says() == block("text output")


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("step", STEPS)
def test_a_game_of_its_own_plays(builds: Builds, compiler: str, step: str) -> None:
    assert builds.copy(asteroids, compiler, step).says() == ASTEROIDS_SAYS


@pytest.mark.parametrize(
    ("compiler", "flags"), [("clang", "-g -fsanitize=address,undefined"), ("gcc", WARNINGS)]
)
def test_a_game_of_survivors_ends_alike_in_every_way(
    tmp_path: Path, compiler: str, flags: str
) -> None:
    project = swarm(tmp_path, compiler, f"{FAST_TO_BUILD} -I. {flags}")
    project.build("plain")
    assert project.says() == (HERE / "swarm/expected.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("form", ["one file", "parts"])
def test_a_game_in_cpp(builds: Builds, form: str) -> None:
    project = builds.copy(example, "gcc", "ninja")
    if form == "parts":
        shutil.copy(built("build/gcc/libweft.a"), project.folder / "build")
    shutil.copy(HERE / "main.cpp", project.folder)
    for compiler in ("g++", "clang++"):
        project.run(
            f"{compiler} -std=c++17 -Wall -Wextra -Wpedantic -Werror -I generated/drift "
            "-I ../weft/runtime -c main.cpp -o build/cpp.o\n"
            f"{compiler} build/cpp.o build/drift_*.o build/libweft.a -o drift"
        )
        assert project.says() == block("text output")


@pytest.mark.parametrize("compiler", ["g++", "clang++"])
def test_a_game_in_cpp_20(builds: Builds, compiler: str) -> None:
    project = builds.copy(example, "gcc", "ninja")
    shutil.copy(HERE / "modern.cpp", project.folder)
    project.run(
        f"{compiler} -std=c++20 -Wall -Wextra -Wpedantic -Wconversion -Wold-style-cast -Werror "
        "-I generated/drift -I ../weft/runtime -c modern.cpp -o build/cpp.o\n"
        f"{compiler} build/cpp.o build/drift_*.o build/libweft.a -o drift"
    )
    assert project.says() == block("text output")


def test_a_second_ninja_does_nothing(builds: Builds) -> None:
    assert "no work to do" in builds.copy(asteroids, "gcc", "ninja").run("ninja")


def test_a_changed_schema_is_noticed(builds: Builds) -> None:
    project = builds.copy(asteroids, "gcc", "ninja")
    schema = project.folder / "asteroids.toml"
    text = schema.read_text(encoding="utf-8")
    assert text.count("default = 24.0") == 1
    schema.write_text(text.replace("default = 24.0", "default = 2.0"), encoding="utf-8")
    project.run("ninja")
    assert project.says() != ASTEROIDS_SAYS


def test_a_system_that_writes_what_it_only_reads_does_not_compile(tmp_path: Path) -> None:
    project = asteroids(tmp_path, "gcc", "-fsyntax-only")
    main = project.folder / "main.c"
    text = main.read_text(encoding="utf-8")
    sealed = "    const float dt = (float)ctx->dt;\n"
    assert text.count(sealed) == 1
    main.write_text(text.replace(sealed, sealed + "    velocity.x[0] = 0;\n"), encoding="utf-8")
    with pytest.raises(AssertionError, match=r"read-only|const-qualified"):
        project.build("plain")
