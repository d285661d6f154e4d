"""The content of a save: entities with their components as bytes in columns, and all other state.

Opening a save checks everything except the values in tables and stores, which are checked when they
are read. They are most of a save, and often only a few are needed.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, compress, pairwise
from typing import Any

from saves.damage import need
from saves.extent import Extents
from saves.free_list import free_rows, need_all
from saves.progress import SILENT, Progress
from saves.schema import SPARSE, TABLE, Schema, Thing
from saves.sections import (
    HEAD_BYTES,
    KNOWN,
    NO_SAVE,
    SECTION_HEAD_BYTES,
    Body,
    section_end,
    sections,
    whole_size,
)
from saves.values import Span, struct_values


def version_text(number: int) -> str:
    return f"{number // 10000}.{number // 100 % 100}.{number % 100}"


@dataclass
class Table:
    """Rows with the same components: a span for each column, and a byte per row for each tag."""

    handles: Sequence[int]
    spans: dict[int, list[Span]] = field(default_factory=dict)
    masks: dict[int, bytes] = field(default_factory=dict)


@dataclass
class Store:
    """The values of a sparse component, by slot. `span` is None if they are not saved."""

    owners: Sequence[int]  # indices
    span: Span | None


@dataclass
class Links:
    """The links of a kind, by `from` and then by `to`. `span` is None if they have no fields."""

    froms: Sequence[int]  # indices
    tos: Sequence[int]
    span: Span | None


def open_save(path: str, progress: Progress = SILENT) -> Save:
    """Reads a save from a file. First checks its head and the sizes of its sections, which must
    add up to the size of the file. So a file that is not a save is refused before it is read
    completely.
    """
    with open(path, "rb", opener=_without_waiting) as file:
        state = os.fstat(file.fileno())
        need(stat.S_ISREG(state.st_mode), "this is not a file", NO_SAVE)
        size = whole_size(file.read(HEAD_BYTES), state.st_size)
        at = HEAD_BYTES
        while at < size:
            file.seek(at)
            _, at = section_end(file.read(SECTION_HEAD_BYTES), at, size)
        file.seek(0)
        return Save(file.read(size), progress)


def _without_waiting(path: str, flags: int) -> int:
    """Opens a file. Opening a pipe normally would wait for a writer."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


