"""README's commands with the other compiler, for a larger game, and for games in C++.

tests/user/test_user.py runs each command once, as part of `ninja test`.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from built import built
from readme_games import FAST_TO_BUILD, USER, Builds, asteroids, block, example, swarm

WARNINGS = "-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror"

# Projects that are built once stay together on one processor.
pytestmark = pytest.mark.xdist_group("readme")


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("builds")


@pytest.fixture
def builds(root: Path, tmp_path: Path) -> Builds:
    return Builds(root, tmp_path)


@pytest.mark.parametrize(("step", "compiler"), [("plain", "clang"), ("ninja", "gcc")])
def test_the_example_says_what_readme_says(builds: Builds, compiler: str, step: str) -> None:
    assert builds.copy(example, compiler, step).says() == block("text output")


@pytest.mark.parametrize(
    ("step", "compiler"), [("plain", "gcc"), ("plain", "clang"), ("ninja", "clang")]
)
def test_a_game_of_its_own_plays(builds: Builds, compiler: str, step: str) -> None:
    expected = (USER / "expected.txt").read_text(encoding="utf-8")
    assert builds.copy(asteroids, compiler, step).says() == expected


@pytest.mark.parametrize(
    ("compiler", "flags"), [("clang", "-g -fsanitize=address,undefined"), ("gcc", WARNINGS)]
)
def test_a_game_of_survivors_ends_alike_in_every_way(
    tmp_path: Path, compiler: str, flags: str
) -> None:
    project = swarm(tmp_path, compiler, f"{FAST_TO_BUILD} -I. {flags}")
    project.build("plain")
    assert project.says() == (USER / "swarm/expected.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("form", ["one file", "parts"])
def test_a_game_in_cpp(builds: Builds, form: str) -> None:
    project = builds.copy(example, "gcc", "ninja")
    if form == "parts":
        shutil.copy(built("build/gcc/libweft.a"), project.folder / "build")
    shutil.copy(USER / "main.cpp", project.folder)
    for compiler in ("g++", "clang++"):
        project.run(
            f"{compiler} -std=c++17 -Wall -Wextra -Wpedantic -Werror -I generated/burrow "
            "-I ../weft/runtime -c main.cpp -o build/cpp.o\n"
            f"{compiler} build/cpp.o build/burrow_*.o build/libweft.a -o burrow"
        )
        assert project.says() == block("text output")


@pytest.mark.parametrize("compiler", ["g++", "clang++"])
def test_a_game_in_cpp_20(builds: Builds, compiler: str) -> None:
    project = builds.copy(example, "gcc", "ninja")
    shutil.copy(USER / "modern.cpp", project.folder)
    project.run(
        f"{compiler} -std=c++20 -Wall -Wextra -Wpedantic -Wconversion -Wold-style-cast -Werror "
        "-I generated/burrow -I ../weft/runtime -c modern.cpp -o build/cpp.o\n"
        f"{compiler} build/cpp.o build/burrow_*.o build/libweft.a -o burrow"
    )
    assert project.says() == block("text output")
