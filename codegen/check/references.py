"""Rules about names that must be declared elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import NamedTuple

from check.names import snake_case
from model.code import Selection
from model.expressions import Op
from model.model import Model
from model.named import declarations
from model.refs import Ref
from model.trees import BY_CHILDREN
from names.nearest import a, suggest
from parse import Parsed
from source.source import Place, Report

# These may be used with a singleton. check/selections.py refuses all but `changed`, with its own
# messages.
EVENTS = (Op.ADDED, Op.CHANGED, Op.REMOVED)


class Use(NamedTuple):
    """A use of a name."""

    by: str  # "system 'movement' writes"
    ref: Ref
    also: tuple[str, ...] = ()  # other kinds of declarations that are accepted
    or_singleton: bool = False  # a singleton is accepted here; another rule may report it
    if_relation: str = ""  # help if the name is that of a relation, which is not accepted


def component_uses(model: Model) -> Iterator[Use]:
    for component in model.data.components.values():
        by = f"component '{component.name}'"
        yield from _uses(f"{by} requires", component.rules.requires)
        yield from _uses(f"{by} excludes", component.rules.excludes)
    for ref in model.world.hide:
        help = f'hide a tag; where = "!{ref.name}" in a selection skips rows that have a parent'
        yield Use("the world hides", ref, if_relation=help)
    for prefab in model.data.prefabs.values():
        by = f"prefab '{prefab.name}'"
        for item in prefab.written.components:
            yield Use(f"{by} has", item.component)
        for part in prefab.written.parts:
            for item in part.change.components:
                yield Use(f"part '{'.'.join(part.path)}' of {by} gives values to", item.component)
        for kept in prefab.written.refs:
            yield Use(f"{by} refers to parts in", Ref(kept.component, kept.place))
    for query in model.code.queries.values():
        yield from _selected(f"query '{query.name}'", query.selection)
        yield from _uses(f"query '{query.name}' has in 'all'", query.all)
    for listener in model.code.listeners.values():
        by = f"listener '{listener.name}'"
        yield from _selected(by, listener.selection)
        for removal in listener.messages.removed:
            yield Use(f"{by} reads removals of", removal.component, also=("relation",))
    for index in model.code.indexes.values():
        by = f"index '{index.name}'"
        if index.of.name:
            yield Use(f"{by} is of", index.of)
        for atom in index.selection.where.atoms() if index.selection.where else ():
            if atom.ref and atom.op is Op.HAS and not atom.link:
                yield Use(f"{by} filters by", atom.ref, ("relation",), or_singleton=True)
    for system in model.code.systems.values():
        by = f"system '{system.name}'"
        yield from _selected(by, system.selection)
        yield from _uses(f"{by} looks up", system.reach.lookup.read + system.reach.lookup.write)
        yield from _uses(f"{by} reads its parents'", system.loop.tree.parent)
        for end, access in system.loop.over.ends if system.loop.over else ():
            yield from _uses(f"{by} reads at '{end}'", access.read)
            yield from _uses(f"{by} writes at '{end}'", access.write)
        for removal in system.messages.removed:
            yield Use(f"{by} reads removals of", removal.component, also=("relation",))


def singleton_uses(model: Model) -> Iterator[Use]:
    others = {named.name for named in declarations(model)}  # check/systems.py reports those
    for system in model.code.systems.values():
        yield from _uses(f"system '{system.name}' reads", system.reach.singletons.read)
        yield from _uses(f"system '{system.name}' writes", system.reach.singletons.write)
        atoms = system.schedule.turn.when.atoms() if system.schedule.turn.when else ()
        asked = (atom.ref for atom in atoms if atom.ref and atom.op is not Op.IS)
        unknown = tuple(ref for ref in asked if ref.name not in others)
        yield from _uses(f"'when' of system '{system.name}' asks for", unknown)


def state_uses(model: Model) -> Iterator[Use]:
    for system in model.code.systems.values():
        by = f"system '{system.name}'"
        yield from _uses(f"{by} reads", system.reach.states.read)
        yield from _uses(f"{by} changes", system.reach.states.write)
        for one in (system.schedule.turn.enters, system.schedule.turn.leaves):
            yield from _uses(f"{by} waits for", (one.state,) if one else ())
        for atom in system.schedule.turn.when.atoms() if system.schedule.turn.when else ():
            if atom.ref and atom.op is Op.IS:
                yield Use(f"'when' of {by} asks for", atom.ref)
    for prefab in model.data.prefabs.values():
        refs = (prefab.written.lives.state,) if prefab.written.lives else ()
        yield from _uses(f"prefab '{prefab.name}' lives in", refs)


def resource_uses(model: Model) -> Iterator[Use]:
    for system in model.code.systems.values():
        yield from _uses(f"system '{system.name}' reads", system.reach.resources.read)
        yield from _uses(f"system '{system.name}' writes", system.reach.resources.write)


def event_uses(model: Model) -> Iterator[Use]:
    for system in model.code.systems.values():
        yield from _uses(f"system '{system.name}' emits", system.messages.emits)
        yield from _uses(f"system '{system.name}' hears", system.messages.hears)
    for listener in model.code.listeners.values():
        yield from _uses(f"listener '{listener.name}' hears", listener.messages.hears)


def query_uses(model: Model) -> Iterator[Use]:
    for system in model.code.systems.values():
        yield from _uses(f"system '{system.name}' iterates", system.reach.queries)


def index_uses(model: Model) -> Iterator[Use]:
    for system in model.code.systems.values():
        yield from _uses(f"system '{system.name}' uses", system.reach.indexes)


def relation_uses(model: Model) -> Iterator[Use]:
    for system in model.code.systems.values():
        by = f"system '{system.name}'"
        if system.loop.tree.order:
            yield Use(f"{by} is ordered by", system.loop.tree.order)
        if system.loop.tree.relation:
            yield Use(f"{by} reads its parents by", system.loop.tree.relation)
        yield from _trees(by, system.selection)
    for query in model.code.queries.values():
        yield from _trees(f"query '{query.name}'", query.selection)
    for listener in model.code.listeners.values():
        yield from _trees(f"listener '{listener.name}'", listener.selection)
    for prefab in model.data.prefabs.values():
        for part in prefab.written.parts:
            by = f"part '{'.'.join(part.path)}' of prefab '{prefab.name}'"
            yield from _uses(f"{by} is attached by", (part.by,) if part.by else ())


def prefab_uses(model: Model) -> Iterator[Use]:
    for prefab in model.data.prefabs.values():
        yield from _uses(f"prefab '{prefab.name}' is a", (prefab.base,) if prefab.base else ())
        for part in prefab.written.parts:
            by = f"part '{'.'.join(part.path)}' of prefab '{prefab.name}'"
            yield from _uses(f"{by} is spawned by", (part.prefab,) if part.prefab else ())


def link_uses(model: Model) -> Iterator[Use]:
    for system in model.code.systems.values():
        yield from _uses(f"system '{system.name}' reads", system.reach.links.read)
        yield from _uses(f"system '{system.name}' writes", system.reach.links.write)
        over = (system.loop.over.link,) if system.loop.over else ()
        yield from _uses(f"system '{system.name}' iterates", over)
        yield from _ends(f"system '{system.name}'", system.selection)
    for query in model.code.queries.values():
        yield from _ends(f"query '{query.name}'", query.selection)
    for listener in model.code.listeners.values():
        yield from _ends(f"listener '{listener.name}'", listener.selection)
    for index in model.code.indexes.values():
        yield from _ends(f"index '{index.name}'", index.selection)


def system_uses(model: Model) -> Iterator[Use]:
    for system in model.code.systems.values():
        yield from _uses(f"system '{system.name}' runs after", system.schedule.after)
        yield from _uses(f"system '{system.name}' runs before", system.schedule.before)
        yield from _uses(
            f"system '{system.name}' is ambiguous with", system.schedule.ambiguous_with
        )


def phase_uses(model: Model) -> Iterator[Use]:
    for system in model.code.systems.values():
        if system.schedule.phase.name:
            yield Use(f"system '{system.name}' runs in", system.schedule.phase)


def _selected(by: str, selection: Selection) -> Iterator[Use]:
    yield from _uses(f"{by} reads", selection.read)
    yield from _uses(f"{by} writes", selection.write)
    yield from _uses(f"{by} has the optional", selection.optional)
    for atom in selection.where.atoms() if selection.where else ():
        if atom.link:
            continue
        if atom.ref and atom.op is Op.CHANGED_PARENT:
            help = (
                "name a component of the parent; to ask for a new parent, use "
                f"changed({atom.ref.name})"
            )
            yield Use(f"{by} filters by", atom.ref, if_relation=help)
        elif atom.ref and atom.op not in BY_CHILDREN:
            also = ("relation", "singleton") if atom.op is Op.CHANGED else ("relation",)
            yield Use(f"{by} filters by", atom.ref, also, or_singleton=atom.op in EVENTS)


def _trees(by: str, selection: Selection) -> Iterator[Use]:
    """Yields the names that must be relations."""
    for atom in selection.where.atoms() if selection.where else ():
        if atom.ref and atom.op in BY_CHILDREN:
            yield Use(f"{by} asks for {atom.op.value}(…) of", atom.ref)


def _ends(by: str, selection: Selection) -> Iterator[Use]:
    """Yields the names that must be links."""
    for atom in selection.where.atoms() if selection.where else ():
        if atom.link:
            yield Use(f"{by} asks for {atom.end}(…) of", atom.link)


def _uses(by: str, refs: tuple[Ref, ...]) -> Iterator[Use]:
    return (Use(by, ref) for ref in refs)


def unknown_component(parsed: Parsed, report: Report) -> None:
    for place, message, help in _unknown(
        parsed, "component", component_uses, parsed.model.data.components
    ):
        report.error("unknown-component", place, message, help=help)


def unknown_singleton(parsed: Parsed, report: Report) -> None:
    for place, message, help in _unknown(
        parsed, "singleton", singleton_uses, parsed.model.data.kept.singletons
    ):
        report.error("unknown-singleton", place, message, help=help)


def unknown_state(parsed: Parsed, report: Report) -> None:
    for place, message, help in _unknown(
        parsed, "state", state_uses, parsed.model.data.kept.states
    ):
        report.error("unknown-state", place, message, help=help)


def unknown_resource(parsed: Parsed, report: Report) -> None:
    for place, message, help in _unknown(
        parsed, "resource", resource_uses, parsed.model.data.kept.resources
    ):
        report.error("unknown-resource", place, message, help=help)


def unknown_event(parsed: Parsed, report: Report) -> None:
    for place, message, help in _unknown(parsed, "event", event_uses, parsed.model.data.events):
        report.error("unknown-event", place, message, help=help)


def unknown_query(parsed: Parsed, report: Report) -> None:
    for place, message, help in _unknown(parsed, "query", query_uses, parsed.model.code.queries):
        report.error("unknown-query", place, message, help=help)


def unknown_index(parsed: Parsed, report: Report) -> None:
    for place, message, help in _unknown(parsed, "index", index_uses, parsed.model.code.indexes):
        report.error("unknown-index", place, message, help=help)


def unknown_relation(parsed: Parsed, report: Report) -> None:
    for place, message, help in _unknown(
        parsed, "relation", relation_uses, parsed.model.data.relations
    ):
        report.error("unknown-relation", place, message, help=help)


def unknown_prefab(parsed: Parsed, report: Report) -> None:
    for place, message, help in _unknown(parsed, "prefab", prefab_uses, parsed.model.data.prefabs):
        report.error("unknown-prefab", place, message, help=help)


def unknown_link(parsed: Parsed, report: Report) -> None:
    for place, message, help in _unknown(parsed, "link", link_uses, parsed.model.data.links):
        report.error("unknown-link", place, message, help=help)


def unknown_system(parsed: Parsed, report: Report) -> None:
    for place, message, help in _unknown(parsed, "system", system_uses, parsed.model.code.systems):
        report.error("unknown-system", place, message, help=help)


def unknown_phase(parsed: Parsed, report: Report) -> None:
    phases = [phase.name for phase in parsed.model.world.phases]
    if not phases or not parsed.sound("world", ""):
        return
    for use in phase_uses(parsed.model):
        if not _is_meant(use.ref.name, phases):
            message = f"{use.by} '{use.ref.name}', which is not a phase"
            help = suggest(use.ref.name, phases, "phases of the world")
            report.error("unknown-phase", use.ref.place, message, help=help)


def _unknown(
    parsed: Parsed,
    kind: str,
    uses: Callable[[Model], Iterator[Use]],
    known: Collection[str],
) -> Iterator[tuple[Place, str, str]]:
    """Yields the places of undeclared names, with the message and the help."""
    model = parsed.model
    others = {"relation": [*model.data.relations], "singleton": [*model.data.kept.singletons]}
    for use in uses(model):
        if use.ref.name in known:
            continue
        more = [name for also in use.also for name in others[also]]
        meant = [*known, *more, *(others["singleton"] if use.or_singleton else [])]
        if not _is_meant(use.ref.name, meant) and not parsed.hidden.may_be(use.ref.name):
            kinds = [kind, *(also for also in use.also if others[also])]
            message = f"{use.by} '{use.ref.name}', which is {_none_of(kinds)}"
            what = _PLURAL[kind] if len(kinds) == 1 else "possible"
            yield use.ref.place, message, _help(parsed, use, kind, [*known, *more], what)


def _none_of(kinds: list[str]) -> str:
    """Returns what a name is not: "not a component", "no component, relation or singleton"."""
    if len(kinds) == 1:
        return f"not {a(kinds[0])}"
    return f"not a {', '.join(kinds[:-1])} or {kinds[-1]}"


def _is_meant(name: str, known: Collection[str]) -> bool:
    """Returns whether a name is known, or is known once it is spelled as `name_shape` demands."""
    return name in known or any(name == snake_case(other) for other in known)


def _help(parsed: Parsed, use: Use, kind: str, known: list[str], what: str) -> str:
    name = use.ref.name
    for named in declarations(parsed.model):
        if named.name == name:
            if named.kind == "relation" and use.if_relation:
                return f"'{name}' is a relation: {use.if_relation}"
            if use.by.endswith("is attached by") and known:
                return f"'{name}' is {a(named.kind)}; {suggest('', known, what)}"
            return f"'{name}' is {a(named.kind)}" + _WHERE_IT_GOES.get(named.kind, "")
    for state in parsed.model.data.kept.states if kind == "singleton" else ():
        if any(value.name == name for value in parsed.model.types.enums[state].values):
            return f"'{name}' is a value of state '{state}': write {state} == {name}"
    return suggest(name, known, what) or f"declare [{kind}.{name}]"


_PLURAL = {
    "component": "components",
    "singleton": "singletons",
    "state": "states",
    "resource": "resources",
    "event": "events",
    "query": "queries",
    "index": "indexes",
    "system": "systems",
    "relation": "relations",
    "prefab": "prefabs",
    "link": "links",
}

_WHERE_IT_GOES = {
    "component": ": use it in read, write, optional, where or lookup",
    "singleton": ': systems use it by singletons = { read = ["…"] }',
    "state": ': systems use it by states = { read = ["…"] }, or in when',
    "event": ": use it in emits or hears",
    "input": ": use it in hears",
    "resource": ': systems use it by resources = { read = ["…"] }',
    "relation": ': use it in where or order, or by lookup = { read = ["…"] }',
    "link": ': use it in from(…) or to(…) of where, in over, or by links = { read = ["…"] }',
    "query": ': systems use it by queries = ["…"]',
    "listener": ": only the game uses it",
    "index": ': systems use it by indexes = ["…"]',
    "prefab": ": the game spawns it, or it is a part of another prefab",
}

RULES = (
    unknown_component,
    unknown_singleton,
    unknown_state,
    unknown_resource,
    unknown_event,
    unknown_query,
    unknown_index,
    unknown_relation,
    unknown_prefab,
    unknown_link,
    unknown_system,
    unknown_phase,
)
