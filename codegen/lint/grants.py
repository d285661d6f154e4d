"""Systems with grants that they cannot use."""

from __future__ import annotations

from collections.abc import Iterator

from lint.finding import Finding, Owner
from model.code import System
from model.model import Model
from model.types import Base, Field


def lookups(model: Model) -> Iterator[Finding]:
    """A lookup needs a handle: of a row, from a query, or from a value that the system reads."""
    for system in model.code.systems.values():
        looked = [
            *system.reach.lookup.write,
            *system.reach.lookup.read,
            *system.reach.lookup.relations,
        ]
        if looked and not _has_handles(model, system):
            message = f"system '{system.name}' looks up '{looked[0].name}', but gets no handles"
            help = (
                "it has no rows, lists no query, and nothing that it reads or hears contains a "
                "handle: remove the lookup; or, if handles come from ctx->user, write quiet = "
                '{ lookup-unused = "…" } with the reason'
            )
            place = looked[0].place
            yield Finding("lookup-unused", Owner("system", system.name), place, message, help)


def _has_handles(model: Model, system: System) -> bool:
    chosen = system.selection
    rows = chosen.read or chosen.write or chosen.optional or chosen.where
    if (
        rows
        or system.reach.queries
        or system.reach.indexes
        or system.loop.over
        or system.reach.links.read
        or system.reach.links.write
        or system.messages.removed
        or system.messages.commands
    ):
        return True
    used = system.reach.singletons.read + system.reach.singletons.write
    fields = [model.data.kept.singletons[ref.name].fields for ref in used]
    fields += [model.data.events[ref.name].fields for ref in system.messages.hears]
    return any(_has_entity(model, one) for one in fields)


def _has_entity(model: Model, fields: tuple[Field, ...]) -> bool:
    """Returns whether a field contains a handle at any depth. An extern may contain one."""
    return any(
        field.type.base in (Base.ENTITY, Base.EXTERN)
        or (field.type.base is Base.STRUCT
            and _has_entity(model, model.struct_of(field.type).fields))
        for field in fields
    )  # fmt: skip


LINTS = (lookups,)
