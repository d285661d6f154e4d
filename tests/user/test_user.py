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
from dataclasses import dataclass
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
WEFT = HERE.parent.parent
PAGES = "".join(
    (WEFT / page).read_text(encoding="utf-8") for page in ("README.md", "runtime/BUILDS.md")
)
EXAMPLE = "drift"
COMPILERS = ("gcc", "clang")
STEPS = ("plain", "ninja")
FAST_TO_BUILD = "-O0"

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


def beside_weft(parent: Path, name: str, compiler: str, flag: str) -> Project:
    """An empty project in a folder with Weft beside it. `cc` is this compiler, and adds a flag."""
    (parent / "weft").symlink_to(WEFT)
    tools = parent / "tools"
    tools.mkdir()
    found = shutil.which(compiler)
    assert found is not None
    (tools / "cc").write_text(f'#!/bin/sh\nexec {found} "$@" {flag}\n', encoding="utf-8")
    (tools / "cc").chmod(0o755)
    folder = parent / name
    folder.mkdir()
    return Project(folder, name, dict(os.environ, PATH=f"{tools}:{os.environ['PATH']}"))


def example(parent: Path, compiler: str, flag: str = FAST_TO_BUILD) -> Project:
    project = beside_weft(parent, EXAMPLE, compiler, flag)
    for kind, file in (("toml", f"{EXAMPLE}.toml"), ("c", "main.c")):
        (project.folder / file).write_text(block(f"{kind} {file}"), encoding="utf-8")
    return project


def asteroids_game(parent: Path, compiler: str = "gcc") -> Project:
    project = beside_weft(parent, "asteroids", compiler, FAST_TO_BUILD)
    for file in ("asteroids.toml", "main.c"):
        shutil.copy(HERE / file, project.folder)
    return project


@pytest.fixture
def asteroids(tmp_path: Path) -> Project:
    return asteroids_game(tmp_path)


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("step", STEPS)
def test_the_example_says_what_readme_says(tmp_path: Path, compiler: str, step: str) -> None:
    to_the_letter = (compiler, step) == ("gcc", "plain")
    project = example(tmp_path, compiler, "" if to_the_letter else FAST_TO_BUILD)
    project.build(step)
    assert project.says() == block("text output")


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("step", STEPS)
def test_a_game_of_its_own_plays(tmp_path: Path, compiler: str, step: str) -> None:
    project = asteroids_game(tmp_path, compiler)
    project.build(step)
    assert project.says() == ASTEROIDS_SAYS


PARTS = """mkdir build/parts
for part in $(cd ../weft/runtime && find * -mindepth 1 -name '*.c'); do
    gcc -std=c11 -c ../weft/runtime/$part -o build/parts/$(echo $part | tr / _).o
done
ar rcs build/libweft.a build/parts/*.o
"""


@pytest.mark.parametrize("form", ["", PARTS], ids=["one file", "parts"])
def test_a_game_in_cpp(tmp_path: Path, form: str) -> None:
    project = example(tmp_path, "gcc")
    project.build("ninja")
    if form:
        (project.folder / "build/libweft.a").unlink()
        project.run(form)
    shutil.copy(HERE / "main.cpp", project.folder)
    for compiler in ("g++", "clang++"):
        project.run(
            f"{compiler} -std=c++17 -Wall -Wextra -Wpedantic -Werror -I generated/drift "
            "-I ../weft/runtime -c main.cpp -o build/cpp.o\n"
            f"{compiler} build/cpp.o build/drift_*.o build/libweft.a -o drift"
        )
        assert project.says() == block("text output")


@pytest.mark.parametrize("compiler", ["g++", "clang++"])
def test_a_game_in_cpp_20(tmp_path: Path, compiler: str) -> None:
    project = example(tmp_path, "gcc")
    project.build("ninja")
    shutil.copy(HERE / "modern.cpp", project.folder)
    project.run(
        f"{compiler} -std=c++20 -Wall -Wextra -Wpedantic -Wconversion -Wold-style-cast -Werror "
        "-I generated/drift -I ../weft/runtime -c modern.cpp -o build/cpp.o\n"
        f"{compiler} build/cpp.o build/drift_*.o build/libweft.a -o drift"
    )
    assert project.says() == block("text output")


def test_a_second_ninja_does_nothing(asteroids: Project) -> None:
    asteroids.build("ninja")
    assert "no work to do" in asteroids.run("ninja")


def test_a_changed_schema_is_noticed(asteroids: Project) -> None:
    asteroids.build("ninja")
    schema = asteroids.folder / "asteroids.toml"
    text = schema.read_text(encoding="utf-8")
    assert text.count("default = 24.0") == 1
    schema.write_text(text.replace("default = 24.0", "default = 2.0"), encoding="utf-8")
    asteroids.run("ninja")
    assert asteroids.says() != ASTEROIDS_SAYS


def test_a_system_that_writes_what_it_only_reads_does_not_compile(asteroids: Project) -> None:
    main = asteroids.folder / "main.c"
    text = main.read_text(encoding="utf-8")
    sealed = "    const float dt = (float)ctx->dt;\n"
    assert text.count(sealed) == 1
    main.write_text(text.replace(sealed, sealed + "    velocity.x[0] = 0;\n"), encoding="utf-8")
    with pytest.raises(AssertionError, match=r"read-only|const-qualified"):
        asteroids.build("plain")
