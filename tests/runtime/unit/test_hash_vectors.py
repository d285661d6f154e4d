"""An independent implementation of the definition in runtime/save/hash.h.

Computes the hashes of the worlds that test_hash.c and ../world/test_hashes.c build, from a
description of their contents alone, and compares them with the numbers in hash_vectors.h that the C
tests expect. If you change the definition on purpose, the failing test prints the new numbers.
"""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass, field
from pathlib import Path

import pytest

MASK = (1 << 64) - 1
VECTORS = Path(__file__).with_name("hash_vectors.h")


@dataclass(frozen=True)
class Number:
    """A leaf: a value in one of the formats of Python's struct module."""

    format: str
    value: float

    def word(self) -> int:
        return int.from_bytes(struct.pack("<" + self.format, self.value), "little")


@dataclass(frozen=True)
class Text:
    """A string without its NUL."""

    value: str


@dataclass(frozen=True)
class Items:
    """A list: its items, each of one or more leaves."""

    leaves: list[list[Leaf]]


Leaf = Number | Text | Items


def absorb(h: int, word: int) -> int:
    x = ((h ^ word) + 0x9E3779B97F4A7C15) & MASK
    x = ((x ^ x >> 30) * 0xBF58476D1CE4E5B9) & MASK
    x = ((x ^ x >> 27) * 0x94D049BB133111EB) & MASK
    return x ^ x >> 31


def absorb_all(h: int, words: list[int]) -> int:
    for word in words:
        h = absorb(h, word)
    return h


def text(h: int, value: str) -> int:
    data = value.encode()
    words = [int.from_bytes(data[i : i + 8], "little") for i in range(0, len(data), 8)]
    return absorb_all(absorb(h, len(data)), words)


def values(h: int, leaves: list[Leaf]) -> int:
    for leaf in leaves:
        match leaf:
            case Number():
                h = absorb(h, leaf.word())
            case Text():
                h = text(h, leaf.value)
            case Items():
                h = absorb(h, len(leaf.leaves))
                for item in leaf.leaves:
                    h = values(h, item)
    return h


@dataclass(frozen=True)
class Unread:
    """The values of an event that some system has still to hear."""

    values: list[list[Leaf]]  # in the order they were emitted
    unheard: list[int]  # by each system that hears it, in the order they run

    def term(self, name: str) -> int:
        h = absorb(text(7, name), len(self.values))
        for leaves in self.values:
            h = values(h, leaves)
        return absorb_all(h, self.unheard)


@dataclass(frozen=True)
class World:
    """A world: what is in it, and what a test did to get there."""

    entities: dict[int, dict[str, list[Leaf]]]  # handle -> component -> saved leaves
    singletons: dict[str, list[Leaf]] = field(default_factory=dict)
    relations: dict[str, dict[int, list[int]]] = field(default_factory=dict)  # parent -> children
    events: dict[str, Unread] = field(default_factory=dict)
    rows: list[list[int]] = field(default_factory=list)  # the handles of each table
    slots: list[list[int]] = field(default_factory=list)  # the indices in each sparse store
    generations: list[int] = field(default_factory=list)
    free: list[int] = field(default_factory=list)
    retired: int = 0
    tick: int = 0
    clocks: list[float] = field(default_factory=list)

    def state(self) -> int:
        terms = [absorb(1, handle) for handle in self.entities]
        for handle, components in self.entities.items():
            for name, leaves in components.items():
                terms.append(values(absorb(text(2, name), handle), leaves))
        for name, leaves in self.singletons.items():
            terms.append(values(text(3, name), leaves))
        for name, families in self.relations.items():
            for parent, children in families.items():
                for child, sibling in zip(children, [*children[1:], 0], strict=True):
                    terms.append(absorb_all(text(8, name), [child, parent, sibling]))
        terms += [unread.term(name) for name, unread in self.events.items()]
        return sum(terms) & MASK

    def exact(self) -> int:
        rows = sum(absorb_all(absorb(4, len(table)), table) for table in self.rows) & MASK
        words = [self.state(), rows]
        for store in self.slots:
            words += [len(store), *store]
        words += [len(self.generations), *self.generations]
        words += [len(self.free), *self.free]
        words += [self.retired, self.tick]
        words += [len(self.clocks), *(Number("d", clock).word() for clock in self.clocks)]
        return absorb_all(5, words)


def u8(value: int) -> Number:
    return Number("B", value)


def u16(value: int) -> Number:
    return Number("H", value)


def u32(value: int) -> Number:
    return Number("I", value)


def u64(value: int) -> Number:
    return Number("Q", value)


def f32(value: float) -> Number:
    return Number("f", value)


def handle(index: int, generation: int, index_bits: int = 32) -> int:
    return index | generation << index_bits


def calendar(day: int, hour: float, mood: str) -> dict[str, list[Leaf]]:
    return {"calendar": [u32(day), f32(hour), Text(mood)]}


EMPTY = World({}, calendar(1, 0.0, "calm"), slots=[[], []])

