"""Code for a large schema uses groups of columns in tables, and shares large functions.

It runs as well: rows are spawned, moved, changed by commands and walked by a filter, in columns
with pointers of their own and in groups. A world of more than 64 components is watched as well.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from built import built
from compilers import RUNTIME
from generated import generate

HANDLES = 1
STRICT = [
    "-std=c11",
    "-Wall",
    "-Wextra",
    "-Wpedantic",
    "-Wconversion",
    "-Wshadow",
    "-Werror",
    "-pthread",
]

PROGRAM = """
#include "broad_absent.h"
#include "broad_alone.h"
#include "broad_both.h"
#include "broad_cmd.h"
#include "broad_either.h"
#include "broad_hot.h"
#include "broad_insight.h"
#include "broad_last.h"
#include "broad_marked.h"
#include "broad_pair.h"
#include "broad_part_00.h"
#include "broad_part_01.h"
#include "broad_run.h"
#include "broad_shift.h"
#include "broad_sides.h"
#include "broad_warm.h"
#include "broad_world.h"

void broad_shift(const broad_shift_ctx *ctx, uint32_t count, broad_last *last)
{
    (void)ctx;
    for (uint32_t i = 0; i < count; i++) last[i].a++;
}

// Pairs end, move to another table and are made of a bare entity by a command.
static bool pairs_move(broad_world *w)
{
    broad_entity made[4];
    broad_pair pair = broad_pair_defaults();
    for (uint32_t i = 0; i < 4; i++) {
        pair.part_00.a = i + 1;
        made[i] = broad_pair_spawn(w, &pair);
    }
    if (!broad_despawn(w, made[0])) return false;
    if (!broad_part_01_set(w, made[2], (broad_part_01){7})) return false;
    made[0] = broad_spawn(w);
    if (!broad_cmd_pair_set(broad_commands(w), made[0], &pair)) return false;
    broad_flush(w);
    const uint32_t values[] = {4, 2, 3, 4};
    for (uint32_t i = 0; i < 4; i++) {
        if (broad_part_00_get(w, made[i])->a != values[i]) return false;
        broad_despawn(w, made[i]);
    }
    return true;
}

// Rows of pairs are filled in directly; then each second one moves to another table, and back.
static bool rows_move(broad_world *w)
{
    broad_entity made[10];
    broad_pair_rows rows = broad_pair_spawn_rows(w, 10);
    if (rows.count != 10) return false;
    for (uint32_t i = 0; i < 10; i++) {
        made[i] = rows.entities[i];
        rows.part_00[i].a = i;
        rows.last[i].a = 100 + i;
        rows.sides.x[i] = (uint16_t)(200 + i);
        rows.sides.y[i] = UINT64_MAX - i;
    }
    for (uint32_t i = 0; i < 10; i += 2) broad_part_01_set(w, made[i], (broad_part_01){i});
    for (uint32_t i = 0; i < 10; i += 4) broad_part_01_remove(w, made[i]);
    for (uint32_t i = 0; i < 10; i++) {
        if (broad_part_00_get(w, made[i])->a != i) return false;
        if (broad_last_get(w, made[i])->a != 100 + i) return false;
        if (*broad_sides_get(w, made[i]).x != 200 + i) return false;
        if (*broad_sides_get(w, made[i]).y != UINT64_MAX - i) return false;
        broad_despawn(w, made[i]);
    }
    return true;
}

enum { MARKED = 1, HOT = 2 };

// Goes over the rows of a query, checks what each of them has, and how many there are.
#define ROWS_PASS(query, passes, expected)                              \\
    do {                                                                \\
        uint32_t found = 0;                                             \\
        broad_##query##_iter it = broad_##query##_begin(w);             \\
        while (broad_##query##_next(&it)) {                             \\
            for (uint32_t i = 0; i < it.count; i++, found++) {          \\
                int has = broad_marked_has(w, it.entities[i]) * MARKED; \\
                has |= broad_hot_has(w, it.entities[i]) * HOT;          \\
                if (!(passes)) return false;                            \\
            }                                                           \\
        }                                                               \\
        if (found != (expected)) return false;                          \\
    } while (0)

// Of 100 rows every second one is marked, and every third one is hot then.
static bool filters_pass(broad_world *w, const broad_entity *e)
{
    for (uint32_t i = 0; i < 100; i += 3) broad_hot_set(w, e[i], (broad_hot){i});
    ROWS_PASS(absent, !(has & MARKED), 50u);
    ROWS_PASS(both, has == (MARKED | HOT), 17u);
    ROWS_PASS(either, has != 0, 67u);
    ROWS_PASS(alone, has == MARKED, 33u);
    return true;
}

