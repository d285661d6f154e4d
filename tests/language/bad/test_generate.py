"""Which files generate, diff and dyndep write, or would write, and when they write nothing."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from built import ROOT
from command_line import ACCEPTED, fields, run, run_after, run_alone

HERE = Path(__file__).parent
IMPORTS = "tests/language/bad/accepted/imports"


def test_generate_writes_once_and_says_what_the_handles_are_good_for(tmp_path: Path) -> None:
    handles = (
        "at most 1,000,000 entities at once\n"
        "handles: 32 bits, 24 of index, 8 of generation: a stale handle is always recognised; an "
        "index retires after 255 spawns, all 16,777,216 after 4,278,190,080, until colony_recycle\n"
    )
    out, stamp = str(tmp_path), tmp_path / "stamp"
    first = run("generate", ACCEPTED, "--out", out, "--stamp", str(stamp))
    files = {path.name: path.stat().st_mtime_ns for path in (tmp_path / "colony").iterdir()}
    assert first.returncode == 0, first.stderr
    assert first.stdout == f"{out}/colony: {len(files)} of {len(files)} files written\n{handles}"
    assert {"colony.h", "colony_world.c", "colony_run.c", "colony_schema.c"} <= set(files)
    assert stamp.read_text() == "".join(f"colony/{name}\n" for name in sorted(files))
    second = run("generate", ACCEPTED, "--out", out)
    assert second.stdout == f"{out}/colony: 0 of {len(files)} files written\n{handles}"
    assert {p.name: p.stat().st_mtime_ns for p in (tmp_path / "colony").iterdir()} == files


@pytest.mark.parametrize(
    ("world", "bits", "index", "generation", "lives"),
    [
        ("", 32, 20, 12, 4_095),
        ("max_entities = 1", 16, 6, 10, 1_023),
        ("max_entities = 64", 16, 6, 10, 1_023),
        ("max_entities = 65", 32, 20, 12, 4_095),
        ("max_entities = 60\nrecycle_after = 4", 16, 6, 10, 1_023),
        ("max_entities = 60\nrecycle_after = 5", 32, 20, 12, 4_095),
        ("max_entities = 1_048_576", 32, 20, 12, 4_095),
        ("max_entities = 1_048_577", 32, 21, 11, 2_047),
        ("max_entities = 4_194_304", 32, 22, 10, 1_023),
        ("max_entities = 4_194_305", 64, 32, 32, 0),
        ("max_entities = 4_294_967_295", 64, 32, 32, 0),
        ("entity = { index_bits = 6 }", 16, 6, 10, 1_023),
        ("entity = { index_bits = 7 }", 32, 7, 25, 33_554_431),
        ("entity = { index_bits = 23 }", 64, 23, 32, 4_294_967_295),
        ("entity = { generation_bits = 12 }", 32, 20, 12, 4_095),
        ("entity = { generation_bits = 8 }", 32, 24, 8, 255),
        ("entity = { generation_bits = 13 }", 64, 32, 13, 8_191),
        ("entity = { index_bits = 32, generation_bits = 32 }", 64, 32, 32, 0),
    ],
)
def test_handles_are_as_narrow_as_max_entities_allows(
    tmp_path: Path, world: str, bits: int, index: int, generation: int, lives: int
) -> None:
    schema = tmp_path / "plain.toml"
    schema.write_text(f'[world]\nname = "plain"\n{world}\n', encoding="utf-8")
    said = run("generate", str(schema), "--out", str(tmp_path)).stdout.splitlines()[2]
    words = f"handles: {bits} bits, {index} of index, {generation} of generation: "
    assert said.startswith(f"{words}a stale handle is always recognised")
    assert (f"; an index retires after {lives:,} spawns, all " in said) == (lives > 0)
    both = world.count("_bits") == 2
    assert said.endswith("; to choose, set entity in [world]") != both
    header = (tmp_path / "plain" / "plain_entity.h").read_text(encoding="utf-8")
    assert f"    uint{bits}_t bits;\n" in header
    wide = "true" if index + generation > 32 else "false"
    assert f"{{{index}, {generation}, {bits // 8}, {wide}," in header


def test_generate_tells_how_many_indices_a_world_reserves(tmp_path: Path) -> None:
    """Four for each entity, if the generations are not so few that it takes more."""
    schema = tmp_path / "plain.toml"
    world = '[world]\nname = "plain"\nmax_entities = 10_000\nrecycle_after = 500\n'
    told = {(32, 31): 42_000, (32, 24): 1_048_576, (14, 16): 16_384}
    for (index, generation), every in told.items():
        bits = f"entity = {{ index_bits = {index}, generation_bits = {generation} }}\n"
        schema.write_text(world + bits, encoding="utf-8")
        said = run("generate", str(schema), "--out", str(tmp_path)).stdout
        lives = 2**generation - 1
        spent = f"after {lives:,} spawns, all {every:,} after {lives * every:,}, until"
        assert spent in said


def test_generate_lists_what_it_would_write_and_writes_nothing(tmp_path: Path) -> None:
    out = tmp_path / "out"
    listed = run("generate", ACCEPTED, "--out", str(out), "--list")
    assert listed.stderr == ""
    assert not out.exists()
    run("generate", ACCEPTED, "--out", str(out))
    made = sorted(str(path) for path in (out / "colony").iterdir())
    assert listed.stdout.splitlines() == made


def test_generate_lists_the_files_of_a_schema(tmp_path: Path) -> None:
    done = run("generate", f"{IMPORTS}/root.toml", "--out", str(tmp_path), "--list-schema")
    found = {os.path.relpath(ROOT / path, ROOT / IMPORTS) for path in done.stdout.splitlines()}
    assert {"root.toml", "physics.toml", "game/economy.toml"} <= found
    assert not list(tmp_path.iterdir())


def test_generate_writes_a_depfile_of_its_stamp_or_of_itself(tmp_path: Path) -> None:
    stamp, depfile = tmp_path / "stamp", tmp_path / "made by.d"
    schema = f"{IMPORTS}/root.toml"
    command = ("generate", schema, "--out", str(tmp_path), "--depfile", str(depfile))
    for options, target in ((("--stamp", str(stamp)), stamp), ((), depfile)):
        assert run(*command, *options).returncode == 0
        text = depfile.read_text().replace("\\ ", "\0").replace(" \\\n ", "")
        (head, *words), *rest = (line.split() for line in text.splitlines())
        assert head.replace("\0", " ") == f"{target}:"
        assert {schema, "codegen/__main__.py", "codegen/templates/world.h.j2"} <= set(words)
        # An included makefile has a rule for each file, so that one may be missing.
        assert rest == ([] if options else [[f"{word}:"] for word in words])
    before = depfile.stat().st_mtime_ns
    os.utime(depfile, ns=(0, 0))
    assert run(*command).returncode == 0
    assert depfile.stat().st_mtime_ns > before  # a build goes by its time


def test_generate_flat_shares_a_folder_with_other_worlds(tmp_path: Path) -> None:
    flat = ("--out", str(tmp_path), "--flat")
    first = run("generate", ACCEPTED, *flat)
    colony = {path.name for path in tmp_path.iterdir()}
    assert first.stdout.startswith(f"{tmp_path}: {len(colony)} of {len(colony)} files written")
    assert run("generate", ACCEPTED, *flat, "--list").stdout.splitlines() == sorted(
        str(tmp_path / name) for name in colony
    )
    assert run("generate", f"{IMPORTS}/root.toml", *flat).returncode == 0
    assert colony < {path.name for path in tmp_path.iterdir()}
    assert fields(run("diff", ACCEPTED, *flat)) == (0, "", "")
    assert "0 of" in run("generate", ACCEPTED, *flat).stdout


def test_generate_flat_removes_only_files_of_its_world(tmp_path: Path) -> None:
    schema, other = tmp_path / "a.toml", tmp_path / "b.toml"
    text = '[world]\nname = "a"\n[component.b_c]\nfields = { x = "u8" }\n'
    schema.write_text(text)
    other.write_text(text.replace('"a"', '"a_b"').replace("b_c", "d"))
    out = tmp_path / "out"
    for one in (schema, other):
        assert run("generate", str(one), "--out", str(out), "--flat").returncode == 0
    schema.write_text(text.replace("b_c", "e"))
    assert ", 2 removed" in run("generate", str(schema), "--out", str(out), "--flat").stdout
    assert (out / "a_b_d.h").exists() and not (out / "a_b_c.h").exists()
    schema.write_text(text.replace("b_c", "b_d"))
    refused = run("generate", str(schema), "--out", str(out), "--flat")
    said = f"error: '{out}/a_b_d.h' belongs to another world: "
    assert (refused.returncode, refused.stderr[: len(said)]) == (2, said)


def test_generate_with_strict_writes_nothing_where_an_order_is_missing(tmp_path: Path) -> None:
    done = run("generate", "ambiguous-order.toml", "--out", str(tmp_path), "--strict", cwd=HERE)
    assert (done.returncode, done.stdout) == (1, "")
    assert not list(tmp_path.iterdir())


def test_generate_writes_nothing_for_a_wrong_schema(tmp_path: Path) -> None:
    done = run("generate", "every-range.toml", "--out", str(tmp_path), cwd=HERE)
    assert (done.returncode, done.stdout) == (1, "")
    assert not list(tmp_path.iterdir())


def test_output_is_the_same_wherever_and_however_it_is_made(tmp_path: Path) -> None:
    """Neither the place of the schema, nor the locale, nor the order of hashes is in it."""
    run_alone("generate", ACCEPTED, "--out", str(tmp_path / "a"), env={"PYTHONHASHSEED": "1"})
    elsewhere = {"PYTHONHASHSEED": "2", "LC_ALL": "C", "TZ": "Asia/Tokyo"}
    schema = os.path.relpath(ROOT / ACCEPTED, tmp_path)
    run_alone("generate", schema, "--out", "b", cwd=tmp_path, env=elsewhere)
    one, other = (
        {path.name: path.read_bytes() for path in (tmp_path / out / "colony").iterdir()}
        for out in ("a", "b")
    )
    assert one and one == other


def test_diff_exits_1_if_anything_would_change(tmp_path: Path) -> None:
    out = str(tmp_path)
    run("generate", ACCEPTED, "--out", out)
    assert fields(run("diff", ACCEPTED, "--out", out)) == (0, "", "")
    header = tmp_path / "colony/colony.h"
    header.write_text(header.read_text() + "// by hand\n")
    code, diff, _ = fields(run("diff", ACCEPTED, "--out", out))
    assert code == 1
    assert diff.startswith(f"--- {header}\n+++ {header}\n")
    assert diff.endswith("-// by hand\n")


def test_unwritable_output_exits_2(tmp_path: Path) -> None:
    (tmp_path / "colony").write_text("a file where the folder must be")
    code, out, said = fields(run("generate", ACCEPTED, "--out", str(tmp_path)))
    assert (code, out) == (2, "")
    assert said == f"error: cannot make the folder '{tmp_path}/colony': file exists\n"


def test_full_disk_exits_2_and_leaves_no_half_file(tmp_path: Path) -> None:
    """The system's limit on the size of files stands in for a disk that fills up."""
    limit = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))"
    done = run_after(limit, "generate", ACCEPTED, "--out", str(tmp_path))
    assert done.returncode == 2, done.stderr
    assert "error: cannot write" in done.stderr
    assert not [path for path in tmp_path.rglob("*") if path.name.startswith(".")]
    assert all(path.read_text().endswith("\n") for path in tmp_path.rglob("*.h"))