class Save:
    def __init__(self, data: bytes, progress: Progress = SILENT) -> None:
        bodies = list(sections(data, progress))
        need(bool(bodies) and bodies[-1].kind == "END ", "the save has no end")
        by_kind: dict[str, list[Body]] = {kind: [] for kind in KNOWN}
        self.unknown: list[tuple[str, bytes]] = []
        for body in bodies:
            if body.kind in KNOWN:
                by_kind[body.kind].append(body)
            else:
                self.unknown.append((body.kind, bytes(body.data)))
        self.is_part = bool(by_kind["PART"])
        for kind in ("SCHM", "ENTS", "PART" if self.is_part else "CLKS", "END "):
            need(len(by_kind[kind]) == 1, f"section '{kind}' must occur exactly once")
        need(len(by_kind["AWAY"]) <= 1, "section 'AWAY' must not occur twice")
        self.data = data
        self.schema = Schema(by_kind["SCHM"][0])
        extents = Extents(self.schema)
        self.weft = next((version_text(body.word()) for body in by_kind["VERS"]), None)
        self.tables: list[Table] = []
        self.stores: dict[int, Store] = {}
        ends = [Thing(f"{end}({one.name})") for one in self.schema.links for end in ("from", "to")]
        self._things = [*self.schema.components, *self.schema.relations, *ends]
        self.away = [bits for body in by_kind["AWAY"] for bits in self._away(body)]
        self._read_entities(by_kind)
        self._read_rest(by_kind)
        self.part = self._part(by_kind["PART"][0]) if self.is_part else None
        by_kind["END "][0].end()
        extents.need_backed(self._value_bytes(), len(data))

    # ---- entities

    def _read_entities(self, by_kind: dict[str, list[Body]]) -> None:
        body = by_kind["ENTS"][0]
        live, free, retired = body.words(3)
        numbers = body.numbers(free, self.schema.handle_bytes)
        self.free = free_rows(numbers, self.schema.index_bits)
        self.retired = body.numbers(retired, 4)
        body.end()
        self.tables = [self._table(each) for each in by_kind["TABL"]]
        self._tables_of = self._by_component()
        rows = sum(len(table.handles) for table in self.tables)
        need(rows == live, f"the save has {rows:,} rows for {live:,} entities")
        self._check_indices()
        for each in by_kind["SPRS"]:
            self._store(each)
        for number, one in enumerate(self.schema.components):
            if one.storage == SPARSE and number not in self.stores:
                need(not self._having(number), f"'{one.name}' has no values")

    def _table(self, body: Body) -> Table:
        schema = self.schema
        rows, tables, bitsets = body.words(3)
        numbers = body.words(tables + bitsets)
        things = [schema.pick(schema.components, number, "component") for number in numbers]
        body.need(len(set(numbers)) == len(numbers), "has a component twice")
        table = Table(body.numbers(rows, schema.handle_bytes))
        for number, one in zip(numbers[:tables], things[:tables], strict=True):
            body.need(one.storage == TABLE, f"has '{one.name}' as a column, but it has none")
            table.spans[number] = self._spans(body, one, rows)
        for number, one in zip(numbers[tables:], things[tables:], strict=True):
            body.need(one.storage != TABLE, f"has '{one.name}' as a bitset, but it has none")
            table.masks[number] = body.bits(rows)
        body.end()
        first, end = 1 << schema.index_bits, 1 << schema.index_bits + schema.generation_bits
        sound = not rows or first <= min(table.handles) <= max(table.handles) < end
        body.need(sound, "has a row without a valid handle")
        return table

    def _spans(self, body: Body, one: Thing, rows: int) -> list[Span]:
        if not one.save:
            return []
        sizes = [part.place.size for part in one.fields] if one.soa else [one.size]
        where = f"{body.where()}: component '{one.name}'"
        return [Span(body.rows(rows, size), size, rows, where) for size in sizes]

    def _check_indices(self) -> None:
        """Checks that each index is free, retired, away or in exactly one row."""
        away = self.schema.indices(self.away)
        need_all([*self.indices, *self.retired, *away], self.free, self.schema.index_bits)

    def _away(self, body: Body) -> Sequence[int]:
        """Returns the handles of entities that were taken out of the world and can return."""
        handles = body.numbers(body.word(), self.schema.handle_bytes)
        body.end()
        first = 1 << self.schema.index_bits
        body.need(not handles or min(handles) >= first, "has an entity without a valid handle")
        return handles

    @property
    def free_count(self) -> int:
        return sum(len(row) for row in self.free)

    def _store(self, body: Body) -> None:
        number = body.word()
        one = self.schema.pick(self.schema.components, number, "component")
        body.need(one.storage == SPARSE, f"has a store of '{one.name}', which is not sparse")
        body.need(number not in self.stores, f"has the store of '{one.name}' twice")
        count = body.word()
        owners = body.numbers(count, 4)
        where = f"{body.where()}: component '{one.name}'"
        data = body.rows(count, one.size) if one.save else None
        span = None if data is None else Span(data, one.size, count, where)
        body.end()
        having = set(self._having(number))
        body.need(len(having) == count, f"has {count:,} values for {len(having):,} rows")
        body.need(having == set(owners), f"has a value of '{one.name}' for another row")
        self.stores[number] = Store(owners, span)

    def _having(self, number: int) -> list[int]:
        """Returns the indices of the rows that have a tag or sparse component."""
        return [
            index
            for table in self.tables_of(number)
            for index in self.schema.indices(compress(table.handles, table.masks[number]))
        ]

    def _by_component(self) -> dict[int, list[Table]]:
        found: dict[int, list[Table]] = {}
        for table in self.tables:
            for number in (*table.spans, *table.masks):
                found.setdefault(number, []).append(table)
        return found

    def tables_of(self, number: int) -> list[Table]:
        """Returns the tables whose rows have a component, or may have a tag or sparse component."""
        return self._tables_of.get(number, [])

    @cached_property
    def indices(self) -> list[int]:
        """Returns the index of each entity, by table and row."""
        return self.schema.indices(chain.from_iterable(table.handles for table in self.tables))

    @cached_property
    def living(self) -> dict[int, int]:
        """Returns the handle of each living index."""
        handles = chain.from_iterable(table.handles for table in self.tables)
        return dict(zip(self.indices, handles, strict=True))

    def count(self, number: int) -> int:
        """Returns the number of entities that have a component or tag."""
        if self.schema.components[number].storage == TABLE:
            return sum(len(table.handles) for table in self.tables_of(number))
        return sum(sum(table.masks[number]) for table in self.tables_of(number))

    def _value_bytes(self) -> Iterator[tuple[Thing, int]]:
        """Yields everything that has values, and the number of their bytes in the save."""
        for number, one in enumerate(self.schema.components):
            yield one, self.count(number) * one.size if one.save else 0
        for one in self.schema.singletons:
            yield one, one.size if one.name in self.singletons else 0
        for one in self.schema.events:
            yield one, len(self.events.get(one.name, {}).get("values", ())) * one.size
        for one in self.schema.links:
            links = self.links.get(one.name)
            yield one, len(links.froms) * one.size if links else 0

    # ---- the rest, as in JSON

    def _read_rest(self, by_kind: dict[str, list[Body]]) -> None:
        self.singletons = dict(map(self._singleton, by_kind["SING"]))
        self.ticks = 0
        self.clocks: dict[str, dict[str, float]] = {}
        for body in by_kind["CLKS"]:
            self.ticks, self.clocks = self._clocks(body)
        self.off = [name for body in by_kind["SWCH"] for name in self._off(body)]
        self.seed = [self._word(body) for body in by_kind["SEED"]]
        self.events = dict(map(self._event, by_kind["EVNT"]))
        self.relations = dict(map(self._relation, by_kind["RELA"]))
        self.links = dict(map(self._link, by_kind["LINK"]))
        need(len(self.links) == len(by_kind["LINK"]), "links of one kind occur twice")
        self.removed = list(map(self._removed, by_kind["RMVD"]))
        self.change_bits = list(map(self._change_bits, by_kind["MRKS"]))

    def _part(self, body: Body) -> dict[str, Any]:
        """Returns how a part was saved, and the links of its relations that lead out of it."""
        schema = self.schema
        away, count = body.flag(), body.word()
        relations = body.numbers(count, 4)
        ends = [body.numbers(count, schema.handle_bytes) for _ in range(3)]
        body.end()
        return {
            "away": away,
            "outer": [
                {
                    "relation": schema.pick(schema.relations, number, "relation").name,
                    **{
                        name: schema.handle(bits) if bits else None
                        for name, bits in zip(("child", "parent", "next"), handles, strict=True)
                    },
                }
                for number, *handles in zip(relations, *ends, strict=True)
            ],
        }

    def _singleton(self, body: Body) -> tuple[str, dict[str, Any]]:
        one = self.schema.pick(self.schema.singletons, body.word(), "singleton")
        span = Span(body.read(one.size), one.size, 1, f"{body.where()}: singleton '{one.name}'")
        body.end()
        return one.name, struct_values(self.schema, one.fields, span)[0]

    def _clocks(self, body: Body) -> tuple[int, dict[str, dict[str, float]]]:
        ticks, _ = body.words(2)
        clocks = {
            body.text(): {"waited": body.double(), "elapsed": body.double()}
            for _ in range(body.count())
        }
        body.end()
        return ticks, clocks

    def _off(self, body: Body) -> list[str]:
        names = [body.text() for _ in range(body.count())]
        body.end()
        return names

    def _word(self, body: Body) -> int:
        word = body.word()
        body.end()
        return word

    def _event(self, body: Body) -> tuple[str, dict[str, Any]]:
        one = self.schema.pick(self.schema.events, body.word(), "event")
        count = body.count(one.size)
        where = f"{body.where()}: event '{one.name}'"
        span = Span(body.rows(count, one.size), one.size, count, where)
        unheard = {body.text(): body.word() for _ in range(body.count())}
        body.end()
        values = struct_values(self.schema, one.fields, span)
        return one.name, {"values": values, "unheard": unheard}

    def _relation(self, body: Body) -> tuple[str, Sequence[int]]:
        """Returns pairs of indices: a child and its parent."""
        one = self.schema.pick(self.schema.relations, body.word(), "relation")
        links = body.numbers(2 * body.word(), 4)
        body.end()
        body.need(
            all(index in self.living for index in links), "links an entity that does not exist"
        )
        body.need(len(set(links[::2])) * 2 == len(links), "has a child with two parents")
        self._check_roots(body, dict(zip(links[::2], links[1::2], strict=True)))
        return one.name, links

    @cached_property
    def linkable(self) -> dict[int, int]:
        """The handles of all entities that are alive or away, by index."""
        away = zip(self.schema.indices(self.away), self.away, strict=True)
        return {**self.living, **dict(away)}

    def _link(self, body: Body) -> tuple[str, Links]:
        one = self.schema.pick(self.schema.links, body.word(), "kind of links")
        body.need(one.save, f"has links '{one.name}', which are not saved")
        count = body.count(8)
        links = Links(body.numbers(count, 4), body.numbers(count, 4), None)
        if one.size:
            where = f"{body.where()}: links '{one.name}'"
            links.span = Span(body.rows(count, one.size), one.size, count, where)
        body.end()
        pairs = list(zip(links.froms, links.tos, strict=True))
        body.need(
            all(index in self.linkable for index in chain(links.froms, links.tos)),
            "links an entity that does not exist",
        )
        body.need(all(a < b for a, b in pairwise(pairs)), "has links in another order")
        body.need(
            not one.symmetric or all(a <= b for a, b in pairs),
            "has a symmetric link from the higher index",
        )
        return one.name, links

    def _check_roots(self, body: Body, parents: dict[int, int]) -> None:
        """Checks that the chain of parents of each child ends."""
        rooted: set[int] = set()
        for child in parents:
            path: dict[int, None] = {}
            while child in parents and child not in rooted:
                body.need(child not in path, f"has entity {child:,} among its own parents")
                path[child] = None
                child = parents[child]
            rooted.update(path)

    def _removed(self, body: Body) -> dict[str, Any]:
        system = body.text()
        number = body.word()
        one = self.schema.pick(self._things, number, "component")
        valued, count = body.flag(), body.word()
        found: dict[str, Any] = {"system": system, "component": one.name}
        handles = body.numbers(count, self.schema.handle_bytes)
        found["who"] = [self.schema.handle(bits) for bits in handles]
        if valued:
            span = Span(body.rows(count, one.size), one.size, count, body.where())
            found["values"] = struct_values(self.schema, one.fields, span)
        body.end()
        return found

    def _change_bits(self, body: Body) -> dict[str, Any]:
        sets = [
            {"listening": body.flag(), "rows": [self._bitset(body, table) for table in self.tables]}
            for _ in range(body.count())
        ]
        readers: dict[str, Any] = {}
        for _ in range(body.count()):
            name = body.text()
            readers[name] = [self._watch(body) for _ in range(body.count())]
        singletons = [
            self._singleton_watch(body)
            for _ in range(body.count() if body.at < len(body.data) else 0)
        ]
        body.end()
        return {"change_sets": sets, "readers": readers, "singletons": singletons}

    def _bitset(self, body: Body, table: Table) -> bytes:
        """Returns a byte for each row of a table; b"" if no bit is set."""
        return body.bits(len(table.handles)) if body.flag() else b""

    def _singleton_watch(self, body: Body) -> dict[str, Any]:
        reader, number = body.text(), body.word()
        return {
            "reader": reader,
            "singleton": self.schema.pick(self.schema.singletons, number, "singleton").name,
            "listening": body.flag(),
            "unseen": body.flag(),
            "shown": body.flag(),
        }

    def _watch(self, body: Body) -> dict[str, Any]:
        number, kind, incoming, unseen, shown = body.words(5)
        kinds = ("added", "changed", "removed")
        body.need(kind < len(kinds), f"has a reader that watches for {kind:,}")
        return {
            "component": self.schema.pick(self._things, number, "component").name,
            "kind": kinds[kind],
            "incoming": incoming,
            "unseen": unseen,
            "shown": shown,
        }
