"""Enums, structs, components and singletons get their ids, columns and reflection rows here."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace

from model.code import System
from model.data import HOOKS, Component, Event, Resource, Singleton
from model.rng import seeded
from model.scalars import SCALARS
from model.sizes import Size, Sizes
from model.states import NEXT, NOW, due_field, living_tag, once_in
from model.types import Base, EnumType, ExternType, Field, Shape, StructType
from names.names import Names
from plan import text
from plan.calls import Target, make_calls, make_runs
from plan.common import Common
from plan.hooks import make_hooks
from plan.lists import NONE, ListPlan, list_plan, table_plan
from plan.records.data import (
    ColumnPlan,
    ComponentPlan,
    EnumPlan,
    ResourcePlan,
    RulesPlan,
    RunsPlan,
    SingletonPlan,
    StatePlan,
    StructPlan,
    WatchedPlan,
)
from plan.rules import required_values, rule_lines

Shaped = StructType | ExternType | Component | Singleton | Event  # what has fields


EDITABLE = "This one gives access to write. It is refused while a phase or a hook runs."
EDITED = (
    "This one gives access to write, and notes the value as changed. It is refused while a phase "
    "or a hook runs."
)


class Data:
    """Plans everything that has fields."""

    def __init__(self, common: Common) -> None:
        self.common, self.model = common, common.model
        self.names, self.types = common.names, common.types
        model = common.model
        self.narrow_sizes = Sizes(model, align_max=4)
        self.shared_runs: dict[Hashable, RunsPlan] = {}
        shaped: list[Shaped] = [
            *model.structs.values(),
            *model.externs.values(),
            *model.components.values(),
            *model.singletons.values(),
            *model.events.values(),
        ]
        self.listed = {  # structs and externs that lists have as items
            field.type.name
            for item in shaped
            for field in item.fields
            if field.type.shape is Shape.LIST and field.type.base in (Base.STRUCT, Base.EXTERN)
        }
        systems = model.systems.values()
        selections = [query.selection for query in model.begun]
        selections += [system.selection for system in systems]
        optional = [ref for selection in selections for ref in selection.optional]
        parents = [ref for system in systems for ref in system.parent]
        self.optional = {ref.name for ref in optional + parents}  # what may be absent where read

    def enum(self, enum: EnumType) -> EnumPlan:
        names = self.names
        values = names.local("values", enum.name)
        renamed = any(v.was for v in enum.values)
        was = [text.string_literal(v.was) for v in enum.values] if renamed else []
        old = list_plan("char *const", names.local("was", enum.name), was)
        return EnumPlan(
            name=enum.name,
            type=names.enum(enum.name),
            c_type=SCALARS[enum.type].c,
            doc=text.comment_lines(enum.doc),
            values=[(names.enum_value(enum.name, v.name), i) for i, v in enumerate(enum.values)],
            count=(names.enum_count(enum.name), len(enum.values)),
            name_function=names.enum(enum.name, "name"),
            header=names.header(enum.name),
            guard=names.guard(enum.name),
            row={
                "name": text.string_literal(enum.name),
                "doc": text.string_literal(enum.doc),
                "type": SCALARS[enum.type].constant,
                "count": str(len(enum.values)),
                "values": values,
                **({"was": old.name} if old.items else {}),
            },
            value_names=list_plan(
                "char *const", values, [text.string_literal(v.name) for v in enum.values]
            ),
            old_names=old,
        )

    def struct(self, item: Shaped, c_type: str) -> StructPlan:
        names, name = self.names, item.name
        size = self._size(item)
        defaults = names.local("defaults", name) if name in self.listed else ""
        return StructPlan(
            name=name,
            type=c_type,
            doc=text.comment_lines(item.doc),
            includes=self.types.headers(item.fields),
            members=self.types.members(name, c_type, item.fields),
            bytes=size.bytes,
            align=size.align,
            header=names.header(name),
            guard=names.guard(name),
            row=self._struct_row(item, c_type),
            fields_table=self._fields_table(item),
            item_defaults=defaults,
            item_initialiser=self.types.initialiser(item.fields) if defaults else "",
        )

    def _size(self, item: Shaped) -> Size:
        if isinstance(item, ExternType):
            return Size(item.size, item.align)
        return self.types.sizes.of_struct(item.fields)

    def _fields_table(self, item: Shaped) -> str:
        return self.names.local("fields", item.name) if item.fields else "NULL"

    def _struct_row(self, item: Shaped, c_type: str) -> dict[str, str]:
        row = {
            "name": text.string_literal(item.name),
            "doc": text.string_literal(item.doc),
            "size": f"sizeof({c_type})" if item.fields else "0",
            "align": f"WEFT_ALIGNOF({c_type})" if item.fields else "1",
            "field_count": str(len(item.fields)),
            "fields": self._fields_table(item),
        }
        if item.name in self.listed:
            row["defaults"] = f"&{self.names.local('defaults', item.name)}"
        return row

    def component(self, component: Component) -> ComponentPlan:
        names, name = self.names, component.name
        kind = _kind(component)
        struct = self.struct(component, names.component(name))
        columns = self._columns(component)
        watched = self._watched(name)
        target = self._target(component, struct, watched)
        return ComponentPlan(
            name=name,
            kind=kind,
            struct=struct,
            storage_words=_storage_words(component, struct.bytes),
            constant=target.constant,
            column=names.column(component),
            columns=columns,
            first_column=columns[0] if columns else NONE,
            bitset=NONE if component.is_table else names.number("bitset", name),
            store=names.number("store", name) if component.is_sparse else NONE,
            defaults="" if component.is_tag else names.local("defaults", name),
            initialiser=self.types.initialiser(component.fields) if component.fields else "",
            has_entities="true" if self.has_entities(component.fields) else "false",
            optional=name in self.optional,
            edit_comment=EDITED if watched.mark else EDITABLE,
            rules=self._rules(component),
            watched=watched,
            calls=make_calls(names, target),
            runs=make_runs(names, target, self.shared_runs if self.common.grouped else None),
            hooks=make_hooks(component, names, seeded(self.model, component)),
            row=struct.row | self._component_row(component),
        )

    def _target(self, component: Component, struct: StructPlan, watched: WatchedPlan) -> Target:
        names, name, kind = self.names, component.name, _kind(component)
        storage = {"tag": ["bitset"], "sparse": ["store"]}.get(kind, [])
        bound = self.common.sets.rules(name).bind
        is_seeded = seeded(self.model, component)
        return Target(
            name=name,
            kind=kind,
            general=bound or bool(component.hooks) or is_seeded or watched.by_anyone,
            constant=names.number("component", name),
            where=[names.column(component), *(names.number(what, name) for what in storage)],
            type=struct.type,
            align=struct.align,
            bytes=(struct.bytes, self.narrow_sizes.of_struct(component.fields).bytes),
        )

    def _rules(self, component: Component) -> RulesPlan:
        sets, names, name = self.common.sets, self.names, component.name
        rules = sets.rules(name)
        return RulesPlan(
            closure=sets.bits(names.local("closure", name), rules.closure),
            conflicts=sets.bits(names.local("conflicts", name), rules.conflicts),
            required_by=sets.bits(names.local("required_by", name), rules.required_by),
            gives=self._gives(component),
            required_values=table_plan(
                "weft_required_value",
                names.local("required_values", name),
                required_values(sets, names, [name]),
            ),
            bind="true" if rules.bind else "false",
            lines=rule_lines(component, sets),
        )

    def _gives(self, component: Component) -> ListPlan:
        """Makes a struct, in an array of one, of the values that it gives to what it requires."""
        names, given = self.names, [one for one in component.required_values if one.values]
        members = [f"{names.component(n)} {n};" for n in (one.component.name for one in given)]
        values = [
            f".{one.component.name} = "
            + self.types.initialiser(self.model.components[one.component.name].fields, one.values)
            for one in given
        ]
        items = ["{" + ", ".join(values) + "}"] if values else []
        kind = f"struct {{ {' '.join(members)} }}"
        return list_plan(kind, names.local("gives", component.name), items)

    def _watched(self, component: str) -> WatchedPlan:
        changes = self.common.changes
        changed = changes.incoming("changed", component)
        return WatchedPlan(
            changes.incoming("added", component),
            changed,
            "" if changed == NONE else changed,
            changes.watched_words(component),
            *changes.removals(component),
            *changes.removal_sets(component),
            changes.is_indexed(component),
        )

    def _component_row(self, component: Component) -> dict[str, str]:
        kind, name = _kind(component), component.name
        storage = {"tag": "TAG", "sparse": "SPARSE"}.get(kind, "TABLE")
        hooked = [hook.kind for hook in component.hooks]
        told = [kind for kind in HOOKS if kind in hooked or kind != "on_replace"]
        return {
            "storage": f"WEFT_STORAGE_{storage}",
            "soa": "true" if kind == "soa" else "false",
            "save": "true" if component.save else "false",
            **{kind: "true" if kind in hooked else "false" for kind in told},
            "defaults": "NULL" if component.is_tag else f"&{self.names.local('defaults', name)}",
            "was": text.string_literal(component.was),
        }

    def _columns(self, component: Component) -> list[str]:
        names, name = self.names, component.name
        if not component.is_table:
            return []
        if component.layout == "aos":
            return [names.column(component)]
        return [names.number("column", name, field.name) for field in component.fields]

    def has_entities(self, fields: tuple[Field, ...]) -> bool:
        """Tells whether a handle is among the fields, at any depth."""
        shapes: dict[str, StructType | ExternType] = {**self.model.structs, **self.model.externs}
        return any(
            field.type.base is Base.ENTITY
            or (
                field.type.base in (Base.STRUCT, Base.EXTERN)
                and self.has_entities(shapes[field.type.name].fields)
            )
            for field in fields
        )

    def resource(self, resource: Resource) -> ResourcePlan:
        names, name = self.names, resource.name
        return ResourcePlan(
            name=name,
            type=resource.c,
            own_header=resource.header,
            doc=text.comment_lines(resource.doc),
            header=names.header(name),
            guard=names.guard(name),
            bind=names.resource(name, "bind"),
        )

    def singleton(self, singleton: Singleton) -> SingletonPlan:
        struct = self.struct(singleton, self._singleton_type(singleton))
        defaults = self.names.local("defaults", singleton.name)
        row = {key: value for key, value in struct.row.items() if key != "align"}
        row |= {
            "offset": f"offsetof({self.names.world('world')}, {singleton.name})",
            "save": "true" if singleton.save else "false",
            "defaults": f"&{defaults}",
            "was": text.string_literal(singleton.was),
        }
        value = self.types.initialiser(singleton.fields)
        if singleton.of_state:
            return self._state(singleton, struct, row, value)
        changes = self.common.changes
        flag = changes.incoming("changed", singleton.name)
        changed = "" if flag == NONE else flag
        watched = changes.watched_words(singleton.name)
        marks = [f"weft_flag_set(&w->world, {changed});"] if changed else []
        edit = [*marks, f"return &w->{singleton.name};"]
        index = list(self.model.singletons).index(singleton.name)
        shaped = (singleton.name, index, struct)
        return SingletonPlan(*shaped, defaults, value, row, changed, edit, watched)

    def _singleton_type(self, singleton: Singleton) -> str:
        names, name = self.names, singleton.name
        return names.state(name, "state") if singleton.of_state else names.singleton(name)

    def _state(
        self, kept: Singleton, struct: StructPlan, row: dict[str, str], value: str
    ) -> SingletonPlan:
        """Plans what a world keeps of a state, and its calls."""
        names, name, model = self.names, kept.name, self.model
        file = f"{name}_state"
        lives = [one.lives for one in model.prefabs.values() if one.lives]
        tags = {one.value.name: living_tag(one) for one in lives if one.state.name == name}
        state = StatePlan(
            enum=self.enum(model.enums[name]),
            now=names.state(name, "now"),
            go=names.state(name, "go"),
            go_granted=names.state(name, "go_granted"),
            settle=names.local("settle", name),
            ends=[
                (names.enum_value(name, value), names.number("component", tag))
                for value, tag in tags.items()
            ],
            due=[
                (when, names.enum_value(name, one.value.name), due_flag(system))
                for system in model.systems.values()
                for when, one in ((NOW, system.leaves), (NEXT, system.enters))
                if one and one.state.name == name
            ],
        )
        return SingletonPlan(
            name=name,
            index=list(model.singletons).index(name),
            struct=replace(struct, header=names.header(file), guard=names.guard(file)),
            defaults=names.local("defaults", name),
            initialiser=value,
            row=row,
            changed="",
            edit=[],
            watched="",
            state=state,
        )


def due_flag(system: System) -> str:
    """Returns the flag of a system that runs once, as a member of the world in C; "" if none."""
    kept = once_in(system)
    return f"{kept.state.name}.{due_field(system.name)}" if kept else ""


def make_columns(components: list[ComponentPlan], names: Names) -> tuple[list[ColumnPlan], int]:
    """Lists every array that a table can have, bitsets last, and says where the bitsets begin."""
    handles = names.number("column", "entity")
    columns = [ColumnPlan(handles, f"sizeof({names.world('entity')})", "0", NONE, "handles")]
    for c in components:
        type = c.struct.type
        if c.kind == "aos":
            columns.append(ColumnPlan(c.column, f"sizeof({type})", "0", c.constant, type))
        if c.kind == "soa":
            columns += [
                ColumnPlan(
                    constant,
                    f"sizeof((({type} *)0)->{member.name})",
                    f"offsetof({type}, {member.name})",
                    c.constant,
                    member.declaration,
                )
                for constant, member in zip(c.columns, c.struct.members, strict=True)
            ]
    first_bitset = len(columns)
    for c in components:
        if not c.columns:
            what = "a tag" if c.kind == "tag" else "rows that have the sparse component"
            columns.append(ColumnPlan(c.column, "0", "0", c.constant, what))
    return columns, first_bitset


def _kind(component: Component) -> str:
    return "tag" if component.is_tag else "sparse" if component.is_sparse else component.layout


def _storage_words(component: Component, size: int) -> str:
    size_words = "one bit a row" if component.is_tag else text.count_of(size, "byte")
    storage = ["sparse"] if component.is_sparse else []
    apart = ["one array a field"] if component.is_table and component.layout == "soa" else []
    unsaved = [] if component.save else ["not saved"]
    hooks = [hook.words for hook in component.hooks]
    stored = ", ".join([size_words, *storage, *apart, *hooks, *unsaved])
    rules = (("requires", component.requires), ("excludes", component.excludes))
    said = [f"{verb} {', '.join(ref.name for ref in refs)}" for verb, refs in rules if refs]
    return "; ".join([stored, *said])
