"""This package decides every C name, number and literal that templates print.

Model -> components, prefabs, selections, systems -> Plan -> templates
"""

from __future__ import annotations

from model.model import Model, Ticks
from model.record import replace
from model.rng import RNG, is_built_in
from model.states import with_states
from model.trees import with_relation_tags
from model.whens import with_simple_whens
from plan import text
from plan.checks import Checks
from plan.common import Common, make_common
from plan.components import Components, make_columns
from plan.cpp import CppPages
from plan.events import Events
from plan.granting import grant_types
from plan.grants import Parts
from plan.indexes import Indexes
from plan.links import make_link
from plan.listeners import Listeners
from plan.lists import NONE
from plan.numberings import inner_numberings, numberings
from plan.overview import make_overview
from plan.phases import Phases, buffers_of
from plan.prefabs import Prefabs
from plan.queries import Queries
from plan.records.code import BufferPlan, CodePlan
from plan.records.data import ComponentPlan
from plan.records.kinds import ComponentsPlan, DataPlan, TypesPlan
from plan.records.world import (
    EntitiesPlan,
    FilesPlan,
    HandlePlan,
    Plan,
    TicksPlan,
    WorldPlan,
)
from plan.reflection import make_reflection
from plan.relations import make_relation
from plan.schedule import segment_waits
from plan.singletons import Singletons, make_resource
from plan.structs import Structs
from plan.tables import make_tables

DEFAULT_STEPS = 8  # ticks of one advance if the schema does not set max_steps

__all__ = ["Plan", "make_plan"]


def make_plan(model: Model) -> Plan:
    """Plans a sound model, in which `check` finds no error."""
    common = make_common(with_states(with_relation_tags(with_simple_whens(model))))
    structs = Structs(common)
    parts = _parts(common, structs)
    data = _data(common, structs, parts)
    code = _code(common, parts, data)
    return Plan(
        world=_world(common),
        n=common.names.world_calls(),
        data=data,
        code=code,
        reflection=make_reflection(data, code),
        runtime=make_tables(common, parts.events, data, code),
        insight=Checks(common).plan(data),
        files=FilesPlan(
            comment=make_overview(common, data, code),
            headers=_headers(data, code),
            grants=grant_types(common),
            cpp=CppPages(common.names).pages(data, code),
            table_headers=_table_headers(data, code),
            numberings=numberings(data, code, parts.events),
            inner_numberings=inner_numberings(code, parts.events),
        ),
    )


def _parts(common: Common, structs: Structs) -> Parts:
    """Plans the parts that systems are made of."""
    model = common.model
    of_components, of_singletons = Components(common, structs), Singletons(common, structs)
    components = {c.name: of_components.component(c) for c in model.data.components.values()}
    queries, indexes = Queries(common, components), Indexes(common, components)
    events = Events(common, structs)
    listeners = Listeners(common, queries, events)
    return Parts(
        components=components,
        singletons={
            s.name: of_singletons.singleton(s) for s in model.data.kept.singletons.values()
        },
        resources={
            r.name: make_resource(r, common.names) for r in model.data.kept.resources.values()
        },
        relations={r.name: make_relation(r, common) for r in model.data.relations.values()},
        links={one.name: make_link(one, common, structs) for one in model.data.links.values()},
        queries={q.name: queries.query(q) for q in model.code.queries.values()},
        listeners={one.name: listeners.listener(one) for one in model.code.listeners.values()},
        indexes={i.name: indexes.index(i) for i in model.code.indexes.values()},
        events=events,
    )


def _data(common: Common, structs: Structs, parts: Parts) -> DataPlan:
    """Plans the data of the world."""
    model, names = common.model, common.names
    prefabs = Prefabs(common, parts.components)
    return DataPlan(
        types=TypesPlan(
            enums=[structs.enum(e) for e in model.types.enums.values()],
            structs=[structs.struct(s, names.struct(s.name)) for s in model.types.structs.values()],
            externs=[structs.struct(e, e.c) for e in model.types.externs.values()],
            extern_headers={e.name: e.header for e in model.types.externs.values()},
            rng=1 + list(model.types.externs).index(RNG) if is_built_in(model) else 0,
        ),
        components=_components(list(parts.components.values()), common),
        singletons=list(parts.singletons.values()),
        resources=list(parts.resources.values()),
        events=list(parts.events.plans.values()),
        prefabs=[prefabs.prefab(p) for p in model.data.prefabs.values()],
        relations=list(parts.relations.values()),
        links=list(parts.links.values()),
        on_despawn=names.on_despawn() if model.world.entities.on_despawn else "",
    )


