"""The command line of the generator: usage, help, mistakes and exit codes."""

from __future__ import annotations

import io
import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from built import ROOT
from command_line import ACCEPTED, fields, run, run_after, run_alone
from commands import options, working
from commands.parser import commands_below
from kit import runtime

HERE = Path(__file__).parent


def heed_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def test_stubs_of_an_unknown_system_are_refused_with_the_nearest() -> None:
    done = run("stubs", "schema/colony.toml", "--system", "movment")
    message = "error: no system 'movment': did you mean 'movement'?\n"
    assert fields(done) == (2, "", message)
    done = run("stubs", "schema/colony.toml", "--system", "movement", "--cpp")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith('#include "colony.hpp"\n')


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_long_command_says_what_it_is_at_on_a_terminal_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(working, "SILENT_SECONDS", 0.0)
    shown = Terminal()
    monkeypatch.setattr(sys, "stderr", shown)
    with working.working("planning"):
        while "planning: " not in shown.getvalue():
            time.sleep(0.01)
    assert re.fullmatch(r"(\rplanning: \d+ s\x1b\[K)+\r\x1b\[K", shown.getvalue())
    shown.truncate(0)
    shown.seek(0)
    monkeypatch.setattr(working, "SILENT_SECONDS", 1e9)
    with working.working("planning"):
        pass
    assert shown.getvalue() == ""
    piped = io.StringIO()
    monkeypatch.setattr(working, "SILENT_SECONDS", 0.0)
    monkeypatch.setattr(sys, "stderr", piped)
    before = threading.active_count()
    with working.working("planning"):
        assert threading.active_count() == before
    assert piped.getvalue() == ""


def test_check_of_a_right_schema() -> None:
    assert fields(run_alone("check", ACCEPTED)) == (0, f"{ACCEPTED}: no mistakes\n", "")


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
    assert fields(usual) == (0, f"{schema}: 4 warnings\n", expected)
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
    usage = "usage: codegen check [-h] [--strict] [--saves] SCHEMA\ncodegen check: error: "
    for words, meant in (
        (("--save", "more"), ": did you mean '--saves'?"),
        (("--strcit",), ": did you mean '--strict'?"),
        (("--xyz",), ""),
        (("more",), ": write one schema; its imports are read too"),
    ):
        said = run("check", ACCEPTED, *words).stderr
        assert said == f"{usage}unrecognized arguments: {' '.join(words)}{meant}\n"


@pytest.mark.parametrize(
    ("words", "option", "commands"),
    [
        (("generate", ACCEPTED, "--out", "x", "--system", "graze"), "--system", "stubs"),
        (("check", ACCEPTED, "--cpp"), "--cpp", "stubs, init"),
        (("check", ACCEPTED, "--entity=1:1"), "--entity", "saves show"),
        (("--saves",), "--saves", "check"),
    ],
)
def test_an_option_of_other_commands_is_told_with_these(
    words: tuple[str, ...], option: str, commands: str
) -> None:
    code, out, said = fields(run(*words))
    assert (code, out) == (2, "")
    assert said.endswith(f": '{option}' is an option of {commands}\n")


def test_a_second_value_of_an_option_is_refused() -> None:
    said = run("generate", ACCEPTED, "--out", "a", "--flat", "--flat", "--out=b").stderr
    assert said.endswith("generate: error: argument --out: it is set twice, to 'a' and 'b'\n")


@pytest.mark.parametrize(
    ("word", "argument", "option"),
    [("--strict=yes", "--strict", "--strict"), ("--help=x", "-h/--help", "--help")],
)
def test_an_option_without_a_value_is_told_how_it_is_written(
    word: str, argument: str, option: str
) -> None:
    said = run("check", ACCEPTED, word).stderr
    told = f"check: error: argument {argument}: it takes no value: write '{option}' alone\n"
    assert said.endswith(told)


