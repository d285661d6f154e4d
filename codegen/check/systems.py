"""Rules about when systems run, what they look up, and how many events may be unread."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise

from model.code import System
from model.expressions import Expr, Op
from model.graph import circles
from model.named import declarations
from model.refs import Ref
from model.states import possible
from model.whens import decided
from names.nearest import a
from parse import Parsed
from schedule import PhaseSchedule, make_schedule
from schedule.ambiguity import needless, to_settle
from schedule.conflicts import Conflicts
from schedule.flushes import sees_commands, settles
from schedule.text import reasons
from source.source import Note, Report

MAX_UNREAD = 16_777_216  # unread items of one event


def every_range(parsed: Parsed, report: Report) -> None:
    for system in parsed.model.code.systems.values():
        if system.schedule.turn.every is not None and not (
            0 < system.schedule.turn.every < math.inf
        ):
            place = parsed.book.value("system", system.name, "every")
            message = f"'every' of system '{system.name}' must be a time above 0"
            help = "write seconds above 0, or remove it to run in each tick"
            report.error("every-range", place, message, help=help)


def when_asked(parsed: Parsed, report: Report) -> None:
    """`when` is decided before any row is visited, so it cannot ask about rows."""
    kinds = {named.name: named.kind for named in declarations(parsed.model)}
    for system in parsed.model.code.systems.values():
        for atom in system.schedule.turn.when.atoms() if system.schedule.turn.when else ():
            name = atom.ref.name if atom.ref else ""
            kind = kinds.get(name, "")
            if not kind or atom.op is Op.IS or (kind == "singleton" and atom.op is Op.CHANGED):
                continue
            message = f"'when' of system '{system.name}' asks for {atom.atom}: '{name}' is "
            known = kind in ("singleton", "state")
            message += a(kind) if known else f"{a(kind)}, not a singleton"
            help = _INSTEAD.get(kind, "name a singleton: changed(…)").format(name, atom.atom)
            report.error("when-asked", atom.place, message, help=help)


_ROWS = "when is about whole turns, before there are rows; where is for rows"
_INSTEAD = {
    "singleton": "it always exists: write changed({0})",
    "state": "write {0} == and one of its values",
    "component": f'{_ROWS}: where = "{{1}}"',
    "relation": f'{_ROWS}: where = "{{1}}"',
    "query": f"{_ROWS}: list it in 'queries' and let the function count its rows",
    "event": "use hears = [\"{0}\"], which misses none; 'when' is for singletons and states",
    "input": "use hears = [\"{0}\"], which misses none; 'when' is for singletons and states",
}


def when_never(parsed: Parsed, report: Report) -> None:
    """At first everything counts as changed until a turn sees it, so a false `when` stays false."""
    for system in parsed.model.code.systems.values():
        when = system.schedule.turn.when
        if not when or any(_is_of_no_value(parsed, atom) for atom in when.atoms()):
            continue
        changed = {atom.atom: True for atom in when.atoms() if atom.op is not Op.IS}
        if possible(parsed.model, (when,), changed):
            continue
        why, help = "its 'when' contradicts itself", "remove one of the contradicting parts"
        if possible(parsed.model, (when,), {}):
            why = "before its first turn everything counts as changed, so its 'when' is false"
            help = "only a turn sees changes: write a 'when' that is true if everything is changed"
        message = f"system '{system.name}' can never run: {why}"
        report.error("when-never", when.place, message, help=help)


def _is_of_no_value(parsed: Parsed, atom: Expr) -> bool:
    """Returns whether an expression compares a state with a value that it does not have."""
    state = parsed.model.types.enums.get(atom.ref.name) if atom.ref and atom.op is Op.IS else None
    wanted = atom.value.name if atom.value else ""
    return state is not None and all(value.name != wanted for value in state.values)


def when_always(parsed: Parsed, report: Report) -> None:
    for system in parsed.model.code.systems.values():
        when = system.schedule.turn.when
        never = Expr(Op.NOT, when.place, operands=(when,)) if when else None
        if when and never and not possible(parsed.model, (never,), {}):
            message = f"'when' of system '{system.name}' is always true"
            help = "remove it: the system runs in each turn anyway"
            report.warning("when-always", when.place, message, help=help)


def when_parts(parsed: Parsed, report: Report) -> None:
    """The other rules are about whole expressions; this one reports parts that are constant."""
    for system in parsed.model.code.systems.values():
        when = system.schedule.turn.when
        if not when or any(_is_of_no_value(parsed, atom) for atom in when.atoms()):
            continue
        for part, truth in decided(parsed.model, when):
            if part is not when:
                id, always = ("when-always", "always") if truth else ("when-never", "never")
                message = f"this part of 'when' of system '{system.name}' is {always} true"
                report.warning(id, part.place, message, help="remove it, or correct the condition")


def event_max(parsed: Parsed, report: Report) -> None:
    for event in parsed.model.data.events.values():
        if not 1 <= event.max <= MAX_UNREAD:
            place = parsed.book.value(event.kind, event.name, "max")
            message = (
                f"'max' of {event.kind} '{event.name}' is {event.max}, but must be from 1 to "
                f"{MAX_UNREAD}"
            )
            help = "write how many may be unread at once"
            report.error("event-max", place, message, help=help)


def input_emitted(parsed: Parsed, report: Report) -> None:
    """Inputs come only from outside, so that a recording of them is enough for a replay."""
    for system in parsed.model.code.systems.values():
        for ref in system.messages.emits:
            event = parsed.model.data.events.get(ref.name)
            if event and event.kind == "input":
                message = f"system '{system.name}' emits '{ref.name}', which is an input"
                help = "let systems emit an event: only the game puts inputs"
                report.error("input-emitted", ref.place, message, help=help)


def lookup_tag_walked(parsed: Parsed, report: Report) -> None:
    """A tag that is written immediately must not decide which rows the same system visits."""
    for system in parsed.model.code.systems.values():
        for ref in system.reach.lookup.write:
            if not parsed.is_tag(ref.name):
                continue
            for other, does, why in _asking(parsed, system):
                if other.name == ref.name:
                    message = f"system '{system.name}' looks up and writes '{ref.name}', and {does}"
                    help = (
                        f'{why}: to change it in rows of this system, use write = ["{ref.name}"] '
                        "and …_put; to change it in any entity, use commands = true"
                    )
                    notes = [Note(other.place, "used here")]
                    report.error("lookup-tag-walked", ref.place, message, help=help, notes=notes)
                    break


_WALK = "the tag must not change while the system gets its rows"


def _asking(parsed: Parsed, system: System) -> Iterator[tuple[Ref, str, str]]:
    """Yields what a system's walk depends on: the name, how it uses it, and why it must not
    change.
    """
    chosen = system.selection
    for ref in chosen.where.refs() if chosen.where else ():
        yield ref, "its 'where' asks for it", _WALK
    for ref in chosen.write:
        yield ref, "also writes it in its rows", _WALK
    for ref in chosen.optional:
        yield ref, "has it in 'optional'", _WALK
    for listed in system.reach.queries:
        query = parsed.model.code.queries.get(listed.name)
        for ref in query.selection.where.refs() if query and query.selection.where else ():
            why = "the tag must not change while that query gets its rows"
            yield ref, f"'where' of query '{listed.name}' asks for it", why
    for removal in system.messages.removed:
        why = "setting the tag may move the list of removals that the system reads"
        yield removal.component, "reads its removals", why


def order_phase(parsed: Parsed, report: Report) -> None:
    """`after` and `before` order systems of one phase; the phases themselves decide the rest."""
    at = {phase.name: index for index, phase in reversed([*enumerate(parsed.model.world.phases)])}
    for earlier, later, ref, by in _orders(parsed):
        if at.get(earlier.schedule.phase.name, 0) <= at.get(later.schedule.phase.name, len(at)):
            continue
        word = "after" if by is later else "before"
        other = earlier if by is later else later
        message = (
            f"system '{by.name}' cannot run {word} '{other.name}': "
            f"phase '{later.schedule.phase.name}' comes before "
            f"phase '{earlier.schedule.phase.name}'"
        )
        notes = [
            Note(
                other.schedule.phase.place,
                f"'{other.name}' runs in phase '{other.schedule.phase.name}'",
            )
        ]
        help = "move one of the two to another phase, or remove the order"
        report.error("order-phase", ref.place, message, help=help, notes=notes)


def order_circle(parsed: Parsed, report: Report) -> None:
    graph: dict[str, list[str]] = {name: [] for name in parsed.model.code.systems}
    places: dict[tuple[str, str], Ref] = {}
    for earlier, later, ref, _ in _orders(parsed):
        if earlier.schedule.phase.name == later.schedule.phase.name and earlier is not later:
            graph[earlier.name].append(later.name)
            places.setdefault((earlier.name, later.name), ref)
    for circle in circles(graph):
        steps = [(pair, places[pair]) for pair in pairwise(circle)]
        message = f"systems wait for each other in a circle: {' -> '.join(circle)}"
        notes = [Note(ref.place, f"'{one}' before '{two}'") for (one, two), ref in steps[1:]]
        help = "remove one of these orders"
        report.error("order-circle", steps[0][1].place, message, help=help, notes=notes)


def ambiguous_order(parsed: Parsed, report: Report) -> None:
    """Runs only if everything could be read, because half of a system's access would mislead."""
    if parsed.broken or parsed.hidden.any_name or parsed.hidden.names:
        return
    systems = parsed.model.code.systems
    unclear = {system.name for system in systems.values() if _is_unclear(system, systems)}
    for pair in to_settle(parsed.model):
        if unclear & {pair.earlier.name, pair.later.name}:
            continue
        one, other = pair.earlier.name, pair.later.name
        message = (
            f"systems '{one}' and '{other}' conflict, but nothing decides which of them runs first"
        )
        notes = [Note(pair.earlier.place, "; ".join(reasons(pair)))]
        help = (
            f"write after = [\"{one}\"] in '{other}' for the present order, before = "
            f'["{one}"] for the reverse order, or ambiguous_with = ["{one}"] if both are '
            "correct"
        )
        report.warning("ambiguous-order", pair.later.place, message, help=help, notes=notes)


