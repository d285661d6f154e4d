"""Writes a project as large as a large game: a schema of 500 components, 300 prefabs, 300 systems
and 100 queries, the C code of its systems, a program that times its world, and a Ninja file.

    stress.py FOLDER

It writes equal bytes each time: the number of a component decides its contents, and a small random
generator in this file decides what a system accesses.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

WEFT = Path(__file__).resolve().parent.parent.parent

COMPONENTS = 500
SYSTEMS = 300
QUERIES = 100
PREFABS = 300
SINGLETONS = 20
PHASES = 10
SYSTEMS_IN_FILE = 10

# By the last digit of a component's number.
KINDS = ("table", "table", "table", "table", "table", "table", "soa", "soa", "sparse", "tag")
FIELDS = (
    'a = "f32"',
    'b = { type = "f32", default = 1.5, min = 0.0, max = 100.0, unit = "metre" }',
    'c = "kind_{0}"',
    'd = "spot_{0}"',
    'e = "entity"',
    'f = "u16[4]"',
    'g = {{ type = "i64", default = {0} }}',
    'h = "char[16]"',
)


@dataclass(frozen=True)
class Component:
    name: str
    kind: str
    fields: tuple[str, ...]


@dataclass(frozen=True)
class System:
    name: str
    phase: int
    read: tuple[Component, ...]
    write: Component
    where: str
    more: tuple[str, ...]  # other keys, as they stand in the schema


class Dice:
    """Numbers that look random, and do not depend on the machine."""

    def __init__(self, seed: int) -> None:
        self._state = seed

    def below(self, limit: int) -> int:
        self._state = (self._state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self._state >> 33) % limit

    def choose(self, items: Sequence[Component], count: int) -> tuple[Component, ...]:
        left = list(items)
        return tuple(left.pop(self.below(len(left))) for _ in range(count))


def components() -> tuple[Component, ...]:
    made = []
    for i in range(COMPONENTS):
        kind = KINDS[i % 10]
        count = 0 if kind == "tag" else 1 + i % len(FIELDS)
        fields = tuple(field.replace("{0}", str(i % 20)) for field in FIELDS[:count])
        fields = tuple(field.replace("{{", "{").replace("}}", "}") for field in fields)
        made.append(Component(f"part_{i:03}", kind, fields))
    return tuple(made)


def systems(parts: tuple[Component, ...]) -> tuple[System, ...]:
    """Each reads two components and writes one; the rest comes and goes with the number."""
    dice = Dice(1)
    solid = [part for part in parts if part.kind != "tag"]
    tags = [part for part in parts if part.kind == "tag"]
    made = []
    for i in range(SYSTEMS):
        *read, write, absent, looked_up = dice.choose(solid, 5)
        tag = tags[dice.below(len(tags))].name
        where = ("", f"!{tag}", f"{tag} & !{absent.name}", f"{tag} | {absent.name}")[i % 4]
        more = []
        if i % 3 == 0:
            more.append(f'lookup = {{ read = ["{looked_up.name}"] }}')
        if i % 5 == 0:
            more.append(f'queries = ["query_{dice.below(QUERIES):03}"]')
        if i % 7 == 0:
            more.append(f'singletons = {{ read = ["single_{i % SINGLETONS:02}"] }}')
        if i % 11 == 0:
            more.append("commands = true")
        phase = i * PHASES // SYSTEMS
        made.append(System(f"system_{i:03}", phase, tuple(read), write, where, tuple(more)))
    return tuple(made)


# ---- the schema


def head() -> Iterator[str]:
    phases = ", ".join(f'"phase_{i}"' for i in range(PHASES))
    yield "# A world as large as that of a large game."
    yield f'[world]\nname = "stress"\nphases = [{phases}]'
    for i in range(20):
        values = ", ".join(f'"value_{i}_{j}"' for j in range(8))
        yield f"[enum.kind_{i}]\nvalues = [{values}]"
        layer = ("u8", "u16", "u32")[i % 3]
        yield f'[struct.spot_{i}]\nfields = {{ x = "f32", y = "f32", layer = "{layer}" }}'
    for i in range(SINGLETONS):
        yield f'[singleton.single_{i:02}]\nfields = {{ day = "u32", hour = "f32" }}'


def declared(part: Component) -> str:
    lines = [f"[component.{part.name}]", f'doc = "One of {COMPONENTS}."']
    if part.kind == "soa":
        lines.append('layout = "soa"')
    if part.kind == "sparse":
        lines.append('storage = "sparse"')
    if part.fields:
        lines += [f"[component.{part.name}.fields]", *part.fields]
    return "\n".join(lines)


def selections(parts: tuple[Component, ...]) -> Iterator[str]:
    dice = Dice(2)
    solid = [part for part in parts if part.kind != "tag"]
    for i in range(PREFABS):
        chosen = ", ".join(f"{part.name} = {{}}" for part in dice.choose(parts, 5))
        yield f"[prefab.prefab_{i:03}]\ncomponents = {{ {chosen} }}"
    for i in range(QUERIES):
        read, also, write = dice.choose(solid, 3)
        yield (
            f'[query.query_{i:03}]\nread = ["{read.name}", "{also.name}"]\n'
            f'write = ["{write.name}"]\nwhere = "!part_{i % 50 * 10 + 9:03}"'
        )


def scheduled(system: System) -> str:
    lines = [
        f"[system.{system.name}]",
        f'doc = "One of {SYSTEMS}."',
        f'phase = "phase_{system.phase}"',
        "read = [" + ", ".join(f'"{part.name}"' for part in system.read) + "]",
        f'write = ["{system.write.name}"]',
        *([f'where = "{system.where}"'] if system.where else []),
        *system.more,
    ]
    return "\n".join(lines)


def schema(parts: tuple[Component, ...], all_systems: tuple[System, ...]) -> str:
    sections = [*head(), *map(declared, parts), *selections(parts), *map(scheduled, all_systems)]
    return "\n\n".join(sections) + "\n"


# ---- the game


def parameter(part: Component, const: bool) -> str:
    if part.kind == "soa":
        return f"stress_{part.name}_{'const_' if const else ''}columns {part.name}"
    front = "const " if const else ""
    star = " *const *" if part.kind == "sparse" else " *"
    return f"{front}stress_{part.name}{star}{part.name}"


def first_field(part: Component) -> str:
    access = {"table": "[i].a", "soa": ".a[i]", "sparse": "[i]->a"}[part.kind]
    return part.name + access


def defined(system: System) -> str:
    columns = [parameter(part, const=True) for part in system.read]
    columns.append(parameter(system.write, const=False))
    total = " + ".join(first_field(part) for part in system.read)
    return (
        f"void stress_{system.name}(const stress_{system.name}_ctx *ctx, uint32_t count,\n"
        f"    {', '.join(columns)})\n{{\n    (void)ctx;\n"
        f"    for (uint32_t i = 0; i < count; i++) {first_field(system.write)} += {total};\n}}\n"
    )


def source(group: Sequence[System]) -> str:
    includes = "".join(f'#include "stress_{system.name}.h"\n' for system in group)
    return includes + "\n" + "\n".join(map(defined, group))


THREE = """#include "stress_part_010.h"
#include "stress_part_011.h"
#include "stress_part_016.h"

