"""After every kind of edit, a build compiles the files that depend on it and no others."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from installed import Folder

# The build of `weft init`, how the game is built each time, and where the program is then.
CMAKE = "([ -d build ] || cmake -B build) && cmake --build build -j4"
BUILDS = {
    "ninja": ("ninja", "ninja -j4", "./"),
    "cmake": ("cmake", f"export CMAKE_GENERATOR=Ninja && {CMAKE}", "build/"),
    "cmake make": ("cmake", f"export CMAKE_GENERATOR='Unix Makefiles' && {CMAKE}", "build/"),
    "meson": ("meson", "[ -d build ] || meson setup build; meson compile -C build -j4", "build/"),
    "make": ("make", "make -j4", "./"),
}
# Each has a second source, which includes one header alone.
ALONE = '#include "boats_position.h"\nfloat alone(const boats_position *p);\n' + (
    "float alone(const boats_position *p)\n{\n    return p->x;\n}\n"
)
ADDED = {
    "ninja": (
        "build.ninja",
        "build boats: link ",
        "build build/alone.o: weft_cc alone.c || generated/boats/boats_world.c\n"
        "build boats: link build/alone.o ",
    ),
    "cmake": ("CMakeLists.txt", "(boats main.c)", "(boats main.c alone.c)"),
    "meson": ("meson.build", "'main.c'", "'main.c', 'alone.c'"),
    "make": (
        "Makefile",
        "OBJECTS = build/main.o",
        "-include build/alone.d\n"
        "build/alone.o: alone.c\n\t$(CC) $(CFLAGS) $(CPPFLAGS) -MMD -MP -c $< -o $@\n"
        "OBJECTS = build/alone.o build/main.o",
    ),
}


@dataclass
class Game:
    folder: Folder
    again: str
    program: str

    def built(self) -> set[str]:
        """Builds, and returns which of the two sources were compiled."""
        before = self.folder.objects()
        self.folder.run(self.again)
        made = {name for name, time in self.folder.objects().items() if before.get(name) != time}
        return {stem for stem in ("main", "alone") if any(stem in name for name in made)}

    def says(self) -> str:
        return self.folder.run(f"{self.program}boats 64")


@pytest.fixture(params=BUILDS)
def game(request: pytest.FixtureRequest, tmp_path: Path, commands: Path) -> Game:
    build, again, program = BUILDS[request.param]
    Folder(tmp_path, commands).run(f"weft init boats --build {build}")
    folder = Folder(tmp_path / "boats", commands)
    folder.write("alone.c", ALONE)
    folder.edit(*ADDED[build])
    return Game(folder, again, program)


def test_a_build_does_what_it_has_to(game: Game) -> None:
    folder = game.folder
    assert game.built() == {"main", "alone"}
    said = game.says()

    assert game.built() == set(), "nothing was edited"

    with open(folder.path / "boats.toml", "a", encoding="utf-8") as schema:
        schema.write("# a comment\n")
    assert game.built() == set(), "a comment in the schema"
    assert game.built() == set()

    folder.edit("boats.toml", "default = 1.0", "default = 2.0")
    assert game.built() <= {"main"}, "a default is in a header of its component"

    folder.edit("boats.toml", 'y = "f32" }\n\n[prefab', 'y = "f32", z = "f32" }\n\n[prefab')
    assert game.built() == {"main"}, "a field of velocity, which alone.c does not see"
    assert game.says() == said

    folder.edit("boats.toml", '{ x = "f32", y = "f32" }', '{ y = "f32", x = "f32" }')
    assert game.built() == {"main", "alone"}, "a field of position"
    assert game.says() == said

    folder.edit(
        "boats.toml",
        "[prefab.boat]",
        '[component.cargo]\nfields = { tons = "f32" }\n\n[prefab.boat]',
    )
    folder.edit(
        "alone.c", 'position.h"\n', 'position.h"\n#include "boats_cargo.h"\nboats_cargo c;\n'
    )
    assert game.built() == {"main", "alone"}, "a new component, and who includes it"
    folder.edit("boats.toml", "cargo", "freight")
    folder.edit("alone.c", '#include "boats_cargo.h"\nboats_cargo c;\n', "")
    assert game.built() == {"main", "alone"}, "a header is gone"
    assert game.says() == said

    folder.write("more.toml", '[component.wind]\nfields = { x = "f32" }\n')
    folder.edit("boats.toml", "[world]", 'import = ["more.toml"]\n\n[world]')
    assert "main" in game.built(), "an import"
    folder.write("more.toml", '[component.wind]\nfields = { x = "f32", y = "f32" }\n')
    assert "main" in game.built(), "an imported file"
    (folder.path / "more.toml").unlink()
    folder.edit("boats.toml", 'import = ["more.toml"]\n\n', "")
    assert "main" in game.built(), "an import is gone, with its file"
    assert game.says() == said

    folder.edit("boats.toml", 'read = ["velocity"]', 'read = ["velocty"]')
    wrong = folder.try_run(game.again)
    assert wrong.returncode != 0
    assert "did you mean 'velocity'?" in wrong.stdout
    folder.edit("boats.toml", "velocty", "velocity")
    assert game.built() == set(), "a mistake is mended"

    folder.edit("main.c", "i < 3", "i < 2")
    assert game.built() == {"main"}
    assert game.says() != said

    header = next(path for path in folder.path.rglob("boats_position.h"))
    header.unlink()
    stamps = [path for name in ("*.stamp", "boats.d") for path in folder.path.rglob(name)]
    for stamp in stamps:
        stamp.unlink()
    game.built()
    assert header.exists(), "a generated file is made again with its stamp"
