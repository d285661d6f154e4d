"""Plans the const tables of weft_plan, from which the runtime runs."""

from __future__ import annotations

from plan.common import Common
from plan.events import Events
from plan.lists import NONE, ListPlan, Row, list_plan, printed, table_plan
from plan.numberings import places
from plan.records.code import ChangesPlan, CodePlan, ReaderPlan
from plan.records.data import ColumnPlan, ComponentPlan, EventPlan
from plan.records.kinds import DataPlan
from plan.records.prefab import PrefabPlan
from plan.records.system import DirtyPlan
from plan.records.tables import SectionPlan, TablesPlan


def make_tables(common: Common, events: Events, data: DataPlan, code: CodePlan) -> TablesPlan:
    sections = {
        "queries": _queries(code),
        "changes": _changes(code.changes),
        "indexes": _indexes(code),
        "components": _components(common, data, code),
        "prefabs": _prefabs(data),
        "systems": _systems(common, code),
        "events": _events(data, events),
        "relations": _relations(data),
        "links": [table_plan("weft_link_plan", "link_plans", [one.row for one in data.links])],
    }
    printed_sections = [SectionPlan(title, [], printed(all)) for title, all in sections.items()]
    return TablesPlan(
        sections=[section for section in printed_sections if section.arrays],
        names={one.name for section in printed_sections for one in section.arrays},
        runs=list(
            dict.fromkeys(c.storage.runs for c in data.components.declared if c.storage.runs)
        ),
        hooks=data.hooks,
        moves=[
            (prefab.rows.moves, _moved(data, prefab))
            for prefab in data.prefabs
            if prefab.rows.moves.copied
        ],
        hearer_count=len(events.hearers),
        stage_count=places(events.staging)[-1],
        buffer_count=places([(1, buffer.is_parallel) for buffer in code.buffers])[-1],
    )


def _ids(name: str, constants: list[str]) -> ListPlan:
    return list_plan("uint16_t", name, constants)


def _queries(code: CodePlan) -> list[ListPlan]:
    rows: list[Row] = [{"key": one.key, "matches": one.matches} for one in code.table_queries]
    return [table_plan("weft_query_plan", "query_plans", rows)]


def _changes(changes: ChangesPlan) -> list[ListPlan]:
    watches = [reader.watches for reader in changes.readers]
    readers = [_reader(reader) for reader in changes.readers]
    comment = ["Logs of removals, by component."]
    asked = ["Readers that ask for removed(…), by component."]
    return [
        *changes.listeners,
        *watches,
        table_plan("weft_reader_plan", "readers", readers),
        table_plan("weft_removal_plan", "removals", changes.removal_rows, comment),
        table_plan("weft_removal_set_plan", "removal_sets", changes.removal_sets, asked),
        changes.sets.components,
        changes.sets.singletons,
        changes.reader_names,
    ]


def _indexes(code: CodePlan) -> list[ListPlan]:
    return [
        table_plan("weft_index_plan", "indexes", [index.known.row for index in code.indexes]),
        code.changes.sets.indexes_only,
    ]


def _reader(reader: ReaderPlan) -> dict[str, str]:
    row = {"watches": reader.watches.name, "watch_count": str(len(reader.watches.items))}
    row |= {"starts_over": "true"} if reader.starts_over else {}
    return row | ({"listener": "true"} if reader.listener else {})


def _components(common: Common, data: DataPlan, code: CodePlan) -> list[ListPlan]:
    columns = [
        {"size": c.size, "offset": c.offset, "component": c.component}
        for c in data.components.columns
    ]
    rules = [component.rules for component in data.components.numbered]
    with_readers = bool(code.changes.readers)
    rows = [_component(component, with_readers) for component in data.components.numbered]
    return [
        table_plan("weft_column_plan", "columns", columns),
        *([common.sets.nothing] if rules else []),
        *(one for r in rules for one in (r.closure, r.conflicts, r.required_by, r.given)),
        *(r.found for r in rules),
        table_plan("weft_component_plan", "component_plans", rows),
        _ids("sparse_components", [store.constant for store in data.components.stores]),
    ]