ANN, BOB, CID, DAN, FAY = (handle(i, g) for i, g in [(0, 1), (2, 1), (4, 1), (5, 2), (6, 1)])

WORKER: list[Leaf] = [
    u8(2),
    u64(BOB),
    u8(1),
    u8(2),
    u8(100),
    u8(0),
    Text("ann"),
    Items(
        [
            [f32(1.5), f32(-2.0), u16(60), u64(0), Text("home"), u8(1)],
            [f32(0.1), f32(float("inf")), u16(513), u64(DAN), Text(""), u8(0)],
        ]
    ),
    Items([[u64(handle(3, 1))]]),
    Items([]),
    u8(1),
    u64(2**64 - 1),
    Number("q", -(2**63)),
    Number("b", -5),
    Number("d", 70.5),
    *(f32(x) for x in (1.0, 0.0, -0.0, 1.0)),
]

SCENE = World(
    entities={
        ANN: {
            "position": [f32(1023.5), f32(-0.0)],
            "worker": WORKER,
            "sprite": [],
            "selected": [],
        },
        BOB: {
            "velocity": [f32(0.25), f32(-3.0), u8(200), Items([[u16(7)], [u16(65535)]])],
            "burning": [u8(9), f32(2.5), u64(ANN)],
            "scorched": [],
        },
        CID: {
            "position": [f32(1.0), f32(0.0)],
            "building": [u16(513)],
            "burning": [u8(0), f32(5.0), u64(0)],
            "selected": [],
        },
        DAN: {"velocity": [f32(0.0), f32(0.0), u8(1), Items([])]},
        FAY: {},
    },
    singletons=calendar(12, 23.5, "rather cheerful"),
    rows=[[FAY], [DAN, BOB], [ANN], [CID]],
    slots=[[4, 2], [2]],
    generations=[1, 2, 1, 2, 1, 2, 1],
    free=[3, 1],
    retired=0,
    tick=77,
    clocks=[0.125, 3.0],
)

# 4 + 3 bits: index 0 has used its seven generations up.
TINY_LIVE = [handle(2, 3, 4), handle(1, 1, 4)]
TINY = World(
    entities={live: {} for live in TINY_LIVE},
    singletons=calendar(1, 0.0, "calm"),
    rows=[TINY_LIVE],
    slots=[[], []],
    generations=[0, 1, 3, 2],
    free=[3],
    retired=1,
    tick=0,
    clocks=[],
)

# Relations: 24 + 8 bits. Who was attached last comes first.
ROOT, ARM, HAND, LEG, STRAY = (handle(i, 1, 24) for i in range(5))
PLACES: dict[str, list[Leaf]] = {"local": [f32(0.0), f32(0.0)], "placed": [f32(0.0), f32(0.0)]}
TREE = World(
    entities={
        ROOT: PLACES,
        ARM: PLACES | {"mark": [u32(77)]},
        HAND: PLACES | {"heavy": [f32(2.5)]},
        LEG: PLACES | {"frozen": []},
        STRAY: PLACES,
    },
    relations={
        "part_of": {ROOT: [LEG, ARM], ARM: [HAND]},
        "follows": {HAND: [ROOT, LEG], STRAY: [ARM]},
    },
)

# Events: 6 + 2 bits. Two letters and their answers, which those who were early, or answer, hear the
# next time; in the evening none was there yet.
AUTHOR = handle(0, 1, 6)
POST = World(
    entities={AUTHOR: {"author": [u32(5), u32(2)]}},
    events={
        "letter": Unread(
            values=[[u32(n), u64(AUTHOR), Items([])] for n in (5, 6, 1005, 1006)],
            unheard=[4, 2, 0, 4, 4],
        )
    },
)

EXPECTED = {
    "HASH_EMPTY_STATE": EMPTY.state(),
    "HASH_EMPTY_EXACT": EMPTY.exact(),
    "HASH_SCENE_STATE": SCENE.state(),
    "HASH_SCENE_EXACT": SCENE.exact(),
    "HASH_TINY_STATE": TINY.state(),
    "HASH_TINY_EXACT": TINY.exact(),
    "HASH_TREE_STATE": TREE.state(),
    "HASH_POST_STATE": POST.state(),
}


@pytest.mark.parametrize("name", EXPECTED)
def test_vectors_are_what_the_definition_gives(name: str) -> None:
    source = VECTORS.read_text(encoding="utf-8")
    found = dict(re.findall(r"^#define (HASH_\w+) UINT64_C\((0x[0-9a-f]{16})\)$", source, re.M))
    assert found.keys() == EXPECTED.keys()
    assert found[name] == f"{EXPECTED[name]:#018x}"


def test_the_step_is_that_of_splitmix64() -> None:
    """Its published first outputs for the seed 1234567."""
    outputs = [absorb(1234567 + i * 0x9E3779B97F4A7C15 & MASK, 0) for i in range(3)]
    assert outputs == [6457827717110365317, 3203168211198807973, 9817491932198370423]
