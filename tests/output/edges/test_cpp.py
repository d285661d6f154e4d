"""The header for C++20 has typed calls of each kind, and compilers warn of its enums."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from built import built
from compilers import LINKERS, RUNTIME, SANITIZERS, WARNINGS
from generated import generate, write_whole

HERE = Path(__file__).resolve().parent
CPP_COMPILERS = ("g++", "clang++")


@pytest.fixture(scope="module")
def typed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the generated code of typed.toml."""
    return generate(HERE / "typed.toml").write(tmp_path_factory.mktemp("typed"))


def said_by(*command: str | Path, world: Path) -> str:
    """Returns what a compiler says."""
    include = [f"-I{folder}" for folder in (RUNTIME, HERE, world)]
    done = subprocess.run(
        [*command, *include],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return done.stdout


def test_typed_calls_do_what_those_of_c_do(typed: Path, tmp_path: Path) -> None:
    game, object, program = HERE / "typed.cpp", tmp_path / "typed.o", tmp_path / "program"
    flags = (*WARNINGS, *SANITIZERS)
    code = ("clang", "-std=c11", *flags, "-c", write_whole(typed), "-o", object)
    assert said_by(*code, world=typed) == ""
    linked = ("clang++", "-std=c++20", *flags, game, object, built("build/asan/libweft.a"))
    assert said_by(*linked, LINKERS["clang++"], "-o", program, world=typed) == ""
    done = subprocess.run([program], capture_output=True, text=True, check=False)
    assert (done.stdout + done.stderr, done.returncode) == ("", 0)


# A game of which the compiler is to say that `stone` is forgotten.
FORGETFUL = """
#include "typed.h"
int worth(typed_goods goods);
int worth(typed_goods goods)
{
    switch (goods) {
    case TYPED_GOODS_BREAD: return 1;
    case TYPED_GOODS_WOOD: return TYPED_GOODS_COUNT;
    }
    return goods < TYPED_GOODS_COUNT ? 2 : 0;
}
"""
# All of C and C++ that have enums of a planned type; C11 takes any number, and says nothing.
WARNED = [(name, standard) for name in CPP_COMPILERS for standard in ("c++17", "c++20")]
C23 = [(name, "c2x") for name in ("gcc-14", "gcc-15", "clang-19", "clang-20") if shutil.which(name)]


def languages() -> list[tuple[str, str, bool]]:
    silent = [(compiler, "c11", False) for compiler in ("gcc", "clang")]
    return [(*one, True) for one in (*WARNED, *C23)] + silent


@pytest.mark.parametrize(("compiler", "standard", "warns"), languages())
def test_a_switch_that_forgets_a_value(
    compiler: str, standard: str, warns: bool, typed: Path, tmp_path: Path
) -> None:
    game = tmp_path / ("game.cpp" if "++" in standard else "game.c")
    game.write_text(FORGETFUL, encoding="utf-8")
    flags = (f"-std={standard}", "-Wall", "-Wextra", "-Wpedantic", "-fsyntax-only")
    said = said_by(compiler, *flags, game, world=typed)
    assert said.count("warning:") == warns
    assert ("TYPED_GOODS_STONE" in said and "[-Wswitch]" in said) == warns


@pytest.mark.parametrize("compiler", CPP_COMPILERS)
def test_what_has_another_type_does_not_compile(compiler: str, typed: Path, tmp_path: Path) -> None:
    """Each function on a line of its own; the last one is sound."""
    wrong = [
        "typed_goods goods = 1; (void)goods;",
        "w.go(TYPED_GOODS_WOOD);",
        "w.put(typed_rang{});",
        "other_canvas c; w.bind(&c);",
        "int c; w.bind(&c);",
        "w.near<typed_by_place_near_iter>(1, 2, 3, 4);",
        "w.near<typed_by_age_range_iter>(1, 2, 3);",
        "w.find<typed_by_goods_each_iter>(1);",
        'w.count<typed_by_name_each_iter>("Ada");',
        "w.first<typed_by_name_each_iter>();",
        "weft::name(1);",
        "r.find<typed_by_goods_each_iter>(TYPED_GOODS_WOOD);",
        "r.go(TYPED_GAME_PLAY);",
        "(void)r.now<typed_game>(); w.find<typed_by_goods_each_iter>(TYPED_GOODS_WOOD);",
    ]
    takes = "weft::world_ref<typed_world> w, weft::world_ref<const typed_world> r"
    lines = [f"void f{i}({takes}) {{ (void)w, (void)r; {one} }}" for i, one in enumerate(wrong)]
    file = tmp_path / "wrong.cpp"
    file.write_text("\n".join(['#include "typed.hpp"', *lines, ""]), encoding="utf-8")
    said = said_by(compiler, "-std=c++20", "-fsyntax-only", "-w", file, world=typed)
    errors = re.findall(r"wrong\.cpp:(\d+):\d+: error", said)
    places = {int(line) - 2 for line in errors}
    assert places == set(range(len(wrong) - 1))
