"""The header for C++20 has typed calls of each kind, and compilers warn about incomplete switches
over its enums.
"""

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


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the generated code of port.toml."""
    return generate(HERE / "port.toml").write(tmp_path_factory.mktemp("port"))


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


def output_of(game: Path, world: Path, out: Path) -> tuple[str, int]:
    """Returns the output and the exit code of a game, which is compiled without a warning."""
    object, program = out / "world.o", out / "program"
    flags = (*WARNINGS, *SANITIZERS)
    code = ("clang", "-std=c11", *flags, "-c", write_whole(world), "-o", object)
    assert said_by(*code, world=world) == ""
    linked = ("clang++", "-std=c++20", *flags, game, object, built("build/asan/libweft.a"))
    assert said_by(*linked, LINKERS["clang++"], "-o", program, world=world) == ""
    done = subprocess.run([program], capture_output=True, text=True, check=False)
    # Debug builds print each refusal, which these games cause on purpose.
    said = [line for line in done.stderr.splitlines() if not line.startswith("world '")]
    return done.stdout + "\n".join(said), done.returncode


@pytest.fixture(scope="module")
def begins(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the generated code of begins.toml."""
    return generate(HERE / "begins.toml").write(tmp_path_factory.mktemp("begins"))


# Games and the worlds they are of.
GAMES = [("typed", "typed"), ("helpers", "port"), ("world", "port"), ("begins", "begins")]


