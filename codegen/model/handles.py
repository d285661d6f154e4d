"""The arithmetic of handles: how many indices and spawns a world's widths are good for."""

from __future__ import annotations

from model.model import World

MAX_BITS = 32  # of an index and of a generation each
MAX_INDICES = 2**32 - 1  # the runtime counts indices in 32 bits


def indices(index_bits: int) -> int:
    """How many entities such an index can tell apart."""
    return min(1 << index_bits, MAX_INDICES)


def summary(world: World) -> str:
    """One line for the user: what the chosen widths mean."""
    lives = (1 << world.generation_bits) - 1  # generation 0 is never in a handle
    every = indices(world.index_bits)
    return (
        f"handles of {world.index_bits} + {world.generation_bits} bits: "
        f"an index retires after {lives:,} spawns, all {every:,} after {lives * every:,}"
    )
