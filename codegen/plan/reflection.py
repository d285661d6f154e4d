"""Plans reflection: the schema as const tables, by kind."""

from __future__ import annotations

from collections.abc import Sequence

from plan.lists import ListPlan, list_plan, printed, table_plan
from plan.records.code import CodePlan
from plan.records.data import (
    ComponentPlan,
    EnumPlan,
    EventPlan,
    SingletonPlan,
    StructPlan,
)
from plan.records.index import IndexPlan
from plan.records.kinds import DataPlan
from plan.records.link import LinkPlan
from plan.records.prefab import PrefabPlan
from plan.records.query import ListenerPlan, QueryPlan
from plan.records.system import SystemPlan
from plan.records.tables import ReflectionPlan, SectionPlan, ValuePlan
from plan.text import string_literal


def make_reflection(data: DataPlan, code: CodePlan) -> ReflectionPlan:
    """Plans the tables of weft_schema. Leaves out empty sections and arrays."""
    tables = _tables(data, code)
    phases = [string_literal(phase.name) for phase in code.phases]
    tables["phases"] = list_plan("char *const", "phases", phases)
    sections = [*_type_sections(data, code, tables), *_thing_sections(data, code, tables)]
    return ReflectionPlan(
        sections=[section for section in sections if section.values or section.arrays],
        counts={kind: str(len(table.items)) for kind, table in tables.items()},
        names={kind: table.name for kind, table in tables.items()},
    )


def _tables(data: DataPlan, code: CodePlan) -> dict[str, ListPlan]:
    """Returns the table of each kind by its name in weft_schema."""
    struct = "weft_struct_info"
    return {
        "enums": table_plan("weft_enum_info", "enums", [e.page.row for e in data.types.enums]),
        "structs": table_plan(struct, "structs", [s.page.row for s in data.types.structs]),
        "externs": table_plan(struct, "externs", [e.page.row for e in data.types.externs]),
        "components": table_plan(
            "weft_component_info",
            "components",
            [c.struct.page.row for c in data.components.declared],
        ),
        "singletons": table_plan(
            "weft_singleton_info", "singletons", [s.struct.page.row for s in data.singletons]
        ),
        "events": table_plan("weft_event_info", "events", [e.struct.page.row for e in data.events]),
        "prefabs": table_plan("weft_prefab_info", "prefabs", [p.page.row for p in data.prefabs]),
        "queries": table_plan("weft_query_info", "queries", [q.page.row for q in code.queries]),
        "listeners": table_plan(
            "weft_listener_info", "listeners", [one.page.row for one in code.listeners]
        ),
        "index_infos": table_plan(
            "weft_index_info", "index_infos", [one.page.row for one in code.indexes]
        ),
        "systems": table_plan("weft_system_info", "systems", [s.page.row for s in code.systems]),
        "relations": table_plan(
            "weft_relation_info", "relations", [r.page.row for r in data.relations]
        ),
        "links": table_plan("weft_link_info", "links", [one.struct.page.row for one in data.links]),
    }


def _type_sections(
    data: DataPlan, code: CodePlan, tables: dict[str, ListPlan]
) -> list[SectionPlan]:
    enum_lists = _lists(data.types.enums)
    fields = [
        table_plan("weft_field", shape.fields_table, [member.row for member in shape.members])
        for shape in [*data.with_fields, *(one.struct for one in code.partials)]
    ]
    items = [
        value for shape in [*data.types.structs, *data.types.externs] for value in _default(shape)
    ]
    return [
        _section("enums", [], [*enum_lists, tables["enums"]]),
        _section("fields", [], fields),
        _section("structs and externs", items, [tables["structs"], tables["externs"]]),
    ]


def _thing_sections(
    data: DataPlan, code: CodePlan, tables: dict[str, ListPlan]
) -> list[SectionPlan]:
    return [
        _section("components", _defaults(data.components.declared), [tables["components"]]),
        _section("singletons", _defaults(data.singletons), [tables["singletons"]]),
        _section("events", _defaults(data.events), [tables["events"]]),
        _section("prefabs", [], [*_lists(data.prefabs), tables["prefabs"]]),
        _section("queries", [], [*_lists(code.queries), tables["queries"]]),
        _section("listeners", [], [*_lists(code.listeners), tables["listeners"]]),
        _section("indexes", [], [*_lists(code.indexes), tables["index_infos"]]),
        _section("systems", [], [*_lists(code.systems), tables["systems"]]),
        _section("relations", [], [tables["relations"]]),
        _section("links", _defaults(data.links), [tables["links"]]),
        _section("phases", [], [tables["phases"]]),
    ]


def _lists(
    things: Sequence[EnumPlan | PrefabPlan | QueryPlan | ListenerPlan | IndexPlan | SystemPlan],
) -> list[ListPlan]:
    return [one for thing in things for one in thing.page.lists]


def _section(title: str, values: list[ValuePlan], arrays: list[ListPlan]) -> SectionPlan:
    return SectionPlan(title, values, printed(arrays))


def _defaults(
    items: Sequence[ComponentPlan | SingletonPlan | EventPlan | LinkPlan],
) -> list[ValuePlan]:
    return [value for item in items for value in _default(item.struct)]


def _default(shape: StructPlan) -> list[ValuePlan]:
    default = shape.default
    return [ValuePlan(shape.type, default.name, default.initialiser)] if default else []
