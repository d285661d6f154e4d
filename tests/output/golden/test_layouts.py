"""Sizes, offsets and defaults in C, as reflection reports them, are those that the schema
specifies.

The expected values are computed here again, from the schema alone.
"""

from __future__ import annotations

import struct
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from built import built
from compilers import C_COMPILERS, RUNTIME, Compiler
from examples import long_after
from generated import GOLDEN, generate_all
from model.model import Model
from model.states import with_states
from model.types import Base, ExternType, Field, Shape, Type

CODES = {
    "bool": "?", "char": "c", "u8": "B", "u16": "H", "u32": "I", "u64": "Q",
    "i8": "b", "i16": "h", "i32": "i", "i64": "q", "f32": "f", "f64": "d",
}  # fmt: skip

Leaf = tuple[int, bytes]  # where in a value, and the bytes there; what no leaf match is padding


class Layout:
    """How C lays out the values of a model, and what bytes they have."""

    def __init__(self, model: Model) -> None:
        self.model = model
        bits = model.world.entities.index_bits + model.world.entities.generation_bits
        self.handle_bytes = 2 if bits <= 16 else 4 if bits <= 32 else 8

    def element(self, type: Type) -> tuple[int, int]:
        """Size and alignment."""
        if type.base is Base.ENTITY:
            return self.handle_bytes, self.handle_bytes
        if type.base is Base.EXTERN:
            extern = self.model.types.externs[type.name]
            return extern.size, extern.align
        if type.base is Base.STRUCT:
            return self.of_fields(self.model.types.structs[type.name].fields)
        size = struct.calcsize(CODES[self.code(type)])
        return size, size

    def of(self, type: Type) -> tuple[int, int]:
        size, align = self.element(type)
        if type.shape is Shape.LIST:
            align = max(align, 4)
            return up(self.items(type) + size * type.count, align), align
        return size * type.count, align

    def items(self, type: Type) -> int:
        """Where the elements begin."""
        return up(4, self.element(type)[1]) if type.shape is Shape.LIST else 0

    def of_fields(self, fields: tuple[Field, ...]) -> tuple[int, int]:
        end = max(offset + self.of(field.type)[0] for field, offset in self.placed(fields))
        align = max(self.of(field.type)[1] for field in fields)
        return up(end, align), align

    def placed(self, fields: tuple[Field, ...]) -> Iterator[tuple[Field, int]]:
        at = 0
        for field in fields:
            size, align = self.of(field.type)
            at = up(at, align)
            yield field, at
            at += size

    def code(self, type: Type) -> str:
        return self.model.types.enums[type.name].type if type.base is Base.ENUM else type.name

    def leaves(self, type: Type, value: Any) -> Iterator[Leaf]:
        """The bytes of a field's value; None: the schema says nothing of it."""
        if type.shape is Shape.STRING:
            yield 0, (value or "").encode().ljust(type.count, b"\0")
        elif type.shape is Shape.ONE:
            yield from self.element_leaves(type, value)
        else:
            given = value or []
            if type.by:
                given = [
                    dict(given).get(one.name) for one in self.model.types.enums[type.by].values
                ]
            if type.shape is Shape.LIST:
                yield 0, struct.pack("I", len(given))
            # Elements of a list beyond its count are zero; an array's elements have defaults.
            known = len(given) if type.shape is Shape.LIST else type.count
            size = self.element(type)[0]
            for i in range(known):
                inner = self.element_leaves(type, given[i] if i < len(given) else None)
                yield from ((self.items(type) + i * size + at, bytes) for at, bytes in inner)

    def element_leaves(self, type: Type, value: Any) -> Iterator[Leaf]:
        if type.base in (Base.STRUCT, Base.EXTERN):
            holders = {**self.model.types.structs, **self.model.types.externs}
            for field, offset in self.placed(holders[type.name].fields):
                given = (value or {}).get(field.name, field.default)
                yield from ((offset + at, bytes) for at, bytes in self.leaves(field.type, given))
        elif type.base is Base.ENTITY:
            yield 0, bytes(self.handle_bytes)
        elif type.base is Base.ENUM:
            names = [each.name for each in self.model.types.enums[type.name].values]
            yield 0, struct.pack(CODES[self.code(type)], names.index(value) if value else 0)
        else:
            yield 0, struct.pack(CODES[type.name], value or 0)


def up(number: int, align: int) -> int:
    return -(-number // align) * align


def run_program(compiler: Compiler, out: Path) -> list[str]:
    """Returns what layouts.c prints, linked with every world and a game for it."""
    worlds = [thing.world for thing in generate_all()]
    (out / "worlds.h").write_text(
        f"#define EACH_WORLD(X) {' '.join(f'X({world})' for world in worlds)}\n", encoding="utf-8"
    )
    folders = {RUNTIME, out, *(thing.own_headers for thing in generate_all())}
    sources = [GOLDEN / "layouts.c"]
    for thing in generate_all():
        own = thing.write(out)
        folders.add(own)
        # As one file: most of the time goes into the headers, which all of them include.
        sources.append(own / "whole.c")
        includes = "".join(f'#include "{file}"\n' for file in sorted(own.glob(f"{own.name}_*.c")))
        sources[-1].write_text(includes + thing.idle_game, encoding="utf-8")
    include = [f"-I{folder}" for folder in sorted(folders)]
    program = out / "layouts"
    library = built(f"build/{compiler.name}/libweft.a")
    command = [compiler.name, "-std=c11", "-O0", *include, *sources, library, "-pthread"]
    done = subprocess.run([*command, "-o", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return subprocess.run([program], capture_output=True, text=True, check=True).stdout.splitlines()


def holders(model: Model) -> Iterator[tuple[Any, bool]]:
    """Everything with fields in the order of layouts.c, and whether it has defaults of its own."""
    for named in (model.types.structs, model.types.externs):
        yield from ((item, False) for item in named.values())
    for named in (model.data.components, model.data.kept.singletons, model.data.events):
        yield from ((item, True) for item in named.values())


def compare(model: Model, said: Iterator[str]) -> None:
    layout = Layout(model)
    assert next(said) == f"world {model.world.name} {layout.handle_bytes}"
    for item, has_defaults in holders(model):
        size, align = layout.of_fields(item.fields) if item.fields else (0, 1)
        if isinstance(item, ExternType):
            size, align = item.size, item.align
        align = 0 if item in model.data.kept.singletons.values() else align
        assert next(said) == f"struct {item.name} {size} {align}"
        for field, offset in layout.placed(item.fields):
            compare_field(
                layout, f"{item.name}.{field.name}", field, offset, next(said), has_defaults
            )


def compare_field(
    layout: Layout, name: str, field: Field, offset: int, said: str, has_defaults: bool
) -> None:
    *facts, default = said.split(" ")
    type = field.type
    numbers = (offset, layout.of(type)[0], layout.element(type)[0], layout.items(type), type.count)
    assert facts == ["field", name, *map(str, numbers)]
    if has_defaults:
        bytes_there = bytes.fromhex(default)
        for at, expected in layout.leaves(type, field.default):
            assert bytes_there[at : at + len(expected)] == expected, f"{name} at {at}"


@pytest.mark.parametrize("compiler", long_after(1, C_COMPILERS), ids=lambda compiler: compiler.name)
def test_seed_F5_reflection_says_what_the_schema_means(compiler: Compiler, tmp_path: Path) -> None:
    said = iter(run_program(compiler, tmp_path))
    for thing in generate_all():
        compare(with_states(thing.model), said)
    assert next(said, None) is None
