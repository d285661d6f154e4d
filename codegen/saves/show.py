"""Prints a save for people: all of it, one entity, or the entities of a component."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from names.nearest import suggest
from saves.columns import Leaf, Part, leaves, parts
from saves.damage import AskedError
from saves.plain import encode
from saves.schema import CHAR, SPARSE, TAG
from saves.sheets import inner
from saves.values import Span
from saves.world import Save, Store, Table

_HANDLE = re.compile(r"(\d{1,10}):(\d{1,10})")
_ITEMS = 12  # of an array or list in a line
_KINDS = ("table", "sparse", "tag")


def show(save: Save, name: str, limit: int) -> Iterator[str]:
    """Yields the content of each kind, at most `limit` lines of one."""
    schema = save.schema
    weft = f"Weft {save.weft}" if save.weft else "a Weft before 1.0.0"
    what = "part" if save.part else "save"
    yield f"{name}: a {what} of world '{schema.world}', {len(save.data):,} bytes, by {weft}"
    bits = f"handles of {schema.index_bits} + {schema.generation_bits} bits"
    alive = f"{len(save.indices):,} entities"
    if save.part:
        yield f"{alive}, {_fate(save.part)}; {bits}"
    else:
        yield f"tick {save.ticks:,}; {bits}"
        away = f", {len(save.away):,} away" if save.away else ""
        free = f"{save.free_count:,} free indices, {len(save.retired):,} retired"
        yield f"{alive}, {free}{away}"
    yield from _group("tables", _tables(save), limit)
    yield from _group("components", _components(save), limit)
    links = [
        (one.name, f"{len(save.relations.get(one.name, ())) // 2:,} links")
        for one in schema.relations
    ]
    yield from _group("relations", links, limit)
    links = [(name, f"{len(one.froms):,} links") for name, one in save.links.items()]
    yield from _group("links", links, limit)
    yield from _group("events waiting", _events(save), limit)
    yield from _group("singletons", [] if save.part else _singletons(save), limit)
    yield from _group("systems that are switched off", [(name, "") for name in save.off], limit)
    unknown = [(kind.strip(), f"{len(data):,} bytes") for kind, data in save.unknown]
    yield from _group("unknown sections, which a later Weft wrote", unknown, limit)


def _fate(part: dict[str, Any]) -> str:
    if not part["away"]:
        return "a load makes copies"
    outer = len(part["outer"])
    links = f", with {outer:,} link{'s' * (outer != 1)} to others" if outer else ""
    return f"taken out of the world{links}: a load brings them back"


def _group(title: str, rows: Sequence[tuple[str, str]], limit: int) -> Iterator[str]:
    """Yields a title and rows of two columns, or nothing if there are no rows."""
    if not rows:
        return
    shown = rows[:limit] if limit else rows
    width = max(len(name) for name, _ in shown)
    yield ""
    yield title
    for name, value in shown:
        yield f"  {name:{width}}  {value}".rstrip()
    if len(shown) < len(rows):
        yield f"  … {len(rows) - len(shown):,} more; --limit 0 shows all"


def _tables(save: Save) -> list[tuple[str, str]]:
    components = save.schema.components
    return [
        (
            f"{len(table.handles):,} rows",
            ", ".join(components[number].name for number in sorted(table.spans)) or "no components",
        )
        for table in sorted(save.tables, key=lambda table: -len(table.handles))
    ]


def _components(save: Save) -> list[tuple[str, str]]:
    return [
        (
            one.name,
            f"{save.count(number):,} ({_KINDS[one.storage]}"
            f"{', in columns' if one.soa else ''}{'' if one.save else ', not saved'})",
        )
        for number, one in enumerate(save.schema.components)
    ]


def _events(save: Save) -> list[tuple[str, str]]:
    found = []
    for name, event in save.events.items():
        heard = ", ".join(
            f"{system} has not heard {left:,}" for system, left in event["unheard"].items()
        )
        found.append((name, f"{len(event['values']):,}" + (f" ({heard})" if heard else "")))
    return found


def _singletons(save: Save) -> list[tuple[str, str]]:
    found = []
    for one in save.schema.singletons:
        if one.name in save.singletons:
            value = save.singletons[one.name]
            pairs = ((leaf, inner(value, leaf.path)) for leaf in leaves(save.schema, one))
            found.append((one.name, _fields(pairs)))
        else:
            found.append((one.name, "not saved"))
    return found


def _fields(pairs: Iterator[tuple[Leaf, Any]]) -> str:
    return ", ".join(f"{leaf.shown} = {value_text(leaf, value)}" for leaf, value in pairs)


def value_text(leaf: Leaf, value: Any) -> str:
    """Returns a value for people: only strings have quotes, and long lists are cut."""
    if value is None:
        return "none"
    if isinstance(value, str) and leaf.field.type.base != CHAR:
        return value
    if isinstance(value, list) and len(value) > _ITEMS:
        return f"{encode(value[:_ITEMS])[:-1]}, … {len(value) - _ITEMS:,} more]"
    return encode(value)


# ---- one entity


def show_entity(save: Save, asked: str) -> Iterator[str]:
    """Yields an entity with its components, tags and links."""
    bits = _find(save, asked)
    index = bits & (1 << save.schema.index_bits) - 1
    table, row = next(
        (table, table.handles.index(bits)) for table in save.tables if bits in table.handles
    )
    has = [number for number, mask in table.masks.items() if mask[row]]
    yield save.schema.handle(bits)
    tags = [number for number in has if save.schema.components[number].storage == TAG]
    for number in sorted({*table.spans, *has}.difference(tags)):
        one = save.schema.components[number]
        part = _one_row(save, number, table, row, index)
        found = leaves(save.schema, one)
        columns = part.columns(save.schema, found) if part.spans else []
        pairs = ((leaf, column[0]) for leaf, column in zip(found, columns, strict=False))
        yield f"  {one.name}: {_fields(pairs) if part.spans else 'not saved'}"
    if tags:
        yield f"  tags: {', '.join(save.schema.components[number].name for number in tags)}"
    yield from _relations(save, index)
    yield from _links(save, index)


def _find(save: Save, asked: str) -> int:
    match = _HANDLE.fullmatch(asked)
    if match is None:
        raise AskedError(
            f"'{asked}' is not an entity: write its index and generation, for example 12:3"
        )
    index, generation = map(int, match.groups())
    living = save.living.get(index)
    if living is None:
        raise AskedError(f"entity {asked} does not exist: nothing lives at index {index:,}")
    if living >> save.schema.index_bits != generation:
        raise AskedError(
            f"entity {asked} does not exist: {save.schema.handle(living)} lives at its index"
        )
    return living


def _one_row(save: Save, number: int, table: Table, row: int, index: int) -> Part:
    spans = table.spans.get(number, [])
    if save.schema.components[number].storage == SPARSE:
        store: Store = save.stores[number]
        row, spans = store.owners.index(index), [store.span] if store.span else []
    return Part([index], [_row_of(span, row) for span in spans])


def _row_of(span: Span, row: int) -> Span:
    return span.part(row, row + 1)


def _relations(save: Save, index: int) -> Iterator[str]:
    for name, links in save.relations.items():
        parents = dict(zip(links[::2], links[1::2], strict=True))
        if index in parents:
            yield f"  {name}: child of {save.schema.handle(save.living[parents[index]])}"
        # A save contains the last child first, so that a load can attach each as the first one.
        children = [child for child, parent in reversed(parents.items()) if parent == index]
        if children:
            texts = (save.schema.handle(save.living[child]) for child in children)
            yield f"  {name}: parent of {', '.join(texts)}"


def _links(save: Save, index: int) -> Iterator[str]:
    """Yields a line for each link from or to an entity."""
    for one in save.schema.links:
        links = save.links.get(one.name)
        pairs = zip(links.froms, links.tos, strict=True) if links else iter(())
        for row, (a, b) in enumerate(pairs):
            if index not in (a, b) or links is None:
                continue
            way, other = ("to", b) if index == a else ("from", a)
            if one.symmetric:
                way = "with"
            found = leaves(save.schema, one) if links.span else []
            part = Part([a], [_row_of(links.span, row)] if links.span else [])
            columns = part.columns(save.schema, found)
            values = _fields((leaf, column[0]) for leaf, column in zip(found, columns, strict=True))
            handle = save.schema.handle(save.linkable[other])
            yield f"  {one.name}: {way} {handle}  {values}".rstrip()


# ---- the entities of a component


def show_component(save: Save, name: str, limit: int) -> Iterator[str]:
    """Yields the entities that have a component or tag, with its values."""
    number = component_number(save, name)
    one = save.schema.components[number]
    yield f"{name}: {save.count(number):,} entities"
    left = limit or save.count(number)
    for part in _parts_of(save, number):
        found = leaves(save.schema, one) if part.spans else []
        some = Part(part.handles[:left], [span.part(0, left) for span in part.spans])
        columns = some.columns(save.schema, found)
        rows = zip(*columns, strict=True) if columns else [()] * len(some.handles)
        for bits, row in zip(some.handles, rows, strict=True):
            values = _fields(iter(zip(found, row, strict=True)))
            yield f"  {save.schema.handle(bits)}  {values}".rstrip()
        left -= len(some.handles)
        if left == 0:
            break
    if limit and save.count(number) > limit:
        yield f"  … {save.count(number) - limit:,} more; --limit 0 shows all"


def component_number(save: Save, name: str) -> int:
    names = [one.name for one in save.schema.components]
    if name not in names:
        help = suggest(name, names, "components")
        raise AskedError(
            f"'{name}' is not a component of this save" + (f": {help}" if help else "")
        )
    return names.index(name)


def _parts_of(save: Save, number: int) -> Iterator[Part]:
    if save.schema.components[number].storage != TAG:
        yield from parts(save, number)
        return
    for table in save.tables_of(number):
        mask = table.masks[number]
        yield Part([bits for bits, has in zip(table.handles, mask, strict=True) if has], [])
