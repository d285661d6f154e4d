"""Reads types, components, singletons, events, relations and links."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from model.data import (
    HOOKS,
    LINK_HOOKS,
    NODE_HOOKS,
    ON_END_DESPAWN,
    Component,
    Ends,
    Event,
    Hook,
    Link,
    Relation,
    RequiredValues,
    Resource,
    Rules,
    Singleton,
    State,
    Stored,
)
from model.refs import Ref
from model.scalars import SCALARS
from model.types import EnumType, ExternType, StructType
from parse import keys
from parse.fields import NamedTypes, may_be_field, read_fields
from parse.reader import Table, describe
from parse.systems import read_holds

DEFAULT_MAX_UNREAD = {"event": 65_536, "input": 1_024}


def read_state(name: str, table: Table) -> State:
    return State(
        name, table.key_place(), table.text("doc"), table.text("was"), table.flag("again", False)
    )


def read_enum(name: str, table: Table) -> EnumType:
    kind = str(table.path[0])
    table.expect(keys.ENUM if kind == "enum" else keys.STATE)
    values = table.enum_values("values")
    fits = (type for type in keys.ENUM_TYPES if len(values) - 1 <= SCALARS[type].high)
    return EnumType(
        name=name,
        place=table.key_place(),
        values=values,
        type=table.choice("type", keys.ENUM_TYPES, "") or next(fits, keys.ENUM_TYPES[-1]),
        doc=table.text("doc"),
        kind=kind,
    )


def read_struct(name: str, table: Table, named: NamedTypes) -> StructType:
    table.expect(keys.STRUCT, help=_fields_help(table, named))
    fields = read_fields(table.table("fields"), named)
    return StructType(name, table.key_place(), fields, table.text("doc"))


def read_extern(name: str, table: Table, named: NamedTypes) -> ExternType:
    table.expect(keys.EXTERN)
    return ExternType(
        table.declared(name),
        header=table.text("header"),
        c=table.text("c"),
        size=table.integer("size", 1),
        align=table.integer("align", 1),
        fields=read_fields(table.table("fields"), named),
    )


def read_resource(name: str, table: Table) -> Resource:
    table.expect(keys.RESOURCE)
    header, c = table.text("header"), table.text("c")
    return Resource(name, table.key_place(), header, c, table.text("doc"))


def read_component(name: str, table: Table, named: NamedTypes) -> Component:
    table.expect(keys.COMPONENT, help=_fields_help(table, named))
    requires = list(_required(table))
    return Component(
        table.declared(name, renamed=True),
        fields=read_fields(table.table("fields"), named),
        stored=Stored(
            storage=table.choice("storage", keys.STORAGES, "table"),
            layout=table.choice("layout", keys.LAYOUTS, "aos"),
            save=table.flag("save", True),
        ),
        rules=Rules(
            requires=tuple(ref for ref, _ in requires),
            values=tuple(given for _, given in requires if given),
            excludes=table.refs("excludes"),
        ),
        hooks=_hooks(table, HOOKS),
        holds=read_holds(table),
    )


def read_singleton(name: str, table: Table, named: NamedTypes) -> Singleton:
    table.expect(keys.SINGLETON, help=_fields_help(table, named))
    return Singleton(
        table.declared(name, renamed=True),
        fields=read_fields(table.table("fields"), named),
        save=table.flag("save", True),
        holds=read_holds(table),
    )


def read_event(name: str, table: Table, named: NamedTypes) -> Event:
    kind = str(table.path[0])
    table.expect(keys.EVENT if kind == "event" else keys.INPUT, help=_fields_help(table, named))
    return Event(
        table.declared(name, renamed=True),
        fields=read_fields(table.table("fields"), named),
        max=table.integer("max", DEFAULT_MAX_UNREAD[kind]),
        kind=kind,
    )


def read_relation(name: str, table: Table) -> Relation:
    table.expect(keys.RELATION)
    options = keys.ON_PARENT_DESPAWN
    return Relation(
        table.declared(name, renamed=True),
        on_parent_despawn=table.choice("on_parent_despawn", options, options[0]),
        appends=table.choice("children", keys.CHILDREN, "") != "",
        hooks=_hooks(table, NODE_HOOKS),
    )


def read_link(name: str, table: Table, named: NamedTypes) -> Link:
    table.expect(keys.LINK, help=_fields_help(table, named))
    ends = table.table("on_despawn")
    ends.expect(keys.ENDS)
    return Link(
        table.declared(name, renamed=True),
        fields=read_fields(table.table("fields"), named),
        symmetric=table.flag("symmetric", False),
        ends=Ends(
            ends.choice("from", ON_END_DESPAWN, "remove"),
            ends.choice("to", ON_END_DESPAWN, "remove"),
        ),
        hooks=_hooks(table, LINK_HOOKS),
    )


def _fields_help(table: Table, named: NamedTypes) -> Callable[[str], str]:
    """Explains a key that is a field, which a table outside of `fields` contains."""

    def help(key: str) -> str:
        if not may_be_field(table.data[key], named):
            return ""
        if table.path[-1] == "fields":
            kind = table.path[0]
            return f"write [{kind}.name], with a name, and these keys as its fields"
        return f"move the fields to [{'.'.join(str(key) for key in table.path)}.fields]"

    return help


def _required(table: Table) -> Iterator[tuple[Ref, RequiredValues | None]]:
    """Yields the items of `requires`: each is a name, or a table that also gives values."""
    for index, item in enumerate(table.items("requires")):
        place = table.value_place("requires", index)
        if isinstance(item, str):
            yield Ref(item, place), None
        elif isinstance(item, dict):
            path = (*table.path, "requires", index)
            inside = Table(item, path, f"'requires' of {table.what}", table.file, table.report)
            inside.expect(keys.REQUIRED)
            name = inside.ref("name")
            values = inside.table("values", "values = { x = 1.0 }").data
            if name:
                given = RequiredValues(name, values, index) if "values" in item else None
                yield name, given
        else:
            message = f"'requires' of {table.what} must contain names, not {describe(item)}"
            help = 'write requires = ["…"], or add { name = "…", values = { … } } to it'
            table.report.error("wrong-type", place, message, help=help)


def _hooks(table: Table, kinds: tuple[str, ...]) -> tuple[Hook, ...]:
    return tuple(hook for kind in kinds if (hook := _hook(table, kind)).functions)


def _hook(table: Table, kind: str) -> Hook:
    """Reads a hook: `true` is one function with the hook's name, an array lists function names."""
    if isinstance(table.data.get(kind), list):
        if not table.data[kind]:
            table.report.error(
                "hook-empty",
                table.value_place(kind),
                f"'{kind}' of {table.what} names no function",
                help=f"write {kind} = true, or remove it",
            )
        return Hook(kind, table.refs(kind))
    called = table.data.get(kind, False)
    if not isinstance(called, bool):
        message = f"'{kind}' of {table.what} must be true, false or an array of names"
        name = called if isinstance(called, str) else "…"
        table.report.error(
            "wrong-type",
            table.value_place(kind),
            f"{message}, not {describe(called)}",
            help=f'write {kind} = true, or {kind} = ["{name}"]',
        )
        return Hook(kind, ())
    return Hook(kind, (Ref(kind, table.value_place(kind)),) if called else ())
