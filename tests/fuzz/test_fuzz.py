"""Runs the differential test as a program: a run ends in one state in every build, and a runtime
with a bug does not pass.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from functools import cache
from pathlib import Path

import pytest

from built import built
from compilers import LINKERS, SANITIZERS
from examples import in_long, long_after

ROOT = Path(__file__).resolve().parent.parent.parent
WIDTHS = ("narrow", "middle", "wide")
# Which builds have which width; each state is compared with that of the first.
FIRST = {"narrow": "gcc", "middle": "asan", "wide": "asan"}
OTHERS = [
    ("hard", "narrow"),
    in_long(("gcc", "middle")),
    in_long(("clang", "wide")),
]

# A memory hook that fails does so at another moment where tables move more often.
SHORT = ("--seed", "11", "--count", "1500", "--no-faults")


def run(*command: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, check=False)


def state(build: str, width: str) -> str:
    """Returns what a short run comes to: how many live, ticks, and both hashes."""
    done = run(built(f"build/{build}/fuzz/{width}/fuzz"), *SHORT)
    assert done.returncode == 0, done.stdout + done.stderr
    said = re.search(r"operations, (.+, hash \w{16}, exact \w{16})$", done.stdout, re.MULTILINE)
    assert said, done.stdout
    return said[1]


first_state = cache(state)


@pytest.mark.parametrize("width", long_after(2, WIDTHS))
def test_the_same_run_comes_to_the_same_state_again(width: str) -> None:
    assert state(FIRST[width], width) == first_state(FIRST[width], width)


@pytest.mark.parametrize("build, width", OTHERS)
def test_every_build_comes_to_the_same_state(build: str, width: str) -> None:
    assert state(build, width) == first_state(FIRST[width], width)


# A line of the runtime, and what is wrong instead.
MUTATIONS = (
    ("edit/calls.c", "forget_in_singletons(world);", ""),
    ("run/every.c", "    clock->elapsed = 0.0;\n", ""),
    ("edit/tags.c", "if (!weft_many_allows(&many, table, at.row, why)) return false;", ""),
    ("edit/many.c", "            refused |= (uint64_t)1 << bit;\n", ""),
    ("save/hash.c", "if (!info->save) continue;", ""),
    ("edit/batch.c", "weft_set_drop(batch->set, component);", ""),
    ("edit/member.c", "if (on) weft_row_write(plan, table, row, component, value);", ""),
    ("record/places.c", "commands->shares + commands->share;", "commands->shares;"),
    ("record/places.c", "        entities->free_count++;\n        entities->unused_count++;\n", ""),
    ("record/places.c", "        head = indices[place];\n", ""),
    ("record/places.c", "    world->entities.promised--;\n", ""),
    ("edit/calls.c", "    (void)weft_commands_apply(world);\n", ""),
    ("edit/calls.c", "weft_events_change(world, none_if_dead, world);", ""),
    ("store/bitset.c", "bool moved = (words[last / 64] & last_bit) != 0;", "bool moved = true;"),
    ("store/bitset.c", "} else if (dropped || moved) {", "} else if (dropped) {"),
    ("store/bitset.c", "    if (listed) {\n        listed->counted = false;", "    if (listed) {"),
    (
        "edit/nodes.c",
        "    if (is_below(r, above + 1, below + 1)) return WEFT_REFUSED;\n",
        "",
    ),
    (
        "edit/nodes.c",
        "    node->parent = node->next = node->previous = 0;",
        "    node->parent = node->next = 0;",
    ),
    ("edit/despawn.c", "back->next = back->previous = 0;", "back->next = 0;"),
    ("edit/despawn.c", "release_children(world, entity);", "{}"),
    (
        "query/depth.c",
        "if (d->links_version == relation->version && d->indices == relation->capacity) return",
        "if (d->made) return",
    ),
    ("save/hash.c", "absorb(h, weft_node_handle(world, f, link->next))", "h"),
    (
        "edit/chains.c",
        "                weft_command_links(c))\n",
        "                c->kind == WEFT_COMMAND_DETACH)\n",
    ),
    ("edit/apply_alike.c", "return c == end;", "return true;"),
    ("query/sparse_rows.c", " && listed->base == sparse->values.base", ""),
    ("query/sparse_rows.c", "        listed->base = NULL;\n", ""),
    ("query/sparse_rows.c", "listed->moves == weft_moves(world) &&\n", ""),
)

# Mutations of what becomes part of generated code: lists of sparse rows with and without a limit on
# their range, lists from a mask, and when a cached count still holds.
WALK_MUTATIONS = (
    ("query/query.h", "    c->first = 0;\n", "    c->first = list->row[0];\n"),
    (
        "query/query.h",
        "list->found[count] = row[count] - row[0];",
        "list->found[count] = row[count];",
    ),
    (
        "query/query.h",
        "c->row = c->chunk_end - row > 64 ? row + 64 : c->chunk_end;",
        "c->row = c->chunk_end;",
    ),
    ("query/sparse_rows.h", "listed->counted && ", ""),
    ("query/sparse_rows.h", " && listed->change_count == sparse->change_count", ""),
)


# Mutations of what the fuzzer of links finds.
LINK_MUTATIONS = (
    (
        "edit/linking.c",
        "    weft_adjacency_remove(&world->heap, &links->to, ends.to, ends.from);\n",
        "",
    ),
    ("edit/linking.c", "    if (world->hooks) tell_kind(world, link, plan->on_remove);\n", ""),
    ("edit/linking.c", "    mark_end(world, ends.to, plan->from_tag, lends);\n", ""),
    ("edit/linking.c", "to_tag, weft_link_any(links, index, false));", "to_tag, true);"),
    ("edit/linking.c", "    weft_link_mark(world, link, ends, false);\n}\n", "}\n"),
    ("edit/links.c", "if (value) weft_link_mark(world, link, ends, lends);", ""),
    ("edit/despawn.c", "list_ends(e, &e->world->links[i].from, entity);", "{}"),
    (
        "edit/despawn.c",
        "    if (world->linked != 0) weft_links_remove_of(world, weft_handle",
        "    (void)(weft_handle",
    ),
    ("edit/calls.c", "    forget_in_links(world);\n", ""),
    ("store/adjacency.c", "    if (at == 0) c->first = other;\n", ""),
    ("store/adjacency.c", "if (c[1].count != 0) c[1].first =", "if (false) c[1].first ="),
    (
        "store/adjacency.c",
        "        give_block(pool_of(adjacency, from.tier), from.block);\n",
        "        give_block(pool_of(adjacency, from.tier), from.block ^ 1);\n",
    ),
    (
        "world/links.c",
        "others[run.count - 1] == ahead->index) run.count--;",
        "count == 0) run.count--;",
    ),
    ("world/links.c", " - met_twice(links, index);", ";"),
    ("world/links.c", "            ahead->next_chunk = 0;\n", ""),
    ("copy/links.c", "    if (c->options->same_handles) write_kept(c);\n", ""),
    ("copy/links.c", "    (void)each_copied(c, remove_copied);\n", ""),
    ("copy/links.c", "(inside && !from)) continue;", "false) continue;"),
)


FUZZ = "build/gcc/fuzz/narrow/fuzz"
LINKS = "build/asan/fuzz/links"

# These are tried until one shows what is wrong; most do.
SEEDS = (1, 2, 3)

# A program that has taken as many seconds on the processor, three times what a right one does, does
# not end.
ENDLESS = 6


def write_wrong(file: str, right: str, wrong: str, folder: Path) -> Path:
    source = (ROOT / "runtime" / file).read_text(encoding="utf-8")
    assert right in source
    written = folder / Path(file).name
    written.write_text(source.replace(right, wrong), encoding="utf-8")
    return written


def fuzz_objects() -> list[Path]:
    """Returns the objects of the program; some do not depend on the width of handles."""
    own = built(FUZZ).parent
    return [*sorted(own.glob("*.o")), own.parent / "fail.o", own.parent / "memory.o"]


def fails(program: Path, seed: int) -> bool:
    """Runs a wrong program, which may also go in a circle: a right one takes two seconds."""
    limited = ["prlimit", f"--cpu={ENDLESS}", program]
    done = run(*limited, "--seed", str(seed), "--count", "400000")
    return done.returncode < 0 or "run again with: " in done.stdout


def check_it_fails(source: Path, objects: list[Path], *flags: str | Path) -> None:
    """Compiles a source into the program of narrow handles in place of what it had."""
    program = source.parent / "fuzz"
    library = built("build/gcc/libweft.a")
    folders = (ROOT / "runtime", ROOT / "build/generated/narrow/fuzz", ROOT / "tests/fuzz")
    include = [f"-I{folder}" for folder in folders]
    sources = [source, ROOT / "tests/fuzz/fuzz.c"]
    command = ["gcc", "-std=c11", "-O1", "-w", *flags, *include, *sources, *objects, library]
    subprocess.run([*command, "-o", program], check=True, timeout=600)
    assert any(fails(program, seed) for seed in SEEDS), f"none of the seeds {SEEDS} shows it"


def test_each_mutation_has_a_place() -> None:
    for file, right, _ in MUTATIONS + WALK_MUTATIONS + LINK_MUTATIONS:
        assert right in (ROOT / "runtime" / file).read_text(encoding="utf-8"), (file, right)


@pytest.mark.parametrize("file, right, wrong", long_after(8, MUTATIONS))
def test_a_wrong_runtime_fails(file: str, right: str, wrong: str, tmp_path: Path) -> None:
    objects = fuzz_objects()
    folder = (ROOT / "runtime" / file).parent
    check_it_fails(write_wrong(file, right, wrong, tmp_path), objects, "-I", folder)


@pytest.mark.parametrize("file, right, wrong", long_after(2, WALK_MUTATIONS))
def test_a_wrong_walk_fails(file: str, right: str, wrong: str, tmp_path: Path) -> None:
    runtime = tmp_path / "runtime"
    shutil.copytree(ROOT / "runtime", runtime)
    write_wrong(file, right, wrong, (runtime / file).parent)
    generated = ROOT / "build/generated/narrow/fuzz"
    source = Path(shutil.copy(generated / "fuzz_run.c", tmp_path))
    objects = fuzz_objects()
    others = [o for o in objects if o.name != "fuzz_run.o"]
    check_it_fails(source, others, "-I", runtime)


# With the sanitizers, because a wrong list of links often reads other memory first.
@pytest.mark.parametrize("file, right, wrong", long_after(4, LINK_MUTATIONS))
def test_wrong_links_fail(file: str, right: str, wrong: str, tmp_path: Path) -> None:
    source = write_wrong(file, right, wrong, tmp_path)
    own = built(LINKS).parent
    objects = [*own.glob("link_*.o"), *(own / name for name in ("fail.o", "memory.o", "bonds.a"))]
    folders = (ROOT / "runtime", (ROOT / "runtime" / file).parent, ROOT / "tests/fuzz")
    include = [f"-I{folder}" for folder in (*folders, ROOT / "build/generated/bonds")]
    flags = ["-std=c11", "-w", "-pthread", *SANITIZERS, LINKERS["clang"], *include]
    sources = [source, ROOT / "tests/fuzz/links.c", *objects, built("build/asan/libweft.a")]
    program = tmp_path / "links"
    subprocess.run(["clang", *flags, *sources, "-o", program], check=True, timeout=600)
    done = run("prlimit", "--cpu=30", program)
    assert done.returncode != 0, done.stdout
