"""Random `where` expressions, compiled, give the same rows as a search row by row.

Each seed is a schema with random components, and queries and systems with random expressions over
present, added, changed and removed components and changed singletons. Some expressions are always
true, and some queries are walked by systems that list them. The C code of the search is written
from the same expressions, fully parenthesised, and where.c does random operations with both. The
test tries two fixed seeds; WEFT_EXAMPLES=40 tries 40, for longer.
"""

from __future__ import annotations

import random
import re
import subprocess
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from built import built
from check import check
from compilers import RUNTIME
from emit.emit import render
from examples import ASKED, long_after
from generated import write_files
from parse import parse
from plan import make_plan
from source.source import Report

HERE = Path(__file__).resolve().parent
SEEDS = ASKED or 2
QUERIES, SYSTEMS, LISTING = 24, 12, 12
ALWAYS = "id"  # every row has it
SINGLETONS = ("g0", "g1")
# Operations and population: rows of a few words a table, and more than a stretch of change bits.
RUNS = ((200_000, 700), (20_000, 9000)) if ASKED else ((60_000, 500), (3000, 9000))

LIBRARY = "build/clang/libweft.a"
COMMAND = ("gcc", "-std=c11", "-O0", "-Wall")

C_OPERATORS = {"&": "&&", "^": "!=", "|": "||"}
PRECEDENCE = "|^&"  # the later, the tighter


@dataclass(frozen=True)
class Expr:
    operator: str  # "has", "added", "changed", "removed", "!" or one of PRECEDENCE
    name: str = ""
    operands: tuple[Expr, ...] = ()

    def c(self, number: dict[str, int]) -> str:
        if self.name == ALWAYS:
            return "true"
        if self.name in SINGLETONS:
            return f"changed_singleton({SINGLETONS.index(self.name)})"
        if self.name:
            return f"{self.operator}(b, {number[self.name]})"
        parts = [operand.c(number) for operand in self.operands]
        if self.operator == "!":
            return f"(!{parts[0]})"
        return "(" + f" {C_OPERATORS[self.operator]} ".join(parts) + ")"

    def names(self) -> set[str]:
        inside = (operand.names() for operand in self.operands)
        return set().union(*inside) | ({self.name} if self.name else set())

    def where(self, dice: random.Random) -> str:
        """As in a schema: parentheses where it takes them, and sometimes besides."""
        if self.name:
            return self.name if self.operator == "has" else f"{self.operator}({self.name})"
        texts = [
            f"({text})" if self._looser(operand) or dice.random() < 0.1 else text
            for operand in self.operands
            for text in [operand.where(dice)]
        ]
        return f"!{texts[0]}" if self.operator == "!" else f" {self.operator} ".join(texts)

    def _looser(self, operand: Expr) -> bool:
        if operand.operator not in PRECEDENCE:
            return False
        if self.operator == "!":
            return True
        return PRECEDENCE.index(operand.operator) < PRECEDENCE.index(self.operator)


@dataclass
class Selection:
    name: str
    kind: str  # "query" or "system"
    expr: Expr
    where: str
    rows: str
    write: str = ""
    edits: str = ""  # a singleton that a system writes
    query: str = ""  # that a system lists and walks, in place of rows of its own

    def schema(self) -> str:
        if self.query:
            lines = [f"[system.{self.name}]", f'queries = ["{self.query}"]']
            return "\n".join([*lines, f'phase = "p_{self.name}"', "", ""])
        lines = [f"[{self.kind}.{self.name}]", 'read = ["id"]', f'where = "{self.where}"']
        if self.rows:
            lines.append(f'rows = "{self.rows}"')
        if self.write:
            lines.append(f'write = ["{self.write}"]')
        if self.edits:
            lines.append(f'singletons = {{ write = ["{self.edits}"] }}')
        if self.kind == "system":
            lines.append(f'phase = "p_{self.name}"')
        return "\n".join([*lines, "", ""])


