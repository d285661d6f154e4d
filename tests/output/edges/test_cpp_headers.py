"""The header for C++20 includes small headers, each of which can be included alone."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from compilers import RUNTIME, WARNINGS
from generated import generate

HERE = Path(__file__).resolve().parent
FLAGS = ("-std=c++20", *WARNINGS, "-Wold-style-cast", "-Wsign-conversion", "-x", "c++")


def files_of(schema: str) -> dict[str, str]:
    """Returns the generated files by their names."""
    return {Path(path).name: text for path, text in generate(HERE / schema).files.items()}


def included_by(files: dict[str, str], name: str) -> set[str]:
    """Returns the generated files that a file includes, itself among them."""
    found, left = set(), [name]
    while left:
        one = left.pop()
        if one in files and one not in found:
            found.add(one)
            left += re.findall(r'^#include "([^"]+)"', files[one], re.MULTILINE)
    return found


@pytest.fixture(scope="module")
def compiled_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder where weft.hpp, which each of them includes first, is compiled."""
    folder = tmp_path_factory.mktemp("once")
    (folder / "once.hpp").write_text('#include "weft.hpp"\n', encoding="utf-8")
    command = ["g++", "-std=c++20", *WARNINGS, "-Wold-style-cast", "-Wsign-conversion"]
    command += ["-x", "c++-header", f"-I{RUNTIME}", str(folder / "once.hpp")]
    subprocess.run([*command, "-o", str(folder / "once.hpp.gch")], check=True)
    return folder


@pytest.mark.parametrize("schema", ["typed.toml", "port.toml", "begins.toml"])
def test_each_header_can_be_included_alone(
    schema: str, tmp_path: Path, compiled_once: Path
) -> None:
    thing = generate(HERE / schema)
    world = thing.write(tmp_path)
    headers = sorted(Path(path).name for path in thing.files if path.endswith(".hpp"))
    assert len(headers) > 10
    for header in headers:
        given = f'#include "{header}"\n#include "{header}"\n'
        done = subprocess.run(
            ["g++", *FLAGS, "-include", str(compiled_once / "once.hpp"), "-fsyntax-only"]
            + [f"-I{folder}" for folder in (RUNTIME, HERE, world)]
            + ["-"],
            input=given,
            capture_output=True,
            text=True,
            check=False,
        )
        assert (header, done.stderr) == (header, "")


@pytest.mark.parametrize("schema", ["typed.toml", "port.toml", "begins.toml"])
def test_the_whole_is_the_sum(schema: str) -> None:
    files = files_of(schema)
    [whole] = [name for name in files if name.endswith(".hpp") and "_" not in name]
    assert included_by(files, whole) >= {name for name in files if name.endswith(".hpp")}


# An edit of the schema, a header that has what was edited, and one that has nothing of it.
EDITS = [
    ('fields = { x = "f32", y = "f32" }', 'fields = { x = "f64", y = "f64" }', "by_place", "cargo"),
    ("cell = 4", "cell = 8", "by_place", "place"),
    ('optional = ["busy"]', 'optional = ["seen"]', "laden", "drifting"),
    ('fields = { who = "entity" }', 'fields = { whom = "entity" }', "news", "writer"),
    ('lookup = { read = ["cargo", "tows"', 'lookup = { read = ["tows"', "reader", "writer"),
]


@pytest.mark.parametrize(("old", "new", "has", "has_not"), EDITS)
def test_an_edit_changes_what_has_it(
    old: str, new: str, has: str, has_not: str, tmp_path: Path
) -> None:
    text = (HERE / "port.toml").read_text(encoding="utf-8")
    assert text.count(old) >= 1
    (tmp_path / "port.toml").write_text(text.replace(old, new, 1), encoding="utf-8")
    before = files_of("port.toml")
    edited = generate(tmp_path / "port.toml").files
    after = {Path(path).name: text for path, text in edited.items()}
    changed = {name for name in before if before[name] != after[name]}
    assert changed & included_by(before, f"port_{has}.hpp")
    assert not changed & included_by(before, f"port_{has_not}.hpp")


# What a demanding game compiles with. clang has warnings of everything; these few are about the
# language itself, about how structs lie in memory, and about pointers as arrays.
STRICT = (
    "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wsign-conversion", "-Wold-style-cast",
    "-Wshadow",
)  # fmt: skip
EVERYTHING = (
    "-Weverything", "-Wno-c++98-compat", "-Wno-c++98-compat-pedantic", "-Wno-pre-c++14-compat",
    "-Wno-pre-c++17-compat", "-Wno-pre-c++20-compat", "-Wno-c++20-compat", "-Wno-padded",
)  # fmt: skip
DEMANDING = [
    ("g++", (*STRICT, "-Wuseless-cast", "-Wzero-as-null-pointer-constant")),
    ("clang++", (*STRICT, *EVERYTHING)),
]


@pytest.mark.parametrize(("compiler", "flags"), DEMANDING)
@pytest.mark.parametrize(
    ("game", "world"),
    [("typed", "typed"), ("helpers", "port"), ("world", "port"), ("begins", "begins")],
)
def test_headers_are_quiet_in_a_demanding_game(
    compiler: str, flags: tuple[str, ...], game: str, world: str, tmp_path: Path
) -> None:
    """The games use all that these headers have; what is said of their own code does not count."""
    folder = generate(HERE / f"{world}.toml").write(tmp_path)
    file = tmp_path / "game.cpp"
    game_text = (HERE / f"{game}.cpp").read_text(encoding="utf-8")
    file.write_text(f'{game_text}\n#include "{world}_insight.h"\n', encoding="utf-8")
    done = subprocess.run(
        [compiler, "-std=c++20", "-fsyntax-only", *flags, str(file)]
        + [f"-I{include}" for include in (RUNTIME, HERE, folder)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0
    said = re.findall(r"^\S+?:\d+:\d+: warning.*$", done.stderr, re.MULTILINE)
    assert [line for line in said if "game.cpp" not in line] == []
    lost = '#include "weft.hpp"\nint f(double d) { return (int)d; }\n'
    file.write_text(lost, encoding="utf-8")
    flags_only = [compiler, "-std=c++20", "-fsyntax-only", *flags, f"-I{RUNTIME}", str(file)]
    done = subprocess.run(flags_only, capture_output=True, text=True, check=False)
    assert "game.cpp:2:" in done.stderr and "old-style-cast" in done.stderr
