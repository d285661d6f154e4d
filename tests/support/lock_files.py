"""A schema in a folder of its own, with its lock."""

from __future__ import annotations

import io
import runpy
import signal
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from pathlib import Path
from typing import Any, TextIO

from generated import ROOT
from lock import read_lock
from source.source import Report


@cache
def _command_line() -> dict[str, Any]:
    """Returns the generator's command line as a module, without its handling of Ctrl-C."""
    interrupt = signal.getsignal(signal.SIGINT)
    module = runpy.run_path(str(ROOT / "codegen" / "__main__.py"), run_name="command_line")
    signal.signal(signal.SIGINT, interrupt)
    return module


def codegen(
    *arguments: str | Path, stdin: TextIO | None = None
) -> subprocess.CompletedProcess[str]:
    """Runs `python3 codegen ARGUMENT…`, in this process unless something is read from `stdin`.

    A separate process takes ten times as long. test_command_line.py tests the difference.
    """
    command = [sys.executable, "-B", str(ROOT / "codegen"), *map(str, arguments)]
    if stdin:
        return subprocess.run(
            command, capture_output=True, encoding="utf-8", check=False, stdin=stdin
        )
    said, complained = io.StringIO(), io.StringIO()
    with redirect_stdout(said), redirect_stderr(complained):
        code = _command_line()["main"](command[3:])
    return subprocess.CompletedProcess(command, code, said.getvalue(), complained.getvalue())


# A schema that is only about saves has no query. This silences the warning of `check` about it.
UNREAD = '\n[component.body.quiet]\nnever-read = "the tests are about saves"\n'


class Recorded:
    """A world whose schema is written again and again. `head` is its [world]."""

    def __init__(self, folder: Path, head: str) -> None:
        self.schema = folder / "root.toml"
        self.file = folder / "evolve.lock"
        self._head = head

    def write(self, rest: str, head: str = "") -> None:
        quiet = UNREAD if "[component.body" in rest else ""
        self.schema.write_text((head or self._head) + rest + quiet, "utf-8")

    def add(self, *options: str) -> str:
        """Returns the output of `lock`."""
        done = codegen("lock", self.schema, *options)
        assert done.returncode == 0, done.stderr
        return done.stdout.removeprefix(f"{self.file}: ").rstrip()

    def lock(self, rest: str, head: str = "") -> None:
        """Writes a schema and records it."""
        self.write(rest, head)
        self.add()

    def releases(self) -> list[str]:
        report = Report()
        lock = read_lock(str(self.schema), "evolve", report)
        assert not report.errors, report.render()
        return [release.name for release in lock.releases]

    def verdicts(self, rest: str, head: str = "") -> list[str]:
        """Returns the verdicts of `check` about the effect of this schema on recorded saves."""
        self.write(rest, head)
        done = codegen("check", self.schema, "--saves")
        lines = done.stdout.splitlines()
        return lines if done.returncode else lines[:-1]