def _is_unclear(system: System, systems: dict[str, System]) -> bool:
    """Returns whether one of its orders names a system that does not exist or has another phase."""
    others = [systems.get(ref.name) for ref in system.schedule.after + system.schedule.before]
    return any(
        other is None or other.schedule.phase.name != system.schedule.phase.name for other in others
    )


def ambiguous_nothing(parsed: Parsed, report: Report) -> None:
    """A needless permission would hide a conflict that a later edit causes."""
    if parsed.broken or parsed.hidden.any_name or parsed.hidden.names:
        return
    for system, ref in needless(parsed.model):
        message = f"systems '{system.name}' and '{ref.name}' need no 'ambiguous_with'"
        help = "remove it: they do not conflict, or their order is fixed"
        report.warning("ambiguous-nothing", ref.place, message, help=help)


def after_commands(parsed: Parsed, report: Report) -> None:
    """An order without another effect was probably written to see the applied commands."""
    asked = [
        order
        for order in (_orders(parsed) if _is_whole(parsed) else ())
        if order[0].schedule.phase.name == order[1].schedule.phase.name
        and _may_be_for_commands(*order[:2])
    ]
    if not asked:
        return
    phases = {phase.name: phase for phase in make_schedule(parsed.model)}
    conflicts = Conflicts(parsed.model)
    for earlier, later, ref, by in asked:
        phase = phases.get(earlier.schedule.phase.name)
        if not phase or sees_commands(phase, earlier, later):
            continue
        if not settles(phase.systems, conflicts, earlier, later):
            word = "after" if by is later else "before"
            message = (
                f"system '{by.name}' runs {word} '{ref.name}', but '{later.name}' sees none of "
                f"the commands that '{earlier.name}' records"
            )
            help = (
                f"they are applied at the end of the phase: add flush = true to '{later.name}', "
                "or move it to a later phase; if you do not need the commands, remove the order"
            )
            report.warning("after-commands", ref.place, message, help=help)


