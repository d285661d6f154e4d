"""The identifiers of queries, listeners, indexes and systems."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from model.code import Index, Listener, Query, System
from model.model import Model
from model.readers import asks_for_changes
from model.refs import Ref
from names import names as families
from names.claim import Claim, Owner, guard_claims, local_claims, verb_of
from names.names import Names


def query_claims(names: Names, query: Query, model: Model) -> Iterator[Claim]:
    owner = ("query", query.name)
    what, place = f"query '{query.name}'", query.place
    for verb in families.QUERY + families.GRANT_QUERY:
        identifier = names.query(query.name, verb)
        yield Claim(identifier, verb_of(verb, what), place, owner, in_cpp=not verb)
    yield from _optional_tags(names, query, owner, model)
    for ref in query.all:
        for verb in families.QUERY_ALL:
            identifier = names.query_all(query.name, ref.name, verb)
            yield Claim(identifier, f"'{verb}' of '{ref.name}' in {what}", ref.place, owner)
    for system in model.code.systems.values() if asks_for_changes(query.selection) else ():
        for verb in (
            families.QUERY_VIEW if query.name in {r.name for r in system.reach.queries} else ()
        ):
            identifier = names.view(query.name, system.name, verb)
            yield Claim(identifier, f"'{verb}' of {what} in system '{system.name}'", place, owner)
    if model.writes_fields(query.selection):
        yield Claim(names.define(query.name), f"the definition of {what}", place, owner)
    yield from _walked(names, query, owner)


def listener_claims(names: Names, listener: Listener, model: Model) -> Iterator[Claim]:
    owner = ("listener", listener.name)
    what, place = f"listener '{listener.name}'", listener.place
    for verb in families.LISTENER + (families.LISTENER_ROWS if listener.selection.has_rows else ()):
        identifier = names.query(listener.name, verb)
        yield Claim(identifier, verb_of(verb, what), place, owner, in_cpp=not verb)
    yield from _optional_tags(names, listener, owner, model)
    yield from _consumed(names, listener, what, owner)
    yield from _walked(names, listener, owner)


def _optional_tags(names: Names, query: Query, owner: Owner, model: Model) -> Iterator[Claim]:
    for ref in _tags(query.selection.optional, model):
        for verb in families.QUERY_OPTIONAL_TAG:
            identifier = names.query_tag(query.name, ref.name, verb)
            what = f"'{verb}' of '{ref.name}' in {owner[0]} '{owner[1]}'"
            yield Claim(identifier, what, ref.place, owner)


def _walked(names: Names, query: Query, owner: Owner) -> Iterator[Claim]:
    """Yields the numbers, guards and tables of a query or listener."""
    for kind in ("query", "reader"):
        what = f"the {kind} of {owner[0]} '{owner[1]}'"
        yield Claim(names.number(kind, query.name), what, query.place, owner)
    yield from guard_claims(names, owner, query.place)
    yield from local_claims(names, owner, query.place, families.LOCAL_QUERY)


def _consumed(names: Names, reader: System | Listener, what: str, owner: Owner) -> Iterator[Claim]:
    """Yields the numbers of the events and removals that a system or listener reads."""
    for ref in {ref.name: ref for ref in reader.messages.hears}.values():
        identifier = names.number("hearer", reader.name, ref.name)
        yield Claim(identifier, f"the hearer of '{ref.name}' in {what}", ref.place, owner)
    for removal in {r.component.name: r for r in reader.messages.removed}.values():
        ref = removal.component
        identifier = names.number("removal", reader.name, ref.name)
        yield Claim(identifier, f"the removals of '{ref.name}' in {what}", ref.place, owner)


def index_claims(names: Names, index: Index) -> Iterator[Claim]:
    owner = ("index", index.name)
    what, place = f"index '{index.name}'", index.place
    for verb in ("", "match", "filter", *_index_verbs(index.kind)):
        identifier = names.index(index.name, verb)
        yield Claim(identifier, verb_of(verb, what), place, owner, in_cpp=not verb)
    for kind in ("index", "query", "reader"):
        yield Claim(names.number(kind, index.name), f"the {kind} of {what}", place, owner)
    yield from guard_claims(names, owner, place)
    yield from local_claims(names, owner, place, families.LOCAL_INDEX)


def system_claims(names: Names, system: System, model: Model) -> Iterator[Claim]:
    owner = ("system", system.name)
    what, place = f"system '{system.name}'", system.place
    verbs = families.SYSTEM + (families.SYSTEM_SWITCH if system.schedule.turn.switch else ())
    verbs += families.SYSTEM_INLINE if system.loop.inline else ()
    verbs += families.SYSTEM_TURN if system.loop.turn else ()
    verbs += families.SYSTEM_PARTIAL if system.loop.partial else ()
    for verb in verbs + (families.SYSTEM_ALONE if model.world.ticks.run_systems else ()):
        member = (verb,) if verb else ()
        yield Claim(names.system(system.name, *member), verb_of(verb, what), place, owner)
    if model.writes_fields(system.selection):
        yield Claim(names.define(system.name), f"the definition of {what}", place, owner)
        yield Claim(names.apart(system.name), f"the fields of {what}", place, owner)
        yield Claim(names.body(system.name), f"the body of {what}", place, owner)
    for ref, verbs in _granted(system, model):
        for verb in verbs:
            identifier = names.system(system.name, ref.name, verb)
            yield Claim(identifier, f"'{verb}' of '{ref.name}' in {what}", ref.place, owner)
    for ref in {ref.name: ref for ref in system.messages.emits}.values():
        identifier = names.number("stage", system.name, ref.name)
        yield Claim(identifier, f"the stage of '{ref.name}' in {what}", ref.place, owner)
    yield from _consumed(names, system, what, owner)
    numbered = ("query", "system", "buffer", "clock", "parallel", "reader", "depth_order")
    for kind in (*numbered, *(("switch",) if system.schedule.turn.switch else ())):
        yield Claim(names.number(kind, system.name), f"the {kind} of {what}", place, owner)
    yield from guard_claims(names, owner, place)
    flush = families.LOCAL_FLUSH if system.schedule.flush else ()
    fields = families.LOCAL_FIELDS if system.loop.partial else ()
    yield from local_claims(names, owner, place, families.LOCAL_SYSTEM + flush + fields)
    yield from _pass(names, system) if system.loop.parallel and system.loop.fuse else ()


def _granted(system: System, model: Model) -> Iterator[tuple[Ref, tuple[str, ...]]]:
    """Yields the columns for which a system has calls about its current rows, and their verbs."""
    granted = (
        (_tags(system.selection.optional, model), families.SYSTEM_OPTIONAL_TAG),
        (_tags(system.selection.write, model), families.SYSTEM_WRITE_TAG),
        (system.selection.write if system.loop.marks else (), families.SYSTEM_TOUCH),
    )
    for refs, verbs in granted:
        yield from ((ref, verbs) for ref in _once(refs))


def _index_verbs(kind: str) -> tuple[str, ...]:
    return families.INDEX_BY_KIND.get(kind, ()) + families.GRANT_INDEX_BY_KIND.get(kind, ())


def _pass(names: Names, system: System) -> Iterator[Claim]:
    owner, what = ("system", system.name), f"the pass of system '{system.name}'"
    yield Claim(names.number("pass", system.name), what, system.place, owner)
    yield from local_claims(names, owner, system.place, families.LOCAL_FUSED)


def _once(refs: tuple[Ref, ...]) -> Iterable[Ref]:
    return {ref.name: ref for ref in refs}.values()


def _tags(refs: tuple[Ref, ...], model: Model) -> tuple[Ref, ...]:
    once = {ref.name: ref for ref in reversed(refs)}
    return tuple(ref for name, ref in once.items() if model.is_tag(name))
