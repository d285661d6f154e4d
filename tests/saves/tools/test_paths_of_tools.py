"""If a tool cannot read or write a path, it prints a reason and exits with code 2."""

from __future__ import annotations

import csv
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from built import ROOT
from command import CommandLine, Saves
from saves.sections import checksum
from written import component, field, save, schema, singleton, string, table, words

EXACT = ROOT / "tests/saves/exact/world.save"
SCHEMA = ROOT / "schema/colony.toml"
FORMATS = ("json", "csv", "sqlite", "parquet")
SECONDS_MAX = 20

# Each command that writes, with the path at its end.
WRITERS: dict[str, list[str]] = {
    **{f"saves_{to}": ["saves", "export", str(EXACT), "--to", to, "--out"] for to in FORMATS},
    "generate": ["generate", str(SCHEMA), "--out"],
    "stamp": ["generate", str(SCHEMA), "--out", "out", "--stamp"],
    "depfile": ["generate", str(SCHEMA), "--out", "out", "--depfile"],
    "dyndep": ["dyndep", str(SCHEMA), "--out", "out", "--stamp", "out/colony_world.c", "--to"],
    "docs": ["docs", str(SCHEMA), "--out"],
    "debug": ["debug", str(SCHEMA), "--out"],
    "jsonschema": ["jsonschema", "--out"],
    "jsonschema_of_worlds": ["jsonschema", str(SCHEMA), "--out"],
    "init": ["init", "--name", "game"],
    "runtime": ["runtime", "--out"],
}


@pytest.mark.parametrize("name", WRITERS)
@pytest.mark.parametrize(
    "path", ["x" * 300, "a/" * 2100 + "b", "there/inside", "gone/" + "x" * 300]
)
def test_a_path_that_nothing_can_have_is_refused(name: str, path: str, tmp_path: Path) -> None:
    (tmp_path / "there").write_text("a file, and no folder")
    (tmp_path / "folder").mkdir()
    done = CommandLine().run(*WRITERS[name], path, cwd=tmp_path)
    assert done.code == 2, (done.out, done.err)
    wanted = ("error: cannot write '", "error: cannot make ", "error: cannot read '")
    assert done.err.startswith(wanted) or "pyarrow" in done.err, done.err


@pytest.mark.parametrize("to", FORMATS[:3])
def test_an_export_is_written_below_a_long_path(to: str, tmp_path: Path) -> None:
    """Its draft must not take a longer name than the export itself."""
    out = tmp_path / ("x" * 255)
    assert Saves().run("export", EXACT, "--to", to, "--out", out).code == 0
    assert [path.name for path in tmp_path.iterdir()] == [out.name]


# ---- names and texts that mean something in a format


RESERVED = ("sqlite_master", "sqlite_schema", "sqlite_sequence", "sqlite_", "sqlite_stat1")
WORDS = ("select", "table", "order", "rowid", "oid", "index", "where", "main", "temp")


def test_names_that_sqlite_reserves_become_tables(tmp_path: Path) -> None:
    names = [name for name in RESERVED if name != "sqlite_"]
    kinds = [component(name, 1, [field("rowid")]) for name in (*names, *WORDS)]
    told = schema(components=kinds, singletons=[singleton("sqlite_temp", 1, [field("oid")])])
    rows = [table(i, 1, [i], values=words(7 + i)) for i in range(len(kinds))]
    path, out = tmp_path / "a.save", tmp_path / "a.db"
    path.write_bytes(save(told, rows, live=len(kinds)))
    done = Saves().run("export", path, "--to", "sqlite", "--out", out)
    assert (done.code, done.err) == (0, "")
    with sqlite3.connect(out) as database:
        tables = {row[0] for row in database.execute("SELECT name FROM sqlite_master") if row[0]}
        for i, name in enumerate((*names, *WORDS)):
            called = f"_{name}" if name in names else name
            assert called in tables
            found = database.execute(f'SELECT _index, "rowid" FROM "{called}"').fetchall()
            assert found == [(i, 7 + i)]
    database.close()


