"""A component whose changes nobody reads costs nothing, whatever is read of other components.

Code that writes such a component is compiled in two worlds. In the first, a system reads changes or
removals of another component, that component has hooks, or there are relations. The second has none
of these. The object code must be equal.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from compilers import RUNTIME
from generated import generate

SCHEMA = """\
[world]
name = "calm"
phases = ["go", "late"]

[component.quiet]
fields = { x = "f32" }
%(quiet)s
[component.apart]
layout = "soa"
fields = { x = "f32" }

[component.rare]
storage = "sparse"
fields = { x = "f32" }

[component.flag]

[component.watched]
fields = { x = "f32" }
%(watched)s
[prefab.thing]
components = { quiet = {}, apart = {} }

[query.all]
write = ["quiet", "apart", "rare"]

[system.work]
phase = "go"
write = ["quiet", "apart", "rare"]
lookup = { write = ["quiet"] }

[query.reader]
read = ["watched"]
where = "%(where)s & !flag"
%(more)s"""

COMPILERS = ("gcc", "clang")

# Extras: what is asked of another component, or there besides.
NOTHING = {"where": "watched", "quiet": "", "watched": "", "more": ""}
HOOKS = "on_add = true\non_remove = true\n"
MOURN = '\n[system.mourn]\nphase = "late"\nremoved = ["%s"]\n'
ELSEWHERE: dict[str, dict[str, str]] = {
    "marks": {"where": "changed(watched)"},
    "hooks": {"watched": HOOKS},
    "removals": {"more": MOURN % "watched"},
    "relations": {"more": '\n[relation.under]\non_parent_despawn = "detach"\n'},
}

SOURCE = """\
#include "calm.h"
#include "calm_run.c"

void calm_work(const calm_work_ctx *ctx, uint32_t count, calm_quiet *quiet,
               calm_apart_columns apart, calm_rare *const *rare)
{
    calm_quiet *other = calm_quiet_edit_in(ctx->quiet, ctx->entities[0]);
    for (uint32_t i = 0; i < count; i++) quiet[i].x += apart.x[i] + rare[i]->x + other->x;
}

calm_quiet *quiet_edit(calm_world *w, calm_entity e) { return calm_quiet_edit(w, e); }
bool quiet_set(calm_world *w, calm_entity e, calm_quiet v) { return calm_quiet_set(w, e, v); }
bool quiet_remove(calm_world *w, calm_entity e) { return calm_quiet_remove(w, e); }
calm_apart_columns apart_edit(calm_world *w, calm_entity e) { return calm_apart_edit(w, e); }
bool apart_set(calm_world *w, calm_entity e, calm_apart v) { return calm_apart_set(w, e, v); }
calm_rare *rare_edit(calm_world *w, calm_entity e) { return calm_rare_edit(w, e); }
bool rare_set(calm_world *w, calm_entity e, calm_rare v) { return calm_rare_set(w, e, v); }
bool flag_set(calm_world *w, calm_entity e) { return calm_flag_set(w, e); }
bool flag_remove(calm_world *w, calm_entity e) { return calm_flag_remove(w, e); }
bool command(calm_cmd *cmd, calm_entity e, calm_quiet v) { return calm_cmd_quiet_set(cmd, e, v); }
calm_entity spawn(calm_world *w, const calm_thing *v) { return calm_thing_spawn(w, v); }
bool despawn(calm_world *w, calm_entity e) { return calm_despawn(w, e); }

float walk(calm_world *w)
{
    float sum = 0;
    calm_all_iter it = calm_all_begin(w);
    while (calm_all_next(&it)) sum += it.quiet->x + *it.apart.x;
    return sum;
}
"""

WRITERS = (
    "calm_work", "run_work", "quiet_edit", "quiet_set", "quiet_remove", "apart_edit", "apart_set",
    "rare_edit", "rare_set", "flag_set", "flag_remove", "command", "spawn", "despawn", "walk",
)  # fmt: skip


def object_code(compiler: str, parts: dict[str, str], folder: Path) -> dict[str, str]:
    """The instructions of every function, with what they refer to."""
    folder.mkdir()
    schema = folder / "calm.toml"
    schema.write_text(SCHEMA % (NOTHING | parts), encoding="utf-8")
    world = generate(schema).write(folder)
    source = folder / "writers.c"
    source.write_text(SOURCE, encoding="utf-8")
    out = folder / "writers.o"
    flags = ["-std=c11", "-O2", "-DNDEBUG", "-fno-inline-small-functions", "-ffunction-sections"]
    include = [f"-I{RUNTIME}", f"-I{world}"]
    subprocess.run([compiler, *flags, *include, "-c", str(source), "-o", str(out)], check=True)
    done = subprocess.run(
        ["objdump", "-dr", "--no-show-raw-insn", str(out)],
        capture_output=True,
        text=True,
        check=True,
    )
    # Strings have numbers, by which objdump also names what lies at a place of the code.
    text = re.sub(r" <\S+>$", "", done.stdout, flags=re.MULTILINE)
    text = re.sub(r"\.LC\d+|\.L\.str(\.\d+)?", "a string", text)
    parts = re.split(r"^[0-9a-f]+ <(\w+)>:\n", text, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


@pytest.fixture(scope="module")
def unasked_of(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, str]]:
    """Returns the object code where nothing is asked, by compiler."""
    folder = tmp_path_factory.mktemp("unasked")
    return {name: object_code(name, NOTHING, folder / name) for name in COMPILERS}


@pytest.mark.parametrize("elsewhere", ELSEWHERE)
@pytest.mark.parametrize("compiler", COMPILERS)
def test_what_is_asked_of_others_costs_a_writer_nothing(
    compiler: str, elsewhere: str, unasked_of: dict[str, dict[str, str]], tmp_path: Path
) -> None:
    unasked = unasked_of[compiler]
    asked = object_code(compiler, ELSEWHERE[elsewhere], tmp_path / "asked")
    found = [name for name in WRITERS if name in unasked]
    assert set(WRITERS) - set(found) <= {"run_work"}  # may be inlined into the phase
    for name in found:
        assert asked[name] == unasked[name], name


# Were nothing to be seen of them here either, the test above would prove nothing.
@pytest.mark.parametrize(
    "asked, differ",
    [
        ({"where": "changed(quiet)"}, {"quiet_edit", "quiet_set", "quiet_remove", "spawn", "walk"}),
        ({"quiet": HOOKS}, {"quiet_set", "quiet_remove", "spawn"}),
        ({"more": MOURN % "quiet"}, {"quiet_set", "quiet_remove", "spawn"}),
    ],
    ids=["marks", "hooks", "removals"],
)
def test_what_is_asked_costs_who_writes_it(
    asked: dict[str, str],
    differ: set[str],
    unasked_of: dict[str, dict[str, str]],
    tmp_path: Path,
) -> None:
    found = object_code("gcc", asked, tmp_path / "asked")
    differing = {name for name in WRITERS if found.get(name) != unasked_of["gcc"].get(name)}
    assert differ <= differing
    assert not differing & {"apart_edit", "apart_set", "rare_edit", "rare_set"}
