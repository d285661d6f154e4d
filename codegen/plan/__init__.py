"""From what a schema means to what is printed: every C name, number and literal is decided here.

    Model -> components, prefabs, selections, systems -> Plan -> templates
"""

from __future__ import annotations

from model import Model, World
from names import Names

from plan import text
from plan.components import Data, Sets, make_columns
from plan.overview import make_overview
from plan.prefabs import make_prefab
from plan.records import Plan, SelectionPlan, WorldPlan
from plan.selections import make_query
from plan.systems import Systems
from plan.types import Types

__all__ = ["Plan", "make_plan"]


def make_plan(model: Model) -> Plan:
    """Plans a sound model (one that `check` has nothing against)."""
    names = Names(model.world.name)
    types, sets = Types(model, names), Sets(model)
    data = Data(model, names, types, sets)
    components = {c.name: data.component(c) for c in model.components.values()}
    singletons = {s.name: data.singleton(s) for s in model.singletons.values()}
    queries = {q.name: make_query(q, model, names, components) for q in model.queries.values()}
    prefabs = [make_prefab(p, model, names, types, sets, components) for p in model.prefabs.values()]
    enums = [data.enum(e) for e in model.enums.values()]
    systems = Systems(model, names, components, singletons, queries)
    phases = systems.phases()
    in_order = [s for phase in phases for s in phase.systems]
    columns, first_plane = make_columns(list(components.values()), names)
    selections: list[SelectionPlan] = [q.selection for q in queries.values()]
    selections += [s.selection for s in in_order if s.has_rows]
    return Plan(
        world=_world(model.world, types, sets),
        n=names.world_calls(),
        enums=enums,
        structs=[data.struct(s, names.struct(s.name)) for s in model.structs.values()],
        externs=[data.struct(e, e.c) for e in model.externs.values()],
        extern_headers={e.name: e.header for e in model.externs.values()},
        columns=columns,
        first_plane=first_plane,
        components=list(components.values()),
        singletons=list(singletons.values()),
        prefabs=prefabs,
        queries=list(queries.values()),
        systems=in_order,
        phases=phases,
        stores=[c for c in components.values() if c.kind == "sparse"],
        selections=selections,
        buffers=[names.number("buffer", "outside"), *(s.buffer for s in in_order if s.buffer)],
        clocks=systems.clocks,
        overview=make_overview(
            model, enums, list(components.values()), list(singletons.values()), prefabs, list(queries.values()), phases
        ),
    )


def _world(world: World, types: Types, sets: Sets) -> WorldPlan:
    bits = world.index_bits + world.generation_bits
    cut = f"{world.index_bits} bits of index, {world.generation_bits} bits of generation, in {types.handle_bytes * 8}"
    return WorldPlan(
        name=world.name,
        handle_type=f"uint{types.handle_bytes * 8}_t",
        handle_bytes=types.handle_bytes,
        handle_words=cut,
        index_bits=world.index_bits,
        generation_bits=world.generation_bits,
        wide=bits > 32,
        recycle_after=world.recycle_after,
        max_entities=world.max_entities,
        set_words=sets.words,
    )
