"""The loops of systems become vector code, as compilers report it.

At -O2 gcc 12 vectorises nothing by itself. The prototypes of systems, and the loop that calls a
function of the game for each row, turn it on. Other loops of the game over the arrays of an
iterator vectorise like any other loop: with -O3, or in a function that is marked WEFT_HOT.
"""

from __future__ import annotations

import platform
import re
import subprocess
from pathlib import Path

import pytest

from compilers import RUNTIME
from generated import generate

HERE = Path(__file__).resolve().parent
SYSTEMS = HERE / "systems.c"
REPORT = {"gcc": "-fopt-info-vec-optimized", "clang": "-Rpass=loop-vectorize"}
SAID = {"gcc": "loop vectorized", "clang": "vectorized loop"}

QUERY_LOOP = """\
#include "lab.h"

void move(lab_world *w, float dt);

void move(lab_world *w, float dt)
{
    lab_headings_iter it = lab_headings_begin(w);
    while (lab_headings_next(&it)) {
        lab_place *place = it.place;
        const lab_heading *heading = it.heading;
        const uint32_t count = it.count;
        for (uint32_t i = 0; i < count; i++) place[i].at.x += heading[i].to.x * dt;
    }
}
"""

EACH = """\
#include "lab.h"

struct by { float dt; };

static void grow(lab_entity e, const lab_heading *heading, lab_place *place,
                 const lab_wet *wet, bool seen, void *user)
{
    const struct by *by = (const struct by *)user;
    (void)e, (void)wet, (void)seen;
    place->at.x *= heading->to.x * by->dt;
    place->at.y *= heading->to.y * by->dt;
}

static void shrink(lab_entity e, const lab_heading *heading, lab_place *place,
                   const lab_wet *wet, bool seen, void *user)
{
    (void)e, (void)wet, (void)seen, (void)user;
    place->at.x -= heading->to.x;
    place->at.y -= heading->to.y;
}

static void move(lab_entity e, const lab_heading *heading, lab_place *place,
                 const lab_wet *wet, bool seen, void *user)
{
    (void)e, (void)wet, (void)seen, (void)user;
    place->at.x += heading->to.x;
    place->at.y += heading->to.y;
}

void all(lab_world *w, struct by *by);

void all(lab_world *w, struct by *by)
{
    lab_headings_each(w, grow, by);
    lab_headings_each(w, shrink, NULL);
    lab_headings_each(w, move, NULL);
}
"""

TWELVE = """\
#include "weft.h"

struct data { float m[12]; };

WEFT_HOT void halve(uint32_t count, struct data *data);

void halve(uint32_t count, struct data *data)
{
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = 0; k < 12; k++) data[i].m[k] *= 0.5f;
    }
}
"""

# A packed operation on floats, of machine code.
PACKED = {"x86_64": r"\sv?WORDps\s", "aarch64": r"\sfWORD\s+v"}[platform.machine()]


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return generate(HERE / "lab.toml").write(tmp_path_factory.mktemp("lab"))


def vectorised_lines(compiler: str, level: str, source: Path, world: Path) -> set[int]:
    """Lines of the source with a loop that the compiler says it has vectorised."""
    include = [f"-I{folder}" for folder in (RUNTIME, HERE, world)]
    command = [compiler, "-std=c11", level, REPORT[compiler], *include, "-c", str(source)]
    done = subprocess.run(
        [*command, "-o", str(world / "out.o")], capture_output=True, text=True, check=True
    )
    said = re.findall(rf"^(.+?):(\d+):.*{SAID[compiler]}", done.stderr, re.MULTILINE)
    return {int(line) for path, line in said if Path(path).name == source.name}


def loop_line(source: Path, after: str) -> int:
    """The line of the first `for` behind a text."""
    lines = source.read_text(encoding="utf-8").splitlines()
    start = next(number for number, line in enumerate(lines) if after in line)
    return next(n + 1 for n in range(start, len(lines)) if lines[n].lstrip().startswith("for ("))


@pytest.mark.parametrize("compiler", REPORT)
def test_seed_B3_a_loop_over_parallel_arrays_vectorises(compiler: str, world: Path) -> None:
    line = loop_line(SYSTEMS, "LAB_DEFINE_INTEGRATE(")
    assert line in vectorised_lines(compiler, "-O2", SYSTEMS, world)


@pytest.mark.parametrize("compiler", REPORT)
def test_seed_C3_a_loop_over_structs_vectorises(compiler: str, world: Path) -> None:
    line = loop_line(SYSTEMS, "void lab_walk(")
    assert line in vectorised_lines(compiler, "-O2", SYSTEMS, world)


@pytest.mark.parametrize("compiler", REPORT)
def test_seed_C3_a_query_loop_vectorises(compiler: str, world: Path, tmp_path: Path) -> None:
    source = tmp_path / "query_loop.c"
    source.write_text(QUERY_LOOP, encoding="utf-8")
    assert loop_line(source, "lab_headings_next") in vectorised_lines(
        compiler, "-O3", source, world
    )


@pytest.mark.parametrize("compiler", REPORT)
def test_seed_C3_a_marked_function_of_the_game_vectorises(
    compiler: str, world: Path, tmp_path: Path
) -> None:
    source = tmp_path / "marked_loop.c"
    source.write_text(QUERY_LOOP.replace("void move", "WEFT_HOT void move", 1), encoding="utf-8")
    assert loop_line(source, "lab_headings_next") in vectorised_lines(
        compiler, "-O2", source, world
    )


@pytest.mark.parametrize("compiler", REPORT)
def test_seed_C3_functions_that_are_called_row_by_row_vectorise(
    compiler: str, world: Path, tmp_path: Path
) -> None:
    """Each of several functions has a loop of its own, with packed arithmetic in it."""
    source = tmp_path / "each.c"
    source.write_text(EACH, encoding="utf-8")
    for word in ("mul", "sub", "add"):
        assert re.search(PACKED.replace("WORD", word), assembly(compiler, source, world))


@pytest.mark.parametrize("compiler", REPORT)
def test_a_loop_over_twelve_elements_is_unrolled(
    compiler: str, world: Path, tmp_path: Path
) -> None:
    """A loop that is kept has one packed multiplication; twelve floats are three vectors."""
    source = tmp_path / "twelve.c"
    source.write_text(TWELVE, encoding="utf-8")
    packed = re.findall(PACKED.replace("WORD", "mul"), assembly(compiler, source, world))
    assert len(packed) >= 3


def assembly(compiler: str, source: Path, world: Path) -> str:
    """The assembly that a compiler makes of a source at -O2."""
    include = [f"-I{folder}" for folder in (RUNTIME, world)]
    command = [compiler, "-std=c11", "-O2", "-DNDEBUG", *include, "-S", str(source), "-o", "-"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_without_the_prototype_gcc_does_not() -> None:
    """The tests above would see it if generated prototypes stopped asking for vector code."""
    done = subprocess.run(
        ["gcc", "-std=c11", "-O2", REPORT["gcc"], "-x", "c", "-c", "-", "-o", "/dev/null"],
        input="void f(float *restrict a, const float *b, unsigned n);\n"
        "void f(float *restrict a, const float *b, unsigned n)\n"
        "{ for (unsigned i = 0; i < n; i++) a[i] += b[i]; }\n",
        capture_output=True,
        text=True,
        check=True,
    )
    assert SAID["gcc"] not in done.stderr
