"""The widths of handles, and how many spawns they allow."""

from __future__ import annotations

from model.model import World

MAX_BITS = 32  # of an index, and of a generation
MAX_INDICES = 2**32 - 1  # the runtime counts indices in 32 bits
LEAST_GENERATION_BITS = 10  # bits of the generation, unless the schema sets its width

# Bits of the types that store a handle -> bits of the index in a world with few entities. Spare
# indices let several systems spawn by commands in parallel: each takes every n-th free index.
WORDS = {16: 6, 32: 20, 64: 32}


# The number of indices of a world, as runtime/store/entity.c computes it.
INDICES_PER_ENTITY = 4
SPAWNS_LEAST = 2**44


def indices(index_bits: int) -> int:
    """Returns how many entities an index of this width can distinguish."""
    return min(1 << index_bits, MAX_INDICES)


def word(index_bits: int, generation_bits: int) -> int:
    """Returns the bits of the smallest type that stores a handle with these widths."""
    return next(bits for bits in WORDS if bits >= index_bits + generation_bits)


def widths(index_bits: int | None, generation_bits: int | None, needed: int) -> tuple[int, int]:
    """Returns both widths of a handle. None stands for a width that the schema does not set.

    The handle takes the smallest type with space for `needed` indices and a generation of 10 bits.
    If one width is set, the other takes the remaining bits. Set widths are kept even if they are
    wrong, because `check` reports them.
    """
    index = _sound((needed - 1).bit_length() if index_bits is None else index_bits)
    generation = _sound(LEAST_GENERATION_BITS if generation_bits is None else generation_bits)
    bits = word(index, generation)
    if index_bits is None:
        spare = WORDS[bits] if generation_bits is None else bits - generation
        index_bits = min(max(index, spare), MAX_BITS)
    if generation_bits is None:
        generation_bits = min(bits - _sound(index_bits), MAX_BITS)
    return index_bits, generation_bits


def indices_of(world: World) -> int:
    """Returns how many indices a world uses, at most as many as the width allows."""
    entities = world.entities
    used = INDICES_PER_ENTITY * (entities.max + entities.recycle_after)
    lived = SPAWNS_LEAST // ((1 << entities.generation_bits) - 1)
    return min(indices(entities.index_bits), max(used, lived))


def summary(world: World, recycle: str) -> list[str]:
    """Returns how many entities can live, and what the widths of handles mean, for the user.

    A world may use more indices than entities can live at once, because it replaces retired
    indices.
    """
    entities = world.entities
    bits = word(entities.index_bits, entities.generation_bits)
    choose = "" if entities.chosen else "; to choose, set entity in [world]"
    return [
        f"at most {entities.max:,} entities at once",
        f"handles: {bits} bits, {entities.index_bits} of index, {entities.generation_bits} of "
        f"generation: a stale handle is always recognised{_retirement(world, recycle)}{choose}",
    ]


def _retirement(world: World, recycle: str) -> str:
    """Returns when indices are used up. Returns "" if no game runs that long."""
    entities = world.entities
    if entities.index_bits == entities.generation_bits == MAX_BITS:
        return ""
    lives = (1 << entities.generation_bits) - 1  # generation 0 never occurs in a handle
    every = indices_of(world)
    return (
        f"; an index retires after {lives:,} spawns, all {every:,} after {lives * every:,}, "
        f"until {recycle}"
    )


def _sound(bits: int) -> int:
    """Clamps a width to the valid range; `check` reports a width outside it."""
    return min(max(bits, 1), MAX_BITS)
