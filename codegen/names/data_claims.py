"""The identifiers of types and data: from enums to links."""

from __future__ import annotations

from collections.abc import Iterator

from model.data import (
    Component,
    Event,
    Hook,
    Link,
    Prefab,
    Relation,
    Resource,
    Singleton,
    State,
)
from model.model import Model
from model.rng import seeded
from model.trees import link_tag
from model.types import EnumType, ExternType, StructType
from names import names as families
from names.claim import Claim, Owner, guard_claims, list_claims, local_claims, verb_of
from names.names import Names
from source.source import Place


def enum_claims(names: Names, enum: EnumType) -> Iterator[Claim]:
    owner, what = (enum.kind, enum.name), f"{enum.kind} '{enum.name}'"
    for verb in families.ENUM:
        yield Claim(names.enum(enum.name, verb), verb_of(verb, what), enum.place, owner)
    yield Claim(names.enum_count(enum.name), f"the number of values of {what}", enum.place, owner)
    yield from guard_claims(names, owner, enum.place)
    yield from local_claims(names, owner, enum.place, families.LOCAL_ENUM)
    for value in enum.values:
        identifier = names.enum_value(enum.name, value.name)
        yield Claim(identifier, f"value '{value.name}' of {what}", value.place, owner)


def struct_claims(names: Names, struct: StructType) -> Iterator[Claim]:
    owner = ("struct", struct.name)
    yield Claim(names.struct(struct.name), f"struct '{struct.name}'", struct.place, owner)
    yield from list_claims(names, owner, struct.fields)
    yield from guard_claims(names, owner, struct.place)
    yield from local_claims(
        names, owner, struct.place, families.LOCAL_FIELDS + families.LOCAL_DEFAULTS
    )


def extern_claims(names: Names, extern: ExternType) -> Iterator[Claim]:
    owner = ("extern", extern.name)
    yield from guard_claims(names, owner, extern.place)
    yield from local_claims(
        names, owner, extern.place, families.LOCAL_FIELDS + families.LOCAL_DEFAULTS
    )


def component_claims(names: Names, component: Component, model: Model) -> Iterator[Claim]:
    owner = ("component", component.name)
    what, place, name = f"component '{component.name}'", component.place, component.name
    verbs = families.COMPONENT + (families.SOA if component.is_soa else ())
    verbs = (
        families.TAG + families.GRANT_TAG if component.is_tag else verbs + families.GRANT_COMPONENT
    )
    for verb in verbs:
        in_cpp = component.is_tag and not verb
        identifier = names.component(name, verb)
        yield Claim(identifier, verb_of(verb, what), place, owner, in_cpp=in_cpp)
    yield from _hooks(names, owner, what, place, component.hooks)
    if seeded(model, component) and not component.functions("on_add"):
        yield from local_claims(names, owner, place, ("on_add",))
    for verb in families.CMD_TAG if component.is_tag else families.CMD_COMPONENT:
        yield Claim(names.cmd(name, verb), f"the command '{verb}' of {what}", place, owner)
    yield Claim(names.number("component", name), f"the number of {what}", place, owner)
    for field in component.fields if component.is_soa else ():
        identifier = names.number("column", name, field.name)
        yield Claim(identifier, f"column '{field.name}' of {what}", field.place, owner)
    kinds = ("column",) if component.is_table else ("column", "bitset", "store")
    for kind in () if component.is_soa else kinds:
        yield Claim(names.number(kind, name), f"the {kind} of {what}", place, owner)
    yield from list_claims(names, owner, component.fields)
    yield from guard_claims(names, owner, place)
    own = families.LOCAL_COMPONENT + (families.LOCAL_SPARSE if component.is_sparse else ())
    kept = families.LOCAL_DEFAULTS + families.LOCAL_INSIGHT
    valued = families.LOCAL_FIELDS + kept + families.LOCAL_PARENT
    with_fields = () if component.is_tag else valued
    yield from local_claims(names, owner, place, own + with_fields)


def _hooks(
    names: Names, owner: Owner, what: str, place: Place, hooks: tuple[Hook, ...]
) -> Iterator[Claim]:
    for hook in hooks:
        for function in hook.functions:
            called = f"the hook '{function.name}' of {what}"
            yield Claim(names.hook(owner[1], function.name), called, function.place, owner)
    yield from local_claims(names, owner, place, tuple(hook.kind for hook in hooks))


def singleton_claims(names: Names, singleton: Singleton) -> Iterator[Claim]:
    owner = ("singleton", singleton.name)
    what = f"singleton '{singleton.name}'"
    for verb in families.SINGLETON:
        identifier = names.singleton(singleton.name, verb)
        yield Claim(identifier, verb_of(verb, what), singleton.place, owner)
    yield from list_claims(names, owner, singleton.fields)
    yield from guard_claims(names, owner, singleton.place)
    kept = families.LOCAL_DEFAULTS + families.LOCAL_INSIGHT
    kinds = families.LOCAL_FIELDS + kept + families.LOCAL_SINGLETON
    yield from local_claims(names, owner, singleton.place, kinds)


def state_claims(names: Names, state: State) -> Iterator[Claim]:
    """Yields the identifiers of a state, except those of its enum."""
    owner, what, place = ("state", state.name), f"state '{state.name}'", state.place
    for verb in families.STATE + families.GRANT_STATE:
        if verb not in families.ENUM:
            yield Claim(names.state(state.name, verb), verb_of(verb, what), place, owner)
    guard = names.guard(f"{state.name}_state")
    kept = f"the include guard of the header of {what}"
    yield Claim(guard, kept, place, owner)
    yield Claim(names.cpp_guard(f"{state.name}_state"), f"{kept} for C++", place, owner)
    kinds = (
        families.LOCAL_FIELDS
        + families.LOCAL_DEFAULTS
        + families.LOCAL_STATE
        + families.LOCAL_INSIGHT
    )
    yield from local_claims(names, owner, place, kinds)


