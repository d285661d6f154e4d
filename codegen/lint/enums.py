"""Values of enums that no entity can have.

This covers enums whose fields no system or hook writes: only prefabs and defaults set them. If
neither sets a value, no entity has it, unless the game sets it when it spawns one. If anything
writes such a field, all values may occur.
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.finding import Finding, Owner
from lint.uses import Uses, users_of
from model.model import Model
from model.named import with_fields
from model.types import EnumType, Value


def values(model: Model) -> Iterator[Finding]:
    uses = Uses(model)
    if uses.open:
        return
    for enum in (one for one in model.types.enums.values() if one.kind == "enum"):
        users = [one for one in users_of(model, "enum", enum.name) if one[0] != "struct"]
        given = {kind == "component" and name in uses.in_prefabs - uses.written
                 for kind, name in users}  # fmt: skip
        if given == {True}:
            yield from _unreached(model, enum, {name for _, name in users})


def _unreached(model: Model, enum: EnumType, owners: set[str]) -> Iterator[Finding]:
    reached = {word for value in _written(model, owners) for word in _words(value)}
    for value in enum.values[1:]:  # fields without a default have the first value
        if value.name not in reached:
            message = f"value '{value.name}' of enum '{enum.name}' is never used"
            help = (
                "use it in a prefab, or let a system write such a field; or, if the game sets "
                'it when it spawns an entity, write quiet = { value-unreached = "…" } with '
                "the reason"
            )
            yield Finding("value-unreached", Owner("enum", enum.name), value.place, message, help)


def _written(model: Model, owners: set[str]) -> Iterator[Value]:
    """Yields the defaults of all fields, and the values that prefabs and `requires` give
    `owners`.
    """
    for _, owner in with_fields(model):
        yield from (field.default for field in owner.fields if field.default is not None)
    for prefab in model.data.prefabs.values():
        given = [*prefab.components]
        given += [one for part in prefab.written.parts for one in part.change.components]
        yield from (one.values for one in given if one.component.name in owners)
    for component in model.data.components.values():
        yield from (component.gives(name) for name in owners)


def _words(value: Value) -> Iterator[str]:
    """Yields the strings in a value at any depth, which include the values of enums."""
    if isinstance(value, str):
        yield value
    inner = [*value.values()] if isinstance(value, dict) else value
    for one in inner if isinstance(inner, list) else ():
        yield from _words(one)


LINTS = (values,)
