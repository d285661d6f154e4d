"""Builds the packages that pip installs, by the hooks of PEP 517.

Weft has its own backend for three reasons. The runtime is next to the generator's folder, where pip
does not look. Building needs no other package. Equal files give equal bytes.
"""

from __future__ import annotations

import base64
import hashlib
import io
import tarfile
import tomllib
import zipfile
from collections.abc import Mapping
from gzip import GzipFile
from pathlib import Path
from typing import Any

from kit.runtime import GENERATOR, inspector_files, runtime_files
from kit.version import version

_FILE_MODE = 0o644
_INIT = '"""Weft\'s generator, with the runtime that its code needs."""\n'
_KINDS = {".py", ".j2"}

Settings = Mapping[str, Any] | None


def get_requires_for_build_wheel(config_settings: Settings = None) -> list[str]:
    return []


def get_requires_for_build_sdist(config_settings: Settings = None) -> list[str]:
    return []


def build_wheel(
    wheel_directory: str,
    config_settings: Settings = None,
    metadata_directory: str | None = None,
) -> str:
    """Writes the wheel into a folder and returns its name."""
    name = f"weft-{version()}-py3-none-any.whl"
    Path(wheel_directory, name).write_bytes(_zip(_wheel_files()))
    return name


def build_sdist(sdist_directory: str, config_settings: Settings = None) -> str:
    """Writes the source package, from which pip can build the wheel, and returns its name."""
    head = f"weft-{version()}"
    files = _package() | {"pyproject.toml": _read("pyproject.toml"), "PKG-INFO": _metadata()}
    inside = {f"{head}/{name}": text.encode() for name, text in files.items()}
    Path(sdist_directory, f"{head}.tar.gz").write_bytes(tar(inside))
    return f"{head}.tar.gz"


def tar(files: Mapping[str, bytes], modes: Mapping[str, int] | None = None) -> bytes:
    """Returns a compressed archive of files. Equal files give equal bytes."""
    data = io.BytesIO()
    with (
        GzipFile(fileobj=data, mode="wb", mtime=0) as packed,
        tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive,
    ):
        for name in sorted(files):
            entry = tarfile.TarInfo(name)
            entry.size = len(files[name])
            entry.mode = (modes or {}).get(name, _FILE_MODE)
            archive.addfile(entry, io.BytesIO(files[name]))
    return data.getvalue()


def _read(name: str) -> str:
    return (GENERATOR / name).read_text(encoding="utf-8")


def _project() -> dict[str, Any]:
    project: dict[str, Any] = tomllib.loads(_read("pyproject.toml"))["project"]
    return project


def _package() -> dict[str, str]:
    """Returns the generator's modules and templates, and the runtime, by path in the package."""
    paths = (path for path in GENERATOR.rglob("*") if path.suffix in _KINDS)
    names = [path.relative_to(GENERATOR).as_posix() for path in paths]
    return {name: _read(name) for name in names} | {
        f"runtime/{name}": text for name, text in (runtime_files() | inspector_files()).items()
    }


def _wheel_files() -> dict[str, bytes]:
    files = {f"weft/{name}": text.encode() for name, text in _package().items()}
    files["weft/__init__.py"] = _INIT.encode()
    folder = f"weft-{version()}.dist-info"
    scripts = "".join(f"{name} = {place}\n" for name, place in _project()["scripts"].items())
    files[f"{folder}/METADATA"] = _metadata().encode()
    files[f"{folder}/WHEEL"] = (
        b"Wheel-Version: 1.0\nGenerator: weft\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    )
    files[f"{folder}/entry_points.txt"] = f"[console_scripts]\n{scripts}".encode()
    files[f"{folder}/licenses/LICENSE"] = files["weft/runtime/LICENSE"]
    record = "".join(_record(name, data) for name, data in sorted(files.items()))
    files[f"{folder}/RECORD"] = f"{record}{folder}/RECORD,,\n".encode()
    return files


def _record(name: str, data: bytes) -> str:
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(data)}\n"


def _metadata() -> str:
    project = _project()
    needs = "".join(f"Requires-Dist: {one}\n" for one in project["dependencies"])
    for extra, packages in project["optional-dependencies"].items():
        needs += f"Provides-Extra: {extra}\n"
        needs += "".join(f"Requires-Dist: {one}; extra == '{extra}'\n" for one in packages)
    return (
        f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {version()}\n"
        f"Summary: {project['description']}\nLicense: {project['license']['text']}\n"
        f"Requires-Python: {project['requires-python']}\n{needs}"
    )


def _zip(files: Mapping[str, bytes]) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name)  # always dated 1980
            entry.external_attr = _FILE_MODE << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, files[name])
    return data.getvalue()
