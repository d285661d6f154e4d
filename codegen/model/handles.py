"""This module does the arithmetic of handles: their widths, and how many spawns these allow."""

from __future__ import annotations

from model.model import World

MAX_BITS = 32  # an index and a generation have at most this many each
MAX_INDICES = 2**32 - 1  # the runtime counts indices in 32 bits
LEAST_GENERATION_BITS = 10  # what a word leaves to the generation unless the schema gives its width

# The bits of the types that store a handle, and of the index in each if there are few entities.
# Indices to spare let many systems spawn by commands at once: each takes every n-th free index.
WORDS = {16: 6, 32: 20, 64: 32}


# How many indices a world has, as store/entity.c of the runtime counts them.
INDICES_PER_ENTITY = 4
SPAWNS_LEAST = 2**44


def indices(index_bits: int) -> int:
    """Returns how many entities an index of this width can tell apart."""
    return min(1 << index_bits, MAX_INDICES)


def word(index_bits: int, generation_bits: int) -> int:
    """Returns the bits of the smallest type that stores a handle of these widths."""
    return next(bits for bits in WORDS if bits >= index_bits + generation_bits)


def widths(index_bits: int | None, generation_bits: int | None, needed: int) -> tuple[int, int]:
    """Completes the widths of a handle: None stands for one that the schema does not give.

    The word is the smallest with space for `needed` indices and a generation of 10 bits. If one
    width is given, the other gets the rest of the word. Given widths stay, also if they are wrong.
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
    """Returns how many indices a world has, of those that the width allows."""
    entities = world.entities
    used = INDICES_PER_ENTITY * (entities.max + entities.recycle_after)
    lived = SPAWNS_LEAST // ((1 << entities.generation_bits) - 1)
    return min(indices(entities.index_bits), max(used, lived))


def summary(world: World, recycle: str) -> list[str]:
    """Tells the user how many entities can live, and what the widths of their handles mean.

    All indices can be more than live at once: each that retires is replaced by a fresh one.
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
    """Tells when indices are used up, unless no game lives to see that."""
    entities = world.entities
    if entities.index_bits == entities.generation_bits == MAX_BITS:
        return ""
    lives = (1 << entities.generation_bits) - 1  # generation 0 is never in a handle
    every = indices_of(world)
    return (
        f"; an index retires after {lives:,} spawns, all {every:,} after {lives * every:,}, "
        f"until {recycle}"
    )


def _sound(bits: int) -> int:
    """Returns a width that can be computed with; `check` reports one that is out of range."""
    return min(max(bits, 1), MAX_BITS)
