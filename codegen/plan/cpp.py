"""Plans the headers for C++: they map each name in `<…>` to calls of C."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from model.record import replace
from names.names import CMD_COMPONENT, CMD_LINK, CMD_PREFAB, CMD_RELATION, CMD_TAG, TAG, Names
from plan.records.code import CodePlan
from plan.records.cpp import CppName, CppPage, CppTable
from plan.records.data import (
    ComponentPlan,
    EnumPlan,
    EventPlan,
    RelationPlan,
    ResourcePlan,
    SingletonPlan,
    StatePlan,
)
from plan.records.index import IndexPlan
from plan.records.kinds import DataPlan
from plan.records.link import LinkPlan
from plan.records.page import PagePlan
from plan.records.prefab import PrefabPlan
from plan.records.query import ListenerPlan, QueryPlan
from plan.records.selection import TagAccessPlan
from plan.records.system import SystemPlan

Pairs = Iterable[tuple[str, str]]  # a name in C++, and what it stands for

# The verbs of the C calls of each kind. `…_IN` also have twins that take a grant.
COMPONENT = ("get", "edit", "set", "replace", "has", "remove", "clear")
PREFAB = ("spawn", "spawn_many", "spawn_rows", "reserve", "set")
QUERY = (
    "begin", "next", "each", "each_range", "run", "count", "only", "passes", "sort", "despawn_all",
    "part_save",
)  # fmt: skip
QUERY_IN = ("begin", "count", "only", "passes")
RELATION = ("attach", "append", "insert_before", "detach", "sort")
RELATION_IN = (
    "parent", "first_child", "next_sibling", "prev_sibling", "child_count", "depth", "walk_begin",
)  # fmt: skip
LINK = ("set", "has", "remove", "clear", "count", "count_from", "count_to")
LINK_BEGIN = ("begin", "from_begin", "to_begin")
LINK_IN = ("has", "count", "count_from", "count_to", *LINK_BEGIN)


class CppPages:
    """Plans the header for C++ of each declaration."""

    def __init__(self, names: Names) -> None:
        self.names = names

    def pages(self, data: DataPlan, code: CodePlan) -> list[CppPage]:
        types = data.types
        pages = [
            *(_page(one.page, [self._enum(one)]) for one in types.enums),
            *(_page(one.page) for one in [*types.structs, *types.externs]),
            *(self._component(one) for one in data.components.declared),
            *(self._singleton(one) for one in data.singletons),
            *(self._resource(one) for one in data.resources),
            *(self._event(one) for one in data.events),
            *(self._prefab(one) for one in data.prefabs),
            *(self._query(one) for one in code.queries),
            *(self._listener(one) for one in code.listeners),
            *(self._index(one) for one in code.indexes),
            *(self._relation(one) for one in data.relations),
            *(self._link(one) for one in data.links),
            *(self._system(one) for one in code.systems),
        ]
        return [self._outside(page) for page in pages]

    def _outside(self, page: CppPage) -> CppPage:
        """Qualifies C names with `::`, so that no name inside the namespace hides them."""
        ours = re.compile(rf"(?<![\w:]){self.names.prefix}_\w+")

        def outside(text: str) -> str:
            return ours.sub(r"::\g<0>", text)

        def arguments(table: str) -> str:
            name, types = table.split(
                "<", 1
            )  # a world may be called `system`, as `system_calls` is
            return f"{name}<{outside(types)}"

        def values(pairs: Pairs) -> list[tuple[str, str]]:
            return [(name, outside(value)) for name, value in pairs]

        tables = [
            replace(
                table,
                of=arguments(table.of),
                base=outside(table.base),
                types=values(table.types),
                calls=values(table.calls),
            )
            for table in page.tables
        ]
        return replace(page, tables=tables)

    # ---- the calls of each kind

    def _enum(self, one: EnumPlan) -> CppTable:
        return CppTable(
            f"enum_calls<{one.type}>", [("name", one.name_call)], numbers=[("count", one.count)]
        )

    def _component(self, one: ComponentPlan) -> CppPage:
        type, is_tag = one.struct.type, one.storage.kind == "tag"
        calls = [*_verbs(type, TAG[1:] if is_tag else COMPONENT)]
        calls += self._commands(one.name, CMD_TAG if is_tag else CMD_COMPONENT)
        reads = ("has",) if is_tag else ("get", "has")
        writes = ("set", "remove") if is_tag else ("edit",)
        grants = []
        if one.granted.reads:
            calls += _verbs(type, reads, "_in")
            grants.append(f"{type}_reader")
        if one.granted.writes:
            calls += _verbs(type, writes, "_in")
            grants.append(f"{type}_writer")
        table = self._calls(type, "tag" if is_tag else "component", calls, grants, one.name)
        return _page(one.struct.page, [table], CppName(type, "tag") if is_tag else None)

    def _singleton(self, one: SingletonPlan) -> CppPage:
        if one.state:
            return _page(one.struct.page, [self._state(one.state)])
        type = one.struct.type
        grants = [f"const {type} *", f"{type} *"]
        calls = _verbs(type, ("get", "edit"))
        return _page(
            one.struct.page, [self._calls(type, "singleton", calls, grants, one.struct.name)]
        )

    def _state(self, one: StatePlan) -> CppTable:
        """A context contains the value of this turn, and another member to change the state."""
        type, calls = one.enum.type, [("now", one.now), ("go", one.go)]
        grants, written = [type], []
        if one.granted.writes:
            calls.append(("go_in", one.go_in))
            grants.append(one.writer)
            written.append(("written", one.go_member))
        table = self._calls(type, "state", calls, grants, one.enum.name)
        return replace(table, members=[*table.members, *written])

    def _resource(self, one: ResourcePlan) -> CppPage:
        """The type of the game is named outside of the namespace, which may hide it."""
        table = self._calls(one.stem, "resource", [("bind", one.bind)])
        named = replace(table, types=[("type", f"{one.stem}::type")])
        return _page(one.page, [named], CppName(one.stem, "resource", one.type))

    def _event(self, one: EventPlan) -> CppPage:
        type = one.struct.type
        if one.outside:
            return _page(one.struct.page, [self._calls(type, "input", [("put", one.outside)])])
        if not one.emit:
            return _page(one.struct.page, [self._calls(type, "event", [])])
        emit, grants = [("emit", one.emit.function)], ["void", one.emit.emitter]
        table = self._calls(type, "event", emit, grants, one.emit.member)
        return _page(one.struct.page, [table])

    def _prefab(self, one: PrefabPlan) -> CppPage:
        if not one.tree:
            calls = [*_verbs(one.type, PREFAB), *self._commands(one.name, CMD_PREFAB)]
            return _page(one.page, [self._calls(one.type, "prefab", calls)])
        verbs, commands = ([verb for verb in all if verb != "set"] for all in (PREFAB, CMD_PREFAB))
        calls = [*_verbs(one.type, [*verbs, "spawn_all"]), *self._commands(one.name, commands)]
        parts = [
            CppTable(f"part_calls<&::{one.type}::{part.name}>", [("find", f"::{part.find}")])
            for part in one.parts
        ]
        return _page(one.page, [self._calls(one.type, "prefab", calls), *parts])

    def _query(self, one: QueryPlan) -> CppPage:
        name = one.stem
        calls, grants = [*_verbs(name, QUERY)], []
        if one.granted:
            calls += _verbs(name, QUERY_IN, "_in")
            grants.append(one.granted)
        table = self._calls(name, "query", calls, grants, one.name)
        row = f"std::tuple<{', '.join(one.each.types)}>"
        table = replace(table, types=[("iter", f"{name}_iter"), ("row", row)])
        alls = [
            CppTable(
                f"all_calls<{name}, {each.component.struct.type}>",
                [("set_all", each.set_all), ("remove_all", each.remove_all)],
            )
            for each in one.alls
        ]
        rows = _rows(f"{name}_iter", one.optional_tags)
        tables = [table, _stepped(f"{name}_iter", f"{name}_next"), *alls, *rows]
        return _page(one.page, tables, CppName(name, "query"))

    def _listener(self, one: ListenerPlan) -> CppPage:
        name = one.stem
        table = self._calls(name, "listener", [("turn", f"{name}_begin")])
        table = replace(table, types=[("iter", f"{name}_iter")])
        tables = [table, *_rows(f"{name}_iter", one.optional_tags)]
        if one.selection:
            tables.insert(1, _stepped(f"{name}_iter", f"{name}_next"))
        return _page(one.page, tables, CppName(name, "listener"))

    def _index(self, one: IndexPlan) -> CppPage:
        name, grants = one.stem, []
        calls = [(call, verb) for call, verb in one.typed if call != "next"]
        if one.granted:
            calls += [(f"{call}_in", f"{verb}_in") for call, verb in calls]
            grants.append(one.granted.reader)
        kind = {"ordered": "order"}.get(one.kind, one.kind)
        table = self._calls(name, kind, calls, grants, one.name)
        table = replace(
            table,
            types=[("iter", one.iterator), ("key", one.key)],
            numbers=[("axes", str(one.grid.axes))] if one.grid else [],
        )
        iterator = _stepped(one.iterator, dict(one.typed)["next"])
        return _page(one.page, [table, iterator], CppName(name, "index"))

    def _relation(self, one: RelationPlan) -> CppPage:
        name, grants = one.calls.stem, []
        calls = [*_verbs(name, (*RELATION, *RELATION_IN))]
        calls += self._commands(one.name, CMD_RELATION)
        if one.granted.reads:
            calls += _verbs(name, RELATION_IN, "_in")
            grants.append(self.names.relation(one.name, "reader"))
        table = self._calls(name, "relation", calls, grants, one.name)
        table = replace(table, types=[("iter", f"{name}_walk")])
        walk = _stepped(f"{name}_walk", f"{name}_walk_next")
        return _page(one.page, [table, walk], CppName(name, "relation"))

    def _link(self, one: LinkPlan) -> CppPage:
        name, values = one.stem, () if one.bare else ("get", "edit")
        grants = []
        calls = [*_verbs(name, (*LINK, *LINK_BEGIN, *values))]
        calls += self._commands(one.name, CMD_LINK)
        if one.granted.reads:
            calls += _verbs(name, (*LINK_IN, *values[:1]), "_in")
            grants.append(self.names.link(one.name, "reader"))
        if one.granted.writes:
            calls += _verbs(name, values[1:], "_in")
            grants.append(self.names.link(one.name, "writer"))
        table = self._calls(name, "link", calls, grants, one.name)
        walks = [
            _stepped(f"{name}{which}_iter", f"{name}{which}_next") for which in ("", "_from", "_to")
        ]
        iters = [("iter", f"{name}_iter")]
        iters += [(f"{end}_iter", f"{name}_{end}_iter") for end in ("from", "to")]
        table = replace(table, types=iters)
        struct = CppName(name, "link") if one.bare else None
        return _page(one.struct.page, [table, *walks], struct)

    def _system(self, one: SystemPlan) -> CppPage:
        calls = []
        if one.turns.switch:
            calls += [("enable", one.turns.switch.switch), ("is_on", one.turns.switch.is_on)]
        if one.turns.alone:
            calls.append(("run", one.turns.alone.function))
        tables = [CppTable(f"system_calls<{one.function.name}>", calls)]
        rows = [
            CppTable(f"row_calls<{one.context.type}, {of}>", [*verbs])
            for of, verbs in one.context.rows.by_type.items()
        ]
        return _page(one.page, [*(tables if calls else []), *rows])

    # ---- their parts

    def _calls(
        self, of: str, kind: str, calls: Pairs, grants: Iterable[str] = (), member: str = ""
    ) -> CppTable:
        """Plans the table of a name. `grants` are its reader and writer, if any."""
        types = ", ".join([self.names.world("world"), self.names.world("entity"), *grants])
        members = [("member", member)] if member and grants else []
        base = f" : named<kind::{kind}, {types}>"
        return CppTable(f"calls<{of}>", [*calls], base, members=members)

    def _commands(self, name: str, verbs: Iterable[str]) -> Iterator[tuple[str, str]]:
        yield from ((f"cmd_{verb}", self.names.cmd(name, verb)) for verb in verbs)


def _verbs(stem: str, verbs: Iterable[str], suffix: str = "") -> Iterator[tuple[str, str]]:
    yield from ((f"{verb}{suffix}", f"{stem}_{verb}{suffix}") for verb in verbs)


def _stepped(iterator: str, next: str) -> CppTable:
    return CppTable(f"calls<{iterator}>", [("next", next)])


def _rows(rows: str, tags: list[TagAccessPlan]) -> list[CppTable]:
    return [
        CppTable(f"row_calls<{rows}, {tag.component.struct.type}>", [("has", tag.function)])
        for tag in tags
    ]


def _page(
    page: PagePlan,
    tables: Iterable[CppTable] = (),
    struct: CppName | None = None,
) -> CppPage:
    return CppPage(
        header=page.header,
        guard=f"{page.guard}PP",
        includes=[f"{header}pp" for header in page.includes],
        struct=struct,
        tables=list(tables),
    )
