"""`stubs --names` moves calls that are named after a system to calls that take a grant."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from emit.renames import renames, rewrite
from generated import COLONY, ROOT, generate
from names.claims import claims
from plan import make_plan

INN = ROOT / "tests" / "runtime" / "world" / "inn.toml"

MOVED = {
    "inn_look_stock_get(ctx, e)": "inn_stock_get_in(ctx->stock, e)",
    "inn_look_pace_get( ctx , e).x": "inn_pace_get_in( ctx->pace, e).x",
    "inn_pour_fever_edit(&ctx, e)": "inn_fever_edit_in(ctx.fever, e)",
    "inn_pour_taken_has(ctx, e)": "inn_taken_has_in(ctx->taken.reader, e)",
    "inn_pour_taken_set(of(a, b), e)": "inn_taken_set_in((of(a, b))->taken, e)",
    "inn_pour_taken_remove(i->ctx, e)": "inn_taken_remove_in((i->ctx)->taken, e)",
    "inn_look_rooms_count(ctx)": "inn_rooms_count_in(ctx->rooms)",
    "inn_look_room_of_depth(ctx, e)": "inn_room_of_depth_in(ctx->room_of, e)",
    "inn_look_by_place_nearest(ctx, 0)": "inn_by_place_nearest_in(ctx->by_place, 0)",
    "inn_look_by_bread_find(ctx, 3)": "inn_by_bread_find_in(ctx->by_bread, 3)",
    "inn_look_by_ale_first(ctx)": "inn_by_ale_first_in(ctx->by_ale)",
    "inn_pour_served_emit(ctx, (one){e, 1})": "inn_served_emit(ctx->emit_served, (one){e, 1})",
    "inn_pour_mood_go(ctx, INN_MOOD_LOUD)": "inn_mood_go_in(ctx->go_mood, INN_MOOD_LOUD)",
    "inn_look_rooms_begin(of(ctx))": "inn_rooms_begin_in((of(ctx))->rooms)",
}  # fmt: skip


@pytest.mark.parametrize("old", MOVED)
def test_a_call_moves(old: str) -> None:
    moved = renames(generate(INN).model)
    assert rewrite(f"x = {old};", moved) == (f"x = {MOVED[old]};", [])


def test_what_is_no_call_stays_and_is_told() -> None:
    moved = renames(generate(INN).model)
    source = "f = inn_look_stock_get; my_inn_look_stock_get(ctx); inn_look_stock_gets(ctx);"
    assert rewrite(source, moved) == (source, ["inn_look_stock_get"])


@pytest.mark.parametrize("schema", [INN, COLONY], ids=["inn", "colony"])
def test_every_new_call_and_member_exists(schema: Path) -> None:
    model = generate(schema, strict=False).model
    made = {claim.identifier for claim in claims(model)}
    members = {
        re.split(r"[ *]", grant)[-1]
        for system in make_plan(model).code.systems
        for grant in system.context.doors.grants
    }
    for new, member in renames(model).values():
        assert new in made
        assert member.removesuffix(".reader") in members


# Sources whose lines are not what Python takes for lines, or that are no UTF-8.
ODD = {
    "no end of the last line": b"f(inn_look_stock_get(ctx, e));\nx;",
    "no end of the only line": b"f(inn_look_stock_get(ctx, e));",
    "a line in bytes": b"// h\xe9\nf(inn_look_stock_get(ctx, e)); // \xff\n",
    "form feeds": b"a;\n\x0c\nf(inn_look_stock_get(ctx, e));\n// \x0b \x85 \x1c\n",
    "lines of Windows": b"a;\r\nf(inn_look_stock_get(ctx, e));\r\nb;\r\n",
    "no calls": b"a;\nb;",
    "nothing": b"",
}


@pytest.mark.parametrize("source", ODD.values(), ids=list(ODD))
def test_the_patch_of_an_odd_source_applies(source: bytes, tmp_path: Path) -> None:
    file = tmp_path / "odd.c"
    file.write_bytes(source)
    command = [sys.executable, str(ROOT / "codegen"), "stubs", str(INN), "--names", "odd.c"]
    printed = subprocess.run(command, cwd=tmp_path, capture_output=True, check=True).stdout
    if printed:
        patch = ["patch", "--binary", "-p0"]
        subprocess.run(patch, cwd=tmp_path, input=printed, capture_output=True, check=True)
    moved = b"inn_stock_get_in(ctx->stock, e)"
    assert file.read_bytes() == source.replace(b"inn_look_stock_get(ctx, e)", moved)


def test_the_command_prints_a_patch_and_names_what_is_left(tmp_path: Path) -> None:
    file = tmp_path / "look.c"
    file.write_text("a(inn_look_stock_get(ctx, e));\nb(inn_look_pace_get);\n", encoding="utf-8")
    command = [sys.executable, "codegen", "stubs", str(INN), "--names", str(file)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr == f"{file}: 'inn_look_pace_get' is not called here: replace it by hand\n"
    assert "-a(inn_look_stock_get(ctx, e));\n+a(inn_stock_get_in(ctx->stock, e));" in done.stdout
    missing = [*command[:-1], str(tmp_path / "none.c")]
    done = subprocess.run(missing, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert "no such file or directory" in done.stderr.lower()
