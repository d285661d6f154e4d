"""Random expressions of `holds` over fields of every type: the generated C has no warning and
agrees with Python, and `check` names exactly the parts that are always true or always false.
"""

from __future__ import annotations

import itertools
import math
import random
import re
import struct
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from operator import eq, ge, gt, le, lt, ne
from pathlib import Path

import pytest

from check import check
from compilers import DEMANDING, RUNTIME
from emit.emit import render
from examples import long_after
from generated import write_files
from model.decide import Decider
from model.expressions import Expr, Op
from model.model import Model
from parse import parse
from plan import make_plan
from source.source import Report
from toml_text import toml

COMPONENTS = 90

FIELDS = {
    **{f"{sign}{bits}": f"{sign}{bits}" for bits in (8, 16, 32, 64) for sign in "ui"},
    **{f"other_{sign}{bits}": f"{sign}{bits}" for bits in (8, 64) for sign in "ui"},
    "f32": "f32", "f64": "f64", "other_f32": "f32", "other_f64": "f64",
    "on": "bool", "off": "bool", "job": "job", "mate": "job", "only": "only",
    "who": "entity", "whom": "entity", "none": "entity",
    "bag": "u16[..3]", "two": "u8[2]", "stock": "i16[job]", "spot": "spot",
}  # fmt: skip
INSIDE = {"bag.count": "u32", "two[1]": "u8", "stock[dig]": "i16", "spot.x": "i32"}
TYPES = {**FIELDS, **INSIDE}
NUMBERS = [path for path, type in TYPES.items() if re.fullmatch(r"[uif]\d+", type)]
OTHERS = ["on", "off", "job", "mate", "only", "who", "whom", "none"]
WORDS = {
    "bool": ["true", "false"],
    "entity": ["none"],
    "job": ["idle", "dig", "haul"],
    "only": ["one"],
}
SIGNS = {"==": eq, "!=": ne, "<": lt, "<=": le, ">": gt, ">=": ge}

Value = bool | int | float | str
Row = dict[str, Value]


# ---- making them


