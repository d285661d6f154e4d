"""Random schemas for workers: systems that read, write and record whatever the checks allow."""

from __future__ import annotations

import random
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from pathlib import Path

from check import check
from emit.emit import render
from model.data import HOOKS
from parse import parse
from plan import make_plan
from source.source import Report

SYSTEMS = 12
PHASES = ("one", "two", "three")
TAGS = ("t0", "t1", "t2")
KINDS = ("aos", "soa", "sparse")
MORE = ("u8", "u16", "u64", "f32")  # for rows of many sizes
ROWS = "wild_rows.h"  # of the game, for inline systems


@dataclass
class System:
    name: str
    phase: str
    rows: bool  # called for rows, otherwise once a turn
    read: list[str] = field(default_factory=list)
    write: list[str] = field(default_factory=list)
    optional: list[str] = field(default_factory=list)
    parent: list[str] = field(default_factory=list)
    look: list[str] = field(default_factory=list)
    edit: list[str] = field(default_factory=list)
    queries: list[str] = field(default_factory=list)
    hears: list[str] = field(default_factory=list)
    emits: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    valued: bool = False  # it reads the last values of removed components
    score: str = ""  # read or write
    where: str = ""
    every: float = 0.0
    when: str = ""
    form: str = ""  # of rows: "mask", "list"
    explicit: bool = False
    parallel: bool = False
    commands: bool = False
    flush: bool = False
    fuse: bool = True
    switch: str = ""  # "saved" or "unsaved": it is sometimes switched off
    inline: bool = False  # the game defines its work on a row
    turn: bool = False  # its turns have a begin and an end
    partial: bool = False  # it sums the mixed values of its rows

    @property
    def merges_score(self) -> bool:
        """Returns whether it has the score in its merge and in no other call."""
        return self.parallel and self.score == "write"

    def toml(self) -> str:
        lines = [f"[system.{self.name}]", f'phase = "{self.phase}"']
        for key in ("read", "write", "optional", "parent", "queries", "hears", "emits"):
            if names := getattr(self, key):
                lines.append(f"{key} = {quoted(names)}")
        for name in self.removed:
            lines.append(f'removed = [{{ name = "{name}", value = {str(self.valued).lower()} }}]')
        if self.look or self.edit:
            lines.append(f"lookup = {{ read = {quoted(self.look)}, write = {quoted(self.edit)} }}")
        if self.score:
            lines.append(f'singletons = {{ {self.score} = ["score"] }}')
        if self.where:
            lines.append(f'where = "{self.where}"')
        if self.every:
            lines.append(f"every = {self.every}")
        if self.when:
            lines.append(f'when = "{self.when}"')
        for key, said in (
            ('order = "under"', bool(self.parent)),
            (f'rows = "{self.form}"', bool(self.form)),
            (f'switch = "{self.switch}"', bool(self.switch)),
            (f'inline = "{ROWS}"', self.inline),
            ('marks = "explicit"', self.explicit),
            ("parallel = true", self.parallel),
            ("fuse = false", self.parallel and not self.fuse),
            ("commands = true", self.commands),
            ("flush = true", self.flush),
            ("turn = true", self.turn),
            ('partial = { fields = { n = "u64", rows = "u32" } }', self.partial),
        ):
            lines += [key] * said
        return "\n".join(lines) + "\n\n"


@dataclass
class Listener:
    hears: list[str]
    removed: list[str]
    read: str
    where: str

    def toml(self, valued: Collection[str]) -> str:
        """valued: the components whose last values are kept."""
        removed = ", ".join(
            f'{{ name = "{name}", value = {str(name in valued).lower()} }}' for name in self.removed
        )
        where = f'where = "{self.where}"\n' if self.where else ""
        return (
            f'[listener.ear]\nhears = {quoted(self.hears)}\nread = ["{self.read}"]\n'
            f"{where}removed = [{removed}]\n\n"
        )


def quoted(names: list[str]) -> str:
    return "[" + ", ".join(f'"{name}"' for name in names) + "]"