class World:
    """A random schema without what the checks refuse, such as an expression that is never true."""

    def __init__(self, seed: int) -> None:
        self._dice = dice = random.Random(seed)
        self.table = [f"a{i}" for i in range(dice.randint(2, 4))]
        self.sparse = [f"s{i}" for i in range(dice.randint(1, 2))]
        self.tags = [f"t{i}" for i in range(dice.randint(1, 3))]
        self.things = self.table + self.sparse + self.tags
        self.number = {name: i for i, name in enumerate(self.things)}
        self.soa = {name for name in self.table if dice.random() < 0.3}
        self.excludes = dice.sample(self.table + self.tags, 2) if dice.random() < 0.5 else []
        self.selections = [
            *(self._selection(f"q{i}", "query") for i in range(QUERIES)),
            *(self._selection(f"y{i}", "system") for i in range(SYSTEMS)),
        ]
        queries = dice.sample(self.selections[:QUERIES], LISTING)
        self.selections += [
            replace(query, name=f"z{i}", kind="system", query=query.name)
            for i, query in enumerate(queries)
        ]
        self.always: set[str] = set()  # the selections that everything passes

    def _expr(self, depth: int) -> Expr:
        dice = self._dice
        if depth == 0 and dice.random() < 0.15:
            return Expr("changed", dice.choice(SINGLETONS))
        if depth == 0 or dice.random() < 0.15:
            name = dice.choice(self.things)
            kinds = ("has", "added", "removed", "changed")
            return Expr(dice.choice(kinds[:3] if name in self.tags else kinds), name)
        if dice.random() < 0.25:
            return Expr("!", operands=(self._expr(depth - 1),))
        operands = tuple(self._expr(depth - 1) for _ in range(dice.randint(2, 3)))
        return Expr(dice.choice(PRECEDENCE), operands=operands)

    def _selection(self, name: str, kind: str) -> Selection:
        dice = self._dice
        expr = self._expr(dice.randint(1, 4))
        if dice.random() < 0.2:
            expr = Expr("|", operands=(expr, Expr("has", ALWAYS)))
        write = dice.choice(self.table + self.sparse) if dice.random() < 0.3 else ""
        forms = ("mask", "list", "", "") if kind == "query" else ("mask", "list", "list", "")
        edits = dice.choice(SINGLETONS) if kind == "system" and dice.random() < 0.2 else ""
        return Selection(name, kind, expr, expr.where(dice), dice.choice(forms), write, edits)

    def _declared(self) -> str:
        systems = [one.name for one in self.selections if one.kind == "system"]
        phases = ", ".join(f'"p_{name}"' for name in systems)
        lines = ["[world]", 'name = "sift"', f"phases = [{phases}]", ""]
        lines += ["[component.id]", 'fields = { key = "u32" }', ""]
        lines += ["[prefab.one]", "components = { id = {} }", ""]
        for name in SINGLETONS:
            lines += [f"[singleton.{name}]", 'fields = { n = "u32" }', ""]
        for name in self.things:
            lines.append(f"[component.{name}]")
            if name in self.soa:
                lines.append('layout = "soa"')
            if name in self.sparse:
                lines.append('storage = "sparse"')
            if name not in self.tags:
                lines.append('fields = { n = "u32" }')
            if self.excludes and name == self.excludes[0]:
                lines.append(f'excludes = ["{self.excludes[1]}"]')
            lines.append("")
        return "\n".join(lines) + "\n"

    def generate(self, folder: Path) -> dict[str, str]:
        """The files of a schema of all selections that the checks do not refuse."""
        path = folder / "sift.toml"
        while True:
            report = Report()
            declared = self._declared()
            texts = [one.schema() for one in self.selections]
            path.write_text(declared + "".join(texts), encoding="utf-8")
            parsed = parse(str(path), report)
            check(parsed, report)
            owners: list[Selection | None] = [None] * (declared.count("\n") + 1)
            for one, text in zip(self.selections, texts, strict=True):
                owners += [one] * text.count("\n")
            said = [(found, owners[found.place.line]) for found in report.diagnostics()]
            self.always = {one.name for found, one in said if one and found.id == "where-always"}
            refused = {one.name for found, one in said if one and found.severity == "error"}
            if not report.errors:
                return render(make_plan(parsed.model))
            assert refused, report.render()
            self.selections = [one for one in self.selections if one.name not in refused]


