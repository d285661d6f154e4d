"""Lists every identifier that C code defines at file scope, as a compiler sees it."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from compilers import RUNTIME, UNCACHED

Node = dict[str, Any]

LINK_SYMBOL = "weft_rebuild_all_"

# Text that is not code: comments, strings, characters and includes.
_NO_CODE = re.compile(
    r"""//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|^#\ *include[^\n]*""",
    re.MULTILINE | re.DOTALL,
)

_MACRO = re.compile(r"^# *define +(\w+)", re.MULTILINE)


def code(text: str) -> str:
    """Returns C without comments, literals and includes, so that words in it are identifiers."""
    return _NO_CODE.sub(" ", text)


def macros(texts: Iterable[str]) -> set[str]:
    return {name for text in texts for name in _MACRO.findall(text)}


def definitions(file: Path, folders: Iterable[Path], own: Path) -> set[str]:
    """Returns the types, struct tags, functions, variables and enum constants declared below folder
    `own`.

    The symbols by which objects link are left out: no name of a schema can begin like these.
    """
    include = [f"-I{folder}" for folder in (RUNTIME, own, *folders)]
    command = ["clang", "-std=c11", "-w", "-fsyntax-only", "-Xclang", "-ast-dump=json"]
    done = subprocess.run(
        [*command, "-include", "weft_gen.h", *include, file],
        env=UNCACHED,
        capture_output=True,
        text=True,
        check=True,
    )
    found = _Walk(f"{own}/").names(_from_first(done.stdout, f"{own}/"))
    return {name for name in found if not name.startswith(LINK_SYMBOL)}


def _from_first(dump: str, own: str) -> Node:
    """Returns a dump from the first declaration of a folder on. The declarations before it are
    those of the runtime's and the system's headers. They are most of a dump and take long to read.
    """
    start = dump.rindex("\n    {\n", 0, dump.index(f'"file": "{own}'))
    unit: Node = json.loads('{"inner": [' + dump[start:])
    return unit


class _Walk:
    """Tracks the file of each declaration, which a dump names only if it changes."""

    def __init__(self, own: str) -> None:
        self._own = own
        self._file = ""

    def names(self, unit: Node) -> Iterator[str]:
        for node in unit["inner"]:
            if self._visit(node).startswith(self._own):
                yield from _name(node)
                if node["kind"] == "EnumDecl":
                    for constant in node.get("inner", []):
                        yield from _name(constant)

    def _visit(self, node: Node) -> str:
        """Returns the file of a node: the file that uses a macro, not the one that defines it."""
        file = self._place(node.get("loc", {}))
        for end in node.get("range", {}).values():
            self._place(end)
        for inner in node.get("inner", []):
            if inner:
                self._visit(inner)
        return file

    def _place(self, place: Node) -> str:
        for at in (place.get("spellingLoc", {}), place.get("expansionLoc", {}), place):
            self._file = at.get("file", self._file)
        return self._file


def _name(node: Node) -> Iterator[str]:
    if "name" in node:
        yield node["name"]
