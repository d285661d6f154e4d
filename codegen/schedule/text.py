"""Prints the schedule as text, and as a graph for Graphviz."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from itertools import pairwise

from model.code import System, merged_words
from model.states import once_words
from schedule import PhaseSchedule, Wait
from schedule.access import Access
from schedule.passes import Apart, Pass

HEAD = """\
Systems of one step can run at the same time. A system starts as soon as the systems that it waits
for have ended, even if its step has not started. Waits that follow from others are left out.
"""

WIDTH = 100  # of a line with many names

Done = tuple[str, str]  # an action on a resource, and the query if there is one


def reasons(wait: Wait) -> list[str]:
    """Returns why one waits for the other: `movement writes position, which redraw reads`."""
    met: dict[tuple[Done, Done], list[str]] = {}
    for meeting in wait.meetings:
        pair = _done(meeting.earlier), _done(meeting.later)
        met.setdefault(pair, []).append(meeting.name)
    phrases = [
        _phrase(wait, *pair, _all_of(list(dict.fromkeys(names)))) for pair, names in met.items()
    ]
    return phrases or ["the schema orders them"]


def as_text(world: str, phases: list[PhaseSchedule]) -> str:
    """Returns the schedule as text, phase by phase."""
    count = sum(len(phase.systems) for phase in phases)
    head = f"world {world}: {_count(count, 'system')} in {_count(len(phases), 'phase')}\n\n{HEAD}"
    return head + "".join(line + "\n" for phase in phases for line in ("", *_phase_lines(phase)))


def as_dot(world: str, phases: list[PhaseSchedule]) -> str:
    """Returns a graph with a box for each phase, and an arrow from each system to its followers."""
    lines = [f'digraph "{world}" {{', "    rankdir=LR;", "    node [shape=box];"]
    for phase in phases:
        lines += [f'    subgraph "cluster_{phase.name}" {{', f'        label="phase {phase.name}";']
        lines += [f"        {_node(system)};" for system in phase.systems]
        for wait in phase.waits:
            label = "\\n".join(dict.fromkeys(meeting.name for meeting in wait.meetings))
            style = f'label="{label}"' if label else "style=dashed"
            lines.append(f"        {_node(wait.earlier)} -> {_node(wait.later)} [{style}];")
        for before, after in pairwise(phase.segments):
            flush = f'"commands before {after[0].name}"'
            lines.append(f"        {flush} [shape=ellipse];")
            last = [system for system in before if not phase.followers_of(system)]
            first = [system for system in after if not phase.waits_of(system)]
            lines += [f"        {_node(system)} -> {flush};" for system in last]
            lines += [f"        {flush} -> {_node(system)};" for system in first]
        lines.append("    }")
    return "\n".join([*lines, "}", ""])


def _phase_lines(phase: PhaseSchedule) -> Iterator[str]:
    steps = phase.steps()
    counts = f"{_count(len(phase.systems), 'system')} in {_count(len(steps), 'step')}"
    yield f"phase {phase.name}: {counts if steps else 'no systems'}"
    width = len(str(len(steps)))
    first = {phase.steps_of(one)[0][0].name: one[0].name for one in phase.segments[1:]}
    for number, step in enumerate(steps, 1):
        if step[0].name in first:
            yield f"  {'':{width}}  commands are applied before {first[step[0].name]}"
        yield f"  {number:{width}}  {', '.join(system.name for system in step)}"
    turns = [*_condition_lines(phase.systems)]
    turns += [line for system in phase.systems for line in _turn_lines(system)]
    yield from ("", *turns) if turns else ()
    for system in phase.systems:
        waits = phase.waits_of(system)
        if waits:
            yield ""
        for wait in waits:
            yield f"  {system.name} waits for {wait.earlier.name}:"
            yield from (f"    {reason}" for reason in reasons(wait))
    for one in phase.passes:
        yield from ("", *_pass_lines(one))
    if phase.apart:
        yield ""
    for pair in phase.apart:
        yield f"  {pair.earlier.name} and {pair.later.name} share no pass:"
        yield from (f"    {reason}" for reason in _why_apart(pair))


def _condition_lines(systems: Sequence[System]) -> Iterator[str]:
    """Prints each condition once, with all systems of the phase that run under it."""
    under: dict[str, list[str]] = {}  # names of systems by condition
    for system in systems:
        for words in _conditions(system):
            under.setdefault(words, []).append(system.name)
    for words, names in under.items():
        if len(names) == 1:
            yield f"  {names[0]} runs {words}"
        elif len(names) == len(systems):
            yield f"  all systems run {words}"
        else:
            yield f"  {len(names)} systems run {words}:"
            yield from textwrap.wrap(
                ", ".join(names), WIDTH, initial_indent="    ", subsequent_indent="    "
            )


def _conditions(system: System) -> Iterator[str]:
    once = once_words(system)
    if once:
        yield once.removeprefix("runs ")
    if system.schedule.turn.when:
        yield f"only if {system.schedule.turn.when.text}"


def _turn_lines(system: System) -> Iterator[str]:
    if system.loop.turn:
        yield f"  {system.name} has functions for the beginning and end of a turn"
    if system.loop.partial:
        yield f"  {system.name} {merged_words(system)}"


def _pass_lines(one: Pass) -> Iterator[str]:
    names = [system.name for system in one.systems]
    rows = f"{one.short_rows:,}"
    if one.direct:
        rows += f" to {one.long_rows:,}"
    yield f"  one pass in blocks of {rows} rows: {', '.join(names)}"
    used = _count(one.row_bytes, "byte")
    yield f"    they use {used} of each row, which are read from memory once"
    for name, saved in zip(names, one.saved, strict=True):
        if saved:
            yield f"    {name} finds {saved} of its bytes of a row in the cache"


def _why_apart(pair: Apart) -> list[str]:
    if pair.met is None:
        return [pair.reason]
    return reasons(Wait(pair.met, pair.later, pair.meetings, declared=False))


def _phrase(wait: Wait, one: Done, other: Done, what: str) -> str:
    too = " too" if one == other else ""
    first = f"{wait.earlier.name} {one[0]} {what}{one[1]}"
    return f"{first}, which {wait.later.name} {other[0]}{other[1]}{too}"


def _done(access: Access) -> Done:
    return access.verb, f" (in query {access.query})" if access.query else ""


def _all_of(names: list[str]) -> str:
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last


def _node(system: System) -> str:
    return f'"{system.name}"'


def _count(n: int, noun: str) -> str:
    return f"{n} {noun if n == 1 else noun + 's'}"