def _component(c: ComponentPlan, with_readers: bool) -> Row:
    row = {
        "size": c.struct.page.row["size"],
        "first_column": next(iter(c.storage.columns), NONE),
        "column_count": str(len(c.storage.columns)),
        "bitset": c.storage.bitset.number if c.storage.bitset else NONE,
        "sparse": c.storage.store,
        "defaults": c.struct.page.row["defaults"],
        "closure": c.rules.closure.name,
        "conflicts": c.rules.conflicts.name,
        "required_by": c.rules.required_by.name,
        **_required_values(c.rules.found),
        "ruled": c.rules.bind,
    }
    if with_readers:
        row |= {"added": c.watched.added, "changed": c.watched.changed}
    if c.watched.removals.count:
        row["first_removal"] = c.watched.removals.first
        row["removal_count"] = str(c.watched.removals.count)
    if c.watched.removal_sets.count:
        row["first_removal_set"] = str(c.watched.removal_sets.first)
        row["removal_set_count"] = str(c.watched.removal_sets.count)
    row["has_entities"] = c.struct.layout.has_entities
    if c.watched.indexed:
        row["indexed"] = "true"
    if c.storage.runs:
        row["run"] = c.storage.runs.function
    return row | {hook.kind: hook.wrapper.name for hook in c.calls.hooks}


def _required_values(values: ListPlan) -> Row:
    if not values.items:
        return {}
    return {"required_values": values.name, "required_value_count": str(len(values.items))}


def _prefabs(data: DataPlan) -> list[ListPlan]:
    tables = [prefab.tables for prefab in data.prefabs]
    lists = [
        one
        for t in tables
        for one in (t.set, t.component_ids, t.member_offsets, t.required_values, t.defaults)
    ]
    lists += [one for prefab in data.prefabs if prefab.tree for one in prefab.tree.lists]
    rows = [_prefab(prefab) for prefab in data.prefabs]
    return [*lists, table_plan("weft_prefab_plan", "prefab_plans", rows)]


def _prefab(prefab: PrefabPlan) -> Row:
    tables = prefab.tables
    return {
        "set": tables.set.name,
        "components": tables.component_ids.name,
        "offsets": tables.member_offsets.name,
        "component_count": str(len(tables.component_ids.items)),
        "member_count": str(len(prefab.contents.members)),
        **_required_values(tables.required_values),
        "size": f"sizeof({prefab.type})",
        "defaults": tables.defaults.name,
        "copy": prefab.rows.moves.copy,
        "shift": prefab.rows.moves.shift or "NULL",
        "end": prefab.rows.moves.end or "NULL",
        **({"append": prefab.rows.moves.append} if prefab.rows.moves.append else {}),
        **({"tree": prefab.tree.table} if prefab.tree else {}),
    }


def _depth_orders(code: CodePlan) -> list[Row]:
    return [
        {
            "query": system.loop.selection.query.constant,
            "relation": system.loop.order,
            "run_rows": str(system.loop.unit_rows) if system.loop.parallel else "0",
            "with_parents": "true" if system.loop.keeps_parents else "false",
            **(_dirty(system.loop.dirty) if system.loop.dirty else {}),
        }
        for system in code.depth_orders
    ]


def _dirty(dirty: DirtyPlan) -> Row:
    return {
        "unchanged": dirty.unchanged,
        "changed_count": str(len(dirty.changed.items)),
        "changed": dirty.changed.name,
        "parent_count": str(len(dirty.parents.items)),
        "parents": dirty.parents.name,
    }


