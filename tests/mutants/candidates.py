"""Chooses small changes to this tree: always the same 200, or others on request."""

from __future__ import annotations

from pathlib import Path

import mutate_c
import mutate_python
from mutation import Mutation, chosen, named
from verdicts import ROOT

SEED = 1
C_COUNT, PYTHON_COUNT = 120, 80


def sources() -> list[Path]:
    """Returns the files that may be changed, without the inspector: its tests need a browser."""
    runtime = [p for p in (ROOT / "runtime").rglob("*.[ch]") if p.parent.name != "serve"]
    return sorted([*runtime, *(ROOT / "codegen").rglob("*.py")])


def every() -> list[Mutation]:
    """All that there are."""
    found: list[Mutation] = []
    for path in sources():
        text = path.read_bytes()
        changes = (mutate_python if path.suffix == ".py" else mutate_c).changes(text)
        found.extend(named(path.relative_to(ROOT).as_posix(), text, changes))
    return found


def usual(everything: list[Mutation]) -> list[Mutation]:
    """The 200 that are tried. Any first part of them is drawn from all."""
    python = [mutation for mutation in everything if mutation.file.endswith(".py")]
    c = [mutation for mutation in everything if not mutation.file.endswith(".py")]
    kept = [*chosen(c, C_COUNT, SEED), *chosen(python, PYTHON_COUNT, SEED)]
    return sorted(kept, key=lambda mutation: mutation.name)


def drawn(everything: list[Mutation], seed: int, counts: dict[str, int]) -> list[Mutation]:
    """Draws so many from each of these places, `runtime/run`, and none of the 200."""
    left_out = {mutation.name for mutation in usual(everything)}
    others = [mutation for mutation in everything if mutation.name not in left_out]
    kept: list[Mutation] = []
    for place, count in counts.items():
        kept += chosen((m for m in others if m.file.startswith(place)), count, seed)
    return kept
