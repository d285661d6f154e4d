"""Tells Ninja what the generator reads and writes."""

from __future__ import annotations

from collections.abc import Iterable

_IN_MAKE = {" ": "\\ ", "#": "\\#", "$": "$$"}


def dyndep(stamp: str, outputs: Iterable[str], inputs: Iterable[str]) -> str:
    """Returns a dyndep file: the statement that makes `stamp` also makes and reads these files.

    Outputs that do not change keep their times, so whatever depends on them need not be built
    again.
    """
    return (
        "ninja_dyndep_version = 1\n"
        f"build {_path(stamp)}{_list(outputs)}: dyndep{_list(inputs)}\n"
        "  restat = 1\n"
    )


def depfile(target: str, inputs: Iterable[str], *, included: bool = False) -> str:
    """Returns a depfile as compilers write it: the target depends on these files.

    Where a makefile includes it, each of them gets a rule that does nothing. Make goes on without
    a file that is gone then, and the target is made anew.
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