float three(stress_world *w, stress_entity e);

float three(stress_world *w, stress_entity e)
{
    const stress_part_010 *a = stress_part_010_get(w, e);
    stress_part_011 *b = stress_part_011_edit(w, e);
    stress_part_016_const_columns c = stress_part_016_get(w, e);
    if (!a || !b || !c.a) return 0;
    b->a += a->a;
    return a->a + *c.a;
}
"""

# Entities with all sets of these components, which take a table each.
SET_BITS = 13
TABLES = 6700

MAIN = """#define _POSIX_C_SOURCE 199309L

{includes}

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum {{ TABLES = {tables} }};

static double seconds(void)
{{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}}

static void require(bool done, const char *what)
{{
    if (done) return;
    fprintf(stderr, "%s failed\\n", what);
    exit(1);
}}

static stress_entity make(stress_world *w, unsigned set)
{{
    stress_entity e = stress_spawn(w);
{adds}
    return e;
}}

// Entities in tables of their own; the second time the tables are there.
static double make_all(stress_world *w, stress_entity *made)
{{
    double begun = seconds();
    for (unsigned i = 0; i < TABLES; i++) made[i] = make(w, i);
    return seconds() - begun;
}}

static double best_tick(stress_world *w)
{{
    double best = 1;
    for (int run = 0; run < 200; run++) {{
        double begun = seconds();
        for (int i = 0; i < 10; i++) require(stress_tick(w, 0.5) == WEFT_OK, "a tick");
        double each = (seconds() - begun) / 10;
        if (each < best) best = each;
    }}
    return best;
}}

static double best_open(void)
{{
    double best = 1;
    for (int run = 0; run < 20; run++) {{
        double begun = seconds();
        stress_world *w = stress_open(NULL);
        double each = seconds() - begun;
        require(w != NULL, "opening");
        if (each < best) best = each;
        stress_close(w);
    }}
    return best;
}}

