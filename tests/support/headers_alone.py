"""Compiles headers one by one, with their most common includes precompiled.

Most of the time would go into weft_gen.h, which nearly every generated header includes, directly or
not. A header that includes it by itself may therefore use a precompiled one. Any other header is
compiled as it is, so that a missing include shows.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence
from pathlib import Path

from compilers import RUNTIME, WARNINGS, Compiler

COMMON = "weft_gen.h"
_INCLUDE = re.compile(r'^#include "(.+)"$', re.MULTILINE)


def leads_there(file: Path, folders: Sequence[Path]) -> bool:
    """Returns whether a file includes weft_gen.h, directly or through these folders."""
    waiting, seen = [file], {file}
    while waiting:
        for name in _INCLUDE.findall(waiting.pop().read_text(encoding="utf-8")):
            if name == COMMON:
                return True
            found = {folder / name for folder in folders if (folder / name).exists()} - seen
            waiting += found
            seen |= found
    return False


def complaints(
    compiler: Compiler, files: Sequence[Path], folders: Sequence[Path], out: Path
) -> str:
    """Returns the messages of gcc or g++ about C or C++ files, or "" if there are none."""
    first = out / "compiled_once.h"
    first.write_text(f'#include "{COMMON}"\n', encoding="utf-8")
    language = f"{compiler.language[-1]}-header"
    made = [compiler.name, *compiler.language, "-x", language, *WARNINGS, f"-I{RUNTIME}", first]
    subprocess.run([*made, "-o", f"{first}.gch"], check=True)
    there = [file for file in files if leads_there(file, folders)]
    others = [file for file in files if file not in there]
    used = ("-include", str(first), "-Winvalid-pch")  # an error if it cannot be used
    said = compiler.run(there, folders, *used) if there else ""
    return said + (compiler.run(others, folders) if others else "")
