"""Rules about [world]: widths of handles, number of entities, phases."""

from __future__ import annotations

import math
from itertools import groupby

from model.handles import MAX_BITS, indices
from model.named import Named, declarations
from model.refs import Ref
from parse import Parsed
from parse.spans import help_of
from source.source import Note, Report

MAX_OF_A_KIND = 1_024  # components, queries, …: generated tables number them in 16 bits
MAX_STEPS = 65_535  # ticks of one call of advance
MAX_COLUMNS = 16_384  # arrays and bitsets of all components, which are numbered in 16 bits too


def bits_range(parsed: Parsed, report: Report) -> None:
    world = parsed.model.world
    for key, bits in (
        ("index_bits", world.entities.index_bits),
        ("generation_bits", world.entities.generation_bits),
    ):
        if not 1 <= bits <= MAX_BITS:
            place = parsed.book.value("world", "entity", key)
            message = f"{key} is {bits}, but must be from 1 to {MAX_BITS}"
            help = "correct it, or remove it and let Weft choose it by max_entities"
            report.error("bits-range", place, message, help=help)


def max_entities(parsed: Parsed, report: Report) -> None:
    world = parsed.model.world
    place = parsed.book.value("world", "max_entities")
    if world.entities.max < 1:
        message = f"max_entities is {world.entities.max}, but must be at least 1"
        report.error(
            "max-entities", place, message, help="write how many entities may live at once"
        )
        return
    if not _has_width(parsed):
        return
    most = indices(world.entities.index_bits)
    if world.entities.max > most:
        message = (
            f"max_entities is {world.entities.max}, but {world.entities.index_bits} index_bits "
            f"allow only {most}"
        )
        help = f"write {most} or less, or increase index_bits of entity"
        report.error("max-entities", place, message, help=help)


def recycle_after(parsed: Parsed, report: Report) -> None:
    world = parsed.model.world
    place = parsed.book.value("world", "recycle_after")
    if world.entities.recycle_after < 0:
        message = f"recycle_after is {world.entities.recycle_after}, but must be at least 0"
        report.error("recycle-after", place, message, help="write how many freed indices must wait")
        return
    if not _has_width(parsed):
        return
    most = indices(world.entities.index_bits)
    together = world.entities.max + world.entities.recycle_after
    if world.entities.max <= most < together:
        message = (
            f"max_entities and recycle_after are {together} together, but "
            f"{world.entities.index_bits} index_bits allow only {most}"
        )
        help = f"write a recycle_after of {most - world.entities.max} or less"
        report.error("recycle-after", place, message, help=help)


def duplicate_phase(parsed: Parsed, report: Report) -> None:
    first: dict[str, Ref] = {}
    for phase in parsed.model.world.phases:
        earlier = first.setdefault(phase.name, phase)
        if earlier is not phase:
            message = f"'phases' of the world lists '{phase.name}' twice"
            note = Note(earlier.place, "the first is here")
            report.error(
                "duplicate-phase", phase.place, message, help="remove one of the two", notes=[note]
            )


def step_range(parsed: Parsed, report: Report) -> None:
    step = parsed.model.world.ticks.step
    if step is None or 0 < step.seconds < math.inf:
        return
    message = f"step is {step.text}, but must be a time above 0"
    report.error("step-range", parsed.book.value("world", "step"), message, help=help_of("step"))


def max_steps(parsed: Parsed, report: Report) -> None:
    world = parsed.model.world
    if world.ticks.max_steps is None:
        return
    if not 1 <= world.ticks.max_steps <= MAX_STEPS:
        place = parsed.book.value("world", "max_steps")
        message = f"max_steps is {world.ticks.max_steps}, but must be from 1 to {MAX_STEPS}"
        help = "write how many ticks may run at once after a pause; the default is 8"
        report.error("max-steps", place, message, help=help)
    elif world.ticks.step is None and parsed.sound("world", ""):
        place = parsed.book.key("world", "max_steps")
        message = "the world has 'max_steps', but no 'step'"
        help = 'add step = "1/60" to [world], or remove max_steps'
        report.error("max-steps", place, message, help=help)


def hide_tag(parsed: Parsed, report: Report) -> None:
    for ref in parsed.model.world.hide:
        if parsed.model.has_values(ref.name):
            message = f"the world hides '{ref.name}', which is not a tag"
            help = "hide a component without fields"
            report.error("hide-tag", ref.place, message, help=help)


def too_many(parsed: Parsed, report: Report) -> None:
    phases = (Named("phase", phase.name, phase.place) for phase in parsed.model.world.phases)
    named = (*phases, *declarations(parsed.model))
    for _, group in groupby(named, key=lambda each: each.kind):
        together = list(group)
        if len(together) > MAX_OF_A_KIND:
            first = together[MAX_OF_A_KIND]
            message = f"{first.what} is one of {len(together)}, more than {MAX_OF_A_KIND}"
            help = "merge several into one, with a field that distinguishes them"
            report.error("too-many", first.place, message, help=help)


def too_many_columns(parsed: Parsed, report: Report) -> None:
    """Handles are one column, each field of a soa component is one, and each other component is
    one.
    """
    count = 1
    for component in parsed.model.data.components.values():
        before, count = count, count + component.columns
        if before <= MAX_COLUMNS < count:
            message = f"component '{component.name}' makes more than {MAX_COLUMNS} columns"
            help = 'remove layout = "soa", which makes a column for each field'
            report.error("too-many", component.place, message, help=help)


def no_phases(parsed: Parsed, report: Report) -> None:
    world = parsed.model.world
    unread = not parsed.sound("world", "") or parsed.hidden.may_be("phases")
    if parsed.model.code.systems and not world.phases and not unread:
        place = parsed.book.key("world")
        help = f"add phases = [{', '.join(_wanted(parsed)) or '…'}] to [world]"
        report.error(
            "no-phases",
            place,
            "there are systems, but no phases in which they could run",
            help=help,
        )


def _wanted(parsed: Parsed) -> list[str]:
    """Returns the phases that systems name, as the schema would write them."""
    names = dict.fromkeys(
        system.schedule.phase.name for system in parsed.model.code.systems.values()
    )
    return [f'"{name}"' for name in names if name]


def _has_width(parsed: Parsed) -> bool:
    return parsed.sound("world", "") and 1 <= parsed.model.world.entities.index_bits <= MAX_BITS


RULES = (
    bits_range,
    max_entities,
    recycle_after,
    duplicate_phase,
    step_range,
    max_steps,
    hide_tag,
    too_many,
    too_many_columns,
    no_phases,
)
