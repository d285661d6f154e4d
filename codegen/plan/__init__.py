"""From what a schema means to what is printed: every C name, number and literal is decided here.

Model -> components, prefabs, selections, systems -> Plan -> templates
"""

from __future__ import annotations

from model.model import Model, World
from names.names import Names
from plan import text
from plan.calls import despawn_call
from plan.code_records import SelectionPlan
from plan.components import Data, Sets, make_columns
from plan.data_records import ComponentPlan, EventPlan, SingletonPlan
from plan.events import Events
from plan.lists import NONE, list_plan
from plan.numberings import inner_numberings, numberings, places
from plan.overview import make_overview
from plan.prefabs import Prefabs
from plan.records import BufferPlan, Plan, WorldPlan
from plan.relations import make_relation
from plan.schedule import phase_waits
from plan.selections import make_query
from plan.streams import Marks
from plan.systems import Systems, buffers_of
from plan.types import Types
from schedule import make_schedule

__all__ = ["Plan", "make_plan"]


def make_plan(model: Model) -> Plan:
    """Plans a sound model (one that `check` has nothing against)."""
    names = Names(model.world.name)
    types, sets = Types(model, names), Sets(model)
    marks = Marks(model, names)
    data = Data(model, names, types, sets, marks)
    components = {c.name: data.component(c) for c in model.components.values()}
    singletons = {s.name: data.singleton(s) for s in model.singletons.values()}
    queries = {
        q.name: make_query(q, model, names, components, marks) for q in model.queries.values()
    }
    make_prefab = Prefabs(model, names, types, sets, components).prefab
    prefabs = [make_prefab(p) for p in model.prefabs.values()]
    enums = [data.enum(e) for e in model.enums.values()]
    relations = {r.name: make_relation(r, names) for r in model.relations.values()}
    schedule = make_schedule(model)
    events = Events(model, names, data, schedule)
    systems = Systems(model, names, sets, components, singletons, queries, relations, marks, events)
    phases = systems.phases(schedule)
    phases_waits = [phase_waits(phase, names) for phase in schedule]
    waits = [system for phase in phases_waits for system in phase.systems]
    in_order = [s for phase in phases for s in phase.systems]
    columns, first_bitset = make_columns(list(components.values()), names)
    selections: list[SelectionPlan] = [q.selection for q in queries.values()]
    selections += [s.selection for s in in_order if s.has_rows]
    stores = [c for c in components.values() if c.kind == "sparse"]
    buffers = [
        BufferPlan(names.number("buffer", "commands"), NONE, False),
        *(buffer for phase in phases for buffer in buffers_of(phase)),
    ]
    structs = [data.struct(s, names.struct(s.name)) for s in model.structs.values()]
    externs = [data.struct(e, e.c) for e in model.externs.values()]
    holders: list[ComponentPlan | SingletonPlan | EventPlan] = [
        *components.values(),
        *singletons.values(),
        *events.plans.values(),
    ]
    streams = marks.plan([system.name for system in in_order])
    phase_names = [text.string_literal(phase.name) for phase in phases]
    has_hooks = any(c.hooks for c in components.values())
    return Plan(
        world=_world(model.world, types, sets),
        n=names.world_calls(),
        enums=enums,
        structs=structs,
        externs=externs,
        with_fields=[s for s in [*structs, *externs, *(h.struct for h in holders)] if s.members],
        extern_headers={e.name: e.header for e in model.externs.values()},
        columns=columns,
        first_bitset=first_bitset,
        components=list(components.values()),
        has_hooks=has_hooks,
        singletons=list(singletons.values()),
        events=list(events.plans.values()),
        stage_count=places(events.staging)[-1],
        hearer_events=events.hearer_events,
        hearer_systems=events.hearer_systems,
        prefabs=prefabs,
        queries=list(queries.values()),
        systems=in_order,
        relations=list(relations.values()),
        depth_orders=[s for s in in_order if s.order],
        despawn_call=despawn_call(names, bool(relations) or has_hooks),
        phases=phases,
        phase_names=list_plan("phases", phase_names),
        schedule=phases_waits,
        waits=waits,
        stores=stores,
        sparse_ids=list_plan("sparse_components", [c.constant for c in stores]),
        selections=selections,
        matches=list_plan("query_matches", [s.matches_name for s in selections]),
        numberings=numberings(
            columns,
            list(components.values()),
            stores,
            prefabs,
            selections,
            streams,
            list(relations.values()),
        ),
        inner_numberings=inner_numberings(
            [w.constant for w in waits],
            systems.clocks,
            buffers,
            events,
            [s.selection.depth_order for s in in_order if s.order],
            streams.removals,
            [s.parallel for s in in_order if s.parallel],
        ),
        buffers=buffers,
        buffer_count=places([(1, buffer.is_parallel) for buffer in buffers])[-1],
        clocks=systems.clocks,
        clock_systems=list_plan(
            "clock_systems", [names.number("system", s.name) for s in in_order if s.clock]
        ),
        streams=streams,
        beside=any(phase.beside for phase in phases),
        parallels=[s for s in in_order if s.parallel],
        overview=make_overview(
            model,
            enums,
            list(components.values()),
            list(singletons.values()),
            list(events.plans.values()),
            prefabs,
            list(queries.values()),
            list(relations.values()),
            phases,
            schedule,
        ),
    )


def _world(world: World, types: Types, sets: Sets) -> WorldPlan:
    index, generation = world.index_bits, world.generation_bits
    handle_bits = types.handle_bytes * 8
    return WorldPlan(
        name=world.name,
        handle_type=f"uint{handle_bits}_t",
        handle_bytes=types.handle_bytes,
        handle_words=f"{index} bits of index, {generation} bits of generation, in {handle_bits}",
        index_bits=world.index_bits,
        generation_bits=world.generation_bits,
        wide="true" if index + generation > 32 else "false",
        waits="true" if world.recycle_after else "false",
        recycle_after=world.recycle_after,
        max_entities=world.max_entities,
        set_words=sets.words,
    )
