"""Each game that `weft init` makes: built and run by its README, edited, and built again.

The folder is outside of this repository and contains only the files that `weft init` wrote.
"""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

import pytest

from installed import Folder, also, block
from kit.builds import BUILDS

LANGUAGES = ("", "--cpp")
WINDOWS = ("", "--sdl")

# Any two choices meet in one of the first eight: each build system has both languages, and a game
# with a window in one of them.
GAMES = list(product(enumerate(BUILDS), LANGUAGES, WINDOWS))
FIRST = [
    (build, language, window)
    for (number, build), language, window in GAMES
    if (number + bool(language) + bool(window)) % 2 == 0
]
ALL = [(build, language, window) for (_, build), language, window in GAMES]

SAYS = "a boat at 1, 0\na boat at 2, 1\na boat at 3, 2\n"
SLOWED = "a boat at 0.5, 0\na boat at 1, 1\na boat at 1.5, 2\n"
TICKS = " 64\n"  # of a second in all, for games with a window end with it only


def make(parent: Path, commands: Path, options: str) -> Folder:
    Folder(parent, commands).run(f"weft init boats {options}")
    return Folder(parent / "boats", commands)


def steps(game: Folder) -> tuple[str, str]:
    """The commands of its README that build it, and the one that runs it."""
    lines = block(game.path / "README.md", "sh build").splitlines()
    return "\n".join(lines[:-1]), lines[-1] + TICKS


def slow_down(game: Folder, main: str) -> None:
    """Boats get one field more, and go half as fast by it."""
    game.edit(
        "boats.toml",
        'y = "f32" }\n\n[prefab',
        'y = "f32", drag = { type = "f32", default = 0.5 } }\n\n[prefab',
    )
    game.edit(main, "velocity[i].x * dt", "velocity[i].x * dt * velocity[i].drag")


@pytest.mark.parametrize(("build", "language", "window"), ALL if also("all") else FIRST)
def test_a_game_is_built_run_edited_and_built_again(
    tmp_path: Path, commands: Path, build: str, language: str, window: str
) -> None:
    game = make(tmp_path, commands, f"--build {build} {language} {window}")
    first, run = steps(game)
    again = first.splitlines()[-1]
    game.run(first)
    assert game.run(run) == SAYS
    objects = game.objects()
    game.run(again)
    assert game.objects() == objects

    slow_down(game, "main.cpp" if language else "main.c")
    game.run(again)
    assert game.run(run) == SLOWED
    assert (game.path / "boats.save").exists()
    page = (game.path / "README.md").read_text(encoding="utf-8")
    (generated,) = re.findall(r"^\| `(.+)/` \| the C that the build generates", page, re.MULTILINE)
    assert (game.path / generated / "boats.h").exists()
    if language:
        game.edit("boats.toml", 'write = ["position"]', 'write = ["position", "velocity"]')
        game.edit("boats.toml", 'read = ["velocity"]\n', "")
        assert "no previous declaration" in game.try_run(again).stdout, (
            "a system with other columns"
        )


# How to build a game with another compiler for C++, before and in the commands of its README.
WITH_CLANG = {
    "ninja": ("sed -i 's/^cxx = .*/cxx = clang++/' build.ninja", ""),
    "cmake": ("", "export CXX=clang++"),
    "meson": ("", "export CXX=clang++"),
    "make": ("sed -i '1i CXX = clang++' Makefile", ""),
}


@pytest.mark.parametrize("build", BUILDS)
def test_clang_warns_of_a_system_with_other_parameters(
    tmp_path: Path, commands: Path, build: str
) -> None:
    game = make(tmp_path, commands, f"--build {build} --cpp")
    before, within = WITH_CLANG[build]
    first, _ = steps(game)
    game.run(f"{before}\n{within}\n{first}")
    game.edit("main.cpp", "const boats_velocity *velocity,", "boats_velocity *velocity,")
    again = first.splitlines()[-1]
    said = game.try_run(f"{within}\n{again}").stdout
    assert "no previous prototype for function 'boats_sail'" in said, said


MISTAKE = """    boats_despawn(w, (boats_entity){0});
    boats_boats_iter it = boats_boats_begin(w);
    while (boats_boats_next(&it)) boats_boat_spawn(w, NULL);
"""


@pytest.mark.parametrize("build", BUILDS)
def test_a_debug_build_tells_of_mistakes_and_a_release_does_not(
    tmp_path: Path, commands: Path, build: str
) -> None:
    game = make(tmp_path, commands, f"--build {build}")
    game.edit("main.c", "    fill(w);\n", f"    fill(w);\n{MISTAKE}")
    first, run = steps(game)
    game.run(first)
    said = game.try_run(f"{run}").stdout
    assert "world 'boats': no entity: the handle is none\n" in said, said
    assert "was used after a structural change" in said, said
    game.run(block(game.path / "README.md", "sh release"))
    released = run.replace("build/", "build-release/")
    assert game.run(released).startswith("a boat at 1, 0\n")
