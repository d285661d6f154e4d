"""Writes the world of a troupe (troupe.h) whose components have a layout, aos or soa.

troupe.py LAYOUT schema FILE    its schema
troupe.py LAYOUT rows FILE      the header of its inline systems
troupe.py LAYOUT systems FILE   its other systems, plain arrays, and troupe_LAYOUT_layout
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

COMPONENTS = {
    "position": {"x": "f32", "y": "f32"},
    "velocity": {"x": "f32", "y": "f32"},
    "mind": {"beats": "u32", "drift": "f64", "awake": "u32"},
    "player": {"kind": "u32", "luck": "u32"},
    "health": {"now": "i32", "most": "i32", "state": "u32"},
    "damage": {"attack": "i32", "defence": "i32"},
    "sprite": {"character": "u32"},
    "cell": {"column": "i32", "row": "i32", "character": "u32"},
}
C_TYPES = {"f32": "float", "f64": "double", "u32": "uint32_t", "i32": "int32_t"}

# By kind of entity: how many eighths of all are of it, and their components.
KINDS = {
    "hero": (5, list(COMPONENTS)),
    "prop": (1, ["position", "sprite", "cell"]),
    "drifter": (1, ["position", "velocity", "mind", "player"]),
    "ghost": (1, ["position", "velocity", "mind", "player", "sprite", "cell"]),
}

# In their order: the systems before each, and what it reads and writes.
SYSTEMS = {
    "move": ([], ["velocity"], ["position"]),
    "think": ([], [], ["mind"]),
    "wander": (["move", "think"], ["mind", "position"], ["velocity", "player"]),
    "hurt": ([], ["damage"], ["health"]),
    "heal": (["hurt"], [], ["health"]),
    "dress": (["heal", "wander"], ["player", "health"], ["sprite"]),
    "draw": (["dress", "wander"], ["position", "sprite"], ["cell"]),
}

WORKS = ("flat", "pick")
FORMS = ("apart", "fused", "rows")

# What a field of row i begins with, of a random number; others begin with 0.
VALUES = {
    "x": "(float)(int32_t)(random % 64) - 32.0f",
    "y": "(float)(int32_t)(random / 64 % 64) - 32.0f",
    "beats": "random % 16",
    "kind": "random % 3",
    "luck": "random",
    "now": "(int32_t)(5 + random % 10)",
    "most": "15",
    "attack": "(int32_t)(4 + random % 7)",
    "defence": "(int32_t)(2 + random / 8 % 6)",
}


class Troupe:
    def __init__(self, layout: str) -> None:
        self.layout, self.world = layout, f"troupe_{layout}"
        self.soa = layout == "soa"

    def schema(self) -> Iterator[str]:
        yield f'[world]\nname = "{self.world}"\nmax_entities = 2_000_000'
        yield "entity = { index_bits = 22, generation_bits = 10 }"
        yield f"phases = {_texts(f'{work}_{form}' for work in WORKS for form in FORMS)}"
        for name, fields in COMPONENTS.items():
            listed = ", ".join(f'{field} = "{type}"' for field, type in fields.items())
            yield f'[component.{name}]\nlayout = "{self.layout}"\nfields = {{ {listed} }}'
        for name, (_, has) in KINDS.items():
            yield f"[prefab.{name}]\ncomponents = {{ {', '.join(f'{c} = {{}}' for c in has)} }}"
        yield f"[query.all]\noptional = {_texts(COMPONENTS)}"
        for phase in (f"{work}_{form}" for work in WORKS for form in FORMS):
            for name, (after, read, write) in SYSTEMS.items():
                yield f'[system.{name}_{phase}]\nphase = "{phase}"'
                yield f"after = {_texts(f'{one}_{phase}' for one in after)}"
                yield f"read = {_texts(read)}\nwrite = {_texts(write)}"
                if not phase.endswith("apart"):
                    yield "parallel = true"
                if phase.endswith("rows"):
                    yield f'inline = "{self.world}_rows.h"'

    def rows(self) -> Iterator[str]:
        names = [f"{system}_{work}_rows" for work in WORKS for system in SYSTEMS]
        yield '#include "troupe_work.h"\n'
        yield from (f'#include "{self.world}_{name}.h"' for name in names)
        yield self._macro()
        for work in WORKS:
            for system in SYSTEMS:
                name = f"{system}_{work}_rows"
                parameters = ", ".join([f"const {self.world}_{name}_ctx *ctx", "uint32_t i"])
                function = f"WEFT_HOT WEFT_ALWAYS_INLINE void {self.world}_{name}_row"
                yield f"{function}({parameters}, {self._columns(system, '')})"
                yield f"{{\n{DT}    {system.upper()}_{work.upper()};\n}}\n"
        yield "#undef F"

    def systems(self) -> Iterator[str]:
        yield '#include "troupe.h"\n#include "troupe_work.h"\n'
        headers = [*COMPONENTS, *KINDS, "all"]
        headers += [f"{s}_{w}_{f}" for w in WORKS for f in FORMS[:2] for s in SYSTEMS]
        yield from (f'#include "{self.world}_{name}.h"' for name in headers)
        yield f'#include "{self.world}.h"\n\n#include <stdlib.h>\n#include <string.h>\n'
        yield self._macro()
        for work in WORKS:
            for form in FORMS[:2]:
                yield from (self._system(system, work, form) for system in SYSTEMS)
        yield from self._data()
        for work in WORKS:
            yield self._by_hand(work)
            yield from (
                f"static void {work}_{form}(void *world)\n{{\n"
                f"    {self.world}_run_{work}_{form}(world, 0.5);\n}}\n"
                for form in FORMS
            )
        runs = (f"{{{', '.join(f'{w}_{form}' for form in (*FORMS, 'by_hand'))}}}" for w in WORKS)
        calls = ("open_world", "open_arrays", "close_world", "close_arrays")
        listed = ", ".join([f'"{self.world}"', *calls, "sum_world", "sum_arrays"])
        yield f"const troupe_layout {self.world}_layout = {{{listed}, {{{', '.join(runs)}}}}};"

    def _macro(self) -> str:
        field = "component.field[i]" if self.soa else "component[i].field"
        return f"#define F(component, field) {field}\n"

    def _columns(self, system: str, restrict: str) -> str:
        _, read, write = SYSTEMS[system]
        reads = dict.fromkeys(read, "const ") | dict.fromkeys(write, "")
        if self.soa:
            return ", ".join(
                f"{self.world}_{name}_{const.strip()}{'_' if const else ''}columns {name}"
                for name, const in reads.items()
            )
        return ", ".join(f"{c}{self.world}_{name} *{restrict}{name}" for name, c in reads.items())

    def _system(self, system: str, work: str, form: str) -> str:
        _, read, write = SYSTEMS[system]
        name = f"{self.world}_{system}_{work}_{form}"
        head = f"void {name}(const {name}_ctx *ctx, uint32_t count"
        head = f"{head}, {self._columns(system, 'restrict ')})"
        if self.soa:
            define = f"{self.world}_DEFINE_{system}_{work}_{form}".upper()
            head = f"{define}({', '.join(['ctx', 'count', *read, *write])})"
        loop = f"for (uint32_t i = 0; i < count; i++) {{\n        {system.upper()}_{work.upper()};"
        return f"{head}\n{{\n{DT}    {loop}\n    }}\n}}\n"

    def _arrays(self, component: str, of: str) -> list[str]:
        """Returns the arrays of a component, which are members of `of`."""
        if not self.soa:
            return [f"{of}{component}"]
        return [f"{of}{component}.{field}" for field in COMPONENTS[component]]

    def _data(self) -> Iterator[str]:
        kind = f"{self.world}_{{}}_columns {{}};" if self.soa else f"{self.world}_{{}} *{{}};"
        members = "\n    ".join(kind.format(name, name) for name in COMPONENTS)
        yield f"typedef struct table {{\n    uint32_t count;\n    {members}\n}} table;\n"
        yield f"#define TABLES {len(KINDS)}\n"
        yield "static void fill(const table *t, uint64_t seed)\n{"
        yield "    for (uint32_t i = 0; i < t->count; i++) {"
        yield "        uint32_t random = bench_random(&seed);\n        (void)random;"
        for name, fields in COMPONENTS.items():
            at = f"t->{name}.{{}}[i]" if self.soa else f"t->{name}[i].{{}}"
            sets = " ".join(f"{at.format(f)} = {VALUES.get(f, '0')};" for f in fields)
            yield f"        if ({self._arrays(name, 't->')[0]}) {{ {sets} }}"
        yield "    }\n}\n"
        yield "static void *open_world(uint32_t n)\n{"
        yield f"    {self.world}_world *w = {self.world}_open(NULL);\n    if (!w) exit(1);"
        for number, (name, (eighths, has)) in enumerate(KINDS.items()):
            rows = f"{self.world}_{name}_rows {name} = {self.world}_{name}_spawn_rows"
            yield f"    {rows}(w, n / 8 * {eighths});"
            given = ", ".join(f".{one} = {name}.{one}" for one in has)
            count = f".count = (uint32_t){name}.count"
            yield f"    fill(&(table){{{count}, {given}}}, {number});"
        yield "    return w;\n}\n"
        yield f"static void close_world(void *world)\n{{\n    {self.world}_close(world);\n}}\n"
        yield "static void *open_arrays(uint32_t n)\n{"
        yield "    table *tables = calloc(TABLES, sizeof *tables);\n    if (!tables) exit(1);"
        for number, (eighths, has) in enumerate(KINDS.values()):
            t = f"tables[{number}]."
            yield f"    {t}count = n / 8 * {eighths};"
            for array in (array for one in has for array in self._arrays(one, t)):
                yield f"    {array} = bench_array_in_large_pages({t}count * sizeof *{array});"
            yield f"    fill(&tables[{number}], {number});"
        yield "    return tables;\n}\n"
        yield "static void close_arrays(void *arrays)\n{\n    table *tables = arrays;"
        for number, (_, has) in enumerate(KINDS.values()):
            t = f"tables[{number}]."
            for array in (array for one in has for array in self._arrays(one, t)):
                yield f"    bench_array_free({array}, {t}count * sizeof *{array});"
        yield "    free(tables);\n}\n"
        yield from self._sums()

    def _sums(self) -> Iterator[str]:
        yield "static uint64_t sum_table(const table *t, uint32_t id)\n{\n    uint64_t sum = 0;"
        yield "    for (uint32_t i = 0; i < t->count; i++) {"
        for name, fields in (
            ("position", ("x", "y")),
            ("cell", ("character",)),
            ("health", ("now",)),
        ):
            at = f"t->{name}.{{}}[i]" if self.soa else f"t->{name}[i].{{}}"
            values = [at.format(field) for field in fields]
            bits = [f"bench_bits({v})" if name == "position" else f"(uint32_t){v}" for v in values]
            parts = " ".join(f"sum += bench_part(id + i, {one});" for one in bits)
            yield f"        if ({self._arrays(name, 't->')[0]}) {{ {parts} }}"
        yield "    }\n    return sum;\n}\n"
        yield "static uint64_t sum_arrays(void *arrays)\n{\n    const table *tables = arrays;"
        yield "    uint64_t sum = 0;\n    uint32_t id = 0;"
        yield "    for (uint32_t k = 0; k < TABLES; id += tables[k++].count) {"
        yield "        sum += sum_table(&tables[k], id);\n    }\n    return sum;\n}\n"
        yield "// Tables come in another order, and the entities of each in that of their indices."
        yield "static uint64_t sum_world(void *world)\n{\n    uint64_t sum = 0;"
        yield f"    {self.world}_all_iter it = {self.world}_all_begin(world);"
        yield f"    while ({self.world}_all_next(&it)) {{\n        table t = {{.count = it.count}};"
        for name in ("position", "cell", "health"):
            for array in self._arrays(name, ""):
                yield f"        memcpy(&t.{array}, &it.{array}, sizeof t.{array});"
        yield "        sum += sum_table(&t, it.entities[0].bits & 0x3FFFFFu);"
        yield "    }\n    return sum;\n}\n"

    def _by_hand(self, work: str) -> str:
        lines = [f"static void {work}_by_hand(void *arrays)\n{{", "    table *tables = arrays;"]
        for system, (_, read, write) in SYSTEMS.items():
            name = f"{self.world}_{system}_{work}_apart"
            lines.append("    for (uint32_t k = 0; k < TABLES; k++) {")
            lines.append("        table *t = &tables[k];")
            needed = " && ".join(self._arrays(one, "t->")[0] for one in (*read, *write))
            lines.append(f"        {name}_ctx ctx = {{.dt = 0.5}};")
            given = []
            for one in read:
                arrays = ", ".join(self._arrays(one, "t->"))
                const = f"({self.world}_{one}_const_columns){{{arrays}}}"
                given.append(const if self.soa else f"t->{one}")
            given += [f"t->{one}" for one in write]
            lines.append(f"        if ({needed}) {name}(&ctx, t->count, {', '.join(given)});")
            lines.append("    }")
        return "\n".join([*lines, "    bench_touch(tables);\n}\n"])


DT = "    float dt = (float)ctx->dt;\n    (void)dt;\n"


def _texts(names: object) -> str:
    return str(list(names)).replace("'", '"')  # type: ignore[call-overload]


def main(arguments: list[str]) -> int:
    match arguments:
        case [("aos" | "soa") as layout, ("schema" | "rows" | "systems") as kind, path]:
            lines: Iterator[str] = getattr(Troupe(layout), kind)()
            Path(path).write_text("\n".join([*lines, ""]), encoding="utf-8")
            return 0
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
