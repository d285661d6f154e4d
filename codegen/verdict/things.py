"""Compares saved declarations, as `runtime/save/match.c` does."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from model.code import Listener
from model.data import Component, Event, Link, Relation, Singleton
from model.model import Model
from model.parts import parts_component
from model.refs import Ref
from model.states import NEXT, NOW
from model.types import Field
from names.nearest import a
from source.source import Place
from verdict.change import NEVER_HAD, Change, Fate, Verdict
from verdict.fields import Fields, Owner
from verdict.renames import ACCEPT, gone, pairs, remedy, renamed_to

Thing = TypeVar("Thing", Component, Singleton, Event, Relation, Link, Listener)


def components(was: Model, now: Model, fields: Fields) -> list[Change]:
    found, kept = _declared(was.data.components.values(), now.data.components.values())
    for before, component in kept:
        found += [*_saved("component", before, component), *_stored(before, component)]
        if not before.is_tag and not component.is_tag:
            saved = before.save and component.save
            fields.compare(_owner("component", component), before.fields, component.fields, saved)
    return found


def singletons(was: Model, now: Model, fields: Fields) -> list[Change]:
    """Compares singletons and states, because saves store states as singletons."""
    found, kept = _declared(was.data.kept.singletons.values(), now.data.kept.singletons.values())
    for before, one in kept:
        found += _saved(_kind(one), before, one)
        saved = before.save and one.save
        fields.compare(_owner(_kind(one), one), _kept(before), _kept(one), saved)
    return found


def _kept(one: Singleton) -> tuple[Field, ...]:
    """Leaves out the flags of due turns of a state, because a lock contains no systems."""
    return tuple(field for field in one.fields if not one.of_state or field.name in (NOW, NEXT))


def events(was: Model, now: Model, fields: Fields) -> list[Change]:
    """Compares events and inputs, because saves store both as events."""
    found, kept = _declared(was.data.events.values(), now.data.events.values())
    for before, event in kept:
        found += _capacity(event.kind, before, event)
        fields.compare(_owner(event.kind, event), before.fields, event.fields, saved=True)
    return found


def _capacity(kind: str, was: Event, now: Event) -> list[Change]:
    what = f"'max' of {kind} '{now.name}' changed from {was.max:,} to {now.max:,}"
    if now.max < was.max:
        fate = f"are refused if they contain more than {now.max:,} unread"
        return [Change(what, Fate(Verdict.MAY_REFUSE, fate), now.place, help=ACCEPT)]
    if now.max > was.max:
        return [Change(what, Fate(Verdict.WHOLE, "keep them"), now.place)]
    return []


def relations(was: Model, now: Model) -> list[Change]:
    found, kept = _declared(was.data.relations.values(), now.data.relations.values())
    for before, relation in kept:
        if before.on_parent_despawn != relation.on_parent_despawn:
            what = f"relation '{relation.name}' has a different on_parent_despawn"
            found.append(Change(what, Fate(Verdict.WHOLE, "keep their links"), relation.place))
    return found


def links(was: Model, now: Model, fields: Fields) -> list[Change]:
    found, kept = _declared(was.data.links.values(), now.data.links.values())
    for before, link in kept:
        found += _linked(before, link)
        if not before.is_bare and not link.is_bare:
            fields.compare(_owner("link", link), before.fields, link.fields, saved=True)
    return found


def _linked(was: Link, now: Link) -> list[Change]:
    """Compares the form and the keys of a link."""
    what = f"link '{now.name}'"

    def whole(words: str, fate: str, compiles: bool = True) -> Change:
        return Change(f"{what} {words}", Fate(Verdict.WHOLE, fate), now.place, compiles)

    def loses(words: str, fate: str, compiles: bool = True) -> Change:
        fates = Fate(Verdict.LOSES, fate)
        return Change(f"{what} {words}", fates, now.place, compiles, help=ACCEPT)

    found = []
    if was.is_bare and not now.is_bare:
        found.append(whole("has fields now, but had none", "get its defaults", compiles=False))
    if now.is_bare and not was.is_bare:
        found.append(loses("has no fields now, but had some", "lose its values", compiles=False))
    if now.symmetric and not was.symmetric:
        found.append(loses("is symmetric now", "lose one of two links in opposite directions"))
    if was.symmetric and not now.symmetric:
        fate = "keep one direction of each link: from the lower index to the higher"
        found.append(loses("is not symmetric any more", fate))
    if (was.ends.source, was.ends.target) != (now.ends.source, now.ends.target):
        found.append(whole("has a different on_despawn", "keep their links"))
    return found


def listeners(was: Model, now: Model) -> list[Change]:
    """Compares what listeners have not seen yet. A removed listener misses nothing."""
    old = list(was.code.listeners.values())
    matched = pairs(old, now.code.listeners.values())
    found = []
    for before, one in matched:
        what = f"listener '{one.name}'"
        if not before:
            fate = "show it everything as added"
            found.append(Change(f"{what} is new", Fate(Verdict.WHOLE, fate), one.place))
        elif before.name != one.name:
            renamed = f"{what} was renamed from '{before.name}'"
            fate = "keep what it has not seen yet"
            found.append(Change(renamed, Fate(Verdict.WHOLE, fate), one.place, compiles=False))
    new = [one for before, one in matched if not before]
    for before in gone(old, matched):
        other = renamed_to(before.name, [one for one in new if _alike(one, before)])
        found.append(
            Change(
                f"listener '{before.name}' was removed",
                Fate(Verdict.LOSES if other else Verdict.WHOLE, "lose what it had not seen yet"),
                before.place,
                compiles=False,
                help=remedy(before.name, other),
            )
        )
    return found


def _alike(one: Listener, other: Listener) -> bool:
    """Returns whether a listener may be another one, renamed: they have some input in common."""
    told, asked = (
        {
            ref.name
            for ref in (*x.messages.hears, *(removal.component for removal in x.messages.removed))
        }
        for x in (one, other)
    )
    return bool(told & asked) or told == asked


def _declared(
    was: Iterable[Thing], now: Iterable[Thing]
) -> tuple[list[Change], list[tuple[Thing, Thing]]]:
    """Returns the changes of new, renamed and removed declarations, and the pairs of the others.

    Kinds that share a list in saves are compared together, because a load does not know the kind:
    an event may have been an input.
    """
    old = list(was)
    matched = pairs(old, now)
    found = []
    for before, thing in matched:
        what = f"{_kind(thing)} '{thing.name}'"
        if not before:
            found.append(
                Change(f"{what} is new", Fate(Verdict.WHOLE, "do not contain it"), thing.place)
            )
        elif (before.name, _kind(before)) != (thing.name, _kind(thing)):
            kind, name = _kind(before), before.name
            former = f"'{name}'" if kind == _kind(thing) else f"{kind} '{name}'"
            renamed = f"was renamed from {former}"
            if name == thing.name:
                renamed = f"was {a(kind)} before"
            found.append(
                Change(
                    f"{what} {renamed}",
                    Fate(Verdict.WHOLE, "keep it"),
                    thing.place,
                    compiles=False,
                )
            )
    new = [thing for before, thing in matched if not before]
    found += [_gone(before, new) for before in gone(old, matched)]
    return found, [(before, thing) for before, thing in matched if before]


def _kind(thing: Component | Singleton | Event | Relation | Link | Listener) -> str:
    """Returns the section of the schema that declares it."""
    if isinstance(thing, Event):
        return thing.kind
    if isinstance(thing, Singleton):
        return "state" if thing.of_state else "singleton"
    return type(thing).__name__.lower()


def _gone(was: Thing, new: list[Thing]) -> Change:
    saved = is_in_saves(was)
    alike = [thing for thing in new if _look(thing) == _look(was)]
    # Whoever renames a component often adds a field to it, too.
    types = set(_look(was))
    wider = [thing for thing in new if types and types.issubset(_look(thing))]
    now = renamed_to(was.name, alike or wider)
    return Change(
        f"{_kind(was)} '{was.name}' was removed",
        Fate(Verdict.LOSES, "lose it") if saved else NEVER_HAD,
        was.place,
        compiles=False,
        help=remedy(was.name, now, _renaming(was, next((t for t in new if t.name == now), None))),
    )


def _renaming(was: Thing, now: Thing | None) -> str:
    """Returns what to write if a component that stores parts was renamed; "" for other things."""
    if not isinstance(now, Component) or not now.of_prefab:
        return ""
    prefab = was.name.removesuffix(parts_component(""))
    return f'was = "{prefab}" in [prefab.{now.of_prefab}]'


def is_in_saves(thing: Component | Singleton | Event | Relation | Link | Listener) -> bool:
    """Returns whether saves contain it. They always contain which entities have a component
    with fields.
    """
    if isinstance(thing, Component):
        return thing.save or not thing.is_tag
    return thing.save if isinstance(thing, Singleton) else True


def _look(thing: Component | Singleton | Event | Relation | Link | Listener) -> list[str]:
    """Returns the types of its fields. If they are equal, it may be another declaration,
    renamed.
    """
    if isinstance(thing, Relation | Listener):
        return []
    return [field.type.text for field in thing.fields]


def _owner(kind: str, thing: Component | Singleton | Event | Link) -> Owner:
    return Owner(kind, thing.name, thing.place)


def _saved(kind: str, was: Component | Singleton, now: Component | Singleton) -> list[Change]:
    what, is_tag = f"{kind} '{now.name}'", _is_tag(now)
    if is_tag != _is_tag(was):
        return []  # _stored reports it
    if was.save and not now.save:
        lost = "lose which entities have it" if is_tag else "lose its values"
        what = f"{what} is not saved any more"
        return [Change(what, Fate(Verdict.LOSES, lost), now.place, help=ACCEPT)]
    if now.save and not was.save:
        fate = "load without any entity that has it" if is_tag else "get its defaults"
        return [Change(f"{what} is saved now", Fate(Verdict.WHOLE, fate), now.place)]
    return []


def _brought(by: Component, required: Ref) -> str:
    return "with the values given there" if by.gives(required.name) else "with its defaults"


def _is_tag(thing: Component | Singleton) -> bool:
    return isinstance(thing, Component) and thing.is_tag


def _stored(was: Component, now: Component) -> list[Change]:
    """Compares the form, layout, storage and rules of a component."""
    what = f"component '{now.name}'"

    def whole(words: str, fate: str, place: Place = now.place, compiles: bool = False) -> Change:
        return Change(f"{what} {words}", Fate(Verdict.WHOLE, fate), place, compiles)

    found = [
        whole(
            f"requires '{ref.name}'",
            f"get '{ref.name}' {_brought(now, ref)} if they lack it",
            ref.place,
            compiles=True,
        )
        for ref in _new(was.rules.requires, now.rules.requires)
    ]
    if was.is_tag and not now.is_tag:
        return [whole("has fields now, but was a tag", "get its defaults"), *found]
    if now.is_tag and not was.is_tag:
        return [_emptied(was, now), *found]
    if was.stored.storage != now.stored.storage and not now.is_tag:
        found.append(whole(f"changed from {was.stored.storage} to {now.stored.storage}", "keep it"))
    if was.stored.layout != now.stored.layout and not now.is_tag:
        found.append(whole(f"changed from {was.stored.layout} to {now.stored.layout}", "keep it"))
    return found


def _emptied(was: Component, now: Component) -> Change:
    """Reports a component without its former fields. Saves still contain which entities had it."""
    what = f"component '{now.name}' is a tag now, but had fields"
    lost = [
        *(["its values"] if was.save else []),
        *([] if now.save else ["which entities have it"]),
    ]
    if not lost:
        return Change(
            what, Fate(Verdict.WHOLE, "keep which entities have it"), now.place, compiles=False
        )
    fate = f"lose {' and '.join(lost)}"
    return Change(what, Fate(Verdict.LOSES, fate), now.place, compiles=False, help=ACCEPT)


def _new(was: Iterable[Ref], now: Iterable[Ref]) -> list[Ref]:
    before = {ref.name for ref in was}
    return [ref for ref in now if ref.name not in before]
