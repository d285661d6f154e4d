"""Runs the command line of codegen within this process, which is faster than starting another."""

from __future__ import annotations

import contextlib
import io
from dataclasses import dataclass
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

from built import ROOT


@dataclass(frozen=True)
class Done:
    code: int
    out: str
    err: str


def _command_line() -> ModuleType:
    spec = spec_from_file_location("weft_command_line", ROOT / "codegen/__main__.py")
    assert spec and spec.loader
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class CommandLine:
    def __init__(self) -> None:
        self._main = _command_line().main

    def run(self, *arguments: str | Path, cwd: Path | None = None) -> Done:
        """Runs `python3 codegen ARGUMENT...` from a folder, or from the current one."""
        out, err = io.StringIO(), io.StringIO()
        with (
            contextlib.chdir(cwd or Path.cwd()),
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(err),
        ):
            try:
                code = self._main([str(argument) for argument in arguments])
            except SystemExit as end:  # argparse ends so
                code = int(end.code or 0)
        return Done(code, out.getvalue(), err.getvalue())


class Saves:
    """The command `codegen saves`."""

    def __init__(self) -> None:
        self._command = CommandLine()

    def run(self, *arguments: str | Path) -> Done:
        return self._command.run("saves", *arguments)
