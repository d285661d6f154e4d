"""A small change to one place of one file, and the choice among all possible changes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256


@dataclass(frozen=True)
class Change:
    """Bytes of a file, and what is written there instead."""

    start: int
    end: int
    after: str


@dataclass(frozen=True)
class Mutation:
    file: str
    line: int
    code: str  # the line that the change begins in, stripped
    change: Change
    before: str
    name: str  # stays when other lines of the file change

    def applied_to(self, text: bytes) -> bytes:
        start, end = self.change.start, self.change.end
        return text[:start] + self.change.after.encode() + text[end:]

    def __str__(self) -> str:
        changed = f"`{self.before}` becomes `{self.change.after.strip() or ';'}`"
        return f"{self.name} {self.file}:{self.line}: {changed} in `{self.code}`"


def named(file: str, text: bytes, changes: Iterable[Change]) -> Iterator[Mutation]:
    """The changes to one file, each with its name, which hashes what it does and not where."""
    seen: Counter[str] = Counter()
    for change in changes:
        first = text.rfind(b"\n", 0, change.start) + 1
        code = text[first:].split(b"\n", 1)[0].decode()
        indent = len(code) - len(code.lstrip())
        column = change.start - first - indent
        before = text[change.start : change.end].decode()
        identity = f"{file}\n{code.strip()}\n{column}\n{before}\n{change.after}"
        seen[identity] += 1
        name = sha256(f"{identity}\n{seen[identity]}".encode()).hexdigest()[:8]
        line = text.count(b"\n", 0, change.start) + 1
        yield Mutation(file, line, code.strip(), change, before, name)


def chosen(mutations: Iterable[Mutation], count: int, seed: int) -> list[Mutation]:
    """Chooses so many of them, at most one a line. The order is drawn from the names, so that a
    change to the tree replaces few of those that were chosen before it."""

    def rank(mutation: Mutation) -> str:
        return sha256(f"{seed} {mutation.name}".encode()).hexdigest()

    kept: dict[tuple[str, int], Mutation] = {}
    for mutation in sorted(mutations, key=rank):
        if len(kept) == count:
            break
        kept.setdefault((mutation.file, mutation.line), mutation)
    return list(kept.values())
