"""The command line: `python3 codegen COMMAND SCHEMA …`. The package `commands` does the work.

Exit codes: 0 success, 1 the schema is wrong (or `diff` found a difference), 2 wrong usage, or
something cannot be read or written, 3 a bug in the generator.
"""

from __future__ import annotations

import gc
import signal
import sys

if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C while modules load prints no traceback

if sys.version_info < (3, 11):  # noqa: UP036 (an older Python reports it instead of crashing)
    print("error: Weft's generator needs Python 3.11 or newer", file=sys.stderr)
    sys.exit(2)

if __package__:  # installed by pip as `weft`; packages import each other by their bare names
    sys.path.insert(0, __file__.rpartition("__main__")[0])

import io
import os
import traceback
from collections.abc import Sequence
from pathlib import Path

from commands.options import read_options
from commands.outcome import BUG, UNUSABLE, WRONG, WrongSchemaError, fail
from source.refusal import RefusedError


def main(arguments: Sequence[str]) -> int:
    """Runs one command and returns its exit code."""
    _ready_streams()
    try:
        options = read_options(__package__ or "codegen", arguments)
        code: int = options.run(options)
        sys.stdout.flush()
    except WrongSchemaError:
        return WRONG
    except RefusedError as error:
        return fail(str(error), error.help)
    except ModuleNotFoundError as error:
        if error.name != "jinja2":
            return _bug(error)
        return fail("Jinja2 is missing (on Debian: apt install python3-jinja2)")
    except OSError as error:  # only printing raises it here
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):  # for example in a pipe to `head`
            return UNUSABLE
        return fail(f"cannot print: {(error.strerror or str(error)).lower()}")
    except Exception as error:
        return _bug(error)
    return code


def _ready_streams() -> None:
    """Makes any text printable. A stream that the caller has closed discards its text."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _bug(error: Exception) -> int:
    if os.environ.get("WEFT_TRACEBACK"):
        traceback.print_exception(error, file=sys.stderr)
    where = traceback.extract_tb(error.__traceback__)[-1]
    at = f"{'/'.join(Path(where.filename).parts[-2:])}:{where.lineno}"
    print(f"internal error: {type(error).__name__} in {at}: {error}", file=sys.stderr)
    help = "this is a bug in Weft, not in your schema: please report this line with the schema"
    print(f"help: {help}; WEFT_TRACEBACK=1 prints more", file=sys.stderr)
    return BUG


def entry() -> None:
    """Runs the command line of this process, and exits."""
    try:
        if signal.getsignal(signal.SIGINT) is signal.SIG_DFL:
            signal.signal(signal.SIGINT, signal.default_int_handler)  # so that files are cleaned up
        code = main(sys.argv[1:])
        gc.freeze()  # the process ends now, so skip the search for cycles
        sys.exit(code)
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    entry()
