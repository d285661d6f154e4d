"""Generates the code of many worlds in one process, because starting the generator for each takes
longer than generating most of them. It writes the same files as `python3 codegen` for each.

    worlds.py plan DYNDEP STAMP FOLDER=SCHEMA...   writes the inputs and outputs of the next command
    worlds.py generate FOLDER=SCHEMA...            writes the files of each world below its folder

STAMP is one of the C files, by which Ninja identifies the statement that makes all of them.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
CODEGEN = ROOT / "codegen"
sys.path.insert(0, str(CODEGEN))

from check import check  # noqa: E402
from emit.emit import paths, render  # noqa: E402
from emit.files import touch_file, write_file, write_tree  # noqa: E402
from emit.ninja import depfile, dyndep  # noqa: E402
from emit.templates import template_files  # noqa: E402
from model.model import Model  # noqa: E402
from names.names import SOURCES, Names  # noqa: E402
from parse import parse  # noqa: E402
from plan import make_plan  # noqa: E402
from source.source import Report  # noqa: E402


def read(schema: str, *, quiet: bool = False) -> Model:
    """Reads and checks a schema. Prints its mistakes, and warnings too unless `quiet`."""
    report = Report()
    parsed = parse(schema, report)
    check(parsed, report)
    if report.errors or not quiet:
        print(report.render(), end="", file=sys.stderr)
    if report.errors:
        sys.exit(1)
    return parsed.model


def plan(to: str, stamp: str, worlds: list[tuple[str, str]]) -> None:
    outputs: list[str] = []
    inputs = [os.path.relpath(path) for path in (*CODEGEN.rglob("*.py"), *template_files())]
    for folder, schema in worlds:
        model = read(schema, quiet=True)  # `generate` runs next and warns
        inputs += model.sources
        names = Names(model.world.name)
        known = {names.source(source) for source in SOURCES}  # relative to the build file
        made = (path for path in paths(make_plan(model)) if os.path.basename(path) not in known)
        outputs += [os.path.join(folder, path) for path in made]
    write_file(f"{to}.d", depfile(to, inputs))
    touch_file(to, dyndep(stamp, outputs, inputs))


def generate(worlds: list[tuple[str, str]]) -> None:
    for folder, schema in worlds:
        write_tree(folder, render(make_plan(read(schema))))


def split(words: list[str]) -> list[tuple[str, str]]:
    """Splits FOLDER=SCHEMA."""
    return [(folder, schema) for folder, _, schema in (word.partition("=") for word in words)]


def main(arguments: list[str]) -> int:
    match arguments:
        case ["plan", to, stamp, *words] if words:
            plan(to, stamp, split(words))
        case ["generate", *words] if words:
            generate(split(words))
        case _:
            print(__doc__, file=sys.stderr)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
