"""Generates the code of the golden cases and of the colony for tests that examine it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from check import check
from emit.emit import render
from model.model import Model
from parse import parse
from plan import make_plan
from source.source import Report

ROOT = Path(__file__).parent.parent.parent
GOLDEN = ROOT / "tests" / "output" / "golden"
COLONY = ROOT / "schema" / "colony.toml"

# Functions that a generated header declares for the game to define, for a turn or for an entity.
OF_THE_GAME = re.compile(r"^(?:WEFT_HOT )?(void \w+\(\s*const \w+_ctx \*ctx[^;]*\));", re.MULTILINE)
MADE = re.compile(r"^void (\w+)\([^;{]*\)\n\{", re.MULTILINE)
MADE_BY_MACRO = re.compile(r"^([A-Z]\w*)_DEFINE_(\w+)\(", re.MULTILINE)


@dataclass(frozen=True)
class Generated:
    """The code that was generated from a schema, and the folder with the game's own headers."""

    name: str
    schema: Path
    model: Model
    files: dict[str, str]
    own_headers: Path

    @property
    def world(self) -> str:
        return self.model.world.name

    @property
    def idle_game(self) -> str:
        """Returns C code of a game that defines all systems and hooks of its world, and does
        nothing. The loops of inline systems are generated.
        """
        headers = [text for path, text in self.files.items() if path.endswith(".h")]
        made = {name for text in self.files.values() for name in MADE.findall(text)}
        by_macro = [pair for text in self.files.values() for pair in MADE_BY_MACRO.findall(text)]
        made |= {f"{world}_{system}".lower() for world, system in by_macro}
        declared = [found for text in headers for found in OF_THE_GAME.findall(text)]
        once = dict.fromkeys(declared)  # a header declares a function below each hook that calls it
        wanted = [one for one in once if one.split("(")[0].removeprefix("void ") not in made]
        return f'#include "{self.world}.h"\n' + "".join(f"\n{one}\n{{\n}}\n" for one in wanted)

    def write(self, out: Path) -> Path:
        """Writes the files below a folder. Returns the folder to include from."""
        return write_files(self.files, out) / self.world


def golden_cases() -> list[str]:
    """Returns the golden cases: each folder with a schema.toml is one."""
    return sorted(path.parent.name for path in GOLDEN.glob("*/schema.toml"))


def model_of(schema: Path, *, strict: bool = True) -> Model:
    """Asserts that the schema passes the checks; if not `strict`, warnings are allowed."""
    report = Report(strict=strict)
    parsed = parse(str(schema), report)
    check(parsed, report)
    assert report.errors == 0, report.render()
    return parsed.model


def generate(
    schema: Path, name: str = "", own_headers: Path | None = None, *, strict: bool = True
) -> Generated:
    """Generates the code of a schema; see `model_of`."""
    model = model_of(schema, strict=strict)
    headers = own_headers or schema.parent
    return Generated(name or schema.stem, schema, model, render(make_plan(model)), headers)


@cache
def generate_cases() -> list[Generated]:
    """Generates every golden case. Their worlds have different names, so all fit into one
    folder.
    """
    return [generate(GOLDEN / name / "schema.toml", name) for name in golden_cases()]


@cache
def generate_all() -> list[Generated]:
    """Generates every golden case, and the colony."""
    return [*generate_cases(), generate(COLONY, own_headers=ROOT / "tests" / "game")]


def write_files(files: dict[str, str], out: Path) -> Path:
    for path, text in files.items():
        (out / path).parent.mkdir(parents=True, exist_ok=True)
        write_change(out / path, text)
    return out


def write_change(path: Path, text: str) -> None:
    """Writes a file only if its text changes, for programs that compare its time."""
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def write_whole(folder: Path) -> Path:
    """Writes a file that includes all C files of a world, named after its folder. Most of a
    compiler's time for these files goes into the headers that all of them include.
    """
    lines = [f'#include "{file.name}"\n' for file in sorted(folder.glob(f"{folder.name}_*.c"))]
    whole = folder / "whole.c"
    whole.write_text("".join(lines), encoding="utf-8")
    return whole


def write_includers(
    headers: Iterable[str], out: Path, *, name: str = "", alone: bool = True
) -> list[Path]:
    """Writes a source file for each header that includes only this header; if not `alone`, one file
    with that name for all of them.
    """
    out.mkdir(parents=True, exist_ok=True)
    lines = {f"{Path(header).stem}.includer": f'#include "{header}"\n' for header in headers}
    texts = lines if alone else {f"{name}_all.includer": "".join(lines.values())}
    for file, text in texts.items():
        (out / file).write_text(text, encoding="utf-8")
    return [out / file for file in texts]
