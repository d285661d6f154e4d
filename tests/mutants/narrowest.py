"""Maps each folder to the tests that should notice its mutants. They run first, the
others follow.
"""

from __future__ import annotations

from dataclasses import dataclass

C_TESTS = "build/mutants/"  # where the build `mutants` has its test programs


@dataclass(frozen=True)
class Narrow:
    """How the names of programs begin, and tests in Python that come after all programs."""

    programs: tuple[str, ...]
    python: tuple[str, ...] = ()
    only_game: bool = False  # no program has these files, and the tests in Python play the game


LOADS = (
    "tests/saves/load/test_evolution.py",
    "tests/saves/load/test_replay.py",
    "tests/saves/load/test_converter.py",
    "tests/saves/tools/test_bounded.py",
)

FIRST_C = {
    "runtime": Narrow(("world/",)),
    "runtime/base": Narrow(
        (
            "unit/test_memory",
            "unit/test_regions",
            "unit/test_bits",
            "unit/test_search",
            "unit/test_threads",
        )
    ),
    "runtime/math": Narrow(("unit/test_math", "unit/math_accuracy")),
    "runtime/plan": Narrow(("unit/test_fields", "unit/test_reflect")),
    "runtime/value": Narrow(("unit/test_fields", "unit/test_reflect", "unit/test_path")),
    "runtime/store": Narrow(
        (
            "unit/test_table",
            "unit/test_growth",
            "unit/test_wide",
            "unit/test_entity",
            "unit/test_sparse",
            "unit/test_change_bits",
        )
    ),
    "runtime/world": Narrow(
        ("unit/test_world", "unit/test_listing", "unit/test_refusal", "unit/test_alive")
    ),
    "runtime/record": Narrow(("unit/test_command", "world/test_events", "hooks/")),
    "runtime/edit": Narrow(
        (
            "unit/test_batch",
            "unit/test_links",
            "unit/test_world",
            "unit/test_command",
            "hooks/",
            "world/test_bulk",
        )
    ),
    "runtime/query": Narrow(
        ("unit/test_query", "unit/test_sparse_rows", "world/test_tree_order", "world/test_moved"),
        ("tests/runtime/changes/test_random_where.py",),
    ),
    "runtime/index": Narrow(
        ("fuzz/indexes", "fuzz/test_index_memory", "fuzz/test_no_items", "hooks/test_gallery")
    ),
    "runtime/run": Narrow(
        ("world/", "unit/test_sharing", "unit/test_trial"), ("tests/runtime/workers/test_wild.py",)
    ),
    "runtime/copy": Narrow(("world/test_clone", "region/")),
    "runtime/fragment": Narrow(("world/test_fragment", "hooks/test_hooks_load")),
    "runtime/part": Narrow(("region/", "harm/")),
    "runtime/save": Narrow(
        (
            "unit/test_hash",
            "unit/test_bytes",
            "unit/test_convert",
            "harm/",
            "hooks/test_hooks_load",
            "world/test_background",
        ),
        LOADS,
    ),
    "runtime/reflect": Narrow(
        ("unit/test_reflect", "unit/test_path", "unit/test_whole", "json/narrow/"), LOADS[:1]
    ),
    "runtime/select": Narrow(("select/narrow/",)),
    "runtime/insight": Narrow(("insight/",)),
    "runtime/json": Narrow(("json/narrow/",)),
    "runtime/serve": Narrow(("inspector/",)),
    "runtime/trace": Narrow((), ("tests/game/test_trace.py",), only_game=True),
}

BAD = "tests/language/bad/"
LOCK = "tests/language/lock/"
SCHEDULE = "tests/language/schedule/"
GOLDEN = "tests/output/golden/"
DEBUGGER = "tests/output/debugger/"
TOOLS = "tests/saves/tools/"
SAVES = "tests/saves/load/"
JSON = "tests/runtime/json/"

