"""The C code of `where` agrees with a search row by row.

The C expressions are evaluated as Python, whose operators have the same precedence; `!` becomes
`~`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from examples import examples
from model.code import Selection
from model.data import Component, Stored
from model.declared import Declared
from model.expressions import Expr, Op
from model.model import Data, Model, World
from model.refs import Ref
from model.types import Field
from names.names import Names
from parse.field_types import read_type, resolve
from parse.where import read_where
from plan.conditions import INLINE
from plan.filters import make_filter
from plan.records.filter import Filter
from source.source import Place

HERE = Place("test.toml", 1, 1, 1)
WORD = (1 << 64) - 1

TABLE, TAGS, SPARSE = ("a", "b", "c"), ("t", "u"), ("s", "v")
EVERY = TABLE + TAGS + SPARSE


def component(name: str) -> Component:
    type = resolve(read_type("u8"), {}, {})
    assert type
    fields = () if name in TAGS else (Field(Declared("x", HERE), type),)
    storage = "sparse" if name in SPARSE else "table"
    layout = "soa" if name == "b" else "aos"
    return Component(Declared(name, HERE), fields, Stored(storage, layout))


DATA = Data(components={name: component(name) for name in EVERY})
MODEL = Model(World(Declared("test", HERE)), data=DATA)
NAMES = Names("test")


def has(name: str) -> Expr:
    return Expr(Op.HAS, HERE, Ref(name, HERE))


def combined(inner: st.SearchStrategy[Expr]) -> st.SearchStrategy[Expr]:
    several = st.lists(inner, min_size=2, max_size=4).map(tuple)
    return st.one_of(
        inner.map(lambda operand: Expr(Op.NOT, HERE, operands=(operand,))),
        *(
            several.map(lambda operands, op=op: Expr(op, HERE, operands=operands))
            for op in (Op.AND, Op.OR, Op.XOR)
        ),
    )


def marked(kind: Op, name: str) -> Expr:
    """Makes an atom; a tag can be added or removed but not changed, since it has no value."""
    has_kind = kind is not Op.CHANGED or name not in TAGS
    return Expr(kind if has_kind else Op.ADDED, HERE, Ref(name, HERE))


KINDS = (Op.ADDED, Op.CHANGED, Op.REMOVED)
change_bits = st.builds(marked, st.sampled_from(KINDS), st.sampled_from(EVERY))
expressions = st.recursive(st.sampled_from(EVERY).map(has) | change_bits, combined, max_leaves=12)

# The change set by which a reader sees each, by kind and component.
CHANGE_SETS = {(op.value, name): f"{op.value}_{name}" for op in KINDS for name in EVERY}


@dataclass(frozen=True)
class Rows:
    """A table: which components it has, and who has each tag and sparse one."""

    components: frozenset[str]
    count: int
    bits: dict[str, int]
    change_bits: dict[str, int]  # by change set
    touched: frozenset[str]  # change sets that had bits: their summaries keep them

    def has(self, name: str, row: int) -> bool:
        return name in self.components if name in TABLE else bool(self.bits[name] >> row & 1)

    def members(self, name: str) -> int:
        return self.bits[name].bit_count()

    def any(self, change_set: str) -> bool:
        """Answers as weft_marked_any does: only if it denies change bits it is surely right."""
        return self.change_bits[change_set] != 0 or change_set in self.touched


@st.composite
def tables(draw: st.DrawFn) -> Rows:
    count = draw(st.integers(1, 130))
    whole = (1 << count) - 1
    bits = st.one_of(st.just(0), st.just(whole), st.integers(0, whole))
    components = draw(st.frozensets(st.sampled_from(TABLE)))
    bitsets = {name: draw(bits) for name in TAGS + SPARSE}
    there = bitsets | {name: whole if name in components else 0 for name in TABLE}
    change_bits = {  # any row may have lost what it has, or has not
        change_set: draw(bits) & (whole if kind == Op.REMOVED.value else there[name])
        for (kind, name), change_set in CHANGE_SETS.items()
    }
    for name in EVERY:  # what was added has changed
        change_bits[f"changed_{name}"] |= change_bits[f"added_{name}"]
    touched = draw(st.frozensets(st.sampled_from(sorted(change_bits))))
    return Rows(components, count, bitsets, change_bits, touched)


@st.composite
def selections(draw: st.DrawFn) -> Selection:
    columns = draw(st.lists(st.sampled_from(TABLE + SPARSE), unique=True, max_size=3))
    written = draw(st.integers(0, len(columns)))
    refs = tuple(Ref(name, HERE) for name in columns)
    where = draw(st.none() | expressions)
    return Selection(read=refs[written:], write=refs[:written], where=where)


def value(expr: Expr, table: Rows, row: int) -> bool:
    if expr.op is Op.HAS:
        assert expr.ref
        return table.has(expr.ref.name, row)
    if expr.ref:
        return bool(table.change_bits[CHANGE_SETS[expr.op.value, expr.ref.name]] >> row & 1)
    values = [value(operand, table, row) for operand in expr.operands]
    if expr.op is Op.NOT:
        return not values[0]
    if expr.op is Op.XOR:
        return sum(values) % 2 == 1
    return all(values) if expr.op is Op.AND else any(values)


def passes(selection: Selection, table: Rows, row: int) -> bool:
    columns = selection.read + selection.write
    there = all(table.has(ref.name, row) for ref in columns)
    return there and (selection.where is None or value(selection.where, table, row))


# ---- C as Python


class Number(int):
    """An int of C: `!` and comparisons give another one."""

    __hash__ = int.__hash__

    def __invert__(self) -> Number:
        return Number(not self)

    def __xor__(self, other: int) -> Number:
        return Number(int(self) ^ other)

    def __eq__(self, other: object) -> Number:
        return Number(int(self) == other)

    def __ne__(self, other: object) -> Number:
        return Number(int(self) != other)


_MEMBERS = r"weft_sparse_rows_count\(world, table, TEST_STORE_([SV]), TEST_COLUMN_\1\)"


def decision(c: str, table: Rows) -> bool:
    """Returns what a C expression over a table says."""
    python = re.sub(r"weft_column\(table, TEST_COLUMN_(\w+)\)", r"column('\1')", c)
    python = re.sub(r"table->bitset_counts\[TEST_BITSET_([TU])\]", r"members('\1')", python)
    python = re.sub(_MEMBERS, r"members('\1')", python)
    python = re.sub(
        r"weft_marked_any\(&table->change_bits, (\w+), table->count\)", r"any('\1')", python
    )
    python = python.replace("table->count", "count").replace("&&", "and").replace("||", "or")
    python = re.sub(r"!(?!=)", "~", python)
    first_columns = {"A": "a", "B_X": "b", "C": "c"}
    names = {
        "column": lambda name: Number(first_columns[name] in table.components),
        "members": lambda name: Number(table.members(name.lower())),
        "any": lambda change_set: Number(table.any(change_set)),
        "count": Number(table.count),
        "true": Number(1),
        "false": Number(0),
    }
    return bool(eval(python, {"__builtins__": {}}, names))


def mask(filter: Filter, table: Rows) -> int:
    """Returns what the filter of a selection says of all rows: bit i of row i."""
    whole = 0
    for word in range((table.count + 63) // 64):
        names: dict[str, object] = {}
        for each in filter.words:
            if each.variable.startswith("const weft_strided "):
                variable = each.variable.removeprefix("const weft_strided ")
                change_set = re.findall(
                    r"^weft_change_words\(&table->change_bits, (\w+), from\)$", each.call
                )
                names[variable] = Strided([table.change_bits[change_set[0]] >> 64 * word & WORD], 1)
                continue
            variable = each.variable.split("*")[-1]
            name = variable.removeprefix("has_")
            if name in TABLE:
                assert each.call.startswith("weft_component_words(table, ")
                names[variable] = [WORD if name in table.components else 0]
            else:
                assert each.call.startswith("weft_bitset_words(table, ")
                names[variable] = [table.bits[name] >> 64 * word & WORD]
        passing = eval(filter.word, {"__builtins__": {}}, {**names, "i": 0}) & WORD
        whole |= passing << 64 * word
    return whole & (1 << table.count) - 1


@dataclass(frozen=True)
class Strided:
    """A weft_strided."""

    words: list[int]
    stride: int


# ---- the tests


def compiled(selection: Selection) -> Filter:
    return make_filter(MODEL, NAMES, INLINE, selection, CHANGE_SETS)


def uses_rows(selection: Selection) -> bool:
    atoms = list(selection.where.atoms()) if selection.where else []
    names = {ref.name for ref in selection.read + selection.write} | {
        atom.ref.name for atom in atoms if atom.ref
    }
    return bool(names - set(TABLE)) or any(atom.op is not Op.HAS for atom in atoms)


@examples(400)
@given(selections(), tables())
def test_filters_take_the_rows_that_pass(selection: Selection, table: Rows) -> None:
    filter = compiled(selection)
    passing = sum(1 << i for i in range(table.count) if passes(selection, table, i))
    everything = (1 << table.count) - 1
    matches = decision(filter.matches, table)
    if not uses_rows(selection):
        assert not filter.by_row
        assert matches == (passing == everything)
    if not matches:
        assert passing == 0
        return
    if not filter.by_row:
        assert passing == everything
        return
    asked = re.findall(_MEMBERS, filter.none + filter.all)
    assert {node.component.upper() for node in filter.sparse} >= set(asked)
    assert mask(filter, table) == passing
    if decision(filter.none, table):
        assert passing == 0
    if decision(filter.all, table):
        assert passing == everything


@pytest.mark.parametrize("where", ["t", "!t", "s", "t & a", "!(t | a) | c & !c"])
@given(tables())
@examples(50)
def test_one_bitset_is_covered_exactly(where: str, table: Rows) -> None:
    """Where one bitset decides, its count says all: a walk never looks at rows in vain."""
    selection = Selection(where=read_where(where, lambda *_: HERE))
    filter = compiled(selection)
    if decision(filter.matches, table) and filter.by_row:
        passing = sum(passes(selection, table, row) for row in range(table.count))
        assert decision(filter.none, table) == (passing == 0)
        assert decision(filter.all, table) == (passing == table.count)


@pytest.mark.parametrize(
    "read, where, matches, none, all, word",
    [
        (["a"], None, "weft_column(table, TEST_COLUMN_A)", "", "", ""),
        (["a"], "a", "weft_column(table, TEST_COLUMN_A)", "", "", ""),
        (
            ["b"],
            "!t",
            "weft_column(table, TEST_COLUMN_B_X)",
            "table->bitset_counts[TEST_BITSET_T] == table->count",
            "table->bitset_counts[TEST_BITSET_T] == 0",
            "~has_t[i]",
        ),
        (
            [],
            "t & !(u | s)",
            "true",
            "table->bitset_counts[TEST_BITSET_T] == 0 || "
            "table->bitset_counts[TEST_BITSET_U] == table->count || "
            "weft_sparse_rows_count(world, table, TEST_STORE_S, TEST_COLUMN_S) == table->count",
            "table->bitset_counts[TEST_BITSET_T] == table->count && "
            "table->bitset_counts[TEST_BITSET_U] == 0 && "
            "weft_sparse_rows_count(world, table, TEST_STORE_S, TEST_COLUMN_S) == 0",
            "has_t[i] & ~(has_u[i] | has_s[i])",
        ),
    ],
)
def test_what_is_written(
    read: list[str], where: str | None, matches: str, none: str, all: str, word: str
) -> None:
    expr = read_where(where, lambda *_: HERE) if where else None
    filter = compiled(Selection(read=tuple(Ref(name, HERE) for name in read), where=expr))
    assert (filter.matches, filter.none, filter.all, filter.word) == (matches, none, all, word)


def test_long_expressions_stay_short() -> None:
    """The bounds of ^ double with every operand: beyond a limit they say less instead."""
    leaves = tuple(has(name) for name in EVERY * 3)
    filter = compiled(Selection(where=Expr(Op.XOR, HERE, operands=leaves)))
    assert (filter.none, filter.all) == ("false", "false")
    assert len(filter.word) < 500


@given(expressions, tables())
@examples(200)
def test_a_where_is_printed_as_it_means(expr: Expr, table: Rows) -> None:
    again = read_where(expr.text, lambda *_: HERE)
    for row in range(table.count):
        assert value(again, table, row) == value(expr, table, row)
