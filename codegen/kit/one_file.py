"""Merges the files of the runtime into a few: each .c file with its parts inside.

Headers that games and generated code include stay separate. Files in folders are inserted into the
first file that includes them.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping

_INCLUDE = re.compile(r'^#include "([^"]+)".*\n', re.MULTILINE)
_GENERATED = "weft_gen.h"  # includes most of the inner headers
_WHOLES = ("weft.c", "weft_json.c")
_INSPECTOR = "serve/weft_serve.c"
_INSPECTOR_HEADERS = ("weft_serve.h", "weft_inspector.h")
_GNU = "#define _GNU_SOURCE // for libwebsockets.h\n"
_FEATURES = "base/features.h"  # must precede all system headers


def one_file(files: Mapping[str, str]) -> dict[str, str]:
    """Returns the runtime as two .c files and their headers, by name.

    If `files` contains the inspector, it becomes a third .c file.
    """
    headers = (name for name in files if "/" not in name and name.endswith((".h", ".hpp")))
    made = {name: _inlined(files, name, set()) for name in headers}
    made["LICENSE"] = files["LICENSE"]
    shared: set[str] = {_FEATURES}
    made[_GENERATED] = _inlined(files, _GENERATED, shared)
    head = f'{files[_FEATURES]}\n#include "{_GENERATED}"\n\n'
    for name in _WHOLES:
        made[name] = head + _inlined(files, name, set(shared))
    if _INSPECTOR in files:
        for name in _INSPECTOR_HEADERS:
            made[name] = _inlined(files, f"serve/{name}", set())
        made["weft_serve.c"] = _GNU + head + _inlined(files, _INSPECTOR, set(shared))
    return made


def _inlined(files: Mapping[str, str], name: str, seen: set[str]) -> str:
    """Returns a file in which includes of files in folders are replaced by their text, each
    once.
    """

    def text_of(match: re.Match[str]) -> str:
        path = posixpath.normpath(posixpath.join(posixpath.dirname(name), match[1]))
        if "/" not in path:
            return f'#include "{path}"\n'
        if path in seen:
            return ""
        seen.add(path)
        return f"// ---- {path}\n\n{_inlined(files, path, seen)}\n"

    return _INCLUDE.sub(text_of, files[name])