@pytest.mark.parametrize(("game", "world"), GAMES)
def test_calls_do_what_those_of_c_do(
    game: str, world: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    folder = request.getfixturevalue(world)
    assert output_of(HERE / f"{game}.cpp", folder, tmp_path) == ("", 0)


@pytest.mark.parametrize(("game", "world"), GAMES)
def test_the_other_compiler_takes_it(game: str, world: str, request: pytest.FixtureRequest) -> None:
    flags = ("-std=c++20", *WARNINGS, "-fsyntax-only")
    said = said_by("g++", *flags, HERE / f"{game}.cpp", world=request.getfixturevalue(world))
    assert said == ""


def test_the_manual_compiles(tmp_path: Path) -> None:
    """Each section of it is a function, in which what stands for more code is nothing."""
    manual = (RUNTIME / "weft.hpp").read_text(encoding="utf-8").split("#ifndef")[0]
    sections, helpers = [], []
    for section in re.split(r"^//(?! {5})(?:.*)\n", manual, flags=re.MULTILINE):
        lines = [line.removeprefix("//     ") for line in section.splitlines()]
        text = "\n".join(re.sub(r"(^|\s+)//.*$", "", line) for line in lines)
        text = re.sub(r"\) …$", ") {}", text, flags=re.MULTILINE)
        (helpers if text.startswith("bool") else sections).append(text)
    assert sum(text.count(";") for text in sections) >= 50 and len(helpers) == 1
    takes = (
        "const burrow_walk_ctx *ctx, weft::world<burrow_world> &w, "
        "weft::world<burrow_world> &level, weft_options options, burrow_entity rabbit, "
        "burrow_entity e, burrow_entity child, burrow_entity parent, burrow_entity root, "
        "burrow_entity a, burrow_entity b, "
        "std::span<burrow_entity> kept, float x, float y, float r, float radius, "
        "double dt, canvas canvas, uint32_t i, "
        "void (*function)(burrow_entity, burrow_position *)"
    )
    functions = [f"void f{n}({takes}) {{ {{\n{text}\n}} }}" for n, text in enumerate(sections)]
    file = tmp_path / "manual.cpp"
    head = '#include "burrow.hpp"\n#include <cstdio>\n'
    file.write_text("\n".join([head, *helpers, *functions, ""]), encoding="utf-8")
    world = generate(HERE / "manual.toml").write(tmp_path)
    for compiler in CPP_COMPILERS:
        said = said_by(compiler, "-std=c++20", "-fsyntax-only", "-w", file, world=world)
        assert said == ""


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


# Statements that do not compile, and below them some that do.
MISTYPED = [
    "typed_goods goods = 1; (void)goods;",
    "w.go(TYPED_GOODS_WOOD);",
    "w.put(typed_rang{});",
    "other_canvas c; w.bind(&c);",
    "int c; w.bind(&c);",
    "w.near<typed_by_place>(1, 2, 3, 4);",
    "w.near<typed_by_age>(1, 2, 3);",
    "w.find<typed_by_goods>(1);",
    'w.count<typed_by_name>("Ada");',
    "w.first<typed_by_name>();",
    "weft::name(1);",
    "r.find<typed_by_goods>(TYPED_GOODS_WOOD);",
    "r.go(TYPED_GAME_PLAY);",
    "int age = 300; w.count<typed_by_year>(age);",
    "w.count<typed_by_year>(300);",
    "w.count<typed_by_year>(-1);",
    "w.count<typed_by_year>(1.5);",
    'int age = 3; w.count<typed_by_name>({"Ada", age});',
    'w.count<typed_by_name>({"Ada", 256});',
    "int age = 300; w.range<typed_by_age>(0, age);",
    "w.range<typed_by_age>(0, 300);",
    "w.range<typed_by_age>(-1, 3);",
    "typed_entity e = TYPED_NONE; int i = e; (void)i;",
    "typed_entity e = TYPED_NONE; bool is = e; (void)is;",
]
TYPED = [
    "(void)r.now<typed_game>(); w.find<typed_by_goods>(TYPED_GOODS_WOOD);",
    "const uint8_t age = 44; w.count<typed_by_year>(age); w.count<typed_by_year>(44);",
    'unsigned char age = 3; w.count<typed_by_name>({"Ada", age});',
    "unsigned char age = 3; w.range<typed_by_age>(age, 255);",
    "w.bind<typed_third_resource>(nullptr); w.bind<canvas>(nullptr);",
    "typed_entity e = TYPED_NONE; if (e || !e || e < e) return;",
]


def refused(compiler: str, lines: list[str], file: Path, world: Path) -> list[str]:
    """Returns the lines behind the first one in which a compiler finds errors."""
    file.write_text("\n".join([*lines, ""]), encoding="utf-8")
    all_errors = "-ferror-limit=0" if "clang" in compiler else "-fmax-errors=0"
    flags = ("-std=c++20", "-fsyntax-only", "-w", all_errors)
    said = said_by(compiler, *flags, file, world=world)
    # gcc places the error of a constant in the header, below a line that leads to it.
    errors = re.findall(rf"{file.name}:(\d+):\d+: +(?:error|in .constexpr. expansion)", said)
    assert ("error" in said) == bool(errors), said
    places = sorted({int(line) - 1 for line in errors})
    return [lines[at] for at in places]


def functions(takes: str, uses: str, statements: list[str]) -> list[str]:
    """Writes each statement into a function on a line of its own."""
    return [f"void f{i}({takes}) {{ {uses} {one} }}" for i, one in enumerate(statements)]


@pytest.mark.parametrize("compiler", CPP_COMPILERS)
def test_what_has_another_type_does_not_compile(compiler: str, typed: Path, tmp_path: Path) -> None:
    takes = "weft::world_ref<typed_world> w, weft::world_ref<const typed_world> r"
    lines = functions(takes, "(void)w, (void)r;", MISTYPED + TYPED)
    found = refused(compiler, ['#include "typed.hpp"', *lines], tmp_path / "wrong.cpp", typed)
    assert found == lines[: len(MISTYPED)]


UNGRANTED = [
    "(void)weft::edit<port_cargo>(r, e);",
    "(void)weft::get<port_claim>(r, e);",
    "(void)weft::has<port_claim>(*r, e);",
    "(void)weft::edit<port_claim>(w->cargo, e);",
    "(void)weft::get<port_cargo>(w->claim, e);",
    "weft::set<port_taken>(r, e);",
    "weft::set<port_busy>(w, e);",
    "weft::emit(w, port_built{});",
    "weft::emit(r, port_claim{});",
    "(void)weft::near<port_by_place>(w, 1, 2, 3);",
    "(void)weft::near<port_by_place>(h, 1, 2, 3);",
    "(void)weft::find<port_by_region>(r, 300);",
    "(void)weft::each<port_laden>(w);",
    "(void)weft::each<port_drifting>(h);",
    "(void)weft::parent<port_tows>(w, e);",
    "(void)weft::edit<port_weather>(r);",
    "(void)weft::edit<port_weather>(h);",
    "weft::go(r, PORT_TIDE_LOW);",
    "(void)weft::edit<port_claim>(h, e);",
    "weft::attach<port_tows>(w, e, e);",
    "weft::spawn<port_claim>(w->cmd);",
    "weft::set(w->cmd, e, 1);",
    "weft::set<port_claim>(w, e, port_claim{});",
    "(void)weft::get<port_cargo>(w->cmd, e);",
    "weft::put<port_busy>(w, 0, true);",
    "weft::touch<port_busy>(s, 0);",
    "port_cargo_writer made{r->cargo}; (void)made;",
    "port_cargo_writer made{.reader = r->cargo}; (void)made;",
    "port_claim_writer made{}; (void)made;",
    "port_claim_writer made; (void)made;",
    "(void)weft::each<port_laden_iter>(r);",
    "(void)weft::edit<port_owes>(r, e, e);",
    "(void)weft::edit<port_owes>(h, e, e);",
    "(void)weft::has<port_knows>(w, e, e);",
    "weft::set(w, e, e, port_owes{});",
    "weft::set<port_owes>(w->cmd, e, e);",
    "(void)weft::get<port_knows>(r, e, e);",
]
GRANTED = [
    "(void)weft::get<port_owes>(r, e, e); (void)weft::links<port_knows>(h);",
    "static_assert(weft::writes<port_writer_ctx, port_owes>);",
    "static_assert(!weft::writes<port_reader_ctx, port_owes>);",
    "(void)weft::get<port_cargo>(r, e); (void)weft::get<port_claim>(w, e);",
    "(void)weft::edit<port_claim>(*w, e); weft::set<port_taken>(w->taken, e);",
    "(void)weft::near<port_by_place>(r, 1, 2, 3); (void)weft::find<port_by_region>(r, 255);",
    "(void)weft::get<port_weather>(h); (void)weft::edit<port_weather>(w);",
    "(void)weft::each<port_laden>(h); (void)weft::get<port_claim>(h, e);",
    "(void)weft::get<port_reason>(h, e); (void)weft::has<port_reason>(*h, e);",
    "weft::put<port_busy>(s, 0, true); weft::touch<port_claim>(s, 0);",
    "port_claim_writer kept = w->claim; kept = w->claim; (void)weft::edit<port_claim>(kept, e);",
    "const port_writer_ctx made{.dt = 0.5}; (void)made; (void)port_writer_ctx{};",
    "static_assert(weft::reads<port_reader_ctx, port_cargo, port_tows, port_laden>);",
    "static_assert(!weft::reads<port_reader_ctx, port_cargo, port_claim>);",
    "static_assert(weft::writes<port_writer_ctx, port_claim, port_weather, port_tide>);",
    "static_assert(!weft::writes<port_writer_ctx, port_claim, port_cargo>);",
    "static_assert(weft::emits<port_reader_ctx, port_built>);",
    "static_assert(!weft::emits<port_writer_ctx, port_built>);",
]


@pytest.mark.parametrize("compiler", CPP_COMPILERS)
def test_what_is_not_granted_does_not_compile(compiler: str, port: Path, tmp_path: Path) -> None:
    takes = (
        "const port_reader_ctx *r, const port_writer_ctx *w, const port_rows_ctx *s, "
        "const port_hook_ctx *h, port_entity e"
    )
    lines = functions(takes, "(void)r, (void)w, (void)s, (void)h, (void)e;", UNGRANTED + GRANTED)
    found = refused(compiler, ['#include "port.hpp"', *lines], tmp_path / "wrong.cpp", port)
    assert found == lines[: len(UNGRANTED)]