WIDE = "\uff1d1"  # with the equals sign of East Asian keyboards
FORMULAS = [
    "=cmd|' /C calc'!A0",
    "+1+1",
    "-2",
    "@SUM(1)",
    "\t=1",
    "\r=1",
    "\n=1",
    '="a,b"',
    "\uff1d1",
]
TEXTS = ["plain", "a=1", "'quoted", "", "1-2", "x@y"]


def exported_texts(tmp_path: Path, *options: str) -> list[str]:
    every = [*FORMULAS, *TEXTS]
    values = b"".join(one.encode().ljust(40, b"\0") for one in every)
    told = schema(components=[component("person", 40, [string("name", 40)])])
    path, out = tmp_path / "a.save", tmp_path / "out"
    path.write_bytes(save(told, [table(0, len(every), [0], values=values)], live=len(every)))
    done = Saves().run("export", path, "--to", "csv", "--out", out, *options)
    assert (done.code, done.err) == (0, "")
    with open(out / "person.csv", encoding="utf-8", newline="") as file:
        return [row["name"] for row in csv.DictReader(file)]


def test_texts_of_csv_are_as_they_are(tmp_path: Path) -> None:
    assert exported_texts(tmp_path) == [*FORMULAS, *TEXTS]


def test_plain_cells_are_no_formulas(tmp_path: Path) -> None:
    expected = [f"'{one}" for one in FORMULAS] + TEXTS
    assert exported_texts(tmp_path, "--plain-cells") == expected


@pytest.mark.parametrize("to", ["json", "sqlite", "parquet"])
def test_plain_cells_are_of_csv_alone(to: str, tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = Saves().run("export", EXACT, "--to", to, "--out", out, "--plain-cells")
    assert done.code == 2
    assert f"--plain-cells works only with csv: leave it out with --to {to}" in done.err
    assert not out.exists()


# ---- what is no save


def head_of(size: int) -> bytes:
    head = b"WEFTSAVE" + words(1, size)
    return head + words(checksum(head))


def sparse(path: Path, head: bytes, size: int) -> Path:
    """A file that is long and takes no space."""
    path.write_bytes(head)
    os.truncate(path, size)
    return path


HUGE = 40 << 30


@pytest.mark.parametrize(
    ("head", "words_of_it"),
    [
        (b"", "this is not a save"),
        (b"WEFTSAVE", "the head has unknown bytes"),
        (head_of(1024), "bytes, but should have 1,024"),
        (head_of(HUGE), "byte 32: a section has no name"),
        (head_of(HUGE) + b"SCHM" + words(0)[:4] + words(HUGE), "bytes does not end"),
    ],
)
def test_a_long_file_that_is_no_save_is_refused_before_it_is_read(
    head: bytes, words_of_it: str, tmp_path: Path
) -> None:
    path = sparse(tmp_path / "sparse.save", head, HUGE)
    limits = f'ulimit -v 1000000; ulimit -t {SECONDS_MAX}; exec "$@"'
    for action in (["show", path], ["diff", path, EXACT], ["diff", EXACT, path]):
        command = ["sh", "-c", limits, "sh", sys.executable, ROOT / "codegen", "saves", *action]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 2, done.stderr
        assert words_of_it in done.stderr
    path.unlink()


def test_what_is_no_file_is_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")  # which nobody writes into
    told = {
        tmp_path / "pipe": "this is not a file",
        "/dev/zero": "this is not a file",
        "/dev/null": "this is not a file",
        tmp_path: "is a directory",
        "": "no such file",
        tmp_path / ("x" * 300): "file name too long",
    }
    for path, words_of_it in told.items():
        command = [sys.executable, ROOT / "codegen", "saves", "show", path]
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS_MAX)
        assert (done.returncode, words_of_it in done.stderr) == (2, True), done.stderr