def _may_be_for_commands(earlier: System, later: System) -> bool:
    """Returns whether the earlier system records commands, and the later one only reads entities.

    If both record, the order decides whose commands are applied first.
    """
    chosen = later.selection
    looks = (
        *(chosen.read + chosen.write + chosen.optional),
        *(
            later.reach.queries
            + later.reach.lookup.read
            + later.reach.lookup.write
            + later.reach.lookup.relations
            + later.reach.links.read
            + later.reach.links.write
        ),
        *((later.loop.over.link,) if later.loop.over else ()),
        *later.messages.removed,
    )
    return earlier.messages.commands and not later.messages.commands and bool(looks or chosen.where)


def flush_nothing(parsed: Parsed, report: Report) -> None:
    """A flush without commands has no effect except that it keeps systems from running in
    parallel.
    """
    if not _is_whole(parsed) or not any(
        s.schedule.flush for s in parsed.model.code.systems.values()
    ):
        return
    for phase in make_schedule(parsed.model):
        for system in phase.systems:
            if system.schedule.flush and not _recorded_before(parsed, phase, system):
                message = (
                    f"system '{system.name}' has 'flush', but no system before it in its phase "
                    "records commands"
                )
                help = "remove 'flush', or list in 'after' the systems that record commands"
                place = parsed.book.value("system", system.name, "flush")
                report.warning("flush-nothing", place, message, help=help)


