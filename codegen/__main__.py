"""The command line: `python3 codegen COMMAND SCHEMA …`. Nothing else in the generator prints.

Exit codes: 0 ok, 1 the schema is wrong (or `diff` found a difference), 2 the usage is wrong or
something cannot be read or written, 3 the generator has a bug.
"""

from __future__ import annotations

import signal
import sys

if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C while modules load prints no traceback

if sys.version_info < (3, 11):  # noqa: UP036 (an older Python reports it instead of crashing)
    print("error: Weft's generator needs Python 3.11 or newer", file=sys.stderr)
    sys.exit(2)

if __package__:  # pip has installed it as `weft`; packages are imported by their bare names
    sys.path.insert(0, __file__.rpartition("__main__")[0])

import argparse
import io
import os
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeAlias

from check import check
from emit.files import (
    MARK,
    WriteError,
    diff_file,
    diff_tree,
    need_folder,
    spare,
    touch_file,
    write_file,
    write_tree,
)
from emit.ninja import depfile, dyndep
from json_schemas import MARK as JSON_MARK
from json_schemas.export import export, file_name
from json_schemas.language import FILE_NAME, language
from kit.new_game import BUILDS, GameNameError, NewGame, new_game
from kit.one_file import one_file
from kit.runtime import MissingRuntimeError, runtime_files, runtime_folder
from kit.version import version
from lint import lint
from lock import Lock, ReleaseError, read_lock, with_release
from lock.strays import report_strays
from model.handles import summary
from model.model import Model
from names.names import SOURCES, Names
from names.nearest import suggest
from parse import parse
from saves.command import SavesError, add_options, answer
from saves.progress import Progress
from schedule import make_schedule, with_passes
from schedule.profile import as_profile
from schedule.text import as_dot, as_text
from schedule.trace import Trace, TraceError, read_trace
from source.imports import UnreadableError
from source.source import Report, printable
from verdict.report import as_text as as_saves
from verdict.report import report_changes

HERE = Path(__file__).parent

OK, WRONG, UNUSABLE, BUG = 0, 1, 2, 3

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


class WrongSchemaError(Exception):
    """The schema has mistakes, and they have been printed."""


def main(arguments: Sequence[str]) -> int:
    """Runs one command and returns its exit code."""
    _ready_streams()
    try:
        options = _options(arguments)
        code: int = options.run(options)
        sys.stdout.flush()
    except WrongSchemaError:
        return WRONG
    except (UnreadableError, WriteError, ReleaseError, MissingRuntimeError, GameNameError) as error:
        return _fail(str(error))
    except (SavesError, TraceError) as error:
        return _fail(str(error), error.help)
    except ModuleNotFoundError as error:
        if error.name != "jinja2":
            return _bug(error)
        return _fail("Jinja2 is missing (on Debian: apt install python3-jinja2)")
    except OSError as error:  # only printing lets one through
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _fail(f"cannot print: {(error.strerror or str(error)).lower()}")
    except Exception as error:
        return _bug(error)
    return code


