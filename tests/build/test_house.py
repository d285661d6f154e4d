"""No rule that `ninja house` prints is broken, and its measures find each kind of fault."""

from __future__ import annotations

import re
from pathlib import Path

from calls import DIRECTIVE, code_of
from calls import functions as named_functions
from house import APART, ROOMS, RUNTIME, arrows, arrows_apart, c_functions, faults, functions

# The manual, which every file may read, with its tables of a schema; and headers that generated
# code or a game includes, each with the room that defines what it declares. Only the files of that
# room include it.
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


def test_no_rule_is_broken() -> None:
    assert not faults()


def test_every_file_lies_in_a_room_or_is_a_door() -> None:
    outside = {path.stem for path in RUNTIME.glob("*.[ch]")}
    assert outside <= {*MANUAL, *DOORS}
    assert {path.name for path in RUNTIME.iterdir() if path.is_dir()} == {*ROOMS, *APART}


def test_all_code_has_a_suffix_that_is_counted() -> None:
    paths = [path for path in RUNTIME.rglob("*") if path.is_file()]
    files = {path for path in paths if path.relative_to(RUNTIME).parts[0] not in APART}
    builds = {path for path in files if path.name in BUILD_FILES}
    assert {path.suffix for path in files - builds} == {".c", ".h", ".hpp", ".md"}
    assert {path.relative_to(RUNTIME).as_posix() for path in builds} == BUILD_FILES


def test_a_door_is_used_only_where_it_is_made() -> None:
    used = {(door, module) for module in arrows() for door in arrows()[module] if door in DOORS}
    assert not [pair for pair in used if pair[1].split("/")[0] != DOORS[pair[0]]]


def test_arrows_are_seen_by_definition() -> None:
    """A function that is only named in a const table is seen, and so is one that is called."""
    seen = arrows()
    assert "weft_hook_added" in seen["edit/batch"]["edit/hooks"]
    assert seen["run/lifecycle"]["record/command"] >= {"weft_commands", "weft_commands_open"}
    assert "serve/rpc" in arrows_apart()["serve/serve"]


def test_hooks_are_called_in_one_room() -> None:
    users = {
        module.split("/")[0]
        for module, used in arrows().items()
        if any(name.startswith("weft_hook_call") for name in used.get("record/hook", ()))
    }
    assert users == {"edit"}


def test_losses_are_seen_in_one_function() -> None:
    users = {
        module
        for module, used in arrows().items()
        if used.get("record/removals", set()) & {"weft_removed_note", "weft_removed_row"}
    }
    assert users == {"edit/member"}


def test_bits_of_tags_are_counted_in_one_module() -> None:
    written = re.compile(r"\bbitset_counts\[[^]]*(\[[^]]*\][^]]*)*\]\s*([-+]?=[^=]|\+\+|--)")
    taken = re.compile(r"&[\w>.-]+bitset_counts\[")
    writers = {
        path.relative_to(RUNTIME).with_suffix("").as_posix()
        for path in RUNTIME.rglob("*.[ch]")
        for text in [path.read_text(encoding="utf-8")]
        if written.search(text) or taken.search(text)
    }
    assert writers == {"store/bitset"}


def test_functions_are_measured(tmp_path: Path) -> None:
    path = tmp_path / "one.c"
    path.write_text(
        "// static int none(void) {\n"
        "static int first(int a,\n                 int b)\n{\n    return a /* }\n */ + b;\n}\n"
        "#define TWICE(x) \\\n    ((x) * 2)\n"
        "WEFT_API void second(void (*f)(int)) { f(1); }\n",
        encoding="utf-8",
    )
    assert [(one.name, one.lines) for one in c_functions(path)] == [("first", 6), ("second", 1)]


def test_every_function_of_the_runtime_is_measured() -> None:
    """`calls` finds functions by their heads alone, without looking for their ends."""
    for path in RUNTIME.glob("*/*.c"):
        shared, private = named_functions(DIRECTIVE.sub("", code_of(path)))
        assert {one.name for one in functions(path)} == shared | private