def _systems(common: Common, code: CodePlan) -> list[ListPlan]:
    dirty = [system.loop.dirty for system in code.depth_orders if system.loop.dirty]
    recorders = [{"segment": b.segment, "parallel": b.parallel} for b in code.buffers]
    clocks = [
        common.names.number("system", system.name) for system in code.systems if system.turns.clock
    ]
    number = common.names.number
    switches = [number("system", system.name) for system in code.switched]
    return [
        *(sets for plan in dirty for sets in (plan.changed, plan.parents)),
        table_plan("weft_depth_order_plan", "depth_order_plans", _depth_orders(code)),
        _parallels(code),
        table_plan("weft_recorder_plan", "recorders", recorders),
        *(wait.followers for wait in code.waits),
        _waits(code),
        *(segment.ready for segment in code.segments),
        _segments(code),
        _ids("clock_systems", clocks),
        _ids("switch_systems", switches),
    ]


def _parallels(code: CodePlan) -> ListPlan:
    rows = [
        {
            "query": NONE if system.loop.over else system.loop.selection.query.constant,
            "unit_rows": str(system.loop.unit_rows),
            "depth_order": system.loop.selection.depth_order or NONE,
            **({"link": f"1 + {system.loop.over.link.constant}"} if system.loop.over else {}),
            "keeps": "true" if system.loop.keeps else "false",
            "commands": "true" if system.context.buffer else "false",
            "first_buffer": system.context.buffer or "0",
        }
        for system in code.parallels
    ]
    names = [system.name for system in code.parallels]
    return table_plan("weft_parallel_plan", "parallel_plans", rows, notes=names)


def _waits(code: CodePlan) -> ListPlan:
    rows = [
        {
            "waits_for": str(wait.waits_for),
            "follower_count": str(len(wait.followers.items)),
            "followers": wait.followers.name,
        }
        for wait in code.waits
    ]
    return table_plan("weft_system_plan", "system_plans", rows, notes=[w.name for w in code.waits])


def _segments(code: CodePlan) -> ListPlan:
    rows = [
        {
            "first": segment.first,
            "system_count": str(segment.count),
            "ready_count": str(len(segment.ready.items)),
            "ready": segment.ready.name,
        }
        for segment in code.segments
    ]
    return table_plan("weft_segment_plan", "segment_plans", rows)


def _events(data: DataPlan, events: Events) -> list[ListPlan]:
    return [
        *(event.stages for event in data.events),
        table_plan("weft_event_plan", "event_plans", [_event(event) for event in data.events]),
        events.hearer_events,
        events.hearer_names,
    ]


def _relations(data: DataPlan) -> list[ListPlan]:
    rows = [relation.row for relation in data.relations] if data.has_reactions else []
    comment = ["How each relation reacts to changes of its links, in the order of the schema."]
    return [table_plan("weft_relation_plan", "relation_plans", rows, comment)]


def _event(event: EventPlan) -> Row:
    return {
        "size": f"sizeof({event.struct.type})",
        "max": str(event.max),
        "first_hearer": event.first_hearer,
        "hearer_count": str(event.hearer_count),
        **({"listener_count": str(event.listener_count)} if event.listener_count else {}),
        "stage_count": str(len(event.stages.items)),
        "has_entities": event.struct.layout.has_entities,
        "stages": event.stages.name,
    }


def _moved(data: DataPlan, prefab: PrefabPlan) -> list[tuple[ColumnPlan, str]]:
    """Lists the columns of a prefab's table that are copied, each with its place in the struct."""
    columns = data.components.columns
    moved = [one for one in columns if one.component in prefab.rows.moves.copied]
    return [(column, _offset(prefab, column)) for column in moved]


def _offset(prefab: PrefabPlan, column: ColumnPlan) -> str:
    """Returns the C address of a column's value in the struct of a prefab, or ""."""
    for member in prefab.contents.members:
        if member.component.constant == column.component:
            at = f"offsetof({prefab.type}, {member.component.name})"
            return at if column.offset == "0" else f"{at} + {column.offset}"
    return ""
