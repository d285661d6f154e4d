"""The lock of a world: the schemas of its released saves, in a TOML file.

Each release is written in the schema language, limited to what saves depend on. So the schema
parser reads it, and it becomes a Model. Existing text is never rewritten: a new release is
appended. A checksum of each release shows that it has not been changed.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass

from lock.text import Document, head, release_document, release_text
from model.model import Model
from parse import parse_files
from source.imports import File, read_bytes, read_file
from source.refusal import RefusedError
from source.source import Note, Place, Report
from source.toml_places import Duplicate, locate

FORMAT = 1
MAX_LOCK_BYTES = 64 << 20
MAX_RELEASE_NAME = 64

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]*")
_NAME_HELP = f"up to {MAX_RELEASE_NAME} letters, digits and '.', '_', '+', '-'"
_AGAIN = "restore the file from version control"


@dataclass(frozen=True)
class Release:
    """The schema of the saves of one release."""

    name: str
    model: Model
    place: Place
    after: frozenset[str] = frozenset()  # earlier releases on its side of a merge


@dataclass(frozen=True)
class Lock:
    """The releases of a lock, oldest first. A lock without a file is empty."""

    path: str
    text: str = ""
    releases: tuple[Release, ...] = ()


class ReleaseError(RefusedError):
    """A release that cannot be added. The text explains the reason."""


def lock_path(schema: str, world: str) -> str:
    """Returns the path of the lock of a world: next to the root file of its schema."""
    return os.path.join(os.path.dirname(schema), f"{world}.lock")


def read_lock(schema: str, world: str, report: Report) -> Lock:
    """Reads the sound releases of the lock next to a schema. Raises UnreadableError."""
    path = lock_path(schema, world)
    if not os.path.lexists(path):
        return Lock(path)
    data = read_bytes(path, MAX_LOCK_BYTES)
    text = data.decode("utf-8-sig", "replace").replace("\r\n", "\n")
    before = report.errors
    _mixed(path, text, report)
    file = read_file(path, data, report, is_root=True) if report.errors == before else None
    if file is None or report.errors > before or not _is_known(file, report):
        return Lock(path)
    releases = [_release(name, file, world, report) for name in file.table["release"]]
    return Lock(path, text, tuple(release for release in releases if release))


def with_release(lock: Lock, model: Model, name: str | None) -> tuple[str, str]:
    """Returns the text of the lock with the schema as its newest release, and the release's name.

    If the newest release has equal saves, text and name stay the same. A release without a name
    gets the next number. Raises ReleaseError.
    """
    document = release_document(model)
    known = [release.name for release in lock.releases]
    if known and _is_newest(lock.releases[-1], known, document):
        return lock.text, known[-1]
    if name is None:
        name = _next_number(known)
    elif not _is_name(name):
        raise ReleaseError(f"'{name}' is not a name for a release: write {_NAME_HELP}")
    elif name in known:
        raise ReleaseError(f"'{lock.path}' already has a release '{name}', and its saves differ")
    text = lock.text or head(model.world.name, FORMAT)
    added = release_text(name, known, _sum(known, document), document)
    return text.rstrip("\n") + "\n" + added, name


def _is_newest(release: Release, known: Sequence[str], document: Document) -> bool:
    """Returns whether it has these saves and follows all others, unlike one side of a merge."""
    is_last = {*known} <= {release.name, *release.after}
    return is_last and release_document(release.model) == document


def _mixed(path: str, text: str, report: Report) -> None:
    """Reports releases with the same name, which a merge has combined, once for each name."""
    report.add_source(path, text)
    found: dict[str | int, Duplicate] = {}
    for duplicate in locate(path, text).duplicates():
        if duplicate.path[0] == "release" and len(duplicate.path) > 1:
            found.setdefault(duplicate.path[1], duplicate)
    for name, duplicate in found.items():
        message = f"release '{name}' is recorded twice"
        notes = [Note(duplicate.first, "the first is here")]
        help = "after a merge, take the lock of one side, and run `lock` again for the other one"
        report.error("lock-release", duplicate.second, message, help=help, notes=notes)


def _release(name: str, file: File, world: str, report: Report) -> Release | None:
    """Reads one release of a lock, if it is unchanged and belongs to this world."""
    table = dict(file.table["release"][name])
    places = file.places.below(("release", name))
    place = places.key(())
    sum, after = table.pop("sum", None), table.pop("after", [])
    if not _is_name(name):
        message = f"'{name}' is not a name for a release"
        report.error("lock-release", place, message, help=f"write {_NAME_HELP}")
        return None
    if sum != _sum(after, table):
        message = f"release '{name}' was edited: its checksum differs"
        report.error("lock-edited", places.value(("sum",)), message, help=_AGAIN)
        return None
    before = report.errors
    model = parse_files([File(file.path, table, places, False, True)], report).model
    if model.world.name != world and report.errors == before:
        message = f"release '{name}' belongs to world '{model.world.name}', not to '{world}'"
        help = f"move it to the lock of '{model.world.name}': each world has its own lock"
        report.error("lock-world", model.world.place, message, help=help)
    release = Release(name, model, place, frozenset(after))
    return release if report.errors == before else None


def _is_known(file: File, report: Report) -> bool:
    """Returns whether the file is a lock of a known format. Reports it if not."""
    table = file.table
    written, releases = table.get("lock"), table.setdefault("release", {})
    version = written if isinstance(written, int) and not isinstance(written, bool) else 0
    unknown = next((key for key in table if key not in ("lock", "release")), None)
    if version > FORMAT:
        message = f"the lock has format {version}, but this Weft knows only up to {FORMAT}"
        help = "use the Weft version that wrote it"
        report.error("lock-version", file.places.value(("lock",)), message, help=help)
    elif version < FORMAT or unknown or not _are_tables(releases):
        message = "this is not a lock, or it was edited"
        strange = unknown or ("lock" if version < FORMAT else "release")
        report.error("lock-format", file.places.key((strange,)), message, help=_AGAIN)
    else:
        return True
    return False


def _are_tables(releases: object) -> bool:
    if not isinstance(releases, dict):
        return False
    return all(isinstance(release, dict) for release in releases.values())


def _is_name(name: str) -> bool:
    return len(name) <= MAX_RELEASE_NAME and _NAME.fullmatch(name) is not None


def _next_number(known: Sequence[str]) -> str:
    return str(max((int(name) for name in known if name.isdecimal()), default=0) + 1)


def _sum(after: object, document: Document) -> str:
    """Returns the checksum of a release, which does not depend on its layout."""
    return hashlib.sha256(json.dumps([after, document], default=str).encode()).hexdigest()[:16]
