"""Writes a save as JSON, in the form of `weft_json.h`: a world can read it.

What a save does not have is left out: values that are not saved, which a world that reads it gives
their defaults. The text of a row is made by one template for all of its table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import lt
from typing import Any, TextIO

from saves.columns import PART_ROWS, Leaf, leaves, parts
from saves.plain import encode, encoded
from saves.schema import ENTITY, ENUM, EXTERN, ONE, SPARSE, STRUCT, TABLE, Field, Schema, Thing
from saves.values import Span, handle_texts, member_values
from saves.world import Save, Table

FORMAT = 1
_BOOL = {False: "false", True: "true"}
Cells = tuple[str, Sequence[Any]]  # how a template writes a value, and the values


def to_json(save: Save, path: str, written: Callable[[int], None]) -> None:
    with open(path, "w", encoding="ascii", newline="\n") as file:
        file.write(f'{{\n  "weft": {FORMAT},\n  "world": "{save.schema.world}",\n')
        lines = [f'"{name}": {encode(value)}' for name, value in save.singletons.items()]
        file.write(f'  "singletons": {{{_joined(lines, 4)}}},\n  "entities": [')
        _write_lines(file, _entities(save, written), 4)
        file.write('],\n  "relations": {')
        for place, one in enumerate(save.schema.relations):
            file.write(f'{"," if place else ""}\n    "{one.name}": [')
            _write_lines(file, _links(save, save.relations.get(one.name, ())), 6)
            file.write("]")
        file.write("\n  }\n}\n" if save.schema.relations else "}\n}\n")


def _joined(lines: Sequence[str], indent: int) -> str:
    inside = ",".join(f"\n{' ' * indent}{line}" for line in lines)
    return f"{inside}\n{' ' * (indent - 2)}" if lines else ""


def _write_lines(file: TextIO, lines: Iterable[str], indent: int) -> None:
    separator = first = f"\n{' ' * indent}"
    for line in lines:
        file.write(separator + line)
        separator = f",{first}"
    if separator != first:
        file.write(first[:-2])


def _links(save: Save, links: Sequence[int]) -> Iterator[str]:
    for start in range(0, len(links), 2 * PART_ROWS):
        handles = [save.living[index] for index in links[start : start + 2 * PART_ROWS]]
        texts = handle_texts(save.schema, handles)
        for child, parent in zip(texts[::2], texts[1::2], strict=True):
            yield f'["{child}", "{parent}"]'


def _entities(save: Save, written: Callable[[int], None]) -> Iterator[str]:
    """Yields the entities as lines, by ascending index."""
    mask = (1 << save.schema.index_bits) - 1
    indices = [bits & mask for table in save.tables for bits in table.handles]
    lines = _lines(save, written)
    if all(map(lt, indices, indices[1:])):
        yield from lines
        return
    by_index = dict(zip(indices, lines, strict=True))
    yield from map(by_index.__getitem__, sorted(indices))


def _lines(save: Save, written: Callable[[int], None]) -> Iterator[str]:
    """Yields the entities as lines, by table and row."""
    stores = _store_texts(save)
    for table in save.tables:
        for start in range(0, len(table.handles), PART_ROWS):
            handles = table.handles[start : start + PART_ROWS]
            rows = _rows(save, table, stores, start)
            for id, row in zip(handle_texts(save.schema, handles), rows, strict=True):
                yield f'{{"id": "{id}", "components": {{{row[2:]}}}}}'
            written(len(handles))


def _rows(save: Save, table: Table, stores: dict[int, dict[int, str]], start: int) -> list[str]:
    """Returns the components of some rows of a table, each behind a comma."""
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
    """Returns for each row a tag, or a value of a store, or nothing."""
    if isinstance(texts, str):
        tag = f', "{texts}": true'
        return [tag if has else "" for has in mask]
    indices = (1 << save.schema.index_bits) - 1
    handles = table.handles[start : start + PART_ROWS]
    return [texts[bits & indices] if has else "" for bits, has in zip(handles, mask, strict=True)]


def _store_texts(save: Save) -> dict[int, dict[int, str]]:
    """Returns the values of each sparse component, by the index of the entity."""
    found: dict[int, dict[int, str]] = {}
    mask = (1 << save.schema.index_bits) - 1
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
            indices = [bits & mask for bits in part.handles]
            found[number] |= dict(zip(indices, texts, strict=True))
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
            if part.by is not None:
                add(f"{path}{part.name}.", schema.elements(part))
                continue
            if part.shape == ONE and part.type in (STRUCT, EXTERN):
                add(f"{path}{part.name}.", schema.inner(part).fields)
                continue
            written, values = _cells(schema, by_path[f"{path}{part.name}"], spans)
            template.append(written)
            columns.append(values)
        template.append("}")

    add("", one.saved())


def _cells(schema: Schema, leaf: Leaf, spans: list[Span]) -> Cells:
    one = leaf.field
    values = member_values(schema, one, spans[leaf.column].at(leaf.offset))
    if one.shape != ONE:
        return "%s", encoded(one, values)
    if one.type == ENTITY:
        return "%s", [f'"{value}"' if value else "null" for value in values]
    if one.type == ENUM:
        return '"%s"', values
    if values and isinstance(values[0], bool):
        return "%s", list(map(_BOOL.__getitem__, values))
    if str in set(map(type, values)):
        return "%s", [f'"{value}"' if isinstance(value, str) else value for value in values]
    return "%r", values
