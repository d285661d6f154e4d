"""The text that `stubs` prints compiles unchanged, and makes a game together with
generated code.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from hypothesis import assume, given

from built import built
from check import check
from compilers import COMPILERS, CPP_COMPILERS, EACH_FIRST, RUNTIME, WARNINGS, Compiler
from emit.stubs import stubs
from examples import examples, long_after
from generated import COLONY, ROOT, Generated, generate, generate_all
from parse import parse
from plan import make_plan
from random_schemas import schemas
from source.source import Report

WORLDS = ROOT / "tests" / "runtime" / "world"

GAME = """
#include <stdio.h>
int main(void)
{{
    {world}_world *w = {world}_open(NULL);
    weft_status status = w ? {world}_tick(w, 0.1) : WEFT_NO_MEMORY;
    {world}_close(w);
    return status == WEFT_OK ? 0 : 1;
}}
"""


def small_worlds() -> list[Generated]:
    return [generate(path, strict=False) for path in sorted(WORLDS.glob("*.toml"))]


def stubs_of(made: Generated, *, cpp: bool = False) -> str:
    return stubs(make_plan(made.model), cpp=cpp)


def complaints(compiler: Compiler, games: list[Generated], folder: Path) -> str:
    """Compiles the stubs of several worlds, of which no two have one name. All are one file, since
    most of what takes the compiler's time are the headers that all of them include."""
    cpp = compiler in CPP_COMPILERS
    files = []
    for made in games:
        own = made.write(folder)
        files.append(own / f"stubs.{'cc' if cpp else 'c'}")
        files[-1].write_text(stubs_of(made, cpp=cpp), encoding="utf-8")
    folders = [file.parent for file in files] + [made.own_headers for made in games]
    whole = folder / f"whole.{'cc' if cpp else 'c'}"
    whole.write_text("".join(f'#include "{file}"\n' for file in files), encoding="utf-8")
    return compiler.run([whole], folders, *(["-std=c++20"] if cpp else []))


@pytest.mark.parametrize("compiler", long_after(2, EACH_FIRST), ids=lambda compiler: compiler.name)
def test_they_compile_without_a_warning(compiler: Compiler, tmp_path: Path) -> None:
    assert complaints(compiler, generate_all(), tmp_path / "cases") == ""
    assert complaints(compiler, small_worlds(), tmp_path / "worlds") == ""


@examples(6, slow=True)
@given(schema=schemas())
def test_those_of_any_schema_compile(schema: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("stubs")
    file = folder / "schema.toml"
    file.write_text(schema, encoding="utf-8")
    report = Report()
    check(parse(str(file), report), report)
    assume(report.errors == 0)
    made = [generate(file, strict=False)]
    assert complaints(COMPILERS[0], made, folder) == ""
    assert complaints(CPP_COMPILERS[1], made, folder) == ""


COUNTERS = """
world = { name = "counters", phases = ["run"] }
component.i = { layout = "soa", fields = { x = "f32" } }
component.k = { fields = { x = "f32" } }
system.all = { phase = "run", write = ["i", "k"] }
system.list = { phase = "run", write = ["i", "k"], rows = "list", where = "changed(k)" }
system.mask = { phase = "run", write = ["i", "k"], rows = "mask", where = "changed(k)" }
"""


def test_a_component_that_is_called_like_a_counter_is_not_hidden(tmp_path: Path) -> None:
    file = tmp_path / "counters.toml"
    file.write_text(COUNTERS, encoding="utf-8")
    made = [generate(file, strict=False)]
    assert stubs_of(made[0]).count("i.x[i_row]") == 3
    assert complaints(COMPILERS[0], made, tmp_path) == ""
    assert complaints(CPP_COMPILERS[1], made, tmp_path) == ""


HOOKED = """
world = { name = "hooked", phases = ["run"] }
component.bag = { fields = { x = "f32" }, on_add = ["one", "both"], on_remove = ["both", "last"] }
component.tag = { on_add = ["both"], on_remove = ["both"] }
relation.in_bag = { on_parent_despawn = "detach", on_attach = ["both", "a"], on_detach = ["both"] }
"""


def test_a_hook_of_several_lists_is_printed_once_with_all_of_them(tmp_path: Path) -> None:
    file = tmp_path / "hooked.toml"
    file.write_text(HOOKED, encoding="utf-8")
    made = [generate(file, strict=False)]
    text = stubs_of(made[0])
    parts = text.split("\n\n")[1:]
    about = {part.split("void ")[1].split("(")[0]: part.replace("\n// ", " ") for part in parts}
    assert text.count("\nvoid ") == len(about) == 6
    called = {
        "hooked_bag_one": ["after e got the component"],
        "hooked_bag_both": ["after e got the component", "before the component is removed"],
        "hooked_bag_last": ["before the component is removed"],
        "hooked_tag_both": ["after e got the component", "before the component is removed"],
        "hooked_in_bag_both": ["after child was attached", "before child is detached"],
        "hooked_in_bag_a": ["after child was attached"],
    }
    every = {word for words in called.values() for word in words}
    assert {name: [w for w in sorted(every) if w in part] for name, part in about.items()} == {
        name: sorted(words) for name, words in called.items()
    }
    assert "They are" not in text  # it is about one function
    assert "may write to value" in about["hooked_bag_one"]
    assert "may write to value" not in about["hooked_bag_both"]  # whose value is const
    assert complaints(COMPILERS[0], made, tmp_path) == ""


def test_one_system_is_printed_alone() -> None:
    plan = make_plan(generate(COLONY).model)
    text = stubs(plan, "movement", cpp=True)
    assert text.startswith('#include "colony.hpp"\n')
    assert text.count("\nvoid ") == 1 and "void colony_movement(" in text


def test_what_writes_a_soa_component_begins_with_its_macro() -> None:
    """Whoever fills in the loop has vector code then."""
    plan = make_plan(generate(COLONY).model)
    text = stubs(plan, "steer")
    assert "\nCOLONY_DEFINE_STEER(ctx, count, position, walker, velocity)\n{\n" in text
    assert "void colony_steer(" not in text


@pytest.mark.parametrize("schema", [COLONY, WORLDS / "relay.toml", WORLDS / "crew.toml"])
def test_they_are_a_game_that_runs(schema: Path, tmp_path: Path) -> None:
    made = generate(schema, own_headers=ROOT / "tests" / "game", strict=False)
    own = made.write(tmp_path)
    game = own / "game.c"
    game.write_text(stubs_of(made) + GAME.format(world=made.world), encoding="utf-8")
    program = tmp_path / "game"
    files = [game, *sorted(own.glob(f"{made.world}_*.c")), built("build/clang/libweft.a")]
    include = [f"-I{folder}" for folder in (RUNTIME, own, made.own_headers)]
    flags = ["-std=c11", "-DNDEBUG", *WARNINGS, *include]
    command = ["clang", *flags, *map(str, files), "-pthread", "-o", str(program)]
    subprocess.run(command, check=True, env={**os.environ, "LC_ALL": "C"})
    assert subprocess.run([program], check=False).returncode == 0