@pytest.mark.parametrize(
    ("command", "option"),
    [
        (("generate",), "--stamp"),
        (("generate",), "--depfile"),
        (("dyndep", "--stamp", "x"), "--to"),
        (("dyndep", "--stamp", "x"), "--depfile"),
    ],
)
def test_a_folder_for_a_file_is_told_before_anything_is_generated(
    tmp_path: Path, command: tuple[str, ...], option: str
) -> None:
    out = tmp_path / "out"
    for folder in (f"{tmp_path}", f"{tmp_path}/new/"):
        done = run(*command, ACCEPTED, "--out", str(out), option, folder)
        told = f"argument {option}: '{folder}' is a folder: write the path of a file in it\n"
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.endswith(told)
    assert not out.exists()


def test_commands_that_are_named_are_there() -> None:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(options, "_later", options.named_command)
        commands = dict(commands_below(options.make_parser("codegen")))
    assert commands["saves show"].get_default("action") == "show"
    assert all(
        callable(each.get_default("run")) for name, each in commands.items() if " " not in name
    )


def test_without_a_command_all_of_them_are_listed() -> None:
    code, out, help = fields(run("--help"))
    assert (code, help) == (0, "")
    assert "\n    check     report mistakes in a schema\n" in out
    assert fields(run()) == (2, "", out)


@pytest.mark.parametrize("command", [(), ("check",), ("saves", "show")])
def test_help_is_a_command_too(command: tuple[str, ...]) -> None:
    done = fields(run("help", *command))
    assert done == fields(run(*command, "--help"))
    assert done[0] == 0
    said = run("help", "chek").stderr
    assert said.endswith("error: no command 'chek': did you mean 'check'?\n")


