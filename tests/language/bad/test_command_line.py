"""The command line as a user meets it: what it prints, what it writes, how it exits."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from command import CommandLine
from kit import runtime

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
ACCEPTED = "tests/language/bad/accepted/design.toml"


_command = CommandLine()


def run(*arguments: str, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """`python3 codegen ARGUMENT…`, as far as it does not matter that it shares this process."""
    done = _command.run(*arguments, cwd=cwd)
    return subprocess.CompletedProcess(arguments, done.code, done.out, done.err)


def run_alone(
    *arguments: str,
    cwd: Path = ROOT,
    env: dict[str, str] | None = None,
    before: Callable[[], None] | None = None,
) -> subprocess.CompletedProcess[str]:
    """`python3 codegen ARGUMENT…` as a process."""
    return subprocess.run(
        [sys.executable, "-B", str(ROOT / "codegen"), *arguments],
        cwd=cwd,
        env={**os.environ, **(env or {})},
        preexec_fn=before,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def heed_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def fields(done: subprocess.CompletedProcess[str]) -> tuple[int, str, str]:
    return done.returncode, done.stdout, done.stderr


def test_stubs_of_an_unknown_system_are_refused_with_the_nearest() -> None:
    done = run("stubs", "schema/colony.toml", "--system", "movment")
    message = "error: no system 'movment': did you mean 'movement'?\n"
    assert fields(done) == (2, "", message)
    done = run("stubs", "schema/colony.toml", "--system", "movement", "--cpp")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith('#include "colony.hpp"\n')


def test_check_of_a_right_schema() -> None:
    assert fields(run_alone("check", ACCEPTED)) == (0, f"{ACCEPTED}: nothing wrong\n", "")


def test_a_closed_output_is_no_mistake(tmp_path: Path) -> None:
    quiet = f"'{sys.executable}' -B '{ROOT}/codegen'"
    for command, code in [
        (f"check '{ACCEPTED}' >&-", 0),
        (f"generate '{ACCEPTED}' --out '{tmp_path}' >&-", 0),
        ("--help >&- 2>&-", 0),
        ("check nowhere.toml >&-", 2),
    ]:
        done = subprocess.run(["sh", "-c", f"{quiet} {command}"], cwd=ROOT, stderr=subprocess.PIPE)
        assert (done.returncode, b"internal" in done.stderr) == (code, False)
    assert (tmp_path / "colony/colony.h").exists()


def test_check_of_a_wrong_schema_prints_the_report_and_nothing_else() -> None:
    expected = (HERE / "missing-file.expected").read_text(encoding="utf-8")
    assert fields(run_alone("check", "missing-file/root.toml", cwd=HERE)) == (1, "", expected)


def test_warnings_are_errors_only_if_strict() -> None:
    expected = (HERE / "where-always.expected").read_text(encoding="utf-8")
    schema = "where-always.toml"
    usual = run("check", schema, cwd=HERE)
    assert fields(usual) == (0, f"{schema}: 2 warnings\n", expected)
    strict = run("check", schema, "--strict", cwd=HERE)
    assert fields(strict) == (1, "", expected.replace(": warning: ", ": error: "))


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("frobnicate",),
        ("check",),
        ("generate", ACCEPTED),
        ("diff", ACCEPTED),
        ("schedule",),
        ("schedule", ACCEPTED, "--dots"),
        ("dyndep", ACCEPTED, "--out", "x"),
        ("check", ACCEPTED, "--frobnicate"),
        ("check", ACCEPTED, "--sav"),
        ("diff", ACCEPTED, "--out", ""),
        ("lock",),
        ("lock", ACCEPTED, "--out", "x"),
        ("jsonschema",),
        ("jsonschema", ACCEPTED),
        ("generate", ACCEPTED, "--out", "x", "--list", "--list-schema"),
        ("runtime", "--one-file"),
        ("runtime", "--inspector"),
        ("saves", "shw"),
    ],
)
def test_wrong_usage_exits_2_with_usage(arguments: tuple[str, ...]) -> None:
    code, out, said = fields(run(*arguments))
    assert (code, out) == (2, "")
    assert said.startswith("usage: codegen")


def test_an_unknown_option_is_told_with_the_usage_of_its_command() -> None:
    said = run("check", ACCEPTED, "--save", "more").stderr
    usage = "usage: codegen check [-h] [--strict] [--saves] SCHEMA\n"
    assert said == f"{usage}codegen check: error: unrecognized arguments: --save more\n"


@pytest.mark.parametrize(
    ("command", "does"),
    [
        ("check", "Report what is wrong with a schema."),
        ("init", "Make a game that builds and runs."),
        ("runtime", "Print where the runtime's sources are, or copy them."),
        ("saves", "Show, compare or export what is in saves."),
    ],
)
def test_help_says_what_a_command_does(command: str, does: str) -> None:
    code, out, said = fields(run(command, "--help"))
    assert (code, said) == (0, "")
    assert f"\n{does}\n" in out


def test_a_runtime_without_its_inspector_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "weft.h").touch()
    monkeypatch.setattr(runtime, "_PLACES", (tmp_path,))
    with pytest.raises(runtime.MissingRuntimeError, match="has no inspector: take"):
        runtime.inspector_files()


@pytest.mark.parametrize(
    ("name", "help"),
    [
        ("chek", "did you mean 'check'?"),
        ("Generate", "did you mean 'generate'?"),
        (
            "frobnicate",
            "commands: generate, check, diff, schedule, stubs, debug, docs, lock, jsonschema, "
            "dyndep, init, runtime and 1 more",
        ),
    ],
)
def test_an_unknown_command_is_told_the_nearest_one(name: str, help: str) -> None:
    usage = "usage: codegen [-h] [--version] COMMAND ...\n"
    said = f"{usage}codegen: error: no command '{name}': {help}\n"
    assert fields(run(name, ACCEPTED)) == (2, "", said)


def test_an_empty_path_is_told_how_to_write_the_folder_at_hand() -> None:
    said = run("generate", ACCEPTED, "--out", "").stderr
    assert said.endswith("argument --out: the path is empty; the folder at hand is '.'\n")


@pytest.mark.parametrize(
    ("schema", "reason"),
    [
        ("nowhere.toml", "no such file or directory"),
        ("tests", "not a file"),
        ("/dev/null/x.toml", "not a directory"),
    ],
)
def test_unreadable_root_exits_2(schema: str, reason: str) -> None:
    expected = (2, "", f"error: cannot read '{schema}': {reason}\n")
    assert fields(run("check", schema)) == expected


def test_generate_writes_once_and_says_what_the_handles_are_good_for(tmp_path: Path) -> None:
    handles = (
        "at most 1,000,000 entities at once, handles of 24 + 8 bits: an index retires after 255 "
        "spawns, all 16,777,216 after 4,278,190,080\n"
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


def test_generate_tells_only_of_widths_that_were_chosen(tmp_path: Path) -> None:
    schema = tmp_path / "plain.toml"
    schema.write_text('[world]\nname = "plain"\n', encoding="utf-8")
    said = run("generate", str(schema), "--out", str(tmp_path)).stdout
    assert said.splitlines()[1:] == ["at most 1,000,000 entities at once"]


IMPORTS = "tests/language/bad/accepted/imports"


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
    assert ", 1 removed" in run("generate", str(schema), "--out", str(out), "--flat").stdout
    assert (out / "a_b_d.h").exists() and not (out / "a_b_c.h").exists()
    schema.write_text(text.replace("b_c", "b_d"))
    refused = run("generate", str(schema), "--out", str(out), "--flat")
    said = f"error: '{out}/a_b_d.h' is in the way, and is of another world: "
    assert (refused.returncode, refused.stderr[: len(said)]) == (2, said)


@pytest.mark.parametrize("command", ["check", "schedule"])
def test_pairs_without_an_order_are_an_error_only_if_strict(command: str) -> None:
    expected = (HERE / "ambiguous-order.expected").read_text(encoding="utf-8")
    usual = run(command, "ambiguous-order.toml", cwd=HERE)
    assert (usual.returncode, usual.stderr) == (0, expected)
    strict = run(command, "ambiguous-order.toml", "--strict", cwd=HERE)
    assert fields(strict) == (1, "", expected.replace(": warning: ", ": error: "))


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


def test_jsonschema_writes_a_file_or_into_a_folder(tmp_path: Path) -> None:
    file = tmp_path / "of_files.json"
    assert fields(run("jsonschema", "--out", str(file))) == (0, f"{file}: written\n", "")
    assert fields(run("jsonschema", "--out", str(file))) == (0, f"{file}: nothing new\n", "")
    folder, world = f"{tmp_path}/new/", f"{tmp_path}/new/colony.schema.json"
    done = run("jsonschema", ACCEPTED, "--out", folder)
    assert fields(done) == (0, f"{world}: written\n", "")
    language = f"{tmp_path}/new/weft.schema.json"
    done = run("jsonschema", "--out", folder.removesuffix("/"))
    assert fields(done) == (0, f"{language}: written\n", "")
    assert Path(language).read_text() == file.read_text() != Path(world).read_text()


def test_jsonschema_makes_no_folders_for_a_file(tmp_path: Path) -> None:
    file = f"{tmp_path}/nope/deep/x.json"
    said = f"error: cannot write '{file}': there is no folder '{tmp_path}/nope/deep'\n"
    assert fields(run("jsonschema", "--out", file)) == (2, "", said)
    assert not list(tmp_path.iterdir())
    done = run("jsonschema", "--out", "x.json", cwd=tmp_path)  # here
    assert fields(done) == (0, "x.json: written\n", "")


def test_jsonschema_diff_exits_1_if_anything_would_change(tmp_path: Path) -> None:
    file = tmp_path / "weft.schema.json"
    arguments = ("jsonschema", "--out", str(file), "--diff")
    code, diff, said = fields(run(*arguments))
    assert (code, said, file.exists()) == (1, "", False)
    assert diff.startswith(f"--- /dev/null\n+++ {file}\n")
    run("jsonschema", "--out", str(file))
    assert fields(run(*arguments)) == (0, "", "")


def test_jsonschema_of_a_wrong_schema_writes_nothing(tmp_path: Path) -> None:
    expected = (HERE / "every-range.expected").read_text(encoding="utf-8")
    done = run("jsonschema", "every-range.toml", "--out", f"{tmp_path}/x.json", cwd=HERE)
    assert fields(done) == (1, "", expected)
    assert not list(tmp_path.iterdir())


def test_jsonschema_leaves_a_file_of_somebody_s_own_alone(tmp_path: Path) -> None:
    file = tmp_path / "weft.schema.json"
    file.write_text("{}")
    help = "move it away, or generate into another folder"
    said = f"error: '{file}' is in the way, and was not generated: {help}\n"
    assert fields(run("jsonschema", "--out", str(tmp_path))) == (2, "", said)
    assert file.read_text() == "{}"
    gone = run("jsonschema", "nowhere.toml", "--out", str(tmp_path))
    assert fields(gone)[0] == 2


def test_unwritable_output_exits_2(tmp_path: Path) -> None:
    (tmp_path / "colony").write_text("a file where the folder must be")
    code, out, said = fields(run("generate", ACCEPTED, "--out", str(tmp_path)))
    assert (code, out) == (2, "")
    assert said == f"error: cannot make the folder '{tmp_path}/colony': file exists\n"


def test_full_disk_exits_2_and_leaves_no_half_file(tmp_path: Path) -> None:
    """The system's limit on the size of files stands in for a disk that fills up."""
    limited = (
        "import resource, runpy, sys;"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000));"
        f"sys.argv = ['codegen', 'generate', {ACCEPTED!r}, '--out', {str(tmp_path)!r}];"
        "sys.path.insert(0, 'codegen');"
        "runpy.run_path('codegen', run_name='__main__')"
    )
    done = subprocess.run(
        [sys.executable, "-B", "-c", limited],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 2, done.stderr
    assert "error: cannot write" in done.stderr
    assert not [path for path in tmp_path.rglob("*") if path.name.startswith(".")]
    assert all(path.read_text().endswith("\n") for path in tmp_path.rglob("*.h"))


@pytest.mark.parametrize(
    ("module", "code"),
    [("argparse", -signal.SIGINT), ("jinja2", 130)],  # while it loads, and while it runs
)
def test_an_interrupt_is_no_traceback(tmp_path: Path, module: str, code: int) -> None:
    """A module that interrupts its reader stands in for a user who presses Ctrl-C then.

    A shell makes what a script starts in the background ignore that key, and so all below it.
    """
    (tmp_path / f"{module}.py").write_text(
        "import os, signal\nos.kill(os.getpid(), signal.SIGINT)\nsignal.pause()\n"
    )
    out = tmp_path / "out"
    path = {"PYTHONPATH": str(tmp_path)}
    done = run_alone("generate", ACCEPTED, "--out", str(out), env=path, before=heed_interrupts)
    assert fields(done) == (code, "", "")
    assert not out.exists()


@pytest.mark.parametrize("arguments", [("check", ACCEPTED), ("--help",), ("check", "--help")])
def test_printing_that_fails_exits_2(arguments: tuple[str, ...]) -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-B", "codegen", *arguments],
            cwd=ROOT,
            stdout=full,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            check=False,
        )
    assert (done.returncode, done.stderr) == (2, "error: cannot print: no space left on device\n")


