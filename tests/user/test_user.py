"""A game of an author who has only README, built outside this repository by the commands it gives.

The tests use the blocks of README, and of BUILDS.md for Ninja. The example is built and run exactly
as printed. The game in this folder, a different world, is built by these commands with its own
name. Nothing is optimised because that takes a third of the time: tests/reach/release.py builds
README's example by its two lines exactly as printed, and the builds of `ninja test` check that
optimising changes nothing. Each command runs once here, with gcc or clang as `cc`;
tests/reach/readme.py has the other compiler for each, a larger game, and games in C++.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from readme_games import USER, Builds, asteroids, block, example

ASTEROIDS_SAYS = (USER / "expected.txt").read_text(encoding="utf-8")

# Projects that are built once stay together on one processor.
pytestmark = pytest.mark.xdist_group("user")


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("builds")


@pytest.fixture
def builds(root: Path, tmp_path: Path) -> Builds:
    return Builds(root, tmp_path)


@pytest.mark.parametrize(("step", "compiler"), [("plain", "gcc"), ("ninja", "clang")])
def test_the_example_says_what_readme_says(builds: Builds, compiler: str, step: str) -> None:
    assert builds.copy(example, compiler, step).says() == block("text output")


def test_a_game_of_its_own_plays(builds: Builds) -> None:
    assert builds.copy(asteroids, "gcc", "ninja").says() == ASTEROIDS_SAYS


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
