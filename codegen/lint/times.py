"""A tick of more than a second, which is mostly a fraction of one that was meant."""

from __future__ import annotations

from collections.abc import Iterator

from lint.finding import Finding, Owner
from model.model import Model

LONG_SECONDS = 1.0  # a longer tick is seldom meant


def step(model: Model) -> Iterator[Finding]:
    """Says that "60" is a minute: a game that ticks 60 times in a second writes "1/60"."""
    step = model.world.ticks.step
    if step is None or step.seconds <= LONG_SECONDS:
        return
    above, _, below = step.text.strip("'").partition("/")
    message = f"step is {step.text}: a tick takes {step.seconds:g} seconds"
    help = (
        f'write step = "{below.strip() or 1}/{above.strip()}" for {step.seconds:g} ticks in a '
        "second; or, if a tick is that long, or its time is not in seconds, "
        'quiet = { long-step = "…" } with the reason'
    )
    yield Finding("long-step", Owner("world", model.world.name), step.place, message, help)


LINTS = (step,)
