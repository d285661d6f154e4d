"""Values that would need less memory with their fields in another order."""

from __future__ import annotations

from collections.abc import Iterator

from lint.finding import Finding, Owner
from model.data import Component, Link
from model.model import Model
from model.sizes import Sizes
from model.types import Field, StructType


def padding(model: Model) -> Iterator[Finding]:
    """Checks structs, links and aos components. Each field of a soa component is an array."""
    sizes = Sizes(model)
    kept = [one for one in model.data.components.values() if one.fields and not one.is_soa]
    for struct in model.types.structs.values():
        yield from _padding("struct", struct, sizes)
    for component in kept:
        yield from _padding("component", component, sizes)
    for link in model.data.links.values():
        yield from _padding("link", link, sizes)


def _padding(kind: str, owner: StructType | Component | Link, sizes: Sizes) -> Iterator[Finding]:
    def align(field: Field) -> int:
        return -sizes.of_struct((field,)).align

    packed = tuple(sorted(owner.fields, key=align))
    now, then = sizes.of_struct(owner.fields).bytes, sizes.of_struct(packed).bytes
    if then < now:
        message = (
            f"{kind} '{owner.name}' takes {now} bytes, but {then} if its fields had another order"
        )
        order = ", ".join(field.name for field in packed)
        help = f"order them as {order}; saves find fields by name"
        yield Finding("padding-order", Owner(kind, owner.name), owner.place, message, help)


LINTS = (padding,)