class Search:
    """The C that goes with a world: its systems, and the search for each of its expressions."""

    def __init__(self, world: World, headers: str) -> None:
        self._world = world
        self._headers = headers

    def limits(self) -> str:
        things, selections = len(self._world.things), len(self._world.selections)
        kinds = {"THINGS": things, "SINGLETONS": len(SINGLETONS), "SELECTIONS": selections}
        return "".join(f"#define {kind} {count}u\n" for kind, count in kinds.items())

    def text(self) -> str:
        world = self._world
        parts = ['#include "where.h"\n']
        parts += map(self._thing, world.things)
        parts += map(self._singleton, SINGLETONS)
        edits = "".join(f"    edit_{name},\n" for name in SINGLETONS)
        parts.append(f"const singleton_edit singletons[] = {{\n{edits}}};\n")
        parts += map(self._selection, world.selections)
        calls = "".join(
            f"    {{set_{name}, sift_{name}_remove, "
            f"{'NULL' if name in world.tags else f'edit_{name}'}}},\n"
            for name in world.things
        )
        parts.append(f"const thing_calls things[] = {{\n{calls}}};\n")
        rows = "".join(map(self._row, world.selections))
        parts.append(f"const selection selections[] = {{\n{rows}}};\n")
        return "\n".join(parts)

    def _thing(self, name: str) -> str:
        head = "(sift_world *w, sift_entity e)\n{\n"
        if name in self._world.tags:
            return f"static bool set_{name}{head}    return sift_{name}_set(w, e);\n}}\n"
        set = f"sift_{name}_set(w, e, (sift_{name}){{1}})"
        edit = f"sift_{name}_edit(w, e){'.n' if name in self._world.soa else ''}"
        return (
            f"static bool set_{name}{head}    return {set};\n}}\n\n"
            f"static bool edit_{name}{head}    bool has = {edit} != NULL;\n"
            f"    sift_despawn(w, sift_spawn(w)); // ends the loan\n    return has;\n}}\n"
        )

    @staticmethod
    def _singleton(name: str) -> str:
        return f"static void edit_{name}(sift_world *w)\n{{\n    sift_{name}_edit(w)->n++;\n}}\n"

    def _selection(self, one: Selection) -> str:
        number = self._world.number
        there = f"has(b, {number[one.write]}) && " if one.write else ""
        expr = there + one.expr.c(number)
        passes = f"static bool passes_{one.name}(const being *b)\n{{\n    return {expr};\n}}\n"
        return f"{passes}\n" + (self._query(one) if one.kind == "query" else self._system(one))

    @staticmethod
    def _loop(form: str, rows: str, count: str) -> str:
        if form == "list":
            return f"for (uint32_t k = 0; k < {count} && (i = {rows}[k], true); k++)"
        return f"while (weft_next(&{rows}, &i))" if form else f"for (i = 0; i < {count}; i++)"

    def _query(self, one: Selection) -> str:
        loop = self._loop(one.rows, "it.rows", "it.count")
        return (
            f"static void walk_{one.name}(sift_world *w)\n{{\n"
            f"    uint32_t i;\n"
            f"    sift_{one.name}_iter it = sift_{one.name}_begin(w);\n"
            f"    while (sift_{one.name}_next(&it)) {{\n"
            f"        {loop} meet(it.entities[i], it.id[i].key);\n    }}\n}}\n"
        )

    def _listing(self, one: Selection) -> str:
        call, grant = f"sift_{one.query}", f"ctx->{one.query}"
        return (
            f"void sift_{one.name}(const sift_{one.name}_ctx *ctx, uint32_t count)\n{{\n"
            f"    uint32_t i;\n    (void)count;\n"
            f"    sift_{one.query}_iter it = {call}_begin_in({grant});\n"
            f"    count_listed({call}_count_in({grant}));\n"
            f"    while (sift_{one.query}_next(&it)) {{\n"
            f"        {self._loop(one.rows, 'it.rows', 'it.count')} {{\n"
            f"            if (!{call}_passes_in({grant}, it.entities[i])) continue;\n"
            f"            meet(it.entities[i], it.id[i].key);\n        }}\n    }}\n}}\n\n"
            f"static void walk_{one.name}(sift_world *w)\n{{\n"
            f"    sift_run_p_{one.name}(w, 0.25);\n}}\n"
        )

    def _system(self, one: Selection) -> str:
        if one.query:
            return self._listing(one)
        found = re.search(rf"void sift_{one.name}\(\s*const [^;]*\)", self._headers)
        assert found
        loop = self._loop(one.rows, "rows", "count")
        return (
            f"{found.group()}\n{{\n    uint32_t i;\n"
            f"    {loop} meet(ctx->entities[i], id[i].key);\n}}\n\n"
            f"static void walk_{one.name}(sift_world *w)\n{{\n"
            f"    sift_run_p_{one.name}(w, 0.25);\n}}\n"
        )

    def _row(self, one: Selection) -> str:
        query = one.kind == "query"
        calls = f"sift_{one.name}_passes, sift_{one.name}_count" if query else "NULL, NULL"
        writes = self._world.number[one.write] if one.write else "THINGS"
        edits = SINGLETONS.index(one.edits) if one.edits else "SINGLETONS"
        return (
            f'    {{"{one.name}", "{one.where}", {"false" if query else "true"}, '
            f"passes_{one.name}, walk_{one.name}, {calls}, {writes}, {edits}}},\n"
        )


