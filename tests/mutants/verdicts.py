"""The verdicts on mutants so far, stored in a file by name. A verdict holds until the mutant's file
changes or, if the mutant survived, a test changes.
"""

from __future__ import annotations

import json
import tomllib
from collections import Counter
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path

from mutation import Mutation

ROOT = Path(__file__).resolve().parent.parent.parent
KEPT = ROOT / "build/mutants/verdicts.json"
EQUIVALENT = ROOT / "tests/mutants/equivalent.toml"

WORDS = ("killed", "survived", "equivalent", "not compiled")


@dataclass(frozen=True)
class Verdict:
    word: str  # of WORDS
    by: str  # the test that killed it, or why it is equivalent
    file: str  # digest of the file that was changed
    tests: str  # digest of all tests


def digest(*paths: Path) -> str:
    state = sha256()
    for path in paths:
        state.update(path.read_bytes() if path.is_file() else b"none")
    return state.hexdigest()


def equivalents() -> dict[str, str]:
    """By name, why a mutant does what the original does."""
    said = tomllib.loads(EQUIVALENT.read_text(encoding="utf-8"))
    return {name: entry["reason"] for name, entry in said.items()}


def read() -> dict[str, Verdict]:
    """All that are kept, whether they still hold or not."""
    said = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else {}
    return {name: Verdict(**entry) for name, entry in said.items()}


def keep(name: str, verdict: Verdict) -> None:
    """Adds one to those that are kept."""
    new = KEPT.with_suffix(".new")
    verdicts = {known: asdict(entry) for known, entry in {**read(), name: verdict}.items()}
    new.write_text(json.dumps(verdicts, indent=0), encoding="utf-8")
    new.replace(KEPT)


def holding(mutations: list[Mutation], tests: str) -> dict[str, Verdict]:
    """Those of these mutants that still hold."""
    reasons = equivalents()
    verdicts = read()
    held = {}
    for mutation in mutations:
        verdict = verdicts.get(mutation.name)
        if mutation.name in reasons:
            held[mutation.name] = Verdict("equivalent", reasons[mutation.name], "", "")
        elif verdict is None or verdict.file != digest(ROOT / mutation.file):
            continue
        elif verdict.word != "survived" or verdict.tests == tests:
            held[mutation.name] = verdict
    return held


def report(mutations: list[Mutation], verdicts: dict[str, Verdict]) -> int:
    """Prints what survived and how many came to what. Returns the exit code."""
    words = Counter(verdicts[m.name].word for m in mutations if m.name in verdicts)
    for mutation in mutations:
        if mutation.name in verdicts and verdicts[mutation.name].word == "survived":
            print(f"survived: {mutation}")
    left = len(mutations) - words.total()
    counts = [f"{words[word]} {word}" for word in WORDS]
    print(f"{', '.join(counts)}, {left} not tried")
    return 1 if words["survived"] else 0