static double best_load(stress_world *w)
{{
    double best = 1;
    void *bytes;
    size_t count;
    require(stress_save_memory(w, &bytes, &count) == WEFT_OK, "saving");
    for (int run = 0; run < 5; run++) {{
        double begun = seconds();
        require(stress_load_memory(w, bytes, count) == WEFT_OK, "loading");
        double each = seconds() - begun;
        if (each < best) best = each;
    }}
    free(bytes);
    return best;
}}

// The blocks of the columns of all tables.
static double rows_bytes(stress_world *w)
{{
    const weft_tables *tables = &stress_world_base(w)->tables;
    double bytes = 0;
    for (unsigned i = 0; i < tables->count; i++) bytes += (double)tables->items[i]->rows_bytes;
    return bytes;
}}

int main(void)
{{
    static stress_entity made[TABLES];
    double opening = best_open();
    stress_world *w = stress_open(NULL);
    require(w != NULL, "opening");
    double empty = best_tick(w);
    weft_stats before = stress_stats(w);
    double first = make_all(w, made);
    weft_stats after = stress_stats(w);
    double loading = best_load(w);
    for (unsigned i = 0; i < TABLES; i++) require(stress_despawn(w, made[i]), "a despawn");
    double emptied = best_tick(w);
    double second = make_all(w, made);
    unsigned tables = (unsigned)(after.tables - before.tables);
    double bytes = (double)(after.bytes_allocated - before.bytes_allocated);
    double of_rows = rows_bytes(w);
    printf("opening the world|%.2f ms|1 ms\\n", opening * 1e3);
    printf("an empty tick|%.2f us|1.5 us\\n", empty * 1e6);
    printf("an empty tick beside %u empty tables|%.2f us|1.5 us\\n", tables, emptied * 1e6);
    printf("a new table|%.2f us|3 us\\n", (first - second) / tables * 1e6);
    printf("its memory, with its first rows|%.0f bytes|\\n", bytes / tables);
    printf("its memory beside its rows|%.0f bytes|1024 bytes\\n", (bytes - of_rows) / tables);
    printf("loading %d tables of a row|%.1f ms|15 ms\\n", TABLES, loading * 1e3);
    stress_close(w);
    return 0;
}}
"""


def program(parts: tuple[Component, ...]) -> str:
    """The program that times the world."""
    tables = [part.name for part in parts if part.kind == "table"][:SET_BITS]
    adds = "\n".join(
        f"    if (set >> {bit} & 1) require(stress_{name}_set(w, e, "
        f'(stress_{name}){{0}}) != 0, "a component");'
        for bit, name in enumerate(tables)
    )
    includes = "\n".join(f'#include "stress_{name}.h"' for name in ("world", *tables))
    return MAIN.format(tables=TABLES, adds=adds, includes=includes)


def build_file(files: Sequence[str]) -> str:
    objects = [f"build/{name}.o" for name in (*files, "three", "main")]
    generated = [f"build/stress_{name}.o" for name in ("world", "run", "schema")]
    lines = [
        "ninja_required_version = 1.10\nbuilddir = build",
        f"weft = {WEFT}\npython = $weft/.venv/bin/python3\ngen = generated\ncc = gcc",
        "cflags = -std=c11 -O2 -I generated/stress -I $weft/runtime",
        "include $weft/runtime/weft.ninja\n",
        "build build/stress.dd: weft_plan stress.toml",
        "  first = generated/stress/stress_world.c",
        "build generated/stress/stress_world.c generated/stress/stress_run.c $",
        "    generated/stress/stress_schema.c: weft_generate stress.toml || build/stress.dd",
        "  dyndep = build/stress.dd\n",
    ]
    # The longest comes first, so that no processor is idle at the end.
    for name in ("run", "world", "schema"):
        lines.append(f"build build/stress_{name}.o: weft_cc generated/stress/stress_{name}.c")
    for name in (*files, "three", "main"):
        lines.append(f"build build/{name}.o: weft_cc {name}.c || generated/stress/stress_world.c")
    lines += [
        "\nrule link\n  command = $cc $in -o $out",
        f"build stress: link {' '.join(objects + generated)} build/libweft.a\n",
    ]
    return "\n".join(lines)


def project() -> dict[str, str]:
    """Returns what the files of the project have in them, by name."""
    parts = components()
    all_systems = systems(parts)
    names = [f"systems_{i:02}" for i in range(SYSTEMS // SYSTEMS_IN_FILE)]
    files = {
        "stress.toml": schema(parts, all_systems),
        "three.c": THREE,
        "main.c": program(parts),
        "build.ninja": build_file(names),
    }
    for i, name in enumerate(names):
        files[f"{name}.c"] = source(all_systems[i * SYSTEMS_IN_FILE :][:SYSTEMS_IN_FILE])
    return files


def main(arguments: list[str]) -> int:
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    folder = Path(arguments[0])
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in project().items():
        (folder / name).write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