def build(world: World, folder: Path) -> Path:
    files = world.generate(folder)
    search = Search(world, "".join(files.values()))
    own = write_files(files, folder) / "sift"
    (folder / "where_limits.h").write_text(search.limits(), encoding="utf-8")
    (folder / "search.c").write_text(search.text(), encoding="utf-8")
    program = folder / "where.out"
    sources = [HERE / "where.c", folder / "search.c", *sorted(own.glob("*.c"))]
    include = [f"-I{one}" for one in (RUNTIME, HERE, own, folder)]
    done = subprocess.run(
        [*COMMAND, *include, *sources, built(LIBRARY), "-pthread", "-o", program],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return program


@pytest.mark.parametrize("seed", long_after(1, range(SEEDS)))
def test_rows_are_those_that_a_search_finds(seed: int, tmp_path: Path) -> None:
    world = World(seed)
    program = build(world, tmp_path)
    parted = dict.fromkeys([one.name for one in world.selections], 0)
    for operations, population in RUNS:
        done = subprocess.run(
            [program, str(seed), str(operations), str(population)],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"seed {seed}, {population} entities: {done.stdout}"
        for line in done.stdout.splitlines():
            name, tried, some = line.split()
            assert int(tried) > 0
            parted[name] += int(some)
    assert len(parted) > (QUERIES + SYSTEMS + LISTING) / 2
    # An expression that decides nothing would prove little, unless it is known to be always true.
    # Of fresh ones some ask for so much at once that no row has it.
    by_row = [one for one in world.selections if not one.expr.names() <= set(SINGLETONS)]
    whole = {one.query or one.name for one in by_row if not parted[one.name]}
    assert len(whole - world.always) <= (len(by_row) // 10 if ASKED else 0), parted