FIRST_PYTHON = {
    "codegen": (
        BAD + "test_command_line.py", BAD + "test_generate.py", BAD + "test_jsonschema.py",
        BAD + "test_files.py",
    ),
    "codegen/commands": (
        LOCK + "test_lock.py", TOOLS + "test_show.py", BAD + "test_files.py",
        BAD + "test_command_line.py", BAD + "test_generate.py", BAD + "test_jsonschema.py",
    ),
    "codegen/source": (
        BAD + "test_places.py", BAD + "test_bad.py", BAD + "test_odd_files.py",
        BAD + "test_files.py", BAD + "test_modules.py",
    ),
    "codegen/model": (GOLDEN + "test_golden.py", BAD + "test_bad.py", GOLDEN + "test_hide.py"),
    "codegen/names": (
        BAD + "test_bad.py", GOLDEN + "test_golden.py", BAD + "test_claims.py",
        GOLDEN + "test_names.py",
    ),
    "codegen/parse": (BAD + "test_bad.py", GOLDEN + "test_golden.py"),
    "codegen/check": (BAD + "test_bad.py", BAD + "test_accepted.py"),
    "codegen/schedule": (
        GOLDEN + "test_golden.py", SCHEDULE + "test_shown.py", SCHEDULE + "test_profile.py",
    ),
    "codegen/lock": (LOCK + "test_lock.py", BAD + "test_bad.py"),
    "codegen/verdict": (
        LOCK + "test_fine_verdicts.py", LOCK + "test_verdicts.py",
        LOCK + "test_verdicts_of_worlds.py",
    ),
    "codegen/json_schemas": (JSON + "test_export_schema.py", JSON + "test_language.py"),
    "codegen/plan": (GOLDEN + "test_golden.py",),
    "codegen/plan/records": (GOLDEN + "test_golden.py",),
    "codegen/templates": (GOLDEN + "test_templates.py", GOLDEN + "test_branches.py"),
    "codegen/emit": (
        GOLDEN + "test_golden.py", GOLDEN + "test_looks.py", GOLDEN + "test_compiled.py",
        BAD + "test_files.py",
    ),
    "codegen/saves": (
        TOOLS + "test_show.py", TOOLS + "test_export.py", TOOLS + "test_differ.py",
        TOOLS + "test_hostile_saves.py", TOOLS + "test_bounded.py", SAVES + "test_reader.py",
        SAVES + "test_readers.py",
    ),
    "codegen/lint": ("tests/language/lints/test_lints.py",),
    "codegen/docs": ("tests/output/docs/test_docs_page.py",),
    "codegen/debugger": (DEBUGGER + "test_debug_files.py", DEBUGGER + "debuggers.py"),
    "codegen/debugger/inside": (DEBUGGER + "debuggers.py",),
    "codegen/kit": ("tests/reach/package.py",),
}  # fmt: skip

# All that need no compiled runtime, the fastest first.
ALL_PYTHON = (
    GOLDEN + "test_golden.py", GOLDEN + "test_hide.py", GOLDEN + "test_compiled.py",
    GOLDEN + "test_parents.py", GOLDEN + "test_watches.py", GOLDEN + "test_looks.py",
    GOLDEN + "test_branches.py",
    GOLDEN + "test_templates.py", BAD + "test_bad.py", BAD + "test_accepted.py",
    LOCK + "test_fine_verdicts.py", LOCK + "test_misread.py", SCHEDULE + "test_profile.py",
    JSON + "test_export_schema.py", "tests/runtime/unit/test_limits.py", BAD + "test_odd_files.py",
    "tests/language/lints/test_lints.py", "tests/output/docs/test_docs_page.py",
    DEBUGGER + "test_debug_files.py", LOCK + "test_verdicts.py",
    BAD + "test_files.py", SCHEDULE + "test_shown.py", BAD + "test_places.py",
    GOLDEN + "test_same_bytes.py", GOLDEN + "test_filters.py",
    LOCK + "test_verdicts_of_worlds.py", BAD + "test_claims.py", LOCK + "test_lock.py",
    GOLDEN + "test_limits.py", JSON + "test_language.py", BAD + "test_modules.py",
    SCHEDULE + "test_random.py", LOCK + "test_random_pairs.py", GOLDEN + "test_names.py",
    "tests/build/test_generated_headers.py", BAD + "test_jsonschema.py",
    BAD + "test_generate.py", BAD + "test_command_line.py",
)  # fmt: skip

# After the programs in C: random schemas, and what compiles generated code or links the runtime.
LAST_PYTHON = (
    BAD + "test_random_schemas.py", GOLDEN + "test_layouts.py", GOLDEN + "test_random_schemas.py",
    GOLDEN + "test_expressions.py", "tests/language/sealed/test_sealed.py",
    "tests/output/edges/test_edges.py",
    "tests/output/edges/test_stubs.py", GOLDEN + "test_any_name.py",
    "tests/runtime/changes/test_random_where.py", SAVES + "test_evolution.py",
)  # fmt: skip


def row_of(file: str) -> str:
    """The folder that a file is in, as the tables have it."""
    return "/".join(file.split("/")[:-1])