def _ready_streams() -> None:
    """Makes any text printable; a stream that the caller has closed swallows what is printed."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    """Reads the command line. argparse prints help and wrong usage itself, and exits."""
    try:
        parser = _parser()
        _find_command(parser, arguments)
        options, unknown = parser.parse_known_args(arguments)
        if unknown:  # the command's own parser also prints that command's usage
            options.parser.error(f"unrecognized arguments: {' '.join(unknown)}")
    finally:
        sys.stdout.flush()
    return options


def _find_command(parser: argparse.ArgumentParser, arguments: Sequence[str]) -> None:
    """Reports a command that there is not, with the nearest; argparse would only list them all."""
    name = arguments[0] if arguments else "-"
    commands = parser.get_default("commands")
    if not name.startswith("-") and name not in commands:
        parser.error(f"no command '{printable(name)}': {suggest(name, commands, 'commands')}")


def _generate(options: argparse.Namespace) -> int:
    if options.list or options.list_schema:
        return _list(options)
    model = _read(options)
    files = _render(model, options)
    changes = write_tree(options.out, files, _mark(model, options))
    folder = options.out if options.flat else os.path.join(options.out, model.world.name)
    print(f"{folder}: {len(changes.written)} of {len(files)} files written", end="")
    print(f", {len(changes.removed)} removed" if changes.removed else "")
    print(summary(model.world))
    if options.depfile:
        target = options.stamp or options.depfile
        inputs = [*model.sources, *_own_files()]
        touch_file(options.depfile, depfile(target, inputs, included=not options.stamp))
    if options.stamp:
        touch_file(options.stamp, "".join(f"{path}\n" for path in sorted(files)))
    return OK


def _list(options: argparse.Namespace) -> int:
    """Prints paths for a build system that has to know them before anything is built."""
    model = _read(options, quiet=True)  # `generate` runs later and warns
    outputs = [os.path.join(options.out, path) for path in sorted(_paths(model, options))]
    print("".join(f"{path}\n" for path in (outputs if options.list else model.sources)), end="")
    return OK


def _check(options: argparse.Namespace) -> int:
    report = Report(strict=options.strict)
    model, lock = _read_with_lock(options, report)
    lint(model, report)
    if options.saves:
        none = "" if report.errors else f"{lock.path}: no release is recorded\n"
        print(as_saves(lock.releases, model) or none, end="")
    _show(report)
    warnings = len(report.diagnostics())
    outcome = f"{warnings:,} warning{'s' if warnings > 1 else ''}" if warnings else "nothing wrong"
    print(f"{options.schema}: {outcome}")
    return OK


def _lock(options: argparse.Namespace) -> int:
    report = Report(strict=options.strict)
    model, lock = _read_with_lock(options, report)
    _show(report)
    text, name = with_release(lock, model, options.release)
    if text == lock.text:
        print(f"{lock.path}: nothing new, saves are those of release '{name}'")
    elif options.diff:
        print(diff_file(lock.path, text), end="")
        return WRONG
    else:
        write_file(lock.path, text)
        print(f"{lock.path}: release '{name}' added; keep it with the schema")
    return OK


def _diff(options: argparse.Namespace) -> int:
    model = _read(options)
    difference = diff_tree(options.out, _render(model, options), _mark(model, options))
    print(difference, end="")
    return WRONG if difference else OK


def _schedule(options: argparse.Namespace) -> int:
    model = _read(options)
    show = as_dot if options.dot else as_text
    schedule = with_passes(model, make_schedule(model))
    if options.profile:
        trace = _read_trace(options.profile)
        print(as_profile(trace, options.profile, model.world.name, schedule), end="")
    else:
        print(show(model.world.name, schedule), end="")
    return OK


def _read_trace(path: str) -> Trace:
    progress = Progress(_show_progress if sys.stderr.isatty() else None)
    try:
        with open(path, "rb") as file:
            size = os.path.getsize(path)
            lines = (line.decode() for line in file)
            return read_trace(path, lines, lambda: progress.step("reading", file.tell(), size))
    except (OSError, UnicodeDecodeError) as reason:
        words = reason.strerror if isinstance(reason, OSError) else "it is no text"
        raise TraceError(f"'{path}' cannot be read: {words}") from reason
    finally:
        progress.end()


def _debug(options: argparse.Namespace) -> int:
    from debugger import debug_files

    return _write_files(options.out, debug_files(_read(options)))


def _docs(options: argparse.Namespace) -> int:
    from docs import docs_files

    return _write_files(options.out, docs_files(_read(options)))


def _write_files(folder: str, files: dict[str, str]) -> int:
    """Writes files into a folder, unless one is in the way that was not generated."""
    paths = {os.path.join(folder, name): text for name, text in files.items()}
    for path, text in paths.items():
        spare(path, text.partition(" from the schema")[0])
    for path, text in paths.items():
        print(f"{path}: {'written' if write_file(path, text) else 'nothing new'}")
    return OK


def _stubs(options: argparse.Namespace) -> int:
    model = _read(options)
    if options.system and options.system not in model.systems:
        help = suggest(options.system, model.systems, "systems")
        return _fail(f"no system '{options.system}'" + (f": {help}" if help else ""))
    from emit.stubs import stubs
    from plan import make_plan

    print(stubs(make_plan(model), options.system, cpp=options.cpp), end="")
    return OK


def _jsonschema(options: argparse.Namespace) -> int:
    name, text = _json_schema(options)
    is_folder = options.out.endswith(os.sep) or os.path.isdir(options.out)
    path = os.path.join(options.out, name) if is_folder else options.out
    if options.diff:
        difference = diff_file(path, text)
        print(difference, end="")
        return WRONG if difference else OK
    if not is_folder:
        need_folder(path)
    spare(path, JSON_MARK)
    print(f"{path}: {'written' if write_file(path, text) else 'nothing new'}")
    return OK


def _json_schema(options: argparse.Namespace) -> tuple[str, str]:
    """Returns a file's usual name and its text, for the language or for one schema's worlds."""
    if options.schema is None:
        return FILE_NAME, language()
    model = _read(options)
    return file_name(model), export(model)


def _dyndep(options: argparse.Namespace) -> int:
    model = _read(options, quiet=True)  # `generate` runs next and warns
    names = Names(model.world.name)
    explicit = {names.source(source) for source in SOURCES}
    paths = [path for path in _paths(model, options) if os.path.basename(path) not in explicit]
    outputs = [os.path.join(options.out, path) for path in paths]
    inputs = [*model.sources, *_own_files()]
    text = dyndep(options.stamp, outputs, inputs)
    if options.depfile:
        target = options.to or options.depfile.removesuffix(".d")
        write_file(options.depfile, depfile(target, inputs))
    if options.to:
        touch_file(options.to, text)
    else:
        print(text, end="")
    return OK


def _runtime(options: argparse.Namespace) -> int:
    if not options.out:
        print(runtime_folder())
        return OK
    files = one_file(runtime_files()) if options.one_file else runtime_files()
    written = [write_file(os.path.join(options.out, name), text) for name, text in files.items()]
    print(f"{options.out}: {sum(written)} of {len(files)} files written")
    return OK


def _init(options: argparse.Namespace) -> int:
    game = NewGame(options.name or options.dir, options.build, options.cpp, options.sdl)
    paths = {os.path.join(options.dir, name): text for name, text in new_game(game).items()}
    for path in paths:
        if os.path.lexists(path):
            raise WriteError(f"'{path}' is there already: a game wants a new folder")
    for path, text in paths.items():
        write_file(path, text)
    print(f"{options.dir}: a game; its README.md says how to build it")
    return OK


def _saves(options: argparse.Namespace) -> int:
    progress = Progress(_show_progress if sys.stderr.isatty() else None)
    code, lines = answer(options, progress)
    for line in lines:
        print(printable(line))
    return code


def _show_progress(text: str) -> None:
    print(text, end="", file=sys.stderr, flush=True)


def _read(options: argparse.Namespace, *, quiet: bool = False) -> Model:
    """Reads and checks the schema. Mistakes are printed, and unless `quiet` warnings too."""
    report = Report(strict=options.strict)
    model = _checked(options, report)
    if not quiet:
        _show(report)
    return model


def _read_with_lock(options: argparse.Namespace, report: Report) -> tuple[Model, Lock]:
    """Reads and checks the schema, and reads as much of its lock as is sound."""
    model = _checked(options, report)
    lock = read_lock(options.schema, model.world.name, report)
    report_changes(lock.releases, model, report)
    report_strays(options.schema, model.world, report)
    return model, lock


def _checked(options: argparse.Namespace, report: Report) -> Model:
    parsed = parse(options.schema, report)
    check(parsed, report)
    if report.errors:
        _show(report)
    return parsed.model


def _show(report: Report) -> None:
    """Prints a report; a report with errors ends the command."""
    print(report.render(), end="", file=sys.stderr)
    if report.errors:
        raise WrongSchemaError


def _render(model: Model, options: argparse.Namespace) -> dict[str, str]:
    """Makes all generated files. The imports are here because checking a schema needs no Jinja2."""
    from emit.emit import render
    from plan import make_plan

    files = render(make_plan(model)).items()
    return {os.path.basename(path) if options.flat else path: text for path, text in files}


def _paths(model: Model, options: argparse.Namespace) -> list[str]:
    """Lists the paths of the files that `_render` makes."""
    from emit.emit import paths
    from plan import make_plan

    made = paths(make_plan(model))
    return [os.path.basename(path) for path in made] if options.flat else made


def _mark(model: Model, options: argparse.Namespace) -> str:
    """Returns how files begin that may be overwritten: in a shared folder, those of this world."""
    from emit.emit import BANNER

    return BANNER.format(world=model.world.name) if options.flat else MARK


def _own_files() -> list[str]:
    """Lists the generator's modules and templates by paths from the current folder."""
    from emit.emit import template_files

    return [os.path.relpath(path) for path in (*HERE.rglob("*.py"), *template_files())]


