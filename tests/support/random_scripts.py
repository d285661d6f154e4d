"""Scripts for the probe that fill the world of a schema with random values."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from pathlib import Path

from hypothesis import assume

from check import check
from model.model import Model
from model.types import Base, Field, Shape
from parse import parse
from probes import SAVE, WORLD
from source.source import Report

ENTITIES = 8
NUMBERS = (0, 1, 2, 3, -1, 127, 128, -128, 255, 256, 65535, 65536, 16777217, 0.5, 1e300)


def read(folder: Path, name: str, schema: str, world: str = WORLD) -> Model:
    """Reads a valid schema; invalid ones are not tried."""
    path = folder / f"{name}.toml"
    path.write_text(world + schema, encoding="utf-8")
    report = Report()
    parsed = parse(str(path), report)
    check(parsed, report)
    assume(not report.errors)
    return parsed.model


def leaves(model: Model, fields: tuple[Field, ...], path: str) -> Iterator[tuple[str, Field]]:
    """Yields every element of fields, by its path."""
    for field in fields:
        single = field.type.shape in (Shape.ONE, Shape.STRING)
        for index in range(1 if single else field.type.count):
            at = f"{path}.{field.name}" + ("" if single else f"[{index}]")
            if field.type.base is Base.STRUCT:
                yield from leaves(model, model.types.structs[field.type.name].fields, at)
            else:
                yield at, field


def made(model: Model, seed: int, numbers: Sequence[float] = NUMBERS) -> str:
    """Returns a script that fills a world and loads it, so that unsaved data plays no part. Values
    that do not fit a field or a rule are refused, which is fine.
    """
    dice = random.Random(seed)
    lines = [f"spawn {ENTITIES}"]
    for component in model.data.components.values():
        for entity in range(ENTITIES):
            if dice.random() < 0.5:
                lines.append(f"add {entity} {component.name}")
                lines += filled(model, entity, component.name, component.fields, dice, numbers)
    for singleton in model.data.kept.singletons.values():
        lines += filled(model, "-", singleton.name, singleton.fields, dice, numbers)
    return "\n".join([*lines, f"save {SAVE}", f"load {SAVE}", "mark", ""])


def filled(
    model: Model,
    who: int | str,
    name: str,
    fields: tuple[Field, ...],
    dice: random.Random,
    numbers: Sequence[float],
) -> Iterator[str]:
    for field in fields:
        if field.type.shape is Shape.LIST:
            yield f"set {who} {name}.{field.name}.count {dice.randint(0, field.type.count)}"
    for path, field in leaves(model, fields, name):
        if dice.random() < 0.5:
            continue
        if field.type.base is Base.ENUM:
            value = dice.choice(model.types.enums[field.type.name].values).name
            yield f"text {who} {path} {value}"
        elif field.type.base is Base.CHAR:
            yield f"text {who} {path} {'x' * dice.randint(1, field.type.count)}"
        elif field.type.base is Base.ENTITY:
            yield f"link {who} {path} {dice.randrange(ENTITIES)}"
        elif field.type.name == "bool":
            yield f"set {who} {path} {dice.randrange(2)}"
        else:
            yield f"set {who} {path} {dice.choice(numbers)}"
