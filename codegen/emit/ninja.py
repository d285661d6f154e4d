"""Dependency files for Ninja and Make."""

from __future__ import annotations

from collections.abc import Iterable

_IN_MAKE = {" ": "\\ ", "#": "\\#", "$": "$$"}


def dyndep(stamp: str, outputs: Iterable[str], inputs: Iterable[str]) -> str:
    """Returns a dyndep file: the statement that makes `stamp` also writes and reads these files.

    Unchanged outputs keep their times, so the files that depend on them are not rebuilt.
    """
    return (
        "ninja_dyndep_version = 1\n"
        f"build {_path(stamp)}{_list(outputs)}: dyndep{_list(inputs)}\n"
        "  restat = 1\n"
    )


def depfile(target: str, inputs: Iterable[str], *, included: bool = False) -> str:
    """Returns a depfile in the format of compilers: the target depends on these files.

    If a makefile includes it, set `included`: each input gets an empty rule, so that Make continues
    and remakes the target if an input was removed.
    """
    words = [_escaped(path, _IN_MAKE) for path in sorted(set(inputs))]
    text = " \\\n  ".join([f"{_escaped(target, _IN_MAKE)}:", *words]) + "\n"
    return text + "".join(f"{word}:\n" for word in words) if included else text


def _list(paths: Iterable[str]) -> str:
    words = [_path(path) for path in sorted(set(paths))]
    return " $\n    ".join([" |", *words]) if words else ""


def _path(path: str) -> str:
    return _escaped(path, {"$": "$$", " ": "$ ", ":": "$:"})


def _escaped(path: str, escapes: dict[str, str]) -> str:
    return "".join(escapes.get(char, char) for char in path)