def _fail(message: str, help: str = "") -> int:
    print(f"error: {printable(message)}", file=sys.stderr)
    if help:
        print(f"help: {printable(help)}", file=sys.stderr)
    return UNUSABLE


def _bug(error: Exception) -> int:
    if os.environ.get("WEFT_TRACEBACK"):
        traceback.print_exception(error, file=sys.stderr)
    where = traceback.extract_tb(error.__traceback__)[-1]
    at = f"{'/'.join(Path(where.filename).parts[-2:])}:{where.lineno}"
    print(f"internal error: {type(error).__name__} in {at}: {error}", file=sys.stderr)
    help = "a mistake in Weft, not in your schema: please report this line with the schema"
    print(f"help: {help}; WEFT_TRACEBACK=1 says more", file=sys.stderr)
    return BUG


def _path(text: str) -> str:
    if not text:
        raise argparse.ArgumentTypeError("the path is empty; the folder at hand is '.'")
    return text


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=__package__ or "codegen", description="Turns a schema into C for the Weft runtime."
    )
    parser.add_argument("--version", action="version", version=f"weft {version()}")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    _add_generate(commands)
    judge = _command(commands, "check", _check, "report what is wrong with a schema", writes=False)
    judge.add_argument("--saves", action="store_true", help="list what becomes of released saves")
    _command(commands, "diff", _diff, "show what generate would change; exit 1 if anything")
    schedule = _command(
        commands, "schedule", _schedule, "show which systems run together and why", writes=False
    )
    shown = schedule.add_mutually_exclusive_group()
    shown.add_argument("--dot", action="store_true", help="as a graph for Graphviz")
    shown.add_argument(
        "--profile", metavar="FILE", type=_path, help="with what a trace of the game has measured"
    )
    _add_stubs(commands)
    _add_pages(commands)
    lock = _command(
        commands, "lock", _lock, "record what saves are made of, for a release", writes=False
    )
    lock.add_argument("--release", metavar="NAME", help="its name; else the next number")
    lock.add_argument("--diff", action="store_true", help="show what would change; exit 1 if so")
    json = _command(
        commands,
        "jsonschema",
        _jsonschema,
        "write the JSON Schema of a world as JSON; without SCHEMA that of schema files",
        writes=False,
        schema="?",
    )
    json.add_argument(
        "--out", metavar="PATH", type=_path, required=True, help="a file, or a folder for it"
    )
    json.add_argument("--diff", action="store_true", help="show what would change; exit 1 if so")
    ninja = _command(commands, "dyndep", _dyndep, "tell Ninja what generate reads and writes")
    ninja.add_argument("--stamp", metavar="FILE", required=True, help="an output of that build")
    ninja.add_argument("--to", metavar="FILE", help="write here instead of printing")
    ninja.add_argument("--depfile", metavar="FILE", help="write what this command itself reads")
    _add_kit(commands)
    parser.set_defaults(commands=list(commands.choices))
    return parser