// Each pointer to a sparse value leads to that of its row.
static bool pointers_lead(broad_world *w)
{
    uint32_t found = 0;
    broad_warm_iter it = broad_warm_begin(w);
    while (broad_warm_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++, found++) {
            if (it.hot[i]->a + 1 != it.last[i].a) return false;
        }
    }
    return found == 17;
}

int main(void)
{
    broad_world *w = broad_open(&(weft_options){.insight = broad_insight(), .watch = 4096});
    uint32_t sum = 0;
    weft_write writes[2];
    broad_entity e[100];
    for (uint32_t i = 0; i < 100; i++) {
        e[i] = broad_spawn(w);
        broad_last_set(w, e[i], (broad_last){i});
        if (i % 3 == 0) broad_cmd_part_00_set(broad_commands(w), e[i], (broad_part_00){i});
    }
    broad_flush(w);
    for (uint32_t i = 0; i < 100; i += 2) broad_cmd_marked_set(broad_commands(w), e[i]);
    broad_flush(w);
    broad_tick(w, 1.0);
    for (uint32_t i = 0; i < 100; i++) {
        const broad_part_00 *part = broad_part_00_get(w, e[i]);
        sum += broad_last_get(w, e[i])->a + (part ? part->a : 0);
    }
    if (broad_trace(w, e[1], "last", writes, 2) != 1) return 2;
    if (writes[0].kind != WEFT_WRITE_ADDED) return 3;
    if (!pairs_move(w)) return 4;
    if (!rows_move(w)) return 5;
    if (!filters_pass(w, e)) return 6;
    if (!pointers_lead(w)) return 7;
    broad_close(w);
    // Each has its number, a third of them twice, and every second one has come on by one.
    return sum == 4950 + 1683 + 50 ? 0 : 1;
}
"""


VERBS = ("not", "and", "or", "and_not")
WHERES = {
    "absent": "!marked",
    "both": "marked & hot",
    "either": "marked | hot",
    "alone": "marked & !hot",
}


def schema(columns: int) -> str:
    """Returns a schema of so many columns: handles, components, a tag, and a sparse one."""
    parts = columns - HANDLES - 5
    lines = ['[world]\nname = "broad"\nphases = ["all"]']
    names = [*(f"part_{i:02}" for i in range(parts)), "last"]
    lines += [f'[component.{name}]\nfields = {{ a = "u32" }}' for name in names]
    lines += ["[component.marked]"]
    lines += ['[component.hot]\nstorage = "sparse"\nfields = { a = "u32" }']
    for name, where in WHERES.items():
        lines += [f'[query.{name}]\nread = ["last"]\nwhere = "{where}"']
    lines += ['[query.warm]\nread = ["last", "hot"]\nwhere = "marked"\nrows = "runs"']
    lines += ['[component.sides]\nlayout = "soa"\nfields = { x = "u16", y = "u64" }']
    lines += ["[prefab.pair]\ncomponents = { part_00 = {}, sides = {}, last = {} }"]
    lines += ['[system.shift]\nphase = "all"\nwrite = ["last"]\nwhere = "marked"']
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize(("columns", "grouped"), [(96, False), (97, True)])
def test_a_large_schema_has_groups(tmp_path: Path, columns: int, grouped: bool) -> None:
    path = tmp_path / "broad.toml"
    path.write_text(schema(columns), encoding="utf-8")
    files = generate(path).files
    text = "".join(files.values())
    assert re.findall(r"broad_entity_format = {.*, (\w+)};", text) == [str(grouped).lower()]
    assert ("weft_run_shared(" in text) == grouped
    assert ("weft_next_run_apart(" in text) == grouped
    assert ("weft_rows_begin(" in text) == grouped
    assert ("weft_has_column(" in text) == grouped
    assert ("weft_sparse_pointers(" in text) == grouped
    assert [f"weft_mask_{verb}(" in text for verb in VERBS] == [grouped] * len(VERBS)
    assert ("shift_pair(" in text) == (not grouped)
    assert ("copy_pair(" in text) == (not grouped)
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(content, encoding="utf-8")
    (tmp_path / "main.c").write_text(PROGRAM, encoding="utf-8")
    sources = [*tmp_path.rglob("*.c"), built("build/gcc/libweft.a")]
    folders = ["-I", tmp_path / "broad", "-I", RUNTIME]
    game = tmp_path / "broad_game"
    subprocess.run(["gcc", *STRICT, *folders, *sources, "-o", game], check=True)
    assert subprocess.run([game], check=False).returncode == 0
