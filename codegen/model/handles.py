"""This module does the arithmetic of handles: how many indices and spawns the widths allow."""

from __future__ import annotations

from model.model import World

MAX_BITS = 32  # an index and a generation have at most this many each
MAX_INDICES = 2**32 - 1  # the runtime counts indices in 32 bits


def indices(index_bits: int) -> int:
    """Returns how many entities an index of this width can tell apart."""
    return min(1 << index_bits, MAX_INDICES)


def summary(world: World) -> str:
    """Tells the user on one line how many entities can live, and what widths that were chosen mean.

    All indices can be more than live at once: each that retires is replaced by a fresh one.
    """
    if (
        world.entities.index_bits == world.entities.generation_bits == MAX_BITS
    ):  # no game retires all of these
        return f"at most {world.entities.max:,} entities at once"
    lives = (1 << world.entities.generation_bits) - 1  # generation 0 is never in a handle
    every = indices(world.entities.index_bits)
    return (
        f"at most {world.entities.max:,} entities at once, "
        f"handles of {world.entities.index_bits} + {world.entities.generation_bits} bits: "
        f"an index retires after {lives:,} spawns, all {every:,} after {lives * every:,}"
    )