def _add_generate(commands: Commands) -> None:
    generate = _command(commands, "generate", _generate, "write the C files of a schema")
    generate.add_argument("--stamp", metavar="FILE", help="touch this file when all is written")
    generate.add_argument("--depfile", metavar="FILE", help="write what was read, for a build")
    lists = generate.add_mutually_exclusive_group()
    lists.add_argument("--list", action="store_true", help="print what it would write, only")
    lists.add_argument("--list-schema", action="store_true", help="print the schema's files, only")


def _add_stubs(commands: Commands) -> None:
    functions = _command(
        commands, "stubs", _stubs, "print the functions to fill in of a game", writes=False
    )
    functions.add_argument("--system", metavar="NAME", default="", help="of one system, only")
    functions.add_argument("--cpp", action="store_true", help="with the header for C++20")


def _add_pages(commands: Commands) -> None:
    """Adds the commands whose files are for people, and for their debuggers."""
    about = {
        "debug": (_debug, "write what lets gdb, lldb and Visual Studio show a world"),
        "docs": (_docs, "write a schema as a page to read"),
    }
    for name, (run, help) in about.items():
        made = _command(commands, name, run, help, writes=False)
        made.add_argument("--out", metavar="DIR", type=_path, required=True, help="the folder")


def _add_kit(commands: Commands) -> None:
    """Adds the commands that read no schema."""
    init = commands.add_parser("init", help="make a game that builds and runs", allow_abbrev=False)
    init.add_argument("dir", metavar="DIR", type=_path, help="a folder, made if it is not there")
    init.add_argument("--build", choices=BUILDS, default="ninja", help="the build system")
    init.add_argument("--name", metavar="NAME", help="the world's name; else that of the folder")
    init.add_argument("--cpp", action="store_true", help="in C++")
    init.add_argument("--sdl", action="store_true", help="with a window, by SDL2")
    init.set_defaults(run=_init, parser=init)
    runtime = commands.add_parser(
        "runtime", help="print where the runtime's sources are, or copy them", allow_abbrev=False
    )
    runtime.add_argument("--out", metavar="DIR", type=_path, help="copy them into this folder")
    runtime.add_argument("--one-file", action="store_true", help="with their parts inside")
    runtime.set_defaults(run=_runtime, parser=runtime)
    saves = commands.add_parser(
        "saves", help="show, compare or export what is in saves", allow_abbrev=False
    )
    saves.set_defaults(run=_saves, parser=saves)
    add_options(saves)


def _command(
    commands: Commands,
    name: str,
    run: Callable[[argparse.Namespace], int],
    help: str,
    *,
    writes: bool = True,
    schema: str | None = None,
) -> argparse.ArgumentParser:
    command = commands.add_parser(
        name, help=help, description=f"{help[0].upper()}{help[1:]}.", allow_abbrev=False
    )
    command.add_argument(
        "schema", metavar="SCHEMA", nargs=schema, help="the schema's root file, in TOML"
    )
    if writes:
        command.add_argument(
            "--out",
            metavar="DIR",
            type=_path,
            required=True,
            help="generated files are in DIR/<world>/",
        )
        command.add_argument("--flat", action="store_true", help="generated files are in DIR")
    command.add_argument("--strict", action="store_true", help="warnings are errors")
    command.set_defaults(run=run, parser=command)
    return command


def entry() -> None:
    """Runs the command line of this process and ends it."""
    try:
        if signal.getsignal(signal.SIGINT) is signal.SIG_DFL:
            signal.signal(signal.SIGINT, signal.default_int_handler)  # files are cleaned up
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    entry()
