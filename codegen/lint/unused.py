"""Components, tags, singletons and events that nothing adds, reads, writes, emits or hears."""

from __future__ import annotations

from collections.abc import Iterator

from lint.finding import Finding, Owner
from lint.uses import Uses
from model.data import Component
from model.model import Model
from model.states import living_tag

_SILENCE = 'or, if the game does so by its calls, quiet = {{ {0} = "…" }} with the reason'


def components(model: Model) -> Iterator[Finding]:
    """A component that is never added is not also reported as never read."""
    uses = Uses(model)
    made = {living_tag(prefab.lives) for prefab in model.data.prefabs.values() if prefab.lives}
    for one in (one for one in model.data.components.values() if one.name not in made):
        what = "tag" if one.is_tag else "component"
        if not uses.open and one.name not in uses.added:
            yield _of(
                "never-added", one, f"{what} '{one.name}' comes onto no entity: "
                "no prefab has it, nothing requires it, and no system may add it",
                "add it to a prefab, or let a system record commands",
            )  # fmt: skip
        elif one.name not in uses.read:
            yield _of(
                "never-read", one, f"nothing reads {what} '{one.name}': "
                "no query, no system, no rule and no hook names it",
                "ask for it in a query or a system",
            )  # fmt: skip
        elif one.fields and not (uses.open or one.name in uses.written | uses.in_prefabs):
            yield _of(
                "never-written", one, f"nothing writes component '{one.name}': "
                "it comes with what requires it, and keeps its defaults",
                "let a system write it, or give it in a prefab",
            )  # fmt: skip


def _of(id: str, one: Component, message: str, help: str) -> Finding:
    help = f"{help}; {_SILENCE.format(id)}"
    return Finding(id, Owner("component", one.name), one.place, message, help)


def singletons(model: Model) -> Iterator[Finding]:
    uses = Uses(model)
    for one in model.data.kept.singletons.values():
        is_read = one.name in uses.read
        if not is_read or one.name not in uses.written:
            verb, lacking = ("writes", "never-written") if is_read else ("reads", "never-read")
            message = f"no system {verb} singleton '{one.name}'"
            help = f"list it in the singletons of a system; {_SILENCE.format(lacking)}"
            yield Finding(lacking, Owner("singleton", one.name), one.place, message, help)


def events(model: Model) -> Iterator[Finding]:
    """Only systems emit, and only systems and listeners hear, so these findings are certain.

    The game puts inputs; no system emits them.
    """
    uses = Uses(model)
    for one in model.data.events.values():
        if one.kind == "event" and one.name not in uses.emitted:
            heard = "" if one.name in uses.heard else ", and none hears it"
            message = f"no system emits event '{one.name}'{heard}"
            help = f'write emits = ["{one.name}"] in a system, or remove the event'
            yield Finding("never-emitted", Owner("event", one.name), one.place, message, help)
        elif one.name not in uses.heard:
            verb = "emitting" if one.kind == "event" else "putting"
            message = f"nothing hears {one.kind} '{one.name}', so that {verb} it does nothing"
            where = "a system or listener" if one.kind == "event" else "a system"
            help = f'write hears = ["{one.name}"] in {where}, or remove the {one.kind}'
            yield Finding("never-heard", Owner(one.kind, one.name), one.place, message, help)


LINTS = (components, singletons, events)
