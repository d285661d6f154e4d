"""Which tests should notice a mutant of which folder. They are tried first; the others follow."""

from __future__ import annotations

from dataclasses import dataclass

C_TESTS = "build/mutants/"  # where the build `mutants` has its test programs


@dataclass(frozen=True)
class Narrow:
    """How the names of programs begin, and tests in Python that come after all programs."""

    programs: tuple[str, ...]
    python: tuple[str, ...] = ()


LOADS = (
    "tests/saves/load/test_evolution.py",
    "tests/saves/load/test_replay.py",
    "tests/saves/load/test_converter.py",
)

FIRST_C = {
    "runtime": Narrow(("world/",)),
    "runtime/base": Narrow(("unit/test_memory", "unit/test_bits", "unit/test_threads")),
    "runtime/math": Narrow(("unit/test_math", "unit/math_accuracy")),
    "runtime/plan": Narrow(("unit/test_fields", "unit/test_reflect")),
    "runtime/store": Narrow(
        ("unit/test_table", "unit/test_entity", "unit/test_sparse", "unit/test_change_bits")
    ),
    "runtime/world": Narrow(
        ("unit/test_world", "unit/test_listing", "unit/test_refusal", "unit/test_alive")
    ),
    "runtime/record": Narrow(("unit/test_command", "world/test_events", "hooks/")),
    "runtime/change": Narrow(("unit/test_batch", "unit/test_world", "unit/test_command", "hooks/")),
    "runtime/query": Narrow(
        ("unit/test_query", "unit/test_sparse_rows", "world/test_tree_order"),
        ("tests/runtime/changes/test_random_where.py",),
    ),
    "runtime/index": Narrow(("fuzz/indexes",)),
    "runtime/run": Narrow(("world/", "unit/test_sharing"), ("tests/runtime/workers/test_wild.py",)),
    "runtime/fragment": Narrow(("world/test_fragment", "hooks/test_hooks_load")),
    "runtime/save": Narrow(
        ("unit/test_hash", "harm/", "hooks/test_hooks_load", "world/test_background"), LOADS
    ),
    "runtime/reflect": Narrow(
        ("unit/test_reflect", "unit/test_path", "unit/test_whole"), LOADS[:1]
    ),
    "runtime/select": Narrow(("select/narrow/",)),
    "runtime/insight": Narrow(("insight/",)),
    "runtime/json": Narrow(("json/narrow/",)),
    "runtime/trace": Narrow((), ("tests/game/test_game.py",)),
}

BAD = "tests/language/bad/"
LOCK = "tests/language/lock/"
GOLDEN = "tests/output/golden/"

FIRST_PYTHON = {
    "codegen": (BAD + "test_command_line.py", BAD + "test_files.py"),
    "codegen/commands": (BAD + "test_command_line.py", BAD + "test_files.py"),
    "codegen/source": (BAD + "test_places.py", BAD + "test_bad.py", BAD + "test_odd_files.py"),
    "codegen/model": (GOLDEN + "test_golden.py", BAD + "test_bad.py"),
    "codegen/names": (BAD + "test_bad.py", GOLDEN + "test_golden.py", BAD + "test_claims.py"),
    "codegen/parse": (BAD + "test_bad.py", GOLDEN + "test_golden.py"),
    "codegen/check": (BAD + "test_bad.py",),
    "codegen/schedule": (GOLDEN + "test_golden.py", "tests/language/schedule/test_shown.py"),
    "codegen/lock": (LOCK + "test_lock.py", BAD + "test_bad.py"),
    "codegen/verdict": (
        LOCK + "test_fine_verdicts.py", LOCK + "test_verdicts.py",
        LOCK + "test_verdicts_of_worlds.py",
    ),
    "codegen/json_schemas": (
        "tests/runtime/json/test_export_schema.py", "tests/runtime/json/test_language.py",
    ),
    "codegen/plan": (GOLDEN + "test_golden.py",),
    "codegen/emit": (GOLDEN + "test_golden.py", BAD + "test_files.py"),
    "codegen/saves": ("tests/saves/tools/test_show.py", "tests/saves/load/test_reader.py"),
    "codegen/lint": ("tests/language/lints/test_lints.py",),
    "codegen/docs": ("tests/output/docs/test_docs_page.py",),
    "codegen/debugger": ("tests/output/debugger/test_debug_files.py",),
    "codegen/debugger/inside": ("tests/output/debugger/debuggers.py",),
    "codegen/kit": ("tests/reach/test_package.py",),
}  # fmt: skip

# All that need no compiled runtime, the fastest first.
ALL_PYTHON = (
    GOLDEN + "test_golden.py", BAD + "test_bad.py", LOCK + "test_fine_verdicts.py",
    "tests/runtime/json/test_export_schema.py", BAD + "test_odd_files.py", BAD + "test_claims.py",
    LOCK + "test_verdicts.py", LOCK + "test_misread.py", BAD + "test_places.py",
    LOCK + "test_lock.py", LOCK + "test_verdicts_of_worlds.py", GOLDEN + "test_filters.py",
    "tests/language/schedule/test_shown.py", "tests/language/schedule/test_random.py",
    "tests/build/test_generated_headers.py", BAD + "test_command_line.py", BAD + "test_files.py",
    LOCK + "test_random_pairs.py", GOLDEN + "test_names.py", GOLDEN + "test_parents.py",
    GOLDEN + "test_limits.py", "tests/runtime/json/test_language.py",
)  # fmt: skip

# After the programs in C: random schemas, and what links the runtime.
LAST_PYTHON = (
    BAD + "test_random_schemas.py", GOLDEN + "test_layouts.py", GOLDEN + "test_random_schemas.py",
)  # fmt: skip


def row_of(file: str) -> str:
    """The folder that a file is in, as the tables have it."""
    return "/".join(file.split("/")[:-1])
