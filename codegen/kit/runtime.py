"""Finds the runtime of this generator, and its files.

In the repository they are next to each other. If pip installed the generator, the runtime is inside
it. If CMake or Meson installed the runtime, the generator is inside the runtime.
"""

from __future__ import annotations

import runpy
from pathlib import Path

from source.refusal import RefusedError

GENERATOR = Path(__file__).resolve().parent.parent
_PLACES = (GENERATOR / "runtime", GENERATOR.parent / "runtime", GENERATOR.parent)

# Read by generated code, games and build systems. Pages are left out because only people read them.
_CODE = ("*.c", "*.h", "*.hpp")
_BUILDS = ("*.ninja", "*.cmake", "*.mk", "*.in", "CMakeLists.txt", "meson.build")
_APART = "serve"  # the inspector, which needs libwebsockets
_PAGE = f"{_APART}/page.c"
_LICENSE = "LICENSE"


class MissingRuntimeError(RefusedError):
    """The generator was copied without its runtime, or the runtime without its inspector."""


def runtime_folder() -> Path:
    """Returns the folder that contains `weft.h`. Raises MissingRuntimeError."""
    for place in _PLACES:
        if (place / "weft.h").is_file():
            return place
    raise MissingRuntimeError(
        f"the runtime is missing at '{_PLACES[1]}': keep it with the generator"
    )


def runtime_files() -> dict[str, str]:
    """Returns the texts of the runtime and the licence, by path in the runtime's folder."""
    folder = runtime_folder()
    paths = [path for pattern in _CODE for path in folder.rglob(pattern)]
    paths += [path for pattern in _BUILDS for path in folder.glob(pattern)]
    files = {path.relative_to(folder).as_posix(): path for path in sorted(paths)}
    files = {name: path for name, path in files.items() if not name.startswith(f"{_APART}/")}
    files[_LICENSE] = next(
        place / _LICENSE for place in (folder, folder.parent) if (place / _LICENSE).is_file()
    )
    return {name: path.read_text(encoding="utf-8") for name, path in files.items()}


def inspector_files() -> dict[str, str]:
    """Returns the texts of the inspector and its page, by path in the runtime's folder.

    Raises MissingRuntimeError if there is no inspector.
    """
    folder = runtime_folder()
    paths = [path for pattern in _CODE for path in sorted((folder / _APART).glob(pattern))]
    files = {
        path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8") for path in paths
    }
    if _PAGE not in files:  # pip installs it; in the repository it is bundled from modules
        program = folder / _APART / "page" / "bundle.py"
        if not program.is_file():
            lacks = f"the runtime at '{folder}' has no inspector"
            raise MissingRuntimeError(
                f"{lacks}: use Weft's repository, or install the generator by pip"
            )
        files[_PAGE] = _bundled(program)
    return files


def _bundled(program: Path) -> str:
    page: str = runpy.run_path(str(program))["page_in_c"]()
    return page
