"""Rules about states, and about systems and prefabs that depend on them."""

from __future__ import annotations

from collections.abc import Iterator

from model.refs import Ref
from model.states import living_tag
from names.nearest import suggest
from parse import Parsed
from source.source import Report


def state_phases(parsed: Parsed, report: Report) -> None:
    """States change at the end of a phase, so the world must have phases."""
    if parsed.model.world.phases or not parsed.sound("world", ""):
        return
    for state in parsed.model.data.kept.states.values():
        message = f"state '{state.name}' can never change: the world has no phases"
        help = "add phases to [world]: states change at the end of a phase"
        report.error("state-phases", state.place, message, help=help)


def unknown_state_value(parsed: Parsed, report: Report) -> None:
    for by, state, value in _values(parsed):
        if state.name not in parsed.model.data.kept.states or not parsed.sound("state", state.name):
            continue
        known = [one.name for one in parsed.model.types.enums[state.name].values]
        if known and value.name not in known:
            message = f"{by} '{value.name}', which is not a value of state '{state.name}'"
            help = suggest(value.name, known, "its values")
            report.error("unknown-state-value", value.place, message, help=help)


def _values(parsed: Parsed) -> Iterator[tuple[str, Ref, Ref]]:
    """Yields each use of a state's value: who uses it, the state and the value."""
    for system in parsed.model.code.systems.values():
        by = f"system '{system.name}'"
        for one in (system.schedule.turn.enters, system.schedule.turn.leaves):
            if one:
                yield f"{by} waits for", one.state, one.value
        for atom in system.schedule.turn.when.atoms() if system.schedule.turn.when else ():
            if atom.ref and atom.value:
                yield f"'when' of {by} asks for", atom.ref, atom.value
    for prefab in parsed.model.data.prefabs.values():
        lives = prefab.written.lives
        if lives:
            yield f"prefab '{prefab.name}' lives in", lives.state, lives.value


def once_every(parsed: Parsed, report: Report) -> None:
    """A system that runs once cannot also run in intervals."""
    for system in parsed.model.code.systems.values():
        if system.schedule.turn.every is not None and (
            system.schedule.turn.enters or system.schedule.turn.leaves
        ):
            key = "enters" if system.schedule.turn.enters else "leaves"
            place = parsed.book.key("system", system.name, "every")
            message = f"system '{system.name}' has both '{key}' and 'every'"
            help = f"remove one of the two: with '{key}', it runs once for each change"
            report.error("once-every", place, message, help=help)


def lives_tag(parsed: Parsed, report: Report) -> None:
    """The generated tag of a state's entities must not share its name with a component with
    fields.
    """
    for prefab in parsed.model.data.prefabs.values():
        lives = prefab.written.lives
        component = parsed.model.data.components.get(living_tag(lives)) if lives else None
        if lives and component and component.fields:
            message = f"'lives' of prefab '{prefab.name}' needs a tag '{component.name}'"
            help = f"rename component '{component.name}', because it has fields"
            report.error("lives-tag", lives.state.place, message, help=help)


RULES = (state_phases, unknown_state_value, once_every, lives_tag)
