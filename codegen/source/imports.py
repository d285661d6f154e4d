"""Reads the files of a schema: the root and its imports. Each file is read once, imports first."""

from __future__ import annotations

import difflib
import os
from dataclasses import dataclass
from typing import Any

from source.refusal import RefusedError
from source.source import Place, Report
from source.toml_places import Places, locate
from source.toml_syntax import read_toml

MAX_FILE_BYTES = 4 << 20
MAX_IMPORT_DEPTH = 64


@dataclass(frozen=True)
class File:
    """One file of a schema. If it is `damaged`, some of its declarations may be missing."""

    path: str  # as the user would write it
    table: dict[str, Any]
    places: Places
    damaged: bool
    is_root: bool


class UnreadableError(RefusedError):
    """A file that cannot be read at all. The text names the file and the reason."""


def load_files(root: str, report: Report) -> list[File]:
    """Reads the root file and its imports, imports first. Raises UnreadableError for the root
    only.
    """
    loader = _Loader(report)
    loader.load(root, read_bytes(root, MAX_FILE_BYTES), [])
    return loader.files


class _Loader:
    def __init__(self, report: Report) -> None:
        self.files: list[File] = []
        self._report = report
        self._seen: set[str] = set()

    def load(self, path: str, data: bytes, above: list[str]) -> None:
        """Reads the imports of a file and then adds the file. `above` lists the files that
        import it.
        """
        self._seen.add(os.path.realpath(path))
        file = read_file(path, data, self._report, is_root=not above)
        imports = file.table.get("import", [])
        for index, name in enumerate(imports if isinstance(imports, list) else []):
            if isinstance(name, str):
                name = name.replace("\0", "\ufffd")  # a path must not contain a NUL
                place = file.places.value(("import", index))
                self._import(os.path.join(os.path.dirname(path), name), place, [*above, path])
        self.files.append(file)

    def _import(self, path: str, place: Place, above: list[str]) -> None:
        path = os.path.normpath(path)
        real = os.path.realpath(path)
        for index, importer in enumerate(above):
            if os.path.realpath(importer) == real:
                circle = " -> ".join([*above[index:], importer])
                help = "move what both need to a file that imports neither"
                self._report.error(
                    "import-loop",
                    place,
                    f"files import each other in a circle: {circle}",
                    help=help,
                )
                return
        if real in self._seen:
            return
        if len(above) > MAX_IMPORT_DEPTH:
            message = f"imports are nested more than {MAX_IMPORT_DEPTH} files deep"
            self._report.error(
                "import-depth", place, message, help="import this file from the root"
            )
            self.files.append(_unread(path, is_root=False))
            return
        try:
            data = read_bytes(path, MAX_FILE_BYTES)
        except UnreadableError as error:
            self._seen.add(real)
            id = "unreadable-file" if os.path.lexists(path) else "missing-file"
            self._report.error(id, place, str(error), help=_nearest_file(path))
            self.files.append(_unread(path, is_root=False))
            return
        self.load(path, data, above)


def read_file(path: str, data: bytes, report: Report, *, is_root: bool) -> File:
    """Parses the bytes of one file. Mistakes are added to the report."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        return _not_utf8(path, data, error.start, report, is_root)
    text = text.replace("\r\n", "\n")
    report.add_source(path, text)
    document = read_toml(path, text, report)
    return File(path, document.table, document.places, document.damaged, is_root)


def _not_utf8(path: str, data: bytes, at: int, report: Report, is_root: bool) -> File:
    report.add_source(path, data.decode("utf-8", "replace"))
    before = data[:at].decode("utf-8")
    place = Place(path, before.count("\n") + 1, len(before) - before.rfind("\n"), 1)
    message = f"byte 0x{data[at]:02x} is not UTF-8"
    report.error("not-utf8", place, message, help="save the file as UTF-8")
    return _unread(path, is_root)


def _unread(path: str, is_root: bool) -> File:
    """Returns an empty file that stands for one that could not be read."""
    return File(path, {}, locate(path, ""), damaged=True, is_root=is_root)


def read_bytes(path: str, most: int) -> bytes:
    """Returns the bytes of a file. Raises UnreadableError if it fails or has more than `most`
    bytes.
    """
    try:
        if os.path.exists(path) and not os.path.isfile(path):
            raise UnreadableError(f"cannot read '{path}': it is not a file")
        with open(path, "rb") as file:
            data = file.read(most + 1)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise UnreadableError(f"cannot read '{path}': {reason}") from error
    except ValueError as error:  # the path contains a NUL
        raise UnreadableError(f"cannot read '{path}': {error}") from error
    if len(data) > most:
        raise UnreadableError(f"cannot read '{path}': it has more than {most} bytes")
    return data


def _nearest_file(path: str) -> str:
    """Returns help for a path that cannot be read: the file with the nearest name, if there is
    one.
    """
    folder, name = os.path.split(path)
    try:
        there = [entry for entry in os.listdir(folder or ".") if entry.endswith(".toml")]
    except (OSError, ValueError):
        return f"there is no folder '{folder}'; paths are relative to the importing file"
    stems = {os.path.splitext(entry)[0]: entry for entry in sorted(there)}
    near = difflib.get_close_matches(os.path.splitext(name)[0], stems, n=1)
    if near:
        return f"did you mean '{stems[near[0]]}'?"
    return "paths are relative to the importing file"
