"""These records contain the C expressions that filter rows."""

from __future__ import annotations

from model.record import record
from plan.conditions import Node


@record
class Word:
    """Words of bits that a filter reads."""

    variable: str  # "const uint64_t *has_burning"
    call: str  # its value: "weft_bitset_words(table, COLONY_COLUMN_BURNING, from)"


@record
class Filter:
    """Tests that decide which rows pass: for tables, for all rows of a table, and for each row."""

    matches: str  # C expression over `table`; "true" for every table
    none: str = ""  # match: C expression, true: no row passes; "" if there is no row filter
    all: str = ""  # match: C expression, true: every row passes
    # Which rows of a table pass, 64 at once:
    words: tuple[Word, ...] = ()
    word: str = ""  # C expression over what `words` declares, and i; "" if tables decide alone
    call: str = ""  # in a large schema: C expression that computes all words by a call
    bitset: Node | None = None  # the bitset that is the mask itself; None if it is computed
    # Further things that the test depends on:
    sparse: tuple[Node, ...] = ()  # sparse components
    changed: tuple[str, ...] = ()  # change sets
    parents: tuple[str, ...] = ()  # components whose changes in the parent are tested
    unchanged: bool = True  # rows without any of these may pass

    @property
    def by_row(self) -> bool:
        return bool(self.word)

    # Compilers warn of parameters that a function does not use.

    @property
    def match_asks_world(self) -> bool:
        return "(world, " in self.none + self.all

    @property
    def match_asks_table(self) -> bool:
        return "table" in self.none + self.all

    @property
    def filter_asks_table(self) -> bool:
        return len(self.words) > len(self.parents)

    @property
    def filter_asks_from(self) -> bool:
        return any("from" in word.call for word in self.words)
