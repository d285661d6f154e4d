"""Replaces a game's calls that are named after systems by calls that take grants.

Before Weft 1.0, a system had its own functions for everything that it was granted, such as
`colony_seek_work_stock_get(ctx, e)`. Now there is one call that takes a grant:
`colony_stock_get_in(ctx->stock, e)`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from model.code import System
from model.model import Model
from names import names as families
from names.names import EMIT_MEMBER, GO_MEMBER, Names

_NAME = re.compile(r"[A-Za-z_]\w*\Z")


def renames(model: Model) -> dict[str, tuple[str, str]]:
    """Returns for each old call its new name and the context member that it takes."""
    names = Names(model.world.name)
    return {
        f"{names.prefix}_{system.name}_{old}": (new, member)
        for system in model.code.systems.values()
        for old, new, member in _of_system(system, model, names)
    }


def _of_system(system: System, model: Model, names: Names) -> Iterator[tuple[str, str, str]]:
    reach, written = system.reach, {ref.name for ref in system.reach.lookup.write}
    for ref in reach.lookup.read:
        if model.is_tag(ref.name):
            continue  # had no call
        member = f"{ref.name}.reader" if ref.name in written else ref.name
        yield f"{ref.name}_get", names.component(ref.name, "get_in"), member
    for ref in reach.lookup.write:
        if model.is_tag(ref.name):
            yield f"{ref.name}_has", names.component(ref.name, "has_in"), f"{ref.name}.reader"
            for verb in ("set", "remove"):
                yield f"{ref.name}_{verb}", names.component(ref.name, f"{verb}_in"), ref.name
        else:
            yield f"{ref.name}_edit", names.component(ref.name, "edit_in"), ref.name
    for ref in reach.lookup.relations:
        yield from _twins(ref.name, names, families.GRANT_RELATION)
    for ref in reach.queries:
        yield from _twins(ref.name, names, families.GRANT_QUERY)
    for ref in reach.indexes:
        kind = model.code.indexes[ref.name].kind
        yield from _twins(ref.name, names, families.GRANT_INDEX_BY_KIND[kind])
    for ref in system.messages.emits:
        member = f"{EMIT_MEMBER}_{ref.name}"
        yield f"{ref.name}_emit", names.event(ref.name, "emit"), member
    for ref in reach.states.write:
        yield f"{ref.name}_go", names.state(ref.name, "go_in"), f"{GO_MEMBER}_{ref.name}"


def _twins(name: str, names: Names, verbs: tuple[str, ...]) -> Iterator[tuple[str, str, str]]:
    for verb in verbs:
        if verb.endswith("_in"):
            yield f"{name}_{verb[: -len('_in')]}", f"{names.stem(name)}_{verb}", name


def rewrite(source: str, moved: dict[str, tuple[str, str]]) -> tuple[str, list[str]]:
    """Returns a C source with replaced calls, and the old names that remain, for example as
    pointers.
    """
    pattern = re.compile(
        rf"\b({'|'.join(sorted(map(re.escape, moved), reverse=True))})\b(\s*\(\s*)?"
    )
    if not moved:
        return source, []
    left: list[str] = []
    parts, at = [], 0
    for found in pattern.finditer(source):
        if found.start() < at:
            continue
        end = _argument_end(source, found.end()) if found[2] else -1
        if end < 0:
            left.append(found[1])
            continue
        new, member = moved[found[1]]
        parts += [
            source[at : found.start()],
            new,
            found[2],
            _member(source[found.end() : end], member),
        ]
        at = end
    return "".join([*parts, source[at:]]), left


def _argument_end(source: str, start: int) -> int:
    """Returns where the first argument of a call ends; -1 if it has none."""
    depth = 0
    for at in range(start, len(source)):
        if source[at] in "([{":
            depth += 1
        elif source[at] in ")]}":
            if depth == 0:
                return at if at > start else -1
            depth -= 1
        elif source[at] == "," and depth == 0:
            return at
    return -1


def _member(context: str, member: str) -> str:
    context = context.rstrip()
    if context.startswith("&") and _NAME.match(context[1:]):
        return f"{context[1:]}.{member}"
    return f"{context if _NAME.match(context) else f'({context})'}->{member}"