class World:
    """A random schema, which follows from a seed.

    With passes most systems can be fused. In a plain one many also take all rows of plain tables.
    """

    def __init__(
        self, seed: int, folder: Path, *, passes: bool = False, plain: bool = False
    ) -> None:
        self._chance = random.Random(f"wild {seed}")
        self._turns = random.Random(f"turns {seed}")
        self.passes = passes
        self.plain = plain
        self.phases = PHASES
        self._file = folder / "wild.toml"
        self.kinds = {f"c{i}": self._chance.choice(KINDS) for i in range(6)}
        self.kinds |= {"c0": "aos", "c1": "soa", "c2": "sparse"}
        if plain:
            self.kinds |= {"c3": "aos", "c4": "aos"}
        self.more = {name: self._chance.choice(MORE) for name in self.kinds}
        self.hooked = self._chance.choice(list(self.kinds))
        self.hooked_tag = ""  # the none handle
        self.fed = self._chance.choice((60, 60, 12))  # 12: the world is soon full
        self.max_entities = self._chance.choice((2500, 6000, 16000))
        self.generation_bits = self._chance.choice((12, 12, 2))  # 2: indices retire soon
        self.recycle_after = self._chance.choice((0, 0, 100))
        self.children = self._chance.choice(("", 'children = "append"\n'))
        tables = [name for name in ("c3", "c4", "c5") if self.kinds[name] != "sparse"]
        self.requirer = self._chance.choice(tables) if tables else ""
        self.prefabs = {
            "p0": ["c0", "c1", *self._some(["c3", "c4"], 0, 1)],
            "p1": ["c0", "c2", *self._some(["c3", "c5"], 1, 2)],
        }
        self.queries = {f"q{i}": self._some(list(self.kinds), 1, 2) for i in range(2)}
        self.forms = {name: self._chance.choice(("", "", "mask", "list")) for name in self.queries}
        self._wheres = {name: self._where() for name in self.queries}
        self.ear = self._listener(random.Random(f"ear {seed}"))
        grind = System("s1", PHASES[1], rows=True, write=["c0"], parallel=True, commands=True)
        self.systems = [System("feed", PHASES[0], rows=False, commands=True), grind]
        self.files: dict[str, str] = {}
        while not self._accepted():
            self._wheres = {name: self._where() for name in self.queries}
        while len(self.systems) < SYSTEMS:
            self.systems.append(self._system(f"s{len(self.systems)}"))
            if not self._accepted():
                self.systems.pop()
        if seed % 3 != 2:
            self.hooked_tag = self._written_tag()
        assert self._accepted()

    def _listener(self, chance: random.Random) -> Listener:
        removed = chance.sample([*self.kinds, *TAGS, "under"], chance.randint(0, 2))
        c, t = chance.choice(list(self.kinds)), chance.choice(TAGS)
        wheres = ("", f"changed({c})", f"added({t}) | changed({c})", f"removed({t})")
        hears = chance.sample(["born", "hit"], chance.randint(1, 2))
        where = chance.choice((*wheres, f"changed(score) & {t}"))
        return Listener(hears, removed, chance.choice(list(self.kinds)), where)

    def _written_tag(self) -> str:
        """Returns a tag that systems write while they run, if possible in parts."""
        written = [one.write for one in self.systems if one.parallel]
        written += [one.write + one.edit for one in self.systems]
        return next((name for names in written for name in names if name in TAGS), "t0")

    def _some(self, names: list[str], least: int, most: int) -> list[str]:
        return self._chance.sample(names, self._chance.randint(least, min(most, len(names))))

    def _one_in(self, n: int) -> bool:
        return self._chance.randrange(n) == 0

    def _where(self) -> str:
        c, d = self._chance.sample(list(self.kinds), 2)
        t, u = self._chance.sample(TAGS, 2)
        return self._chance.choice(
            ("", "", "", "", t, f"!{t}", f"{t} | {u}", f"changed({c})",
             f"added({t}) | changed({c})", f"!{d}", f"added({d}) ^ {t}", f"changed({c}) & !{u}",
             f"removed({c}) | {t}", f"removed({u}) ^ removed({d}) & !{t}",
             "under", f"!under | {t}", f"leaf(under) ^ {d}", f"root(under) | changed({c})",
             f"changed(under) & !{u}", f"added(under) | removed(under) & {t}",
             "changed(score)", f"changed(score) ^ {t}", f"changed({c}) | changed(score) & !{d}")
        )  # fmt: skip

    def _of_parents(self) -> tuple[str, ...]:
        c, d = self._chance.sample(list(self.kinds), 2)
        t = self._chance.choice(TAGS)
        one = f"changed_parent({c})"
        return one, f"{one} | changed({d})", f"!{one} & {t}", f"{one} ^ changed_parent({d})"

    def _system(self, name: str) -> System:
        without_rows = len(self.systems) % 4 == 3 and not self.passes
        one = System(name, self._chance.choice(PHASES), rows=not without_rows)
        one.hears, one.emits = (self._some(["born", "hit"], 0, 1) for _ in range(2))
        one.removed = self._some([*self.kinds, *TAGS, "under"], 0, 1)
        one.valued = set(one.removed) <= set(self.kinds) and self._one_in(2)
        one.look = self._some([*self.kinds, "under"], 0, 2)
        one.every = 0.25 if self._one_in(5) else 0.0
        one.when = self._chance.choice(("", "", "changed(score)"))
        one.commands = one.rows and not self._one_in(3)
        one.flush = self._one_in(4)
        one.switch = self._chance.choice(("", "", "saved", "unsaved"))
        one.score = self._chance.choice(("", "read", "write"))
        one.queries = self._some(list(self.queries), 0, 1)
        if self.passes:
            self._keep_to_its_rows(one)
        if self.plain and not self._one_in(3):
            self._plain_rows(one)
        elif one.rows:
            self._rows(one)
        if not one.parallel and self._one_in(2):
            free = set(self.kinds) - {*one.read, *one.write, *one.optional, *one.look, *one.parent}
            one.edit = self._some(sorted(free), 0, 1)
        if not one.parallel and self._one_in(2):
            one.edit += self._some([tag for tag in TAGS if tag not in one.where], 0, 2)
        one.turn, one.partial = (self._turns.randrange(3) == 0 for _ in range(2))
        if one.partial and one.parallel and one.score == "read" and not self.passes:
            one.score = "write"
        return one

    def _rows(self, one: System) -> None:
        columns = self._some(list(self.kinds), 1, 3)
        columns += ["c0"] * ("c0" not in columns and self._one_in(2))
        cut = self._chance.randint(0, 2)
        one.write, one.read = columns[:cut], columns[cut:]
        if len(one.read) > 1 and self._one_in(2):
            one.optional = [one.read.pop()]
        if not self.passes or self._one_in(6):
            one.write += self._some(list(TAGS), 0, 1)
        one.where = "" if self.passes and not self._one_in(3) else self._where()
        one.form = self._chance.choice(("", "", "mask", "list"))
        one.explicit = self._one_in(4)
        one.parallel = not self._one_in(12 if self.passes else 3)
        if one.parallel:
            one.score = one.score.replace("write", "read")
        if self._one_in(8 if self.passes else 2):
            one.parent = self._some([*self.kinds, *TAGS], 1, 2)
            if not one.parallel:
                one.where = self._chance.choice(("", *self._of_parents())) or one.where

    def _plain_rows(self, one: System) -> None:
        """Makes it take all rows of some tables whenever its phase runs."""
        columns = self._some([name for name, kind in self.kinds.items() if kind == "aos"], 1, 3)
        cut = self._chance.randint(0, 1)
        one.read, one.write, one.parallel = columns[:cut], columns[cut:], True
        one.every, one.when, one.switch, one.removed = 0.0, "", "", []
        one.explicit = self._one_in(4)
        one.score = one.score.replace("write", "read")

    def _keep_to_its_rows(self, one: System) -> None:
        """Removes most accesses that would make the system wait for others in its phase."""
        one.phase = self._chance.choice(PHASES[1:])
        one.commands, one.flush = self._one_in(12), False
        if not self._one_in(6):
            one.look, one.queries, one.hears = [], [], []

    def without_passes(self) -> None:
        """Keeps all systems out of passes; the outcome must be equal."""
        self.systems = [replace(one, fuse=False) for one in self.systems]
        assert self._accepted()

    def with_inline_systems(self) -> None:
        """Makes most systems inline that can be; the outcome must be equal."""
        for i, one in enumerate(self.systems):
            alike = one.rows and not one.form and one.score != "write"
            self.systems[i] = replace(one, inline=alike and not self._one_in(6))
        assert self._accepted()

    def with_phases_for_flushes(self) -> None:
        """Makes the systems between two flushes a phase of their own; the outcome must be equal."""
        names = {phase: [phase] for phase in self.phases}
        for i, one in enumerate(self.systems):
            if one.flush:
                names[one.phase].append(f"{one.phase}_{one.name}")
            self.systems[i] = replace(one, phase=names[one.phase][-1], flush=False)
        self.phases = tuple(name for phase in self.phases for name in names[phase])
        assert self._accepted()

    def toml(self) -> str:
        text = f'[world]\nname = "wild"\nmax_entities = {self.max_entities}\n'
        text += f"phases = {quoted(list(self.phases))}\n"
        text += f"entity = {{ index_bits = 20, generation_bits = {self.generation_bits} }}\n"
        text += f"recycle_after = {self.recycle_after}\n\n"
        for name, kind in self.kinds.items():
            key = 'storage = "sparse"' if kind == "sparse" else f'layout = "{kind}"'
            hooked = [f"{kind} = true\n" for kind in HOOKS if name == self.hooked]
            hooks = "".join(hooked)
            fields = f'{{ n = "u32", who = "entity", more = "{self.more[name]}" }}'
            brings = '{ name = "c0", values = { n = 9, more = 3 } }, "c1"'
            rule = f"requires = [{brings}]\n" if name == self.requirer else ""
            text += f"[component.{name}]\n{key}\n{rule}{hooks}fields = {fields}\n\n"
        rules = {"t1": 'requires = ["t0"]\n'}
        for tag in TAGS:
            hooks = "on_add = true\non_remove = true\n" if tag == self.hooked_tag else ""
            text += f"[component.{tag}]\n{rules.get(tag, '')}{hooks}\n"
        text += '[singleton.score]\nfields = { n = "u64" }\n\n'
        text += '[relation.under]\non_parent_despawn = "despawn"\n'
        text += f"on_attach = true\non_detach = true\n{self.children}\n"
        for event, most in (("born", 65536), ("hit", 300)):
            text += f"[event.{event}]\nmax = {most}\n"
            text += 'fields = { n = "u32", who = "entity" }\n\n'
        for name, components in self.prefabs.items():
            values = ", ".join(f"{c} = {{}}" for c in components)
            text += f"[prefab.{name}]\ncomponents = {{ {values} }}\n\n"
        for name, read in self.queries.items():
            where = f'where = "{self._wheres[name]}"\n' if self._wheres[name] else ""
            rows = f'rows = "{self.forms[name]}"\n' if self.forms[name] else ""
            text += f"[query.{name}]\nread = {quoted(read)}\n{where}{rows}\n"
        return text + self.ear.toml(self.kinds) + "".join(one.toml() for one in self.systems)

    def _accepted(self) -> bool:
        self._file.write_text(self.toml(), encoding="utf-8")
        report = Report()
        parsed = parse(str(self._file), report)
        check(parsed, report)
        if report.errors:
            return False
        if len(self.systems) == SYSTEMS:
            self.files = render(make_plan(parsed.model))
        return True
