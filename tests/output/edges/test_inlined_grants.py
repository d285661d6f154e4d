"""Grants are read correctly if a compiler inlines the function that fills the context.

Grants and the sealed part of a context share a union. The function that fills the context writes
the sealed part, and an inline system reads the grants in the same function. Compilers must not
reorder the two because of their types, also if the runtime is part of the same unit.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from generated import ROOT, generate

SCHEMA = """[world]
name = "near"
phases = ["go"]
[component.friend_of]
fields = { who = "entity" }
[component.bread]
fields = { n = "u32" }
[component.sum]
fields = { n = "u32" }
[event.met]
fields = { n = "u32" }
[system.count]
phase = "go"
read = ["friend_of"]
write = ["sum"]
lookup = { read = ["bread"] }
emits = ["met"]
inline = "near_rows.h"
[system.hear]
phase = "go"
after = ["count"]
hears = ["met"]
"""

ROWS = """#include "near.h"
WEFT_HOT WEFT_ALWAYS_INLINE void near_count_row(const near_count_ctx *ctx, uint32_t i,
                                                const near_friend_of *WEFT_RESTRICT friend_of,
                                                near_sum *WEFT_RESTRICT sum)
{
    const near_bread *bread = near_bread_get_in(ctx->bread, friend_of[i].who);
    sum[i].n += bread ? bread->n : 0;
    if (bread) near_met_emit(ctx->emit_met, (near_met){bread->n});
}
"""

GAME = """#include "weft.c"
#include "near_world.c"
#include "near_run.c"
#include "near_schema.c"
#include <stdio.h>
static uint32_t heard, all;
void near_hear(const near_hear_ctx *ctx, uint32_t count)
{
    (void)count;
    for (uint32_t i = 0; i < ctx->met_count; i++) heard++, all += ctx->met[i].n;
}
int main(void)
{
    near_world *w = near_open(NULL);
    near_entity with[10];
    for (uint32_t i = 0; i < 10; i++) {
        with[i] = near_spawn(w);
        near_bread_set(w, with[i], (near_bread){i});
    }
    for (uint32_t i = 0; i < 10; i++) {
        near_entity e = near_spawn(w);
        near_friend_of_set(w, e, (near_friend_of){i == 3 ? NEAR_NONE : with[i]});
        near_sum_set(w, e, (near_sum){100});
        with[i] = e;
    }
    near_tick(w, 1);
    for (uint32_t i = 0; i < 10; i++) printf("%u ", (unsigned)near_sum_get(w, with[i])->n);
    printf("heard %u, %u\\n", (unsigned)heard, (unsigned)all);
    near_close(w);
    return 0;
}
"""


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_an_inlined_loop_reads_its_grants(compiler: str, tmp_path: Path) -> None:
    schema = tmp_path / "near.toml"
    schema.write_text(SCHEMA, encoding="utf-8")
    folder = generate(schema, strict=False).write(tmp_path)
    (tmp_path / "near_rows.h").write_text(ROWS, encoding="utf-8")
    whole = tmp_path / "all.c"
    whole.write_text(GAME, encoding="utf-8")
    include = (f"-I{folder}", f"-I{tmp_path}", f"-I{ROOT / 'runtime'}")
    flags = ("-std=c11", "-DNDEBUG", "-ffp-contract=off", "-pthread", "-O3")
    command = [compiler, *flags, *include, whole, "-lm", "-o", tmp_path / "game"]
    subprocess.run(command, check=True)
    said = subprocess.run([tmp_path / "game"], capture_output=True, text=True, check=True).stdout
    assert said == "100 101 102 100 104 105 106 107 108 109 heard 9, 42\n"
