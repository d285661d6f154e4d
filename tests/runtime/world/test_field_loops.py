"""The plain loop over all fields of soa components becomes vector code for any number of fields.

The test reads the machine code of C and C++ at -O2 and -O3: the function of the loop must contain a
packed multiplication for each multiplied field.
"""

from __future__ import annotations

import platform
import re
import subprocess
from collections import Counter
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import pytest

import field_loops
from built import built
from compilers import C_COMPILERS, COMPILERS, RUNTIME, WARNINGS, Compiler
from generated import generate

SIZES = (3, 9, 16)
LEVELS = ("-O2", "-O3")
LABEL = re.compile(r"([A-Za-z_][\w.]*):")
PACKED = {"x86_64": r"\s+v?mulps\s", "aarch64": r"\s+fmul\s+v"}[platform.machine()]


@dataclass(frozen=True)
class Sky:
    """The world of a size with its game, which is C and C++."""

    count: int
    game: Path
    headers: Path

    def packed(self, function: str, compiler: Compiler, level: str) -> int:
        """Counts packed multiplications of a function, wherever the compiler has put its loop."""
        found = packed(self, compiler, level)
        return sum(number for symbol, number in found.items() if function in symbol)


@cache
def packed(sky: Sky, compiler: Compiler, level: str) -> Counter[str]:
    """Counts the packed multiplications of each function, by its symbol."""
    flags = [*WARNINGS, "-ffp-contract=off", level, f"-I{RUNTIME}", f"-I{sky.headers}"]
    command = [compiler.name, *compiler.language, *flags, "-S", "-o", "-", str(sky.game)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found: Counter[str] = Counter()
    function = ""
    for line in done.stdout.splitlines():
        label = LABEL.match(line)
        function = label[1] if label else function
        found[function] += bool(re.match(PACKED, line))
    return found


@pytest.fixture(scope="module")
def skies(tmp_path_factory: pytest.TempPathFactory) -> dict[int, Sky]:
    made = {}
    for count in SIZES:
        folder = tmp_path_factory.mktemp(f"sky{count}")
        (folder / "sky.toml").write_text(field_loops.schema(count), encoding="utf-8")
        (folder / "game.c").write_text(field_loops.game(count), encoding="utf-8")
        headers = generate(folder / "sky.toml").write(folder)
        made[count] = Sky(count, folder / "game.c", headers)
    return made


@pytest.mark.parametrize("count", SIZES)
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("compiler", COMPILERS, ids=lambda compiler: compiler.name)
class TestVectorised:
    def test_seed_B3_a_loop_over_all_fields_of_several_components(
        self, compiler: Compiler, level: str, count: int, skies: dict[int, Sky]
    ) -> None:
        assert skies[count].packed("sky_fly", compiler, level) >= count

    def test_seed_B3_a_loop_over_all_fields_of_one_component(
        self, compiler: Compiler, level: str, count: int, skies: dict[int, Sky]
    ) -> None:
        last_has_no_product = 1
        wanted = count - last_has_no_product
        assert skies[count].packed("sky_simulate", compiler, level) >= wanted

    def test_seed_C3_a_query_loop_over_all_fields_of_several_components(
        self, compiler: Compiler, level: str, count: int, skies: dict[int, Sky]
    ) -> None:
        assert skies[count].packed("drift", compiler, level) >= count


def plain(game: str) -> str:
    """Returns the game with a system that is defined by its prototype."""
    prototype = (
        "void sky_fly(const sky_fly_ctx *ctx, uint32_t count, "
        "sky_velocity_const_columns velocity, sky_position_columns position)"
    )
    macro = "SKY_DEFINE_FLY(ctx, count, velocity, position)"
    assert macro in game
    return game.replace(macro, prototype)


def test_a_struct_of_pointers_alone_does_not_tell(skies: dict[int, Sky], tmp_path: Path) -> None:
    """The tests above would see it if the macro did no more than write the prototype."""
    (tmp_path / "game.c").write_text(plain(skies[9].game.read_text(encoding="utf-8")), "utf-8")
    sky = replace(skies[9], game=tmp_path / "game.c")
    assert sky.packed("sky_fly", C_COMPILERS[0], "-O2") == 0


def symbols(source: Path, headers: Path, out: Path) -> dict[str, str]:
    """Returns how an object has each symbol: T defined, U needed, w taken if it is there."""
    flags = ["-std=c11", "-O1", "-DNDEBUG", f"-I{RUNTIME}", f"-I{headers}"]
    subprocess.run(["gcc", *flags, "-c", source, "-o", out], check=True)
    done = subprocess.run(["nm", "-P", out], capture_output=True, text=True, check=True)
    return {line.split()[0]: line.split()[1] for line in done.stdout.splitlines()}


def test_a_world_gives_each_array_by_itself_where_the_macro_was_used(
    skies: dict[int, Sky], tmp_path: Path
) -> None:
    sky, apart = skies[3], "weft_apart_sky_simulate"
    by_macro = symbols(sky.game, sky.headers, tmp_path / "game.o")
    world = symbols(sky.headers / "sky_run.c", sky.headers, tmp_path / "run.o")
    assert (by_macro[apart], by_macro["sky_simulate"]) == ("T", "T")
    assert (world[apart], world["sky_simulate"]) == ("w", "U")


@pytest.mark.parametrize("name", ["gcc", "clang"])
@pytest.mark.parametrize("game_first", [True, False])
def test_a_program_of_one_file_has_no_warning(
    skies: dict[int, Sky], tmp_path: Path, name: str, game_first: bool
) -> None:
    sky, whole = skies[3], tmp_path / "whole.c"
    files = [*sorted(sky.headers.glob("*.c")), sky.game]
    files.sort(key=lambda file: (file == sky.game) != game_first)
    whole.write_text("".join(f'#include "{file}"\n' for file in files), encoding="utf-8")
    flags = ["-std=c11", "-Wall", "-Wextra", "-Werror", f"-I{RUNTIME}", f"-I{sky.headers}"]
    subprocess.run([name, *flags, "-c", whole, "-o", tmp_path / "whole.o"], check=True)


@pytest.mark.parametrize("name", ["gcc", "clang"])
@pytest.mark.parametrize("by_macro", [True, False])
def test_seed_B3_what_a_lookup_reaches_keeps_its_order(
    name: str, by_macro: bool, skies: dict[int, Sky], tmp_path: Path
) -> None:
    """Each bird adds the place of the one before it, so the sums say who was first.

    A game need not use the macro.
    """
    sky = skies[3]
    game = sky.game.read_text(encoding="utf-8")
    (tmp_path / "game.c").write_text(game if by_macro else plain(game), encoding="utf-8")
    (tmp_path / "main.c").write_text(field_loops.MAIN, encoding="utf-8")
    generated = sorted(sky.headers.glob("*.c"))
    sources = [tmp_path / "main.c", tmp_path / "game.c", *generated, built("build/clang/libweft.a")]
    flags = ["-std=c11", "-O3", "-DNDEBUG", "-ffp-contract=off", "-pthread"]
    include = [f"-I{RUNTIME}", f"-I{sky.headers}"]
    program = tmp_path / "birds"
    subprocess.run([name, *flags, *include, *sources, "-o", program, "-lm"], check=True)
    done = subprocess.run([program], capture_output=True, text=True, check=True)
    assert done.stdout == "1000 birds\n"
