"""`debug`, `docs`, `stubs` and `jsonschema`: they write other files than C for a world."""

from __future__ import annotations

import argparse
import os
import sys
from difflib import unified_diff
from io import StringIO

from commands.outcome import OK, WRONG, fail
from commands.reading import read
from commands.working import working
from emit.files import diff_file, need_folder, spare, write_file
from json_schemas import MARK
from json_schemas.export import export, file_name
from json_schemas.language import FILE_NAME, language
from model.model import Model
from names.nearest import suggest


def debug(options: argparse.Namespace) -> int:
    from debugger import debug_files

    model = read(options)
    with working("making debugger scripts"):
        files = debug_files(model)
    return _write_files(options.out, files)


def docs(options: argparse.Namespace) -> int:
    from docs import docs_files

    model = read(options)
    with working("making pages"):
        files = docs_files(model)
    return _write_files(options.out, files)


def _write_files(folder: str, files: dict[str, str]) -> int:
    """Writes files into a folder, unless one of them exists and was not generated."""
    paths = {os.path.join(folder, name): text for name, text in files.items()}
    for path, text in paths.items():
        spare(path, text.partition(" from the schema")[0])
    for path, text in paths.items():
        print(f"{path}: {'written' if write_file(path, text) else 'unchanged'}")
    return OK


def print_stubs(options: argparse.Namespace) -> int:
    model = read(options)
    if options.system and options.system not in model.code.systems:
        help = suggest(options.system, model.code.systems, "systems")
        return fail(f"no system '{options.system}'" + (f": {help}" if help else ""))
    if options.names:
        return _print_moves(model, options.names)
    from emit.stubs import stubs
    from plan import make_plan

    with working("planning"):
        text = stubs(make_plan(model), options.system, cpp=options.cpp)
    print(text, end="")
    return OK


def _print_moves(model: Model, path: str) -> int:
    """Prints a patch of a C file that replaces calls named after systems by calls that take a
    grant.
    """
    from emit.renames import renames, rewrite

    try:
        with open(path, encoding="utf-8", errors="surrogateescape", newline="") as file:
            source = file.read()
    except OSError as error:
        return fail(f"cannot read '{path}': {error.strerror}")
    text, left = rewrite(source, renames(model))
    patch = _patch(path, source, text).encode("utf-8", "surrogateescape")
    sys.stdout.buffer.write(patch)
    sys.stdout.flush()
    for name in dict.fromkeys(left):
        print(f"{path}: '{name}' is not called here: replace it by hand", file=sys.stderr)
    return WRONG if left else OK


def _patch(path: str, before: str, after: str) -> str:
    """Returns a patch. Only line feeds end its lines."""
    old, new = (StringIO(text, newline="\n").readlines() for text in (before, after))
    changes = unified_diff(old, new, path, path)
    unended = "\n\\ No newline at end of file\n"
    return "".join(line if line.endswith("\n") else line + unended for line in changes)


def json_schema(options: argparse.Namespace) -> int:
    name, text = _named_text(options)
    is_folder = options.out.endswith(os.sep) or os.path.isdir(options.out)
    path = os.path.join(options.out, name) if is_folder else options.out
    if options.diff:
        difference = diff_file(path, text)
        print(difference, end="")
        return WRONG if difference else OK
    if not is_folder:
        need_folder(path)
    spare(path, MARK)
    print(f"{path}: {'written' if write_file(path, text) else 'unchanged'}")
    return OK


def _named_text(options: argparse.Namespace) -> tuple[str, str]:
    """Returns the default name and the text of the JSON Schema, of the language or of one world."""
    if options.schema is None:
        return FILE_NAME, language()
    model = read(options)
    with working("making the JSON schema"):
        return file_name(model), export(model)
