"""Writes a save as JSON in the format of `weft_json.h`, which a world can read.

Values that are not saved are left out. A world that reads the file gives them their defaults. One
template makes the text of all rows of a table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, TextIO

from saves import singles
from saves.columns import PART_ROWS, Leaf, leaves, parts
from saves.plain import encode, encoded
from saves.schema import (
    BOOL,
    ENTITY,
    ENUM,
    EXTERN,
    F32,
    F64,
    ONE,
    SPARSE,
    STRUCT,
    TABLE,
    Field,
    Schema,
    Thing,
)
from saves.values import Span, handle_texts, member_values
from saves.world import Links, Save, Table

FORMAT = 1
_BOOL = {False: "false", True: "true"}
Cells = tuple[str, Sequence[Any]]  # the template of a value, and the values


def to_json(save: Save, path: str, written: Callable[[int], None]) -> None:
    with open(path, "w", encoding="ascii", newline="\n") as file:
        file.write(f'{{\n  "weft": {FORMAT},\n  "world": "{save.schema.world}",\n')
        lines = [f'"{name}": {encode(value)}' for name, value in save.singletons.items()]
        file.write(f'  "singletons": {{{_joined(lines, 4)}}},\n  "entities": [')
        _write_lines(file, _entities(save, written), 4)
        file.write('],\n  "relations": {')
        for place, one in enumerate(save.schema.relations):
            file.write(f'{"," if place else ""}\n    "{one.name}": [')
            _write_lines(file, _pairs(save, save.relations.get(one.name, ())), 6)
            file.write("]")
        file.write("\n  }" if save.schema.relations else "}")
        _write_links(file, save)
        file.write("\n}\n")


def _write_links(file: TextIO, save: Save) -> None:
    """Writes the links of all kinds, by `from` and then by `to`."""
    before = ',\n  "links": {'
    for one in save.schema.links:
        file.write(f'{before}\n    "{one.name}": [')
        before = ","
        if (links := save.links.get(one.name)) is not None:
            _write_lines(file, _kind(save, one, links), 6)
        file.write("]")
    if save.schema.links:
        file.write("\n  }")


def _joined(lines: Sequence[str], indent: int) -> str:
    inside = ",".join(f"\n{' ' * indent}{line}" for line in lines)
    return f"{inside}\n{' ' * (indent - 2)}" if lines else ""


def _write_lines(file: TextIO, parts: Iterable[list[str]], indent: int) -> None:
    separator = first = f"\n{' ' * indent}"
    for lines in parts:
        if lines:
            file.write(separator)
            file.write(f",{first}".join(lines))
            separator = f",{first}"
    if separator != first:
        file.write(first[:-2])


def _pairs(save: Save, links: Sequence[int]) -> Iterator[list[str]]:
    for start in range(0, len(links), 2 * PART_ROWS):
        handles = [save.living[index] for index in links[start : start + 2 * PART_ROWS]]
        texts = handle_texts(save.schema, handles)
        pairs = zip(texts[::2], texts[1::2], strict=True)
        yield [f'["{child}", "{parent}"]' for child, parent in pairs]


def _kind(save: Save, one: Thing, links: Links) -> Iterator[list[str]]:
    """Yields the links of a kind as lines. Links to entities that are away are left out."""
    for start in range(0, len(links.froms), PART_ROWS):
        template = ['{"from": "%s", "to": "%s"']
        columns: list[Sequence[Any]] = []
        handles = [
            [save.living.get(index, 0) for index in ends[start : start + PART_ROWS]]
            for ends in (links.froms, links.tos)
        ]
        columns.extend(handle_texts(save.schema, each) for each in handles)
        if links.span:
            template.append(', "value": ')
            _add(save.schema, one, [links.span.part(start, start + PART_ROWS)], template, columns)
        template.append("}")
        lines = map("".join(template).__mod__, zip(*columns, strict=True))
        yield [line for line, *ends in zip(lines, *handles, strict=True) if all(ends)]


def _entities(save: Save, written: Callable[[int], None]) -> Iterator[list[str]]:
    """Yields the entities as lines, by ascending index."""
    parts, order = _lines(save, written), sorted(save.indices)
    if order == save.indices:
        yield from parts
        return
    by_index = dict(zip(save.indices, chain.from_iterable(parts), strict=True))
    for start in range(0, len(order), PART_ROWS):
        yield list(map(by_index.__getitem__, order[start : start + PART_ROWS]))


def _lines(save: Save, written: Callable[[int], None]) -> Iterator[list[str]]:
    """Yields the entities as lines, by table and row."""
    stores = _store_texts(save)
    for table in save.tables:
        for start in range(0, len(table.handles), PART_ROWS):
            ids = handle_texts(save.schema, table.handles[start : start + PART_ROWS])
            pairs = zip(ids, _rows(save, table, stores, start), strict=True)
            yield [f'{{"id": "{id}", "components": {{{row[2:]}}}}}' for id, row in pairs]
            written(len(ids))


def _rows(save: Save, table: Table, stores: dict[int, dict[int, str]], start: int) -> list[str]:
    """Returns the components of some rows of a table as text, each after a comma."""
    template: list[str] = []
    columns: list[Sequence[Any]] = []
    for number in sorted([*table.spans, *table.masks]):
        one = save.schema.components[number]
        if one.storage == TABLE:
            template.append(f', "{one.name}": ')
            part = [span.part(start, start + PART_ROWS) for span in table.spans[number]]
            _add(save.schema, one, part, template, columns)
        else:
            template.append("%s")
            mask = table.masks[number][start : start + PART_ROWS]
            columns.append(_optional(save, table, start, mask, stores.get(number, one.name)))
    rows = len(table.handles[start : start + PART_ROWS])
    if not columns:
        return ["".join(template)] * rows
    return list(map("".join(template).__mod__, zip(*columns, strict=True)))


def _optional(
    save: Save, table: Table, start: int, mask: bytes, texts: dict[int, str] | str
) -> list[str]:
    """Returns for each row a tag, a value of a store, or ""."""
    if isinstance(texts, str):
        either = "", f', "{texts}": true'
        return list(map(either.__getitem__, mask))
    indices = save.schema.indices(table.handles[start : start + PART_ROWS])
    return [texts[index] if has else "" for index, has in zip(indices, mask, strict=True)]


def _store_texts(save: Save) -> dict[int, dict[int, str]]:
    """Returns the values of each sparse component, by the index of the entity."""
    found: dict[int, dict[int, str]] = {}
    for number, one in enumerate(save.schema.components):
        if one.storage != SPARSE:
            continue
        found[number] = {}
        for part in parts(save, number):
            template = [f', "{one.name}": ']
            columns: list[Sequence[Any]] = []
            _add(save.schema, one, part.spans, template, columns)
            whole = "".join(template)
            texts = (
                map(whole.__mod__, zip(*columns, strict=True))
                if columns
                else [whole] * len(part.handles)
            )
            found[number] |= dict(zip(save.schema.indices(part.handles), texts, strict=True))
    return found


def _add(
    schema: Schema,
    one: Thing,
    spans: list[Span],
    template: list[str],
    columns: list[Sequence[Any]],
) -> None:
    """Adds the fields of a component to a template, and their values to its columns."""
    by_path = {leaf.path: leaf for leaf in leaves(schema, one)}

    def add(path: str, fields: list[Field]) -> None:
        template.append("{")
        for place, part in enumerate(part for part in fields if part.save):
            template.append(f'{", " if place else ""}"{part.name}": ')
            if part.type.by is not None:
                add(f"{path}{part.name}.", schema.elements(part))
                continue
            if part.type.shape == ONE and part.type.base in (STRUCT, EXTERN):
                add(f"{path}{part.name}.", schema.inner(part).fields)
                continue
            written, values = _cells(schema, by_path[f"{path}{part.name}"], spans)
            template.append(written)
            columns.append(values)
        template.append("}")

    add("", one.saved())


def _cells(schema: Schema, leaf: Leaf, spans: list[Span]) -> Cells:
    one, span = leaf.field, spans[leaf.column].at(leaf.offset)
    if one.type.shape == ONE and one.type.base == F32:
        return "%s", singles.texts(span.numbers("I"), '"%s"')
    values = member_values(schema, one, span)
    if one.type.shape != ONE:
        return "%s", encoded(one, values)
    if one.type.base == ENTITY:
        return "%s", [f'"{value}"' if value else "null" for value in values]
    if one.type.base == ENUM:
        return '"%s"', values
    if one.type.base == BOOL:
        return "%s", list(map(_BOOL.__getitem__, values))
    if one.type.base == F64:
        return "%s", [f'"{value}"' if isinstance(value, str) else value for value in values]
    return "%s", values
