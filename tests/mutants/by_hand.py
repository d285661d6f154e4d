"""Handwritten mutants in mistakes.toml: mistakes that a maintainer could make."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from hashlib import sha256

from mutation import Change, Mutation, named
from verdicts import ROOT

LISTED = ROOT / "tests/mutants/mistakes.toml"


@dataclass(frozen=True)
class Mistake(Mutation):
    meaning: str  # what the program does wrong
    first: tuple[str, ...]  # how the names of programs begin that should notice

    def __str__(self) -> str:
        return f"{self.name} {self.file}:{self.line}: {self.meaning}"


@dataclass(frozen=True)
class Entry:
    """An entry of the list."""

    meaning: str
    file: str
    was: str
    becomes: str
    first: tuple[str, ...]

    @property
    def name(self) -> str:
        """Hashes what it does. Comments beside its code do not matter."""
        return sha256(f"{self.file}\n{self.was}\n{self.becomes}".encode()).hexdigest()[:8]

    def mistakes(self) -> list[Mistake]:
        """Returns the mistake; an empty list if its code is not in the tree exactly once."""
        text = (ROOT / self.file).read_bytes() if (ROOT / self.file).is_file() else b""
        spaced = r"\s+".join(re.escape(word) for word in self.was.split())
        found = [match.span() for match in re.finditer(spaced.encode(), text)]
        changes = [Change(*span, self.becomes) for span in found if len(found) == 1]
        return [
            Mistake(**vars(mutation) | {"name": self.name}, meaning=self.meaning, first=self.first)
            for mutation in named(self.file, text, changes)
        ]


def entries() -> list[Entry]:
    said = tomllib.loads(LISTED.read_text(encoding="utf-8"))
    return [
        Entry(one["is"], one["file"], one["was"], one["becomes"], tuple(one.get("first", ())))
        for one in said["mistake"]
    ]


def mistakes() -> list[Mutation]:
    """Returns those that can be made in this tree."""
    return [mistake for entry in entries() for mistake in entry.mistakes()]


def stale() -> list[Entry]:
    """Returns the entries whose code is not in this tree exactly once."""
    return [entry for entry in entries() if not entry.mistakes()]