def _components(plans: list[ComponentPlan], common: Common) -> ComponentsPlan:
    """Separates the tags of relations from the components that the schema declares."""
    related = common.model.data.relation_tags
    declared = [one for one in plans if one.name not in related]
    relation_tags = [
        replace(one, storage=replace(one.storage, runs=None))  # there are no commands for them
        for one in plans
        if one.name in related
    ]
    columns, first_bitset = make_columns([*declared, *relation_tags], common.names)
    return ComponentsPlan(declared, relation_tags, columns, first_bitset)


def _code(common: Common, parts: Parts, data: DataPlan) -> CodePlan:
    """Plans queries, indexes, listeners, systems and phases."""
    names = common.names
    phases = Phases(common, parts).plan()
    outside = BufferPlan(names.number("buffer", "commands"), NONE, False)
    return CodePlan(
        queries=list(parts.queries.values()),
        listeners=list(parts.listeners.values()),
        indexes=list(parts.indexes.values()),
        phases=phases,
        segments=segment_waits(common.schedule, names),
        buffers=[outside, *(buffer for phase in phases for buffer in buffers_of(phase))],
        changes=common.changes.plan([s.name for phase in phases for s in phase.systems]),
        despawns_directly=not (parts.relations or data.links or data.has_hooks),
    )


def _headers(data: DataPlan, code: CodePlan) -> list[str]:
    """Lists all headers of declarations, in the order in which the overview includes them."""
    return [
        *(enum.page.header for enum in data.types.enums),
        *(shape.page.header for shape in [*data.types.structs, *data.types.externs]),
        *(component.struct.page.header for component in data.components.declared),
        *(singleton.struct.page.header for singleton in data.singletons),
        *(resource.page.header for resource in data.resources),
        *(event.struct.page.header for event in data.events),
        *(prefab.page.header for prefab in data.prefabs),
        *(query.page.header for query in code.queries),
        *(listener.page.header for listener in code.listeners),
        *(index.page.header for index in code.indexes),
        *(relation.page.header for relation in data.relations),
        *(link.struct.page.header for link in data.links),
        *(system.page.header for system in code.systems),
    ]


def _table_headers(data: DataPlan, code: CodePlan) -> list[str]:
    """Lists the headers that the tables need for types, offsets and sizes."""
    return [
        *(enum.page.header for enum in data.types.enums),
        *(shape.page.header for shape in [*data.types.structs, *data.types.externs]),
        *(component.struct.page.header for component in data.components.declared),
        *(event.struct.page.header for event in data.events),
        *(prefab.page.header for prefab in data.prefabs),
        *(relation.page.header for relation in data.relations if relation.hooks),
        *(link.struct.page.header for link in data.links if link.hooks or not link.bare),
        *(index.page.header for index in code.indexes if index.known.selection.functions),
    ]


def _world(common: Common) -> WorldPlan:
    world = common.model.world
    return WorldPlan(
        name=world.name,
        handle=_handle(common),
        entities=EntitiesPlan(
            max=world.entities.max,
            max_words=text.number(world.entities.max),
            recycle_after=world.entities.recycle_after,
            waits="true" if world.entities.recycle_after else "false",
        ),
        grouped="true" if common.grouped else "false",
        set_words=common.sets.words,
        ticks=_ticks(world.ticks),
        fragments=world.fragments,
    )


def _handle(common: Common) -> HandlePlan:
    entities, size = common.model.world.entities, common.types.sizes.handle_bytes
    index, generation = entities.index_bits, entities.generation_bits
    return HandlePlan(
        type=f"uint{size * 8}_t",
        bytes=size,
        words=f"{index} bits of index and {generation} of generation, in {size * 8} bits",
        index_bits=index,
        generation_bits=generation,
        wide="true" if index + generation > 32 else "false",
    )


def _ticks(ticks: Ticks) -> TicksPlan:
    step = ticks.step
    return TicksPlan(
        step=text.float_literal(step.seconds, "f64") if step else "",
        words=step.text.strip("'") if step else "",
        max_steps=DEFAULT_STEPS if ticks.max_steps is None else ticks.max_steps,
    )
