"""Systems with `every` are due when the exact sum of the ticks has reached their period.

Programs run systems of many periods, by ticks of a fixed step and of any length. The ticks at which
each was due are compared with a model that counts in fractions.
"""

from __future__ import annotations

import struct
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import compress, cycle, groupby, islice
from math import lcm
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest

from built import built
from compilers import RUNTIME, WARNINGS
from examples import long_after
from generated import generate
from mend import mended

GAME = Path(__file__).with_name("game.c")

# Shorter and longer than any tick, multiples and not, and two that are equal.
EVERIES = ("0.5", "1", "0.3", "0.1", "1", "0.001", "7", '"1/3"', '"2/7"', "60", "0.7", "0.25")
STEPS = ("1/60", "0.016666666666666666", "1/7", "0.016", "1/3", "1/144", "0.1", "1/2.5", "2")
FLOATS = ("0.02", "0.1", "0.7", "0.05", "0.016")


def exact(text: str) -> Fraction:
    above, _, below = text.strip('"').partition("/")
    return Fraction(above) / Fraction(below or 1)


class Due(NamedTuple):
    tick: int
    since: float


def expected(every: str, ticks: list[Fraction]) -> list[Due]:
    """Returns when a system is due, counted in whole units of time.

    Equal ticks that follow each other are counted together.
    """
    runs = [(dt, sum(1 for _ in equal)) for dt, equal in groupby(ticks)]
    unit = lcm(*(time.denominator for time in {exact(every), *(dt for dt, _ in runs)}))
    period, waited, elapsed, number = int(exact(every) * unit), 0, 0, 0
    found = []
    for dt, count in runs:
        passed, end = dt.numerator * (unit // dt.denominator), number + count
        while passed:
            more = max(-(-(period - waited) // passed), 1)  # ticks until it is due
            if number + more > end:
                break
            number, waited = number + more, (waited + more * passed) % period
            found.append(Due(number, (elapsed + more * passed) / unit))
            elapsed = 0
        waited, elapsed = waited + (end - number) * passed, elapsed + (end - number) * passed
        number = end
    return found


@dataclass(frozen=True)
class Program:
    path: Path

    def tell(self, folder: Path, *script: str) -> list[str]:
        done = subprocess.run(
            [self.path], input="\n".join(script) + "\n", cwd=folder, capture_output=True, text=True
        )
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout.splitlines()

    def due(self, folder: Path, *script: str) -> list[list[Due]]:
        lines = self.tell(folder, *script, "due")
        return [list(_pairs(line.split()[1:])) for line in lines[: len(EVERIES)]]


def _pairs(words: list[str]) -> list[Due]:
    return [Due(int(t), float(s)) for t, s in zip(words[::2], words[1::2], strict=True)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("every")


def program(folder: Path, step: str = "") -> Program:
    return _program(folder, step)


@cache
def _program(folder: Path, step: str) -> Program:
    here = folder / (step.replace("/", "_") or "free")
    here.mkdir()
    text = '[world]\nname = "late"\nphases = ["p"]\nrun_systems = true\n'
    text += f'step = "{step}"\nmax_steps = 60000\n' if step else ""
    for number, every in enumerate(EVERIES):
        text += f'[system.s{number}]\nphase = "p"\nevery = {every}\n'
    (here / "late.toml").write_text(text, encoding="utf-8")
    systems = "".join(f"EACH({number})\n" for number in range(len(EVERIES)))
    (here / "systems.h").write_text(systems, encoding="utf-8")
    made = generate(here / "late.toml").write(here)
    sources = [GAME, *sorted(made.glob("*.c")), built("build/clang/libweft.a")]
    flags = [
        *WARNINGS,
        "-std=c11",
        "-ffp-contract=off",
        "-O1",
        "-DNDEBUG",
        f"-I{RUNTIME}",
        f"-I{made}",
    ]
    flags += [f"-I{here}", *(["-DSTEPS"] if step else []), "-pthread"]
    done = subprocess.run(
        ["clang", *flags, *sources, "-o", here / "game"], capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")
    return Program(here / "game")


def agree(
    found: list[list[Due]], ticks: list[Fraction], within: float, asked: Sequence[bool] = ()
) -> None:
    asked = asked or [True] * len(EVERIES)
    for every, turns in compress(zip(EVERIES, found, strict=True), asked):
        wanted = expected(every, ticks)
        assert [one.tick for one in turns] == [one.tick for one in wanted], f"every {every}"
        far = [
            (got, one)
            for got, one in zip(turns, wanted, strict=True)
            if not abs(got.since - one.since) <= within * abs(one.since)
        ]
        assert not far, f"every {every}"


def double(time: Fraction) -> str:
    return repr(time.numerator / time.denominator)


def as_float(time: Fraction) -> str:
    return repr(struct.unpack("f", struct.pack("f", time.numerator / time.denominator))[0])


@pytest.mark.parametrize("step", long_after(5, STEPS))
def test_fixed_steps_are_counted_exactly(step: str, folder: Path) -> None:
    """All but a step that is no short fraction: what is due shortly before a tick, is due in it."""
    seconds = double(exact(step))
    found = program(folder, step).due(folder, f"advance 20000 {seconds}")
    if step == "0.016666666666666666":
        agree(found, [Fraction(1, 60)] * 20000, 1e-12)
    else:
        agree(found, [exact(step)] * 20000, 0)


@pytest.mark.parametrize("dt", STEPS)
def test_equal_ticks_of_any_length_do_not_drift(dt: str, folder: Path) -> None:
    found = program(folder).due(folder, f"ticks 20000 {double(exact(dt))}")
    agree(found, [Fraction(1, 60) if dt.endswith("66") else exact(dt)] * 20000, 1e-12)


@pytest.mark.parametrize("dt", FLOATS)
def test_ticks_that_are_floats_do_not_drift(dt: str, folder: Path) -> None:
    """They are less exact than doubles, so that periods have to be whole ticks, or nearly so."""
    found = program(folder).due(folder, f"ticks 20000 {as_float(exact(dt))}")
    near = [(exact(every) / exact(dt)).denominator <= 20 for every in EVERIES]
    assert near.count(True) > 5
    agree(found, [exact(dt)] * 20000, 1e-6, near)


@pytest.mark.parametrize(
    "step, dt", long_after(2, [("1/60", ""), ("", "0.1"), ("", "1/144"), ("1/7", "")])
)
def test_a_million_ticks(step: str, dt: str, folder: Path) -> None:
    length = exact(step or dt)
    verb = "advance" if step else "ticks"
    found = program(folder, step).due(folder, f"{verb} 1000000 {double(length)}")
    agree(found, [length] * 1_000_000, 0 if step else 1e-12)


@pytest.mark.parametrize("seed", long_after(6, range(40)))
def test_ticks_of_changing_length(seed: int, folder: Path) -> None:
    """Some last for several periods, and some no time at all."""
    random = Random(seed)
    below = random.choice((10, 60, 144, 1000, 7))
    lengths = [Fraction(random.choice((0, 1, 2, 3, 16, 33, 1750)), below) for _ in range(30)]
    lengths.append(Fraction(1, below))
    ticks = list(islice(cycle(lengths), 20000))
    words = " ".join(map(double, lengths))
    agree(program(folder).due(folder, f"ticks 20000 {words}"), ticks, 1e-12)


def test_a_tick_that_is_too_short_does_not_reach_the_period(folder: Path) -> None:
    found = program(folder).due(folder, "ticks 11 0.0999999")
    assert [one.tick for one in found[1]] == [11]


@pytest.mark.parametrize("step", ["1/60", "1/7", ""])
def test_systems_of_one_period_are_due_together(step: str, folder: Path) -> None:
    ticks = "ticks 5000 0.016666666666666666 0.3 1e-9 0.1428571428571428"
    found = program(folder, step).due(folder, ticks)
    assert found[1] == found[4]
    assert found[1]


def test_ticks_of_other_lengths_between_fixed_steps(folder: Path) -> None:
    lengths = [Fraction(1, 60)] * 7 + [Fraction(1, 120), Fraction(1, 10), Fraction(1, 1000)]
    ticks = list(islice(cycle(lengths), 20000))
    words = " ".join(map(double, lengths))
    agree(program(folder, "1/60").due(folder, f"ticks 20000 {words}"), ticks, 1e-12)


def test_a_system_alone_goes_on_by_its_own_clock(folder: Path) -> None:
    one = program(folder, "1/60")
    run = [f"run 1 {1 / 60!r}"] * 30
    found = one.due(folder, "advance 30 0.016666666666666666", *run)
    assert [due.tick for due in found[0]] == [30]
    assert [due.since for due in found[1]] == [1.0]


@pytest.mark.parametrize("step", ["1/60", "0.016", ""])
@pytest.mark.parametrize("before", [1, 29, 30, 1234])
def test_a_loaded_world_goes_on(step: str, before: int, folder: Path) -> None:
    one, dt = program(folder, step), double(exact(step or "0.1"))
    straight = one.due(folder, f"ticks {before} {dt}", f"ticks 3000 {dt}")
    assert one.due(folder, f"ticks {before} {dt}", "save", "load", f"ticks 3000 {dt}") == straight
    saved = one.tell(folder, f"ticks {before} {dt}", "save", "hash", "load", "hash", "due")
    assert saved[0] == saved[1]


def drifted(every: float, dt: float, count: int) -> tuple[float, float]:
    """Returns a clock as Weft had it up to 1.0.0, which added ticks one by one."""
    waited = elapsed = 0.0
    for _ in range(count):
        waited, elapsed = waited + dt, elapsed + dt
        if waited >= every:
            waited, elapsed = waited - int(waited / every) * every, 0.0
            waited = 0.0 if waited < 0 or waited >= every else waited
    return waited, elapsed


@pytest.mark.parametrize("step", ["1/60", "1/144", ""])
@pytest.mark.parametrize("before", [7, 30, 60, 599])
def test_drifted_clocks_of_older_saves(step: str, before: int, folder: Path) -> None:
    """A turn that the clock has missed by a tick comes now, and later ones in time."""
    one, length = program(folder, step), exact(step or "0.1")
    dt = float(length)
    one.tell(folder, f"ticks {before} {dt!r}", "save")
    save = folder / "late.save"
    data = bytearray(save.read_bytes())
    at = data.index(b"CLKS") + 16 + 24
    for every in EVERIES:
        at += 16  # the name of a system: its length, and a word of text
        waited, elapsed = drifted(float(exact(every)), dt, before)
        data[at : at + 16] = struct.pack("<dd", waited, elapsed)
        at += 16
    save.write_bytes(mended(data, at - 1))
    found = one.due(folder, "load", f"ticks 3000 {dt!r}")
    for every, turns in zip(EVERIES, found, strict=True):
        straight = [due.tick for due in expected(every, [length] * (before + 3000))]
        ticks = [due.tick for due in turns]
        late = [tick for tick in ticks if tick not in set(straight)]
        assert set(late) <= {before + 1}, f"every {every}"
        assert set(straight[-20:]) & set(range(before + 2, before + 3001)) <= set(ticks)
