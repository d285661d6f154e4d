"""Times that are rarely intended: ticks of more than a second, and turns that miss inputs."""

from __future__ import annotations

from collections.abc import Iterator

from lint.finding import Finding, Owner
from model.model import Model

LONG_SECONDS = 1.0  # a longer tick is rarely intended


def step(model: Model) -> Iterator[Finding]:
    """Warns about steps like "60", which is a minute. 60 ticks a second are "1/60"."""
    step = model.world.ticks.step
    if step is None or step.seconds <= LONG_SECONDS:
        return
    above, _, below = step.text.strip("'").partition("/")
    message = f"step is {step.text}: a tick takes {step.seconds:g} seconds"
    help = (
        f'write step = "{below.strip() or 1}/{above.strip()}" for {step.seconds:g} ticks in a '
        "second; or, if a tick is that long, or its time is not in seconds, write "
        'quiet = { long-step = "…" } with the reason'
    )
    yield Finding("long-step", Owner("world", model.world.name), step.place, message, help)


def missed_inputs(model: Model) -> Iterator[Finding]:
    """Inputs are removed after their tick, so a system without a turn in most ticks misses most.

    Systems with `when`, `enters`, `leaves` or a switch get no warning: they ignore inputs on
    purpose while they do not run.
    """
    step = model.world.ticks.step
    for system in model.code.systems.values():
        every = system.schedule.turn.every
        if every is None or (step is not None and every <= step.seconds):
            continue
        for ref in system.messages.hears:
            if model.data.events[ref.name].kind == "input":
                message = (
                    f"system '{system.name}' runs every {every:g} seconds, so it misses each input "
                    f"'{ref.name}' of the ticks in between"
                )
                help = (
                    "let a system without 'every' hear it and emit an event, which waits for "
                    "this system; or, if it may miss some, write quiet = { input-missed = "
                    '"…" } with the reason'
                )
                owner = Owner("system", system.name)
                yield Finding("input-missed", owner, ref.place, message, help)


LINTS = (step, missed_inputs)
