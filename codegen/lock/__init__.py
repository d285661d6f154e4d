"""The lock of a world: the schemas of its released saves, one behind the other in a TOML file.

Each release is a schema, written in the language that schemas are written in (as far as saves know
of it), so it is read by the parser of that language and means a Model as well. Text that is there
is never written anew: a release is added behind it, so that a merge keeps or drops whole blocks. A
sum over each release shows that nobody has changed what its saves are.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from dataclasses import dataclass

from imports import File, read_bytes, read_file
from lock.text import Document, head, release_document, release_text
from model import Model
from parse import parse_files
from source import Note, Place, Report

FORMAT = 1
MAX_LOCK_BYTES = 64 << 20
MAX_RELEASE_NAME = 64

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]*")
_AGAIN = "take the file from version control as it was written"


@dataclass(frozen=True)
class Release:
    """The schema of the saves of one release."""

    name: str
    model: Model
    place: Place


@dataclass(frozen=True)
class Lock:
    """What a lock says, oldest release first. Without a file it is empty."""

    path: str
    text: str = ""
    releases: tuple[Release, ...] = ()


class ReleaseError(Exception):
    """A release cannot be added under that name. The text says why, in words for the user."""


def lock_path(schema: str, world: str) -> str:
    """Where the lock of a world lies: beside the root file of its schema."""
    return os.path.join(os.path.dirname(schema), f"{world}.lock")


def read_lock(schema: str, world: str, report: Report) -> Lock:
    """The lock beside a schema, as far as it is sound. Raises UnreadableError."""
    path = lock_path(schema, world)
    if not os.path.lexists(path):
        return Lock(path)
    data = read_bytes(path, MAX_LOCK_BYTES)
    before = report.errors
    file = read_file(path, data, report, is_root=True)
    if report.errors > before or not _is_known(file, report):
        return Lock(path)
    reader = _Reader(file, world, report)
    releases = tuple(reader.release(index) for index in range(len(file.table["release"])))
    text = data.decode("utf-8-sig").replace("\r\n", "\n")
    return Lock(path, text, tuple(release for release in releases if release))


def with_release(lock: Lock, model: Model, name: str | None) -> str:
    """The lock's text with the schema as its newest release; as it is if its saves are the same.

    Without a name the release gets the next number. Raises ReleaseError."""
    document = release_document(model)
    if lock.releases and release_document(lock.releases[-1].model) == document:
        return lock.text
    taken = {release.name for release in lock.releases}
    if name is None:
        name = _next_number(taken)
    elif not _is_name(name):
        allowed = f"up to {MAX_RELEASE_NAME} letters, digits and '.', '_', '+', '-'"
        raise ReleaseError(f"a release cannot be named '{name}': write {allowed}")
    elif name in taken:
        raise ReleaseError(f"'{lock.path}' has a release '{name}' whose saves are different")
    text = lock.text or head(model.world.name, FORMAT)
    return text.rstrip("\n") + "\n" + release_text(name, _sum(document), document)


class _Reader:
    """Reads one release after the other."""

    def __init__(self, file: File, world: str, report: Report) -> None:
        self._file = file
        self._world = world
        self._report = report
        self._seen: dict[str, Place] = {}

    def release(self, index: int) -> Release | None:
        table = dict(self._file.table["release"][index])
        places = self._file.places.below(("release", index))
        name, sum = table.pop("name", None), table.pop("sum", None)
        place = places.value(("name",))
        if not isinstance(name, str) or not _is_name(name):
            message = "this release has no name that a release can have"
            self._report.error("lock-release", place, message, help=_AGAIN)
            return None
        first = self._seen.setdefault(name, place)
        if first is not place:
            message = f"there are two releases '{name}'"
            help = "give the later one another name, if both have been released"
            notes = [Note(first, "the first is here")]
            self._report.error("lock-release", place, message, help=help, notes=notes)
            return None
        if sum != _sum(table):
            message = f"release '{name}' is not as it was written: its sum says so"
            self._report.error("lock-edited", places.value(("sum",)), message, help=_AGAIN)
            return None
        return self._parsed(name, place, File(self._file.path, table, places, False, True))

    def _parsed(self, name: str, place: Place, file: File) -> Release | None:
        before = self._report.errors
        model = parse_files([file], self._report).model
        if self._report.errors > before:
            return None
        if model.world.name != self._world:
            message = f"release '{name}' is of world '{model.world.name}', not of '{self._world}'"
            help = f"saves are of one world; the lock of '{model.world.name}' has a name of its own"
            self._report.error("lock-world", model.world.place, message, help=help)
            return None
        return Release(name, model, place)


def _is_known(file: File, report: Report) -> bool:
    """Whether the file is a lock of the format that is known here."""
    table = file.table
    written, releases = table.get("lock"), table.setdefault("release", [])
    version = written if isinstance(written, int) and not isinstance(written, bool) else 0
    unknown = next((key for key in table if key not in ("lock", "release")), None)
    if version > FORMAT:
        message = f"the lock has format {version}, and {FORMAT} is the newest known here"
        help = "use the Weft that has written it"
        report.error("lock-version", file.places.value(("lock",)), message, help=help)
    elif version < FORMAT or unknown or not _are_tables(releases):
        message = "this is no lock, or somebody has changed it"
        strange = unknown or ("lock" if version < FORMAT else "release")
        report.error("lock-format", file.places.key((strange,)), message, help=_AGAIN)
    else:
        return True
    return False


def _are_tables(releases: object) -> bool:
    return isinstance(releases, list) and all(isinstance(release, dict) for release in releases)


def _is_name(name: str) -> bool:
    return len(name) <= MAX_RELEASE_NAME and _NAME.fullmatch(name) is not None


def _next_number(taken: set[str]) -> str:
    return str(max((int(name) for name in taken if name.isdecimal()), default=0) + 1)


def _sum(document: Document) -> str:
    """Of what a release says, however it is laid out."""
    return hashlib.sha256(json.dumps(document, default=str).encode()).hexdigest()[:16]