def resource_claims(names: Names, resource: Resource) -> Iterator[Claim]:
    owner, place = ("resource", resource.name), resource.place
    what = f"resource '{resource.name}'"
    for verb in families.RESOURCE:
        identifier, in_cpp = names.resource(resource.name, verb), verb == "resource"
        yield Claim(identifier, verb_of(verb, what), place, owner, in_cpp=in_cpp)
    yield from guard_claims(names, owner, place)


def event_claims(names: Names, event: Event) -> Iterator[Claim]:
    owner = (event.kind, event.name)
    what, place = f"{event.kind} '{event.name}'", event.place
    for verb in families.EVENT + (() if event.kind == "input" else families.GRANT_EVENT):
        yield Claim(names.event(event.name, verb), verb_of(verb, what), place, owner)
    if event.kind == "input":
        yield Claim(names.input(event.name, "put"), f"'put' of {what}", place, owner)
    yield Claim(names.number("event", event.name), f"the number of {what}", place, owner)
    yield from list_claims(names, owner, event.fields)
    yield from guard_claims(names, owner, place)
    kinds = families.LOCAL_FIELDS + families.LOCAL_DEFAULTS + families.LOCAL_EVENT
    yield from local_claims(names, owner, place, kinds)


def prefab_claims(names: Names, prefab: Prefab) -> Iterator[Claim]:
    owner = ("prefab", prefab.name)
    what, place = f"prefab '{prefab.name}'", prefab.place
    for verb in families.PREFAB:
        yield Claim(names.prefab(prefab.name, verb), verb_of(verb, what), place, owner)
    for verb in families.CMD_PREFAB:
        identifier = names.cmd(prefab.name, verb)
        yield Claim(identifier, f"the command '{verb}' of {what}", place, owner)
    for verb in families.PREFAB_TREE if prefab.parts else ():
        yield Claim(names.prefab(prefab.name, verb), verb_of(verb, what), place, owner)
    for part in prefab.parts:
        identifier = names.part(prefab.name, part.name)
        yield Claim(identifier, f"part '{part.name}' of {what}", part.place, owner)
    yield Claim(names.number("prefab", prefab.name), f"the number of {what}", place, owner)
    yield from guard_claims(names, owner, place)
    kinds = families.LOCAL_PREFAB + (families.LOCAL_TREE if prefab.parts else ())
    yield from local_claims(names, owner, place, kinds)


def relation_claims(names: Names, relation: Relation) -> Iterator[Claim]:
    owner = ("relation", relation.name)
    what, place = f"relation '{relation.name}'", relation.place
    for verb in families.RELATION + families.GRANT_RELATION:
        identifier = names.relation(relation.name, verb)
        yield Claim(identifier, verb_of(verb, what), place, owner, in_cpp=not verb)
    for verb in families.CMD_RELATION:
        identifier = names.cmd(relation.name, verb)
        yield Claim(identifier, f"the command '{verb}' of {what}", place, owner)
    yield Claim(names.number("relation", relation.name), f"the number of {what}", place, owner)
    yield from _hooks(names, owner, what, place, relation.hooks)
    yield from guard_claims(names, owner, place)


def link_claims(names: Names, link: Link) -> Iterator[Claim]:
    owner = ("link", link.name)
    what, place = f"link '{link.name}'", link.place
    bare = families.LINK_BARE + families.GRANT_LINK_BARE
    for verb in bare if link.is_bare else families.LINK + families.GRANT_LINK:
        identifier, in_cpp = names.link(link.name, verb), link.is_bare and not verb
        yield Claim(identifier, verb_of(verb, what), place, owner, in_cpp=in_cpp)
    for verb in families.CMD_LINK:
        identifier = names.cmd(link.name, verb)
        yield Claim(identifier, f"the command '{verb}' of {what}", place, owner)
    yield Claim(names.number("link", link.name), f"the number of {what}", place, owner)
    yield from _hooks(names, owner, what, place, link.hooks)
    yield from list_claims(names, owner, link.fields)
    yield from guard_claims(names, owner, place)
    kinds = () if link.is_bare else families.LOCAL_FIELDS + families.LOCAL_DEFAULTS
    yield from local_claims(names, owner, place, kinds)


def relation_tag_claims(names: Names, tag: str, relation: Relation) -> Iterator[Claim]:
    whose = "children" if tag == relation.name else "parents"
    owner = ("relation", relation.name)
    yield from _tag_claims(names, tag, owner, f"the {whose} in", relation.place)


def link_tag_claims(names: Names, tag: str, link: Link) -> Iterator[Claim]:
    which = "from" if tag == link_tag(link.name, "from") else "to"
    yield from _tag_claims(names, tag, ("link", link.name), f"the rows at '{which}' of", link.place)


def _tag_claims(names: Names, tag: str, owner: Owner, whose: str, place: Place) -> Iterator[Claim]:
    of = f"{owner[0]} '{owner[1]}'"
    for kind in ("component", "column", "bitset"):
        yield Claim(names.number(kind, tag), f"the {kind} of {whose} {of}", place, owner)
    for kind in families.LOCAL_COMPONENT:
        what = f"the table '{kind}' of {of}"
        yield Claim(names.local(kind, tag), what, place, owner, is_local=True)
