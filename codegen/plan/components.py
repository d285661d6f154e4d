"""Enums, structs, components and singletons: ids, columns, bitsets, rules."""

from __future__ import annotations

from dataclasses import dataclass

from model.graph import closure
from model.model import (
    HOOKS,
    Base,
    Component,
    EnumType,
    Event,
    ExternType,
    Field,
    Model,
    Ref,
    Shape,
    Singleton,
    StructType,
)
from model.scalars import SCALARS
from names.names import Names
from plan import text
from plan.calls import place_call, remove_call, runs, set_call, write_value
from plan.data_records import ColumnPlan, ComponentPlan, EnumPlan, SingletonPlan, StructPlan
from plan.hooks import make_hooks
from plan.lists import NONE, SetPlan, list_plan
from plan.streams import Marks
from plan.types import Types


@dataclass(frozen=True)
class Rules:
    """What follows from requires and excludes, as sets of component names."""

    closure: set[str]
    conflicts: set[str]
    required_by: set[str]

    @property
    def bind(self) -> bool:
        """Whether they say anything about other components."""
        return len(self.closure) > 1 or bool(self.conflicts or self.required_by)


class Sets:
    """Sets of components as C literals, and the rules between components."""

    def __init__(self, model: Model) -> None:
        self.components = model.components
        self.ids = {name: i for i, name in enumerate(model.components)}
        self.words = max(1, -(-len(self.ids) // 64))
        requires = {c.name: [ref.name for ref in c.requires] for c in model.components.values()}
        self._closures = {name: set(closure(requires, name)) for name in requires}
        self._excludes: dict[str, set[str]] = {name: set() for name in self.ids}
        for component in model.components.values():
            for ref in component.excludes:
                self._excludes[component.name].add(ref.name)
                self._excludes[ref.name].add(component.name)

    def rules(self, name: str) -> Rules:
        needed = self._closures[name]
        conflicts = {other for member in needed for other in self._excludes[member]}
        required_by = {n for n, c in self._closures.items() if name in c and n != name}
        return Rules(needed, conflicts, required_by)

    def closure(self, names: list[str]) -> list[str]:
        """All of the names and what they require, in schema order."""
        everything = {member for name in names for member in self._closures[name]}
        return [name for name in self.ids if name in everything]

    def required_first(self, names: list[str]) -> list[str]:
        """The names as given, but each behind those among them that it requires."""
        ordered: dict[str, None] = {}
        for name in names:
            needed = [other for other in names if other in self._closures[name]]
            needed.sort(key=lambda other: len(self._closures[other]))
            ordered |= dict.fromkeys(needed)
        return list(ordered)

    def bits(self, table: str, names: set[str] | list[str]) -> SetPlan:
        """A set as an array of words."""
        bits = [0] * self.words
        for name in names:
            bits[self.ids[name] // 64] |= 1 << self.ids[name] % 64
        members = sorted(names, key=self.ids.__getitem__)
        words = [f"UINT64_C(0x{word:x})" for word in bits]
        return SetPlan(table, words, ", ".join(members) or "nothing")


class Data:
    """Plans everything that has fields."""

    def __init__(self, model: Model, names: Names, types: Types, sets: Sets, marks: Marks) -> None:
        self.model, self.names, self.types, self.sets = model, names, types, sets
        self.marks = marks
        holders: list[StructType | ExternType | Component | Singleton | Event] = [
            *model.structs.values(),
            *model.externs.values(),
            *model.components.values(),
            *model.singletons.values(),
            *model.events.values(),
        ]
        self.listed = {  # structs and externs that lists have as items
            field.type.name
            for holder in holders
            for field in holder.fields
            if field.type.shape is Shape.LIST and field.type.base in (Base.STRUCT, Base.EXTERN)
        }

    def enum(self, enum: EnumType) -> EnumPlan:
        names = self.names
        values = names.local("values", enum.name)
        renamed = any(v.was for v in enum.values)
        was = [text.string_literal(v.was) for v in enum.values] if renamed else []
        old = list_plan(names.local("was", enum.name), was)
        return EnumPlan(
            name=enum.name,
            type=names.enum(enum.name),
            c_type=SCALARS[enum.type].c,
            doc=text.comment_lines(enum.doc),
            values=[(names.enum_value(enum.name, v.name), i) for i, v in enumerate(enum.values)],
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
            value_names=list_plan(values, [text.string_literal(v.name) for v in enum.values]),
            old_names=old,
        )

    def struct(
        self, item: StructType | ExternType | Component | Singleton | Event, c_type: str
    ) -> StructPlan:
        size = self.types.struct_size(item.fields)
        if isinstance(item, ExternType):
            bytes, align = item.size, item.align
        else:
            bytes, align = size.bytes, size.align
        table = self.names.local("fields", item.name) if item.fields else "NULL"
        is_type = bool(item.fields)
        listed = item.name in self.listed
        defaults = self.names.local("defaults", item.name) if listed else ""
        return StructPlan(
            name=item.name,
            type=c_type,
            doc=text.comment_lines(item.doc),
            includes=self.types.headers(item.fields),
            members=self.types.members(item.name, c_type, item.fields),
            bytes=bytes,
            align=align,
            header=self.names.header(item.name),
            guard=self.names.guard(item.name),
            row={
                "name": text.string_literal(item.name),
                "doc": text.string_literal(item.doc),
                "size": f"sizeof({c_type})" if is_type else "0",
                "align": f"WEFT_ALIGNOF({c_type})" if is_type else "1",
                "field_count": str(len(item.fields)),
                "fields": table,
                **({"defaults": f"&{defaults}"} if defaults else {}),
            },
            fields_table=table,
            item_defaults=defaults,
            item_initialiser=self.types.initialiser(item.fields) if defaults else "",
        )

    def component(self, component: Component) -> ComponentPlan:
        names, name = self.names, component.name
        kind = "tag" if component.is_tag else "sparse" if component.is_sparse else component.layout
        struct = self.struct(component, names.component(name))
        rules = self.sets.rules(name)
        storage = {"tag": "TAG", "sparse": "SPARSE"}.get(kind, "TABLE")
        defaults = "" if component.is_tag else names.local("defaults", name)
        columns = self._columns(component)
        constant, column = names.number("component", name), names.column(component)
        bitset = NONE if component.is_table else names.number("bitset", name)
        store = names.number("store", name) if component.is_sparse else NONE
        where = {"tag": [column, bitset], "sparse": [column, store]}.get(kind, [column])
        added, changed = self.marks.incoming("added", name), self.marks.incoming("changed", name)
        first_removal, removal_count = self.marks.removals(name)
        general = rules.bind or bool(component.hooks) or (added, changed) != (NONE, NONE)
        row = dict(struct.row)
        row |= {
            "storage": f"WEFT_STORAGE_{storage}",
            "soa": "true" if kind == "soa" else "false",
            "save": "true" if component.save else "false",
            **{hook: "true" if hook in component.hooks else "false" for hook in HOOKS},
            "defaults": f"&{defaults}" if defaults else "NULL",
            "was": text.string_literal(component.was),
        }
        return ComponentPlan(
            name=name,
            kind=kind,
            noun="tag" if component.is_tag else "component",
            struct=struct,
            storage_words=_storage_words(component, struct.bytes),
            constant=constant,
            column=column,
            columns=columns,
            first_column=columns[0] if columns else NONE,
            bitset=bitset,
            store=store,
            defaults=defaults,
            initialiser=self.types.initialiser(component.fields) if component.fields else "",
            closure=self.sets.bits(names.local("closure", name), rules.closure),
            conflicts=self.sets.bits(names.local("conflicts", name), rules.conflicts),
            required_by=self.sets.bits(names.local("required_by", name), rules.required_by),
            ruled="true" if rules.bind else "false",
            has_entities="true" if self.has_entities(component.fields) else "false",
            added=added,
            changed=changed,
            changed_mark="" if changed == NONE else changed,
            watched_words=self.marks.watched_words(name),
            first_removal=first_removal,
            removal_count=removal_count,
            rules=_rule_lines(component),
            place_call=place_call(names, kind, general, constant, where, struct.type),
            set_call=set_call(names, kind, general, constant, where),
            write_value=write_value(struct.type, struct.align),
            remove_call=remove_call(names, kind, general, constant, where, struct.type),
            runs=runs(names, name, kind, general, where, struct.type),
            hooks=make_hooks(component, names),
            row=row,
        )

    def _columns(self, component: Component) -> list[str]:
        names, name = self.names, component.name
        if not component.is_table:
            return []
        if component.layout == "aos":
            return [names.column(component)]
        return [names.number("column", name, field.name) for field in component.fields]

    def has_entities(self, fields: tuple[Field, ...]) -> bool:
        """Whether any of the fields is a handle or holds one, at any depth."""
        holders: dict[str, StructType | ExternType] = {**self.model.structs, **self.model.externs}
        return any(
            field.type.base is Base.ENTITY
            or (
                field.type.base in (Base.STRUCT, Base.EXTERN)
                and self.has_entities(holders[field.type.name].fields)
            )
            for field in fields
        )

    def singleton(self, singleton: Singleton) -> SingletonPlan:
        struct = self.struct(singleton, self.names.singleton(singleton.name))
        defaults = self.names.local("defaults", singleton.name)
        row = {key: value for key, value in struct.row.items() if key != "align"}
        row |= {
            "offset": f"offsetof({self.names.world('world')}, {singleton.name})",
            "save": "true" if singleton.save else "false",
            "defaults": f"&{defaults}",
            "was": text.string_literal(singleton.was),
        }
        value = self.types.initialiser(singleton.fields)
        return SingletonPlan(singleton.name, struct, defaults, value, row)


def make_columns(components: list[ComponentPlan], names: Names) -> tuple[list[ColumnPlan], int]:
    """Every array that a table can have: handles, table components, bitsets. And the first bitset."""
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
            what = "a tag" if c.kind == "tag" else "who has the sparse component"
            columns.append(ColumnPlan(c.column, "0", "0", c.constant, what))
    return columns, first_bitset


def _storage_words(component: Component, size: int) -> str:
    size_words = "one bit a row" if component.is_tag else text.count_of(size, "byte")
    storage = ["sparse"] if component.is_sparse else []
    apart = ["one array a field"] if component.is_table and component.layout == "soa" else []
    unsaved = [] if component.save else ["not saved"]
    stored = ", ".join([size_words, *storage, *apart, *component.hooks, *unsaved])
    rules = (("requires", component.requires), ("excludes", component.excludes))
    said = [f"{verb} {', '.join(ref.name for ref in refs)}" for verb, refs in rules if refs]
    return "; ".join([stored, *said])


def _rule_lines(component: Component) -> list[str]:
    lines: list[str] = []

    def say(verb: str, refs: tuple[Ref, ...], rest: str) -> None:
        if refs:
            lines.append(f"{verb} {', '.join(ref.name for ref in refs)}{rest}")

    say("Requires", component.requires, ": adding it adds what is missing at its defaults.")
    say("Excludes", component.excludes, ": an entity never has both.")
    return lines
