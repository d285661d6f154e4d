"""`generate`, `diff` and `dyndep`: the C files of a schema, and their dependencies for builds."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from commands.outcome import OK, WRONG, show_progress
from commands.reading import read
from commands.working import working
from emit.files import MARK, diff_tree, need_own, touch_file, write_file, write_tree
from emit.ninja import depfile, dyndep
from model.handles import summary
from model.model import Model
from names.names import SOURCES, Names
from saves.progress import Progress

_GENERATOR = Path(__file__).parent.parent


def generate(options: argparse.Namespace) -> int:
    if options.list or options.list_schema:
        return _list(options)
    model = read(options)
    files = _render(model, options)
    outputs = [os.path.join(options.out, path) for path in files]
    need_own("--stamp", options.stamp, [*model.sources, *outputs])
    need_own("--depfile", options.depfile, [*model.sources, *outputs])
    changes = write_tree(options.out, files, _mark(model, options))
    folder = options.out if options.flat else os.path.join(options.out, model.world.name)
    print(f"{folder}: {len(changes.written)} of {len(files)} files written", end="")
    print(f", {len(changes.removed)} removed" if changes.removed else "")
    print("\n".join(summary(model.world, Names(model.world.name).world("recycle"))))
    if options.depfile:
        target = options.stamp or options.depfile
        inputs = [*model.sources, *_own_files()]
        touch_file(options.depfile, depfile(target, inputs, included=not options.stamp))
    if options.stamp:
        touch_file(options.stamp, "".join(f"{path}\n" for path in sorted(files)))
    return OK


def _list(options: argparse.Namespace) -> int:
    """Prints the paths that a build system must know before it builds anything."""
    model = read(options, quiet=True)  # `generate` runs later and prints the warnings
    outputs = [os.path.join(options.out, path) for path in sorted(_paths(model, options))]
    print("".join(f"{path}\n" for path in (outputs if options.list else model.sources)), end="")
    return OK


def diff(options: argparse.Namespace) -> int:
    model = read(options)
    difference = diff_tree(options.out, _render(model, options), _mark(model, options))
    print(difference, end="")
    return WRONG if difference else OK


def tell_ninja(options: argparse.Namespace) -> int:
    model = read(options, quiet=True)  # `generate` runs next and prints the warnings
    names = Names(model.world.name)
    explicit = {names.source(source) for source in SOURCES}
    paths = [path for path in _paths(model, options) if os.path.basename(path) not in explicit]
    outputs = [os.path.join(options.out, path) for path in paths]
    inputs = [*model.sources, *_own_files()]
    need_own("--to", options.to, [*model.sources, *outputs])
    need_own("--depfile", options.depfile, [*model.sources, *outputs])
    text = dyndep(options.stamp, outputs, inputs)
    if options.depfile:
        target = options.to or options.depfile.removesuffix(".d")
        write_file(options.depfile, depfile(target, inputs))
    if options.to:
        touch_file(options.to, text)
    else:
        print(text, end="")
    return OK


def _render(model: Model, options: argparse.Namespace) -> dict[str, str]:
    """Returns all generated files. Imports are local because `check` needs no Jinja2."""
    from emit.emit import render
    from plan import make_plan

    with working("planning"):
        plan = make_plan(model)
    progress = Progress(show_progress if sys.stderr.isatty() else None)
    files = render(plan, lambda done, of: progress.step("generating", done, of)).items()
    progress.end()
    return {os.path.basename(path) if options.flat else path: text for path, text in files}


def _paths(model: Model, options: argparse.Namespace) -> list[str]:
    """Returns the paths of the files that `_render` would return."""
    from emit.emit import paths
    from plan import make_plan

    with working("planning"):
        made = paths(make_plan(model))
    return [os.path.basename(path) for path in made] if options.flat else made


def _mark(model: Model, options: argparse.Namespace) -> str:
    """Returns the first text of files that may be overwritten; with --flat, those of this world
    only.
    """
    from emit.emit import BANNER

    return BANNER.format(world=model.world.name) if options.flat else MARK


def _own_files() -> list[str]:
    """Returns the generator's modules and templates, relative to the current folder."""
    from emit.templates import template_files

    return [os.path.relpath(path) for path in (*_GENERATOR.rglob("*.py"), *template_files())]
