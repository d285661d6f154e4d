"""Components, tags, singletons and events that nothing adds, reads, writes, emits or hears."""

from __future__ import annotations

from collections.abc import Iterator

from lint.finding import Finding, Owner
from lint.uses import Uses, made_by_weft
from model.data import Component
from model.model import Model

_SILENCE = 'or, if the game does this by calls, write quiet = {{ {0} = "…" }} with the reason'


def components(model: Model) -> Iterator[Finding]:
    """A component that is never added is not also reported as never read."""
    uses = Uses(model)
    made = made_by_weft(model)
    for one in (one for one in model.data.components.values() if one.name not in made):
        what = "tag" if one.is_tag else "component"
        if not uses.open and one.name not in uses.added:
            yield _of(
                "never-added", one, f"{what} '{one.name}' is never added: "
                "no prefab has it, nothing requires it, and no system adds it",
                "add it to a prefab, or let a system record commands",
            )  # fmt: skip
        elif one.name not in uses.read:
            yield _of(
                "never-read", one, f"{what} '{one.name}' is never read: "
                "no query, system, rule or hook names it",
                "use it in a query or a system",
            )  # fmt: skip
        elif one.fields and not (uses.open or one.name in uses.written | uses.in_prefabs):
            yield _of(
                "never-written", one, f"component '{one.name}' is never written: "
                "it is added by 'requires' and keeps its defaults",
                "let a system write it, or set it in a prefab",
            )  # fmt: skip


def _of(id: str, one: Component, message: str, help: str) -> Finding:
    help = f"{help}; {_SILENCE.format(id)}"
    return Finding(id, Owner("component", one.name), one.place, message, help)


def singletons(model: Model) -> Iterator[Finding]:
    uses = Uses(model)
    for one in model.data.kept.singletons.values():
        is_read = one.name in uses.read
        if not is_read or one.name not in uses.written:
            verb, lacking = ("written", "never-written") if is_read else ("read", "never-read")
            message = f"singleton '{one.name}' is never {verb} by a system"
            help = f"list it in 'singletons' of a system; {_SILENCE.format(lacking)}"
            yield Finding(lacking, Owner("singleton", one.name), one.place, message, help)


def events(model: Model) -> Iterator[Finding]:
    """Only systems emit, and only systems and listeners hear, so these findings are certain.

    The game puts inputs; no system emits them.
    """
    uses = Uses(model)
    for one in model.data.events.values():
        if one.kind == "event" and one.name not in uses.emitted:
            heard = "" if one.name in uses.heard else " or heard"
            message = f"event '{one.name}' is never emitted{heard}"
            help = f'write emits = ["{one.name}"] in a system, or remove the event'
            yield Finding("never-emitted", Owner("event", one.name), one.place, message, help)
        elif one.name not in uses.heard:
            who = "system or listener" if one.kind == "event" else "system"
            message = f"{one.kind} '{one.name}' is never heard by a {who}"
            help = f'write hears = ["{one.name}"] in a {who}, or remove the {one.kind}'
            yield Finding("never-heard", Owner(one.kind, one.name), one.place, message, help)


def links(model: Model) -> Iterator[Finding]:
    """A hook reads a link, and so does a despawn that follows it.

    Only calls and commands add links, so the schema does not show which are never written.
    """
    uses = Uses(model)
    for one in model.data.links.values():
        ends = (one.ends.source, one.ends.target)
        if one.hooks or "despawn" in ends or one.name in uses.links:
            continue
        message = f"link '{one.name}' is never read: no query, system or hook names it"
        help = f"use it in a query or a system; {_SILENCE.format('never-read')}"
        yield Finding("never-read", Owner("link", one.name), one.place, message, help)


LINTS = (components, singletons, events, links)