@pytest.mark.parametrize(
    ("command", "does"),
    [
        ("check", "Report mistakes in a schema."),
        ("init", "Make a new game that builds and runs."),
        ("runtime", "Print where the runtime is, or copy it."),
        ("saves", "Show, compare or export save files."),
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
    with pytest.raises(runtime.MissingRuntimeError, match="has no inspector: use"):
        runtime.inspector_files()


@pytest.mark.parametrize(
    ("name", "help"),
    [
        ("chek", "did you mean 'check'?"),
        ("Generate", "did you mean 'generate'?"),
        (
            "frobnicate",
            "commands: generate, check, diff, schedule, prefabs, stubs, debug, docs, lock, "
            "jsonschema, dyndep, init, runtime, saves",
        ),
    ],
)
def test_an_unknown_command_is_told_the_nearest_one(name: str, help: str) -> None:
    usage = "usage: codegen [-h] [--version] COMMAND ...\n"
    said = f"{usage}codegen: error: no command '{name}': {help}\n"
    assert fields(run(name, ACCEPTED)) == (2, "", said)


@pytest.mark.parametrize(
    ("words", "usage", "said"),
    [
        (
            ("saves", "shwo", "my.save"),
            "usage: codegen saves [-h] ACTION ...\n",
            "codegen saves: error: no action 'shwo': did you mean 'show'?\n",
        ),
        (
            ("saves", "print"),
            "usage: codegen saves [-h] ACTION ...\n",
            "codegen saves: error: no action 'print': actions: show, diff, export\n",
        ),
        (
            ("init", "boats", "--build", "cmakee"),
            "usage: codegen init ",
            "codegen init: error: argument --build: no choice 'cmakee': did you mean 'cmake'?\n",
        ),
        (
            ("saves", "export", "my.save", "--to", "xlsx", "--out", "x"),
            "usage: codegen saves export ",
            "error: argument --to: no choice 'xlsx': choices: json, csv, sqlite, parquet\n",
        ),
    ],
)
def test_a_word_that_is_no_choice_is_told_the_nearest_one(
    words: tuple[str, ...], usage: str, said: str
) -> None:
    code, out, told = fields(run(*words))
    assert (code, out) == (2, "")
    assert told.startswith(usage)
    assert told.endswith(said)


def test_an_empty_path_is_told_how_to_write_the_folder_at_hand() -> None:
    said = run("generate", ACCEPTED, "--out", "").stderr
    assert said.endswith("argument --out: the path is empty; for the current folder, write '.'\n")


@pytest.mark.parametrize(
    ("schema", "reason"),
    [
        ("nowhere.toml", "no such file or directory"),
        ("tests", "it is not a file"),
        ("/dev/null/x.toml", "not a directory"),
    ],
)
def test_unreadable_root_exits_2(schema: str, reason: str) -> None:
    expected = (2, "", f"error: cannot read '{schema}': {reason}\n")
    assert fields(run("check", schema)) == expected


@pytest.mark.parametrize("command", ["check", "schedule"])
def test_pairs_without_an_order_are_an_error_only_if_strict(command: str) -> None:
    expected = (HERE / "ambiguous-order.expected").read_text(encoding="utf-8")
    usual = run(command, "ambiguous-order.toml", cwd=HERE)
    assert (usual.returncode, usual.stderr) == (0, expected)
    strict = run(command, "ambiguous-order.toml", "--strict", cwd=HERE)
    assert fields(strict) == (1, "", expected.replace(": warning: ", ": error: "))


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


def test_a_reader_that_has_seen_enough_is_told_nothing() -> None:
    """As in `weft saves show FILE | head`."""
    read, write = os.pipe()
    os.close(read)
    command = [sys.executable, "-B", "codegen", "check", ACCEPTED]
    with open(write, "wb") as pipe:
        done = subprocess.run(command, cwd=ROOT, stdout=pipe, stderr=subprocess.PIPE, check=False)
    assert (done.returncode, done.stderr) == (2, b"")


def test_a_locale_without_unicode_is_no_trouble() -> None:
    plain = {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "LC_ALL": "C"}
    done = run_alone("check", "unknown-component-shown.toml", cwd=HERE, env=plain)
    assert done.returncode == 1
    assert "\\u4f4d" in done.stderr


def test_diagnostics_link_the_page_of_errors_if_weft_site_is_set() -> None:
    plain = run_alone("check", "index-cell.toml", cwd=HERE, env={"WEFT_SITE": ""}).stderr
    ids = re.findall(r": error: .* \[(.*)\]$", plain, re.M)
    assert len(ids) > 1 and "errors.html" not in plain
    for site in ("https://weft.example/docs", "https://weft.example/docs/"):
        linked = run_alone("check", "index-cell.toml", cwd=HERE, env={"WEFT_SITE": site}).stderr
        link = "help: https://weft.example/docs/schema/reference/errors.html#index-cell\n"
        assert linked.count(link) == len(ids)
        assert linked.replace(link, "") == plain
        assert linked.endswith(link)  # it ends each diagnostic, after its own help
        assert len(re.findall(r"^help: (?!https)", linked, re.M)) == len(ids)


def test_a_bug_is_a_short_message_and_never_a_traceback(tmp_path: Path) -> None:
    broken = "from model import handles; handles.summary = lambda *_: 1 // 0"
    arguments = ("generate", ACCEPTED, "--out", str(tmp_path))
    for variable, shown in (("", False), ("1", True)):
        done = run_after(broken, *arguments, env={"WEFT_TRACEBACK": variable})
        assert done.returncode == 3
        assert "internal error: ZeroDivisionError in <string>:1: " in done.stderr
        assert "please report" in done.stderr
        assert ("Traceback" in done.stderr) is shown


def test_without_jinja_generate_says_so_and_check_works(tmp_path: Path) -> None:
    without = "sys.modules['jinja2'] = None"
    for command, code, said in (
        (["generate", ACCEPTED, "--out", str(tmp_path)], 2, "error: Jinja2 is missing"),
        (["check", ACCEPTED], 0, ""),
    ):
        done = run_after(without, *command)
        assert done.returncode == code
        assert done.stderr.startswith(said)
