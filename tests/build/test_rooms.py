"""The folders of the runtime: each uses only those above it, without a circle."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from calls import uses
from model.graph import circles

RUNTIME = Path(__file__).resolve().parents[2] / "runtime"

# From the bottom to the top.
FOLDERS = (
    "base", "math", "plan", "store", "world", "record", "change", "query",
    "index", "run", "fragment", "save", "reflect", "select", "insight", "json",
)  # fmt: skip

# The manual, which every file may read, with its tables of a schema; and headers that generated
# code or a game includes, each with the folder that has what it declares, whose files are the only
# ones here that include it.
MANUAL = {"weft", "weft_schema"}
DOORS = {
    "weft_gen": "",
    "weft_json": "json",
    "weft_reflect": "reflect",
    "weft_math": "math",
    "weft_insight": "insight",
}

# Build systems of games read these.
BUILD_FILES = {
    "weft.ninja", "rules.ninja", "weft.mk", "weft.pc.in", "meson.build", "conanfile.py",
    "CMakeLists.txt", "weft.cmake", "weft-config.cmake", "weft-config-version.cmake",
}  # fmt: skip

# These are no part of the runtime, but built on it: the inspector, a library of its own, and a sink
# of what a world tells of itself.
APART = ("serve", "trace")
WHOLE = "serve/weft_serve"  # its .c includes all others, as weft.c does


@cache
def arrows() -> dict[str, dict[str, set[str]]]:
    """Returns which modules each module uses, from the folders."""
    return {
        module: used
        for module, used in uses(RUNTIME).items()
        if "/" in module and not module.startswith(tuple(f"{one}/" for one in APART))
    }


def inner_arrows() -> dict[str, dict[str, set[str]]]:
    """Returns which modules each module uses inside the folders, and by which names."""
    return {
        module: {used: names for used, names in used_modules.items() if "/" in used}
        for module, used_modules in arrows().items()
    }


def level_of(module: str) -> int:
    return FOLDERS.index(module.split("/")[0])


def test_every_file_lies_in_a_folder_or_is_a_door() -> None:
    outside = {path.stem for path in RUNTIME.glob("*.[ch]")}
    assert outside <= {*MANUAL, *DOORS}
    assert {path.name for path in RUNTIME.iterdir() if path.is_dir()} == {*FOLDERS, *APART}


def test_all_code_has_a_suffix_that_is_counted() -> None:
    paths = [path for path in RUNTIME.rglob("*") if path.is_file()]
    files = {path for path in paths if path.relative_to(RUNTIME).parts[0] not in APART}
    builds = {path for path in files if path.name in BUILD_FILES}
    assert {path.suffix for path in files - builds} == {".c", ".h", ".hpp", ".md"}
    assert {path.relative_to(RUNTIME).as_posix() for path in builds} == BUILD_FILES


def test_a_door_is_used_only_where_it_is_made() -> None:
    used = {(door, module) for module in arrows() for door in arrows()[module] if door in DOORS}
    assert not [pair for pair in used if pair[1].split("/")[0] != DOORS[pair[0]]]


def test_no_arrow_goes_up() -> None:
    up = [
        f"{module} uses {sorted(names)} of {used}"
        for module, used_modules in inner_arrows().items()
        for used, names in used_modules.items()
        if level_of(used) > level_of(module)
    ]
    assert not up


def test_there_is_no_circle() -> None:
    assert not circles({module: sorted(used) for module, used in inner_arrows().items()})


def home_of(module: str) -> str:
    """Returns the module that has what a header of its own name with `weft_` declares."""
    plain = module.replace("/weft_", "/")
    return plain if (RUNTIME / f"{plain}.c").exists() else module


def test_there_is_no_circle_in_what_is_apart() -> None:
    apart: dict[str, set[str]] = {}
    for module, used in uses(RUNTIME).items():
        if module.startswith(tuple(f"{one}/" for one in APART)) and module != WHOLE:
            home = home_of(module)
            apart.setdefault(home, set()).update({home_of(one) for one in used} - {home})
    assert "serve/rpc" in apart["serve/serve"]
    assert not circles({module: sorted(used) for module, used in apart.items()})


def test_arrows_are_seen_by_definition() -> None:
    """A function that is only named in a const table is seen, and so is one that is called."""
    seen = arrows()
    assert "weft_hook_added" in seen["change/batch"]["record/hook"]
    assert seen["run/lifecycle"]["record/command"] >= {"weft_commands", "weft_commands_open"}