def test_a_locale_without_unicode_is_no_trouble() -> None:
    plain = {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "LC_ALL": "C"}
    done = run_alone("check", "unknown-component-shown.toml", cwd=HERE, env=plain)
    assert done.returncode == 1
    assert "\\u4f4d" in done.stderr


def test_a_bug_is_a_short_message_and_never_a_traceback(tmp_path: Path) -> None:
    broken = (
        "import runpy, sys;"
        "sys.path.insert(0, 'codegen');"
        "from model import handles;"
        "handles.summary = lambda world: 1 // 0;"
        f"sys.argv = ['codegen', 'generate', {ACCEPTED!r}, '--out', {str(tmp_path)!r}];"
        "runpy.run_path('codegen', run_name='__main__')"
    )
    for variable, shown in (("", False), ("1", True)):
        done = subprocess.run(
            [sys.executable, "-B", "-c", broken],
            cwd=ROOT,
            env={**os.environ, "WEFT_TRACEBACK": variable},
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        assert done.returncode == 3
        assert "internal error: ZeroDivisionError in <string>:1: " in done.stderr
        assert "please report" in done.stderr
        assert ("Traceback" in done.stderr) is shown


def test_without_jinja_generate_says_so_and_check_works(tmp_path: Path) -> None:
    for command, code, said in (
        (["generate", ACCEPTED, "--out", str(tmp_path)], 2, "error: Jinja2 is missing"),
        (["check", ACCEPTED], 0, ""),
    ):
        without = (
            "import runpy, sys;"
            "sys.path.insert(0, 'codegen');"
            "sys.modules['jinja2'] = None;"
            f"sys.argv = ['codegen', *{command!r}];"
            "runpy.run_path('codegen', run_name='__main__')"
        )
        done = subprocess.run(
            [sys.executable, "-B", "-c", without],
            cwd=ROOT,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        assert done.returncode == code
        assert done.stderr.startswith(said)


def test_dyndep_names_every_output_and_input(tmp_path: Path) -> None:
    schema = "tests/language/bad/accepted/imports/root.toml"
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
    folder = "tests/language/bad/accepted/imports"
    assert {f"{folder}/{name}" for name in ("physics.toml", "game/economy.toml")} <= set(inputs)
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