def borders(path: str) -> list[int | float]:
    """The numbers of a type at which something ends, and some between."""
    type = TYPES[path]
    if type[0] == "f":
        most = 3.4028234663852886e38 if type == "f32" else 1.7976931348623157e308
        return [0.0, 1.0, 1.5, -2.0, 100.0, most, -most]
    bits = int(type[1:])
    low, high = (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if type[0] == "i" else (0, 2**bits - 1)
    return [low, low + 1, high, high - 1, 7, 8, 100]


def comparable(one: str, other: str) -> bool:
    """Numbers are compared with numbers, but no u64 with what is signed."""
    types = (TYPES[one], TYPES[other])
    if one in NUMBERS:
        return other in NUMBERS and not (
            "u64" in types and {type[0] for type in types} == {"u", "i"}
        )
    return types[0] == types[1] and other not in WORDS[types[0]]


def compared(dice: random.Random, paths: list[str]) -> str:
    left = dice.choice(paths)
    alike = [path for path in paths if comparable(left, path)]
    if left in NUMBERS:
        sign, literals = dice.choice(list(SIGNS)), [repr(one) for one in borders(left)]
        return f"{left} {sign} {dice.choice(alike if dice.random() < 0.3 else literals)}"
    if TYPES[left] == "bool" and dice.random() < 0.5:
        return left
    return f"{left} {dice.choice(['==', '!='])} {dice.choice([*WORDS[TYPES[left]], *alike])}"


def tree(dice: random.Random, paths: list[str], depth: int) -> str:
    if depth == 0 or dice.random() < 0.2:
        return compared(dice, paths)
    op = dice.choice("!&|^&|")
    if op == "!":
        return f"!({tree(dice, paths, depth - 1)})"
    return f" {op} ".join(
        f"({tree(dice, paths, depth - 1)})" for _ in range(dice.choice((2, 2, 3)))
    )


def expression(dice: random.Random) -> str:
    """Is about few values usually, so that its parts meet."""
    paths = dice.sample([*NUMBERS, *OTHERS], dice.choice((1, 1, 2, 2, 3, 8)))
    return tree(dice, paths, dice.choice((1, 2, 3)))


@dataclass(frozen=True)
class Made:
    model: Model
    report: Report
    files: dict[str, str]

    @property
    def expressions(self) -> list[Expr]:
        found = [component.holds for component in self.model.data.components.values()]
        assert all(found)
        return [expr for expr in found if expr]

    def decider(self, *, limits: bool) -> Decider:
        return Decider(self.model, self.model.data.components["c0"].fields, limits=limits)


def made(expressions: list[str], folder: Path) -> Made:
    document = {
        "world": {"name": "w", "phases": ["p"]},
        "enum": {name: {"values": WORDS[name]} for name in ("job", "only")},
        "struct": {"spot": {"fields": {"x": "i32"}}},
        "component": {
            f"c{i}": {"holds": text, "fields": FIELDS} for i, text in enumerate(expressions)
        },
    }
    (folder / "s.toml").write_bytes(toml(document))
    report = Report()
    parsed = parse(str(folder / "s.toml"), report)
    check(parsed, report)
    assert report.errors == 0, report.render()
    return Made(parsed.model, report, render(make_plan(parsed.model)))


def made_by(seed: int, folder: Path) -> Made:
    dice = random.Random(seed)
    return made([expression(dice) for _ in range(COMPONENTS)], folder)


# ---- what they are of values


def single(number: float, type: str) -> float:
    rounded: float = struct.unpack("f", struct.pack("f", number))[0]
    return rounded if type == "f32" else number


def truth(expr: Expr, row: Row) -> bool:
    if expr.ref is not None:
        return of_atom(expr, row)
    values = [truth(operand, row) for operand in expr.operands]
    if expr.op is Op.NOT:
        return not values[0]
    return {Op.AND: all(values), Op.OR: any(values), Op.XOR: sum(values) % 2 == 1}[expr.op]


def of_atom(atom: Expr, row: Row) -> bool:
    assert atom.ref
    path = atom.ref.name
    left, type = row[path], TYPES[path]
    if atom.value is None:
        return bool(left)
    text, right = atom.value.name, row.get(atom.value.name)
    if text in WORDS.get(type, []):
        right = text == "true" if type == "bool" else text
    elif right is None:
        right = single(float(text), type) if type[0] == "f" else int(text)
    if isinstance(left, float) or isinstance(right, float):  # C converts both to double
        left, right = float(left), float(right)
    return bool(SIGNS[atom.sign](left, right))


def pool(path: str, beside: list[str], *, limits: bool) -> list[Value]:
    """Values of a field: all that may matter to an expression that has one or two fields."""
    type = TYPES[path]
    if path not in NUMBERS:
        more = ["5", "6"] if type == "entity" or not limits else []  # that no enum has
        return [False, True] if type == "bool" else [*WORDS[type], *more]
    if type[0] == "f":
        near = [one + step for one in (0.0, 1.0, 1.5, -2.0, 100.0) for step in (-0.25, 0.0, 0.25)]
        ends = [one for one in borders(path) if abs(one) > 1e30]
        return [*near, *ends, math.inf, -math.inf, math.nan]
    low, high = min(borders(path)), max(borders(path))
    high = 3 if path == "bag.count" and limits else high
    whole = [one for one in beside if one in NUMBERS and TYPES[one][0] != "f"]
    ends = {0, high, *(int(end) for one in whole for end in borders(one))}
    near = {end + step for end in ends for step in (-1, 0, 1, 2, 3)}
    return sorted(one for one in near if low <= one <= high)


def rows(expr: Expr, dice: random.Random, *, limits: bool) -> Iterator[Row]:
    """All mixes of values if they are few, else random ones."""
    asked = [ref.name for atom in expr.atoms() for ref in (atom.ref, atom.value) if ref]
    paths = [path for path in dict.fromkeys(asked) if path in TYPES]
    pools = [pool(path, paths, limits=limits) for path in paths]
    if math.prod(map(len, pools)) < 2_000:
        yield from (dict(zip(paths, row, strict=True)) for row in itertools.product(*pools))
    else:
        yield from (dict(zip(paths, map(dice.choice, pools), strict=True)) for _ in range(300))


def parts(expr: Expr) -> Iterator[Expr]:
    yield expr
    for operand in expr.operands:
        yield from parts(operand)


def is_small(expr: Expr) -> bool:
    """Has at most two values, whose pools have all that matters."""
    asked = {ref.name for atom in expr.atoms() for ref in (atom.ref, atom.value) if ref}
    paths = asked & set(TYPES)
    floats = {TYPES[path] for path in paths if TYPES[path][0] == "f"}
    return len(paths) <= 2 and not (floats and len({TYPES[path] for path in paths}) > 1)


SEEDS = long_after(1, range(12))


@pytest.mark.parametrize("limits", [False, True])
@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_decided_is_so_and_nothing_else(seed: int, limits: bool, tmp_path: Path) -> None:
    dice, one = random.Random(seed), made_by(seed, tmp_path)
    found = {True: 0, False: 0, None: 0}
    for expr in one.expressions:
        decider = one.decider(limits=limits)
        for part in parts(expr):
            decided = decider.decide(part)
            found[decided] += 1
            results = {truth(part, row) for row in rows(part, dice, limits=limits)}
            if decided is not None:
                assert results == {decided}, part.text
            elif is_small(part):
                assert results == {True, False}, part.text
    assert min(found.values()) > 5, found


@pytest.mark.parametrize("seed", SEEDS)
def test_check_names_each_part_that_is_decided(seed: int, tmp_path: Path) -> None:
    one = made_by(seed, tmp_path)
    said = {(found.id, found.place) for found in one.report.diagnostics()}
    for expr in one.expressions:
        decided = [list(one.decider(limits=limits).decided(expr)) for limits in (False, True)]
        for part, value in decided[0] or decided[1]:
            assert ("holds-always" if value else "holds-never", part.place) in said


@pytest.mark.parametrize("seed", SEEDS)
def test_no_compiler_warns(seed: int, tmp_path: Path) -> None:
    folder = write_files(made_by(seed, tmp_path).files, tmp_path) / "w"
    game = folder / "game.c"
    game.write_text('#include "w_insight.h"\n', encoding="utf-8")
    for compiler in DEMANDING:
        assert compiler.run([game], [folder]) == ""


# ---- what C makes of them


def initialiser(row: Row) -> str:
    def value(path: str, one: Value) -> str:
        type = TYPES[path]
        if type == "entity":
            return "W_NONE" if one == "none" else f"{{{one}}}"
        if type in ("job", "only"):
            return f"W_{type.upper()}_{str(one).upper()}"
        if isinstance(one, float):
            special = math.isnan(one) or math.isinf(one)
            text = ("-" if one < 0 else "") + ("NAN" if math.isnan(one) else "INFINITY")
            return text if special else one.hex()
        if isinstance(one, bool):
            return str(int(one))
        return f"{one}u" if one >= 0 else f"{one + 1} - 1"

    places = {"stock[dig]": "stock[W_JOB_DIG]"}
    members = (f".{places.get(path, path)} = {value(path, one)}" for path, one in row.items())
    return "{" + ", ".join(members) + "}"


def program(one: Made, tried: list[list[Row]]) -> str:
    """Prints a line for each component: a digit for each row, 1 if a rule is broken."""
    lines = ['#include "w.h"', '#include "w_insight.h"', "#include <math.h>", "#include <stdio.h>"]
    lines.append("int main(void)\n{")
    for i, rows in enumerate(tried):
        values = ", ".join(map(initialiser, rows))
        lines.append(f"    static w_c{i} v{i}[] = {{{values}}};")
        lines.append(f"    for (size_t i = 0; i < sizeof v{i} / sizeof v{i}[0]; i++)")
        lines.append(f"        putchar(w_c{i}_broken(&v{i}[i], 1) != 0 ? '1' : '0');")
        lines.append("    putchar('\\n');")
    return "\n".join([*lines, "}\n"])


@pytest.mark.parametrize("seed", SEEDS)
def test_c_finds_what_they_say(seed: int, tmp_path: Path) -> None:
    """A part that is decided is left out of C, which must not change what it finds."""
    dice, one = random.Random(seed), made_by(seed, tmp_path)
    folder = write_files(one.files, tmp_path) / "w"
    checked = [
        (i, expr)
        for i, expr in enumerate(one.expressions)
        if f"w_c{i}_broken" in one.files["w/w_insight.h"]
    ]
    assert len(checked) == len(one.expressions)  # of their limits, if nothing else
    tried = [
        list(itertools.islice(rows(expr, dice, limits=True), 60)) or [{}] for _, expr in checked
    ]
    (folder / "game.c").write_text(program(one, tried), encoding="utf-8")
    # Only the functions that look at values run; all else that the headers name is left open.
    command = ["gcc", "-std=c11", f"-I{RUNTIME}", "-Wl,--unresolved-symbols=ignore-all"]
    subprocess.run([*command, folder / "game.c", "-o", folder / "game"], check=True)
    done = subprocess.run([folder / "game"], capture_output=True, text=True, check=True)
    for (_, expr), rows_of, line in zip(checked, tried, done.stdout.split("\n"), strict=False):
        for row, digit in zip(rows_of, line, strict=True):
            assert truth(expr, row) is (digit == "0"), (expr.text, row)