def _recorded_before(parsed: Parsed, phase: PhaseSchedule, system: System) -> bool:
    """Returns whether a system, or a hook of a tag that it writes, may record for this flush."""
    segments = phase.segments
    number = next(i for i, segment in enumerate(segments) if system is segment[0])
    if number == 0:
        return False
    components = parsed.model.data.components
    written = [
        ref for s in segments[number - 1] for ref in s.selection.write + s.reach.lookup.write
    ]
    return any(s.messages.commands for s in segments[number - 1]) or any(
        parsed.is_tag(ref.name) and components[ref.name].hooks for ref in written
    )


def _is_whole(parsed: Parsed) -> bool:
    """Returns whether everything could be read, and no systems wait for each other in a circle."""
    if parsed.broken or parsed.hidden.any_name or parsed.hidden.names:
        return False
    systems = parsed.model.code.systems
    graph: dict[str, list[str]] = {name: [] for name in systems}
    for earlier, later, _, _ in _orders(parsed):
        graph[earlier.name].append(later.name)
    return not any(True for _ in circles(graph))


def _orders(parsed: Parsed) -> Iterator[tuple[System, System, Ref, System]]:
    """Yields the earlier system, the later one, the place of the order, and the system that
    sets it.
    """
    systems = parsed.model.code.systems
    for system in systems.values():
        for ref in system.schedule.after:
            if ref.name in systems:
                yield systems[ref.name], system, ref, system
        for ref in system.schedule.before:
            if ref.name in systems:
                yield system, systems[ref.name], ref, system


RULES = (
    every_range,
    when_asked,
    when_never,
    when_always,
    when_parts,
    event_max,
    input_emitted,
    lookup_tag_walked,
    order_phase,
    order_circle,
    ambiguous_order,
    ambiguous_nothing,
    after_commands,
    flush_nothing,
)
