"""Systems have their turns according to `every`, `when`, `enters`, `leaves` and their switches.

Random systems mix all of these. The turns in a random script are compared with a model.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import pytest

from built import built
from check import check
from compilers import RUNTIME, WARNINGS
from emit.emit import render
from examples import long_after
from generated import write_files
from parse import parse
from plan import make_plan
from source.source import Report

GAME = Path(__file__).with_name("turns.c")
STATES = {"mode": 3, "gate": 2}
PHASES = ("one", "two")
SYSTEMS = 24
HEAD = """[world]
name = "clockwork"
phases = ["one", "two"]

[state.mode]
values = ["v0", "v1", "v2"]

[state.gate]
values = ["v0", "v1"]

[singleton.x]
fields = { n = "u8" }

[singleton.y]
fields = { n = "u8" }
"""


@dataclass(frozen=True)
class Tree:
    """A part of a `when`: an operator over others, a changed singleton, or a value of a state."""

    op: str
    of: tuple[Tree, ...] = ()
    name: str = ""
    value: int = 0

    def __str__(self) -> str:
        if self.op == "changed":
            return f"changed({self.name})"
        if self.op == "==":
            return f"{self.name} == v{self.value}"
        parts = [f"({part})" for part in self.of]
        return f"!{parts[0]}" if self.op == "!" else f" {self.op} ".join(parts)

    def holds(self, now: dict[str, int], unseen: set[str]) -> bool:
        if self.op == "changed":
            return self.name in unseen
        if self.op == "==":
            return now[self.name] == self.value
        first, *rest = (part.holds(now, unseen) for part in self.of)
        if self.op == "!":
            return not first
        return {"&": first and rest[0], "|": first or rest[0], "^": first != rest[0]}[self.op]

    def asks_of_changes(self) -> bool:
        return self.op == "changed" or any(part.asks_of_changes() for part in self.of)


@dataclass
class System:
    number: int
    phase: str
    when: Tree | None = None
    every: float = 0.0
    switch: str = ""
    once: dict[str, tuple[str, int]] = field(default_factory=dict)  # enters, leaves
    writes: str = ""  # a singleton
    asks: str = ""  # a state
    after: str = ""  # the system before it

    on: bool = True
    due: bool = False  # of one that runs once
    waited: float = 0.0
    since: float = 0.0
    unseen: set[str] = field(default_factory=lambda: {"x", "y"})
    ask: int = -1

    def toml(self) -> str:
        lines = [f"[system.s{self.number}]", f'phase = "{self.phase}"']
        lines += [f'after = ["{self.after}"]'] if self.after else []
        lines += [f'when = "{self.when}"'] if self.when else []
        lines += [f"every = {self.every}"] if self.every else []
        lines += [f'switch = "{self.switch}"'] if self.switch else []
        lines += [f'{key} = "{state}.v{value}"' for key, (state, value) in self.once.items()]
        lines += [f'singletons = {{ write = ["{self.writes}"] }}'] if self.writes else []
        lines += [f'states = {{ write = ["{self.asks}"] }}'] if self.asks else []
        return "\n".join(lines) + "\n"

    @property
    def enters_first(self) -> bool:
        return "enters" in self.once and self.once["enters"][1] == 0

    def turn(self, dt: float, now: dict[str, int]) -> float | None:
        """Returns the dt of its turn, if it has one."""
        if not self.on:
            return None
        true = not self.when or self.when.holds(now, self.unseen)
        if self.every:
            if self.when and not true and not self.when.asks_of_changes():
                return None  # the clock stands still
            self.waited += dt
            self.since += dt
            if self.waited < self.every:
                return None
            self.waited %= self.every
            dt = self.since
        if not true or (self.once and not self.due):
            return None
        self.since, self.due, self.unseen = 0.0, False, set()
        return dt


def random_tree(dice: Random, depth: int) -> Tree:
    if depth == 0 or dice.random() < 0.3:
        if dice.random() < 0.4:
            return Tree("changed", name=dice.choice("xy"))
        state = dice.choice(list(STATES))
        return Tree("==", name=state, value=dice.randrange(STATES[state]))
    op = dice.choice("!&|^")
    return Tree(op, tuple(random_tree(dice, depth - 1) for _ in range(1 if op == "!" else 2)))


def random_system(dice: Random, number: int) -> System:
    system = System(number, dice.choice(PHASES))
    system.when = random_tree(dice, dice.choice((0, 1, 2, 3))) if dice.random() < 0.8 else None
    system.switch = dice.choice(("", "", "saved", "unsaved"))
    system.writes = dice.choice(("", "", "x", "y"))
    system.asks = dice.choice(("", "", *STATES))
    if dice.random() < 0.5:
        system.every = dice.choice((0.25, 0.5, 0.75, 2.0))
    elif dice.random() < 0.6:
        for key in dice.sample(("enters", "leaves"), dice.choice((1, 1, 2))):
            state = dice.choice(list(STATES))
            system.once[key] = (state, dice.randrange(STATES[state]))
    system.due = system.enters_first
    return system


def is_sound(system: System, folder: Path) -> bool:
    """Says whether the checks take it, and no part of its `when` is decided, which is left out."""
    (folder / "one.toml").write_text(HEAD + system.toml(), encoding="utf-8")
    report = Report()
    check(parse(str(folder / "one.toml"), report), report)
    return not any(found.id.startswith("when-") for found in report.diagnostics())


def random_systems(dice: Random, folder: Path) -> list[System]:
    systems: list[System] = []
    last = dict.fromkeys(PHASES, "")
    while len(systems) < SYSTEMS:
        system = random_system(dice, len(systems))
        if is_sound(system, folder):
            system.after, last[system.phase] = last[system.phase], f"s{system.number}"
            systems.append(system)
    return systems


class Model:
    def __init__(self, systems: list[System]) -> None:
        self.systems = systems
        self.now = dict.fromkeys(STATES, 0)
        self.next = dict.fromkeys(STATES, 0)

    def change(self, name: str, author: System | None) -> None:
        for system in self.systems:
            if system is not author:
                system.unseen.add(name)

    def settle(self) -> None:
        for state, old in self.now.items():
            new = self.next[state]
            for system in self.systems if new != old else ():
                left, entered = system.once.get("leaves"), system.once.get("enters")
                system.due |= left == (state, old) or entered == (state, new)
        self.now = dict(self.next)

    def reset(self) -> None:
        """Values begin anew and none is left; clocks and switches stay."""
        self.now = dict.fromkeys(STATES, 0)
        self.next = dict.fromkeys(STATES, 0)
        for system in self.systems:
            system.due = system.enters_first
            system.unseen = {"x", "y"}

    def phase(self, name: str, dt: float) -> Iterator[str]:
        self.settle()
        for system in self.systems:
            if system.phase != name:
                continue
            turn = system.turn(dt, self.now)
            if turn is None:
                continue
            yield f"{system.number}:{float(turn)!r}"
            if system.writes:
                self.change(system.writes, system)
            if system.asks and system.ask >= 0:
                self.next[system.asks] = system.ask
        self.settle()

    def do(self, verb: str, name: str, number: float) -> list[str]:
        if verb == "go":
            self.next[name] = int(number)
        if verb == "edit":
            self.change(name, None)
        if verb == "ask":
            self.systems[int(name)].ask = int(number)
        if verb == "switch":
            self.systems[int(name)].on = number > 0
        if verb == "reset":
            self.reset()
        for system in self.systems if verb == "load" else ():
            system.on = system.on or system.switch == "unsaved"
        if verb != "run":
            return []
        phases = PHASES if name == "tick" else (name,)
        turns = [turn for phase in phases for turn in self.phase(phase, number)]
        return [" ".join([*turns, "-", *map(str, self.now.values())])]


def random_line(dice: Random, systems: list[System]) -> tuple[str, str, float]:
    verb = dice.choice(("run", "run", "run", "edit", "go", "ask", "switch", "load"))
    if dice.random() < 0.01:
        return "reset", "all", 0
    if verb == "run":
        return verb, dice.choice(("tick", "tick", "one", "two")), dice.choice((0, 0.25, 0.5, 1.75))
    if verb == "edit":
        return verb, dice.choice("xy"), 0
    if verb == "go":
        state = dice.choice(list(STATES))
        return verb, state, dice.randrange(STATES[state])
    if verb == "ask":
        system = dice.choice([one for one in systems if one.asks])
        return verb, str(system.number), dice.randrange(-1, STATES[system.asks])
    if verb == "switch":
        system = dice.choice([one for one in systems if one.switch])
        return verb, str(system.number), dice.randrange(2)
    return verb, "memory", dice.randrange(2)


def compiled(systems: list[System], folder: Path) -> Path:
    schema = folder / "clockwork.toml"
    schema.write_text(HEAD + "".join(one.toml() for one in systems), encoding="utf-8")
    lines = [
        f"ASKING({one.number}, {one.asks})" if one.asks else f"TURN({one.number})"
        for one in systems
    ]
    lines += [f"SWITCHED({one.number})" for one in systems if one.switch]
    (folder / "systems.h").write_text("\n".join(lines) + "\n", encoding="utf-8")
    made = write_files(render(make_plan(parse(str(schema), Report()).model)), folder) / "clockwork"
    sources = [GAME, *sorted(made.glob("*.c")), built("build/clang/libweft.a")]
    flags = [*WARNINGS, "-std=c11", f"-I{RUNTIME}", f"-I{made}", f"-I{folder}", "-pthread"]
    done = subprocess.run(
        ["clang", *flags, *sources, "-o", folder / "game"], capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")
    return folder / "game"


def decimal(line: str) -> str:
    """Writes the dt of each turn as Python does."""
    words = (word.split(":") for word in line.split())
    return " ".join(
        f"{word[0]}:{float.fromhex(word[1])!r}" if len(word) == 2 else word[0] for word in words
    )


@pytest.mark.parametrize("seed", long_after(2, range(12)))
def test_turns_are_those_of_the_model(seed: int, tmp_path: Path) -> None:
    dice = Random(seed)
    systems = random_systems(dice, tmp_path)
    game = compiled(systems, tmp_path)
    model = Model(systems)
    script = [random_line(dice, systems) for _ in range(4000)]
    expected = [line for words in script for line in model.do(*words)]
    text = "\n".join(" ".join(map(str, words)) for words in script)
    done = subprocess.run([game], input=text, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    found = [decimal(line) for line in done.stdout.splitlines()]
    for number, (one, other) in enumerate(zip(found, expected, strict=True)):
        assert one == other, f"run {number} of seed {seed}"
    assert sum(line.count(":") for line in found) > 1000
