"""Plans singletons, states and resources. A world stores one of each."""

from __future__ import annotations

from model.code import System
from model.data import Resource, Singleton
from model.record import replace
from model.states import NEXT, NOW, due_field, living_tag, once_in
from names.names import GO_MEMBER, Names
from plan import text
from plan.common import Common
from plan.lists import NONE
from plan.pages import make_page
from plan.records.data import (
    GrantedPlan,
    ResourcePlan,
    SingletonPlan,
    StatePlan,
    StructPlan,
)
from plan.structs import Structs


class Singletons:
    def __init__(self, common: Common, structs: Structs) -> None:
        self.common, self.structs = common, structs
        self.model, self.names = common.model, common.names

    def singleton(self, singleton: Singleton) -> SingletonPlan:
        struct = self.structs.struct(singleton, self._singleton_type(singleton))
        row = {key: value for key, value in struct.page.row.items() if key != "align"}
        row |= {
            "offset": f"offsetof({self.names.world('world')}, {singleton.name})",
            "save": "true" if singleton.save else "false",
            "defaults": f"&{self.names.local('defaults', singleton.name)}",
            "was": text.string_literal(singleton.was),
        }
        if singleton.of_state:
            row["state"] = "true"
            if self.model.data.kept.states[singleton.name].again:
                row["again"] = "true"
            return self._state(singleton, struct.with_row(row))
        changes = self.common.changes
        flag = changes.incoming("changed", singleton.name)
        changed = "" if flag == NONE else flag
        watched = changes.watched_words(singleton.name)
        lends = changes.lends(singleton.name)
        index = list(self.model.data.kept.singletons).index(singleton.name)
        return SingletonPlan(index, struct.with_row(row), changed, lends, watched)

    def _singleton_type(self, singleton: Singleton) -> str:
        names, name = self.names, singleton.name
        return names.state(name, "state") if singleton.of_state else names.singleton(name)

    def _state(self, kept: Singleton, struct: StructPlan) -> SingletonPlan:
        """Plans the stored form of a state, and its calls."""
        names, name, model = self.names, kept.name, self.model
        again = model.data.kept.states[name].again
        file = f"{name}_state"
        lives = [one.lives for one in model.data.prefabs.values() if one.lives]
        tags = {one.value.name: living_tag(one) for one in lives if one.state.name == name}
        state = StatePlan(
            enum=self.structs.enum(model.types.enums[name]),
            now=names.state(name, "now"),
            go=names.state(name, "go"),
            go_in=names.state(name, "go_in"),
            writer=names.state(name, "writer"),
            go_member=f"{GO_MEMBER}_{name}",
            granted=GrantedPlan(False, name in self.common.granted.states),
            again=again,
            settle=names.local("settle", name),
            ends=[
                (names.enum_value(name, value), names.number("component", tag))
                for value, tag in tags.items()
            ],
            due=[
                (when, names.enum_value(name, one.value.name), due_flag(system))
                for system in model.code.systems.values()
                for when, one in (
                    (NOW, system.schedule.turn.leaves),
                    (NEXT, system.schedule.turn.enters),
                )
                if one and one.state.name == name
            ],
        )
        page = replace(struct.page, header=names.header(file), guard=names.guard(file))
        return SingletonPlan(
            index=list(model.data.kept.singletons).index(name),
            struct=replace(struct, page=page),
            changed="",
            lends=False,
            watched="",
            state=state,
        )


def make_resource(resource: Resource, names: Names) -> ResourcePlan:
    name = resource.name
    return ResourcePlan(
        name=name,
        page=make_page(names, name, resource.doc, {}),
        stem=names.resource(name, "resource"),
        type=resource.c,
        own_header=resource.header,
        bind=names.resource(name, "bind"),
    )


def due_flag(system: System) -> str:
    """Returns the flag of a system that runs once, as a member of the world in C; "" if none."""
    kept = once_in(system)
    return f"{kept.state.name}.{due_field(system.name)}" if kept else ""
