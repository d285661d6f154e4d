"""Reports which conditions of the runtime decide by themselves in some C test. `ninja mcdc` runs
the tests first.

MC/DC (modified condition/decision coverage): for each condition of `a && b || c` two evaluations
must differ in that condition and in the result, while no other condition made the difference. It
finds conditions that could be deleted without a test noticing.

Writes build/mcdc/conditions.txt, a line for each condition that no test shows, and prints the share
of each folder. Fails below LEAST percent, and if a file of WHOLE has any condition left.
Conditions that no test can show are listed in undecidable.toml, each with its reason.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from branches import REFUSAL, Progress, lines_of

ROOT = Path(__file__).resolve().parent.parent.parent
BUILD = ROOT / "build/mcdc"
PAGE = BUILD / "conditions.txt"
UNDECIDABLE = ROOT / "tests/coverage/undecidable.toml"
LEAST = 95.0  # percent
WHOLE = ("runtime/store/entity.", "runtime/edit/", "runtime/save/")

NOT_COUNTED = r"(/tests/|/generated/|/build/|/serve/|/trace/)"
CONSTANTS = ("WEFT_BIG_ENDIAN", "WEFT_LEAVES_HEAP", "WEFT_OBSERVABLE")  # of a build
OBSERVER = re.compile(r"\bWEFT_OBSERVER\b(\([^()]*\))?")  # a macro of two; may end a decision
STRING_OR_COMMENT = re.compile(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|//.*')


@dataclass(frozen=True, order=True)
class Span:
    """Where a decision is: lines and columns, from 1; the end is behind its last character."""

    file: str
    first_line: int
    first_column: int
    last_line: int
    last_column: int


Decision = tuple[Span, int]  # how many conditions it has may depend on macros


@dataclass(frozen=True)
class Condition:
    """A condition of a decision, and whether a test shows that it decides by itself."""

    span: Span
    decision: str
    text: str
    shown: bool

    @property
    def key(self) -> tuple[str, str, str]:
        return self.span.file, self.decision, self.text


# ---- what LLVM counted


def add_up() -> Path:
    """Merges the counts of all programs, since two may have one evaluation each."""
    whole = BUILD / "counts.profdata"
    counts = [str(path) for path in sorted(BUILD.rglob("*.profraw"))]
    subprocess.run(["llvm-profdata-19", "merge", "-o", whole, *counts], check=True)
    return whole


def export(program: Path, counts: Path) -> dict[str, list[list[object]]]:
    """Returns the records of each file of the runtime, as `llvm-cov export` prints them.

    Each program is read by itself, since two of them may compile one function differently.
    """
    command = ["llvm-cov-19", "export", f"-instr-profile={counts}", str(program)]
    command += ["-skip-functions", "-skip-expansions", f"-ignore-filename-regex={NOT_COUNTED}"]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True)
    files = json.loads(done.stdout)["data"][0]["files"]
    return {str(Path(one["filename"]).relative_to(ROOT)): one["mcdc_records"] for one in files}


def exports() -> Iterator[dict[str, list[list[object]]]]:
    counts = add_up()
    results = sorted(BUILD.rglob("*.result"))
    progress = Progress(len(results))
    for result in results:
        progress.begin(f"reading the counts of {result.stem}")
        yield export(result.with_suffix(""), counts)
    progress.end()


def merged(several: Iterable[dict[str, list[list[object]]]]) -> dict[Decision, list[bool]]:
    """Adds up the records of a decision over all programs and copies of an inline function."""
    shown: dict[Decision, list[bool]] = {}
    for files in several:
        for file, records in files.items():
            for record in records:
                here: list[bool] = record[6]  # type: ignore[assignment]
                decision = Span(file, *record[:4]), len(here)  # type: ignore[arg-type]
                known = shown.get(decision, [False] * len(here))
                shown[decision] = [a or b for a, b in zip(known, here, strict=True)]
    return shown


# ---- the text of a decision


def text_of(span: Span) -> str:
    """The code of a decision on one line, without comments."""
    lines = lines_of(span.file)[span.first_line - 1 : span.last_line]
    lines[-1] = lines[-1][: span.last_column - 1]
    lines[0] = lines[0][span.first_column - 1 :]
    return " ".join(re.sub(r"//.*", "", line).strip() for line in lines)


def parts_of(text: str) -> list[str]:
    """Splits at each `&&` and `||` that no parenthesis encloses."""
    plain = STRING_OR_COMMENT.sub(lambda match: "x" * len(match[0]), text)
    parts, begin, depth = [], 0, 0
    for at, one in enumerate(plain):
        depth += (one in "([{") - (one in ")]}")
        if depth == 0 and plain[at : at + 2] in ("&&", "||"):
            parts.append(text[begin:at])
            begin = at + 2
    return [*parts, text[begin:]]


def conditions_of(text: str) -> list[str]:
    """Returns the conditions of a decision in the order in which they are evaluated."""
    text = OBSERVER.sub("(WEFT_OBSERVABLE && observer)", text)
    parts = parts_of(text)
    if len(parts) > 1:
        return [one for part in parts for one in conditions_of(part)]
    inside = text.strip().lstrip("! ")
    if inside.startswith("(") and inside.endswith(")"):
        inner = conditions_of(inside[1:-1])
        if len(inner) > 1:
            return inner
    return [text.strip()]


def is_constant(condition: Condition) -> bool:
    """Returns whether it is the same in every test of one build."""
    return condition.text.lstrip("!") in CONSTANTS


def conditions(shown: dict[Decision, list[bool]]) -> Iterator[Condition]:
    for (span, _), flags in sorted(shown.items()):
        decision = text_of(span)
        texts = conditions_of(decision)
        if len(texts) != len(flags):  # a macro has the others
            texts = [f"condition {i + 1}" for i in range(len(flags))]
        for text, flag in zip(texts, flags, strict=True):
            yield Condition(span, decision, text, flag)


# ---- what no test can show


def undecidable() -> dict[tuple[str, str, str], str]:
    """The reason by file, decision and condition."""
    entries = tomllib.loads(UNDECIDABLE.read_text(encoding="utf-8")).get("condition", [])
    return {(one["file"], one["decision"], one["condition"]): one["reason"] for one in entries}


def reports(condition: Condition) -> bool:
    """Returns whether it is the call of `fits || refuse(why)`, which always returns false.

    A decision that ends with a macro ends before its arguments.
    """
    before, found, _ = condition.decision.partition(f"|| {condition.text}")
    return bool(found) and REFUSAL.match(f"|| {condition.text}(") is not None and bool(before)


def stale(everything: list[Condition]) -> list[str]:
    """Entries whose condition is gone, or is shown after all."""
    missed = {one.key for one in everything if not one.shown}
    return [" | ".join(key) for key in undecidable() if key not in missed]


# ---- the page


def line_of(condition: Condition) -> str:
    span = condition.span
    return f"{span.file}:{span.first_line}: `{condition.text}` in `{condition.decision}`"


def share(counted: Iterable[Condition]) -> tuple[int, int]:
    flags = [one.shown for one in counted]
    return sum(flags), len(flags)


def main() -> int:
    everything = list(conditions(merged(exports())))
    left_out = undecidable()
    counted = [
        one
        for one in everything
        if one.shown or not (one.key in left_out or reports(one) or is_constant(one))
    ]
    missed = [one for one in counted if not one.shown]
    PAGE.write_text("".join(f"{line_of(one)}\n" for one in missed), encoding="utf-8")
    for folder in sorted({Path(one.span.file).parent for one in counted}):
        some, of = share(one for one in counted if Path(one.span.file).parent == folder)
        print(f"{folder}: {some} of {of} conditions, {100 * some / of:.1f} %")
    old = stale(everything)
    for entry in old:
        print(f"undecidable.toml leaves out a condition that is shown or gone: {entry}")
    must = [one for one in missed if one.span.file.startswith(WHOLE)]
    for one in must:
        print(f"no test shows {line_of(one)}")
    some, of = share(counted)
    percent = 100 * some / of
    print(
        f"{some} of {of} conditions decide by themselves, {percent:.1f} %; "
        f"{len(everything) - of} are left out ({PAGE.name})"
    )
    return 1 if old or must or percent < LEAST else 0


if __name__ == "__main__":
    sys.exit(main())
