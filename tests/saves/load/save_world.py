"""All of a save: who is there with what, and the rest of its state, as JSON has it."""

from __future__ import annotations

from typing import Any

from save_bytes import KNOWN, Body, need, sections
from save_schema import SPARSE, TABLE, TAG, Schema, Thing
from save_values import member_value, struct_value


def version_text(number: int) -> str:
    return f"{number // 10000}.{number // 100 % 100}.{number % 100}"


class Save:
    def __init__(self, data: bytes) -> None:
        bodies = list(sections(data))
        need(bool(bodies) and bodies[-1].kind == "END ", "the save has no end")
        by_kind: dict[str, list[Body]] = {kind: [] for kind in KNOWN}
        for body in bodies:
            by_kind[body.kind].append(body)
        for kind in ("SCHM", "ENTS", "CLKS", "END "):
            need(len(by_kind[kind]) == 1, f"there is not exactly one section '{kind}'")
        schema = self.schema = Schema(by_kind["SCHM"][0])
        self.used: set[int] = set()  # indices
        self.components: dict[str, dict[str, Any]] = {}  # by handle, in order of its index
        self.sparse_rows: dict[str, set[int]] = {
            one.name: set() for one in schema.components if one.storage == SPARSE
        }
        self.tables: list[list[str]] = []  # handles by row
        self.values: dict[str, Any] = {
            "format": 1,
            "weft": next((version_text(body.word()) for body in by_kind["VERS"]), None),
            "world": schema.world,
            "schema": schema.described(),
        }
        live = self._entities(by_kind["ENTS"][0])
        for body in by_kind["TABL"]:
            self._table(body)
        need(len(self.components) == live, "there are not as many rows as entities")
        need(self.used == set(range(len(self.used))), "an index is nobody's")
        for body in by_kind["SPRS"]:
            self._sparse(body)
        need(not any(self.sparse_rows.values()), "a sparse component has no value for a row")
        self._singletons(by_kind["SING"])
        self._clocks(by_kind["CLKS"][0])
        self.values["off"] = [name for body in by_kind["SWCH"] for name in self._off(body)]
        self.values["seed"] = [self._word(body) for body in by_kind["SEED"]]
        self.values["events"] = dict(map(self._event, by_kind["EVNT"]))
        self.values["relations"] = dict(map(self._relation, by_kind["RELA"]))
        self.values["removed"] = list(map(self._removed, by_kind["RMVD"]))
        self.values["marks"] = list(map(self._change_bits, by_kind["MRKS"]))
        by_kind["END "][0].end()
        self._write_entities()

    def _use(self, index: int) -> None:
        need(index not in self.used, f"index {index} is there twice")
        self.used.add(index)

    def _index(self, bits: int) -> int:
        return bits & (1 << self.schema.index_bits) - 1

    def _entities(self, body: Body) -> int:
        live, free, retired = body.words(3)
        handles = body.numbers(free, self.schema.handle_bytes)
        indices = body.numbers(retired, 4)
        body.end()
        for index in [*map(self._index, handles), *indices]:
            self._use(index)
        self.values["free"] = [self.schema.handle(bits) for bits in handles]
        self.values["retired"] = indices
        return live

    def _table(self, body: Body) -> None:
        schema = self.schema
        rows, tables, bitsets = body.words(3)
        numbers = body.words(tables + bitsets)
        things = [schema.pick(schema.components, number, "component") for number in numbers]
        handles = body.numbers(rows, schema.handle_bytes)
        values: list[dict[str, Any]] = [{} for _ in range(rows)]
        for one in things[:tables]:
            need(one.storage == TABLE, f"'{one.name}' is in a table and is not stored there")
            self._columns(body, one, values)
        for one in things[tables:]:
            need(one.storage != TABLE, f"'{one.name}' is beside a table and is stored in it")
            for row in body.bits(rows):
                values[row][one.name] = True if one.storage == TAG else {}
                if one.storage == SPARSE:
                    self.sparse_rows[one.name].add(self._index(handles[row]))
        body.end()
        for bits, value in zip(handles, values, strict=True):
            need(bits >> schema.index_bits != 0, "a row has a handle of nobody")
            self._use(self._index(bits))
            self.components[schema.handle(bits)] = value
        self.tables.append([schema.handle(bits) for bits in handles])

    def _columns(self, body: Body, one: Thing, values: list[dict[str, Any]]) -> None:
        for value in values:
            value[one.name] = {}
        if not one.save:
            return
        if not one.soa:
            for value, data in zip(values, body.rows(len(values), one.size), strict=True):
                value[one.name] = struct_value(self.schema, one.fields, data)
            return
        for part in one.fields:
            for value, data in zip(values, body.rows(len(values), part.size), strict=True):
                if part.save:
                    value[one.name][part.name] = member_value(self.schema, part, data)

    def _sparse(self, body: Body) -> None:
        one = self.schema.pick(self.schema.components, body.word(), "component")
        need(one.storage == SPARSE, f"'{one.name}' has a store and is not sparse")
        count = body.word()
        owners = body.numbers(count, 4)
        data = body.rows(count, one.size) if one.save else [b""] * count
        body.end()
        by_index = {int(handle.split(":")[0]): handle for handle in self.components}
        for index, value in zip(owners, data, strict=True):
            need(index in self.sparse_rows[one.name], f"'{one.name}' has a value of nobody")
            self.sparse_rows[one.name].remove(index)
            if one.save:
                there = self.components[by_index[index]]
                there[one.name] = struct_value(self.schema, one.fields, value)

    def _singletons(self, bodies: list[Body]) -> None:
        found: dict[str, Any] = {}
        for body in bodies:
            one = self.schema.pick(self.schema.singletons, body.word(), "singleton")
            found[one.name] = struct_value(self.schema, one.fields, body.read(one.size))
            body.end()
        self.values["singletons"] = found

    def _clocks(self, body: Body) -> None:
        self.values["ticks"], _, count = body.words(3)
        self.values["clocks"] = {
            body.text(): {"waited": body.double(), "elapsed": body.double()} for _ in range(count)
        }
        body.end()

    def _off(self, body: Body) -> list[str]:
        names = [body.text() for _ in range(body.word())]
        body.end()
        return names

    def _word(self, body: Body) -> int:
        word = body.word()
        body.end()
        return word

    def _event(self, body: Body) -> tuple[str, Any]:
        one = self.schema.pick(self.schema.events, body.word(), "event")
        values = body.rows(body.word(), one.size)
        unheard = {body.text(): body.word() for _ in range(body.word())}
        body.end()
        return one.name, {
            "values": [struct_value(self.schema, one.fields, data) for data in values],
            "unheard": unheard,
        }

    def _relation(self, body: Body) -> tuple[str, Any]:
        one = self.schema.pick(self.schema.relations, body.word(), "relation")
        links = body.numbers(2 * body.word(), 4)
        body.end()
        return one.name, [links[i : i + 2] for i in range(0, len(links), 2)]

    def _removed(self, body: Body) -> dict[str, Any]:
        system = body.text()
        one = self.schema.pick(self.schema.components, body.word(), "component")
        valued, count = body.flag(), body.word()
        found: dict[str, Any] = {"system": system, "component": one.name}
        handles = body.numbers(count, self.schema.handle_bytes)
        found["who"] = [self.schema.handle(bits) for bits in handles]
        if valued:
            rows = body.rows(count, one.size)
            found["values"] = [struct_value(self.schema, one.fields, data) for data in rows]
        body.end()
        return found

    def _change_bits(self, body: Body) -> dict[str, Any]:
        change_sets = []
        for _ in range(body.word()):
            change_set: dict[str, Any] = {"listening": body.flag(), "rows": []}
            for handles in self.tables:
                if body.flag():
                    change_set["rows"] += [handles[row] for row in sorted(body.bits(len(handles)))]
            change_sets.append(change_set)
        readers: dict[str, Any] = {}
        for _ in range(body.word()):
            name = body.text()
            readers[name] = [self._watch(body) for _ in range(body.word())]
        singletons = [
            self._singleton_watch(body)
            for _ in range(body.word() if body.at < len(body.data) else 0)
        ]
        body.end()
        return {"change_sets": change_sets, "readers": readers, "singletons": singletons}

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
        need(kind < len(kinds), f"a reader watches for {kind}")
        return {
            "component": self.schema.pick(self.schema.components, number, "component").name,
            "kind": kinds[kind],
            "incoming": incoming,
            "unseen": unseen,
            "shown": shown,
        }

    def _write_entities(self) -> None:
        order = {one.name: i for i, one in enumerate(self.schema.components)}
        self.values["entities"] = [
            {"id": handle, "components": dict(sorted(found.items(), key=lambda it: order[it[0]]))}
            for handle, found in sorted(
                self.components.items(), key=lambda item: int(item[0].split(":")[0])
            )
        ]