def test_dyndep_names_every_output_and_input(tmp_path: Path) -> None:
    schema = f"{IMPORTS}/root.toml"
    run("generate", schema, "--out", str(tmp_path))
    made = {str(path) for path in (tmp_path / "imports").iterdir()}
    explicit = {f"{tmp_path}/imports/imports_{name}.c" for name in ("world", "run", "schema")}
    stamp = f"{tmp_path}/imports/imports_world.c"
    done = run("dyndep", schema, "--out", str(tmp_path), "--stamp", stamp)
    assert done.returncode == 0, done.stderr
    head, build, *rest = done.stdout.replace(" $\n   ", "").splitlines()
    assert head == "ninja_dyndep_version = 1"
    left, right = build.split(": dyndep | ")
    outputs = left.removeprefix("build ").split(" | ")
    assert outputs[0] == stamp
    assert set(outputs[1].split()) == made - explicit
    inputs = right.split()
    assert {f"{IMPORTS}/{name}" for name in ("physics.toml", "game/economy.toml")} <= set(inputs)
    assert {"codegen/parse/__init__.py", "codegen/emit/emit.py", schema} <= set(inputs)
    assert any(path.endswith(".j2") for path in inputs)
    assert inputs == sorted(inputs)
    assert rest == ["  restat = 1"]


def test_dyndep_writes_files_if_asked(tmp_path: Path) -> None:
    to, depfile = tmp_path / "colony.dd", tmp_path / "colony.dd.d"
    files = ("--to", str(to), "--depfile", str(depfile))
    done = run("dyndep", ACCEPTED, "--out", "out", "--stamp", "a b", *files)
    assert fields(done) == (0, "", "")
    assert "build a$ b | $\n    out/colony/colony.h $\n" in to.read_text()
    words = depfile.read_text().replace("\\\n", "").split()
    assert words[0] == f"{to}:"
    assert ACCEPTED in words and "codegen/__main__.py" in words


def test_dyndep_of_a_wrong_schema_keeps_the_old_file(tmp_path: Path) -> None:
    to = tmp_path / "x.dd"
    to.write_text("old")
    arguments = ("--out", "out", "--stamp", "x", "--to", str(to))
    assert run("dyndep", "every-range.toml", *arguments, cwd=HERE).returncode == 1
    assert to.read_text() == "old"
