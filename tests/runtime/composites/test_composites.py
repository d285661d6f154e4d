"""A composite prefab equals a naive expansion of it, in every combination of storages, relations
and overrides.

Random schemas are drawn and read naively, by tests/support/naive_prefabs.py. Their code is compiled
with trees.c, which spawns every tree in every way, and its entities one by one with the values of
the naive reading. Both worlds must end in the same state, and call hooks in the same order.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from built import built
from compilers import LINKERS, RUNTIME, SANITIZERS, WARNINGS
from composite_schemas import (
    DEFAULTS,
    HANDLES,
    OVERRIDES,
    RELATIONS,
    STORAGES,
    TURNS,
    Drawn,
    draw,
)
from examples import long_after
from generated import generate, model_of
from model.parts import MAX_ENTITIES, extents
from naive_prefabs import Node, Prefabs, Tree
from parse import parse
from source.source import Report
from toml_text import Table, toml

HERE = Path(__file__).parent
FLAGS = (*WARNINGS, "-std=c11", "-ffp-contract=off", "-g1", "-pthread", LINKERS["clang"])
# A build with sanitizers takes four times as long.
CASES = [(turn, 0, False) for turn in range(TURNS)]
CASES += [(turn, seed, True) for seed in range(4) for turn in range(TURNS)]


class Code:
    """Prints what the template trees_made.c.j2 asks about a tree."""

    def __init__(self, prefabs: Prefabs, name: str) -> None:
        self.prefabs, self.name = prefabs, name
        self.tree: Tree = prefabs.tree(name)

    def facts(self) -> Table:
        return {
            "name": self.name,
            "nodes": [self.node(number, one) for number, one in enumerate(self.tree.nodes)],
            "cells": list(self.cells()),
            "keepers": list(self.keepers()),
            "finds": [self.find(number) for number in range(1, len(self.tree.nodes))],
            "lost": list(self.lost()),
            "missing": list(self.missing()),
        }

    def node(self, number: int, node: Node) -> Table:
        inside = f"{node.path}." if node.path else ""
        is_tree = bool(self.prefabs.spec(node.prefab).parts)
        fields = [one for one in node.values if DEFAULTS[one]]
        plain = ", ".join(f".{one} = v->{inside}{one}" for one in fields)
        found = list(node.values)
        found += ["mark"] if "engine" in found and "mark" not in found else []
        found += [one for one, _ in self.kept(number)]
        return {
            "number": number,
            "prefab": node.prefab,
            "part": node.name,
            "item": node.item or 0,
            "count": len(self.tree.nodes[node.above].below.get(node.name, [])),
            "in_value": f"offsetof(w_{self.name}, {node.path})" if node.path else "0",
            "above": node.above,
            "by": node.by.upper() or "RELATIONS",
            "components": f" {' '.join(found)} ",
            "handle": f"{inside}self" if is_tree else node.path,
            "rows": inside,
            "plain": f"&(w_plain_{node.prefab}){{ {plain} }}" if plain else "NULL",
            "columns": [
                {
                    "component": one,
                    "column": "soa.f" if one == "soa" else one,
                    "got": ".f" if one == "soa" else "",
                }
                for one in node.values
                if one in ("aos", "soa", "engine")
            ],
        }

    def cells(self) -> Iterator[Table]:
        for number, node in enumerate(self.tree.nodes):
            inside = f"{node.path}." if node.path else ""
            for component, values in node.values.items():
                handles = HANDLES.get(component, ())
                for name in (*DEFAULTS[component], *handles):
                    target = self.tree.refs.get((number, component, name), "NO_NODE")
                    is_handle = name in handles
                    yield {
                        "node": number,
                        "component": component,
                        "field": name,
                        "path": f"{inside}{component}.{name}",
                        "number": None if is_handle else number_of(component, name, values),
                        "kind": "HANDLE" if is_handle else "INTEGER" if name == "n" else "FLOAT",
                        "target": target,
                    }

    def kept(self, number: int) -> Iterator[tuple[str, dict[str, list[int]]]]:
        """Yields the components with handles of parts, and the nodes of each part."""
        node = self.tree.nodes[number]
        spec = self.prefabs.spec(node.prefab)
        for base in spec.bases:
            handles = self.prefabs.handles(base)
            own = {part for part, one in spec.parts.items() if one.declared_by == base}
            if any(one.declared_by == base for one in self.prefabs.spec(base).parts.values()):
                yield (
                    f"{base}_parts",
                    {part: node.below.get(part, []) if part in own else [] for part in handles},
                )

    def keepers(self) -> Iterator[Table]:
        for number in range(len(self.tree.nodes)):
            for component, parts in self.kept(number):
                counts = self.prefabs.handles(component.removesuffix("_parts"))
                nodes: list[str] = []
                values = []
                for part, found in parts.items():
                    nodes += [str(one) for one in found]
                    nodes += ["NO_NODE"] * (counts[part] - len(found))
                    places = (
                        [part] if counts[part] == 1 else [f"{part}[{i}]" for i in range(len(found))]
                    )
                    values += [f".{at} = e[{one}]" for at, one in zip(places, found, strict=False)]
                yield {
                    "node": number,
                    "component": component,
                    "count": len(nodes),
                    "nodes": ", ".join(nodes),
                    "value": ", ".join(values) or "0",
                }

    def find(self, number: int) -> Table:
        """Finds a part by the call of its prefab, and by those of the prefabs in `is`."""
        node = self.tree.nodes[number]
        spec = self.prefabs.spec(self.tree.nodes[node.above].prefab)
        calls = []
        for base in reversed(spec.bases):
            part = self.prefabs.spec(base).parts.get(node.name)
            same = part and part.declared_by == spec.parts[node.name].declared_by
            if part and same and (part.count > 1 or not node.item):
                calls.append(self.call(base, node.name, node.above, node.item or 0))
        return {"node": number, "calls": calls}

    def call(self, prefab: str, part: str, above: int, item: int) -> str:
        count = self.prefabs.spec(prefab).parts[part].count
        return f"w_{prefab}_{part}(w, out[{above}]{f', {item}' if count > 1 else ''})"

    def lost(self) -> Iterator[str]:
        """Yields calls that must find nothing."""
        for number, node in enumerate(self.tree.nodes):
            spec = self.prefabs.spec(node.prefab)
            for base in spec.bases:
                for part, one in self.prefabs.spec(base).parts.items():
                    same = part in spec.parts and spec.parts[part].declared_by == one.declared_by
                    if part not in node.below or not same:
                        yield self.call(base, part, number, 0)
            for part, one in spec.parts.items():
                if one.count > 1:
                    yield self.call(node.prefab, part, number, one.count)

    def missing(self) -> Iterator[str]:
        """Yields the members of parts that are left out, and that have no parts themselves."""
        for node in self.tree.nodes:
            inside = f"{node.path}." if node.path else ""
            for part, one in self.prefabs.spec(node.prefab).parts.items():
                if part not in node.below and not self.prefabs.spec(one.prefab).parts:
                    yield inside + part + ("[0]" if one.count > 1 else "")


def number_of(component: str, name: str, values: Table) -> str:
    outer, _, inner = name.partition(".")
    given: Any = values.get(outer)
    given = given.get(inner) if isinstance(given, dict) else given
    number = DEFAULTS[component][name] if given is None else given
    return str(number) if name == "n" else f"{float(number)}f"


def code(made: Drawn) -> str:
    prefabs = Prefabs(made.prefabs)
    environment = Environment(
        loader=FileSystemLoader(HERE),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    template = environment.get_template("trees_made.c.j2")
    return template.render(trees=[Code(prefabs, name).facts() for name in made.trees])


def compiled(made: Drawn, folder: Path, *, sanitized: bool) -> Path:
    schema, printed, program = folder / "w.toml", folder / "trees_made.c", folder / "trees"
    schema.write_bytes(toml(made.document))
    printed.write_text(code(made), encoding="utf-8")
    generated = generate(schema).write(folder)
    # All in one file, because most of the time goes into the headers that each file includes.
    whole = folder / "whole.c"
    files = [printed, *sorted(HERE.glob("*.c")), *sorted(generated.glob("*.c"))]
    whole.write_text("".join(f'#include "{file}"\n' for file in files), encoding="utf-8")
    include = [f"-I{one}" for one in (HERE, generated, RUNTIME, HERE.parent.parent / "fuzz")]
    library = built("build/asan/libweft.a" if sanitized else "build/gcc/libweft.a")
    flags = [*FLAGS, *(SANITIZERS if sanitized else ())]
    done = subprocess.run(
        ["clang", *flags, *include, whole, library, "-o", program], capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")
    return program


def test_the_turns_cross_everything() -> None:
    crossed: set[tuple[str, str, str]] = set()
    for turn in range(TURNS):
        crossed |= draw(Random(turn), turn).crossed
    assert crossed == set(product(STORAGES, RELATIONS, OVERRIDES))


@pytest.mark.parametrize("turn, seed", [(turn, seed) for turn in range(TURNS) for seed in range(5)])
def test_extents_are_those_of_the_naive_expansion(turn: int, seed: int, tmp_path: Path) -> None:
    made = draw(Random(seed * TURNS + turn), turn)
    schema = tmp_path / "w.toml"
    schema.write_bytes(toml(made.document))
    prefabs, found = Prefabs(made.prefabs), extents(model_of(schema), made.prefabs)
    for name in made.prefabs:
        nodes = prefabs.tree(name).nodes
        depth = max(one.path.count(".") + 1 if one.path else 0 for one in nodes)
        assert found[name] == (len(nodes), depth)


def test_each_prefab_is_measured_once(tmp_path: Path) -> None:
    """Twice as often for each level would never end."""
    part = {"by": "rig", "without": ["third"]}
    prefabs: Table = {"p0": {"components": {"mark": {}}, "parts": {}}}
    prefabs["p0"]["parts"] = {"third": {"prefab": "leaf", "by": "rig"}}
    for level in range(1, 60):
        one, third = {**part, "prefab": f"p{level - 1}"}, {"prefab": "leaf", "by": "rig"}
        parts = {"first": one, "second": one, "third": third}
        prefabs[f"p{level}"] = {"components": {"mark": {}}, "parts": parts}
    prefabs["leaf"] = {"components": {"mark": {}}}
    made = Drawn(prefabs, [], 0).document | {"query": {}, "listener": {}}
    schema = tmp_path / "w.toml"
    schema.write_bytes(toml(made))
    found = extents(parse(str(schema), Report()).model, prefabs)
    assert found["p1"] == (1 + 2 * 1 + 1, 1) and found["p3"] == (1 + 2 * (1 + 2 * 3) + 1, 3)
    assert found["p59"] == (MAX_ENTITIES + 1, 59)


@pytest.mark.parametrize("turn, seed, sanitized", long_after(TURNS, CASES))
def test_trees_equal_their_naive_expansion(
    turn: int, seed: int, sanitized: bool, tmp_path: Path
) -> None:
    made = draw(Random(seed * TURNS + turn), turn)
    program = compiled(made, tmp_path, sanitized=sanitized)
    done = subprocess.run([program, str(seed)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"{len(made.trees)} trees\n"
