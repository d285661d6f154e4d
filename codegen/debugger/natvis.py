"""Views for Visual Studio, which reads them from an XML file and cannot run Python."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from debugger.describe import Description
from plan import Plan


def natvis(plan: Plan, found: Description) -> str:
    """Returns the text of the file. Imports are local because `check` needs no Jinja2."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=True,
    )
    bits = plan.world.handle.index_bits
    mask = f"{(1 << bits) - 1:#x}"
    known = {"plan": plan, "world": plan.world, "about": found, "mask": mask, "bits": bits}
    arrays = {
        "columns": list(_columns(plan)),
        "stores": list(_stores(plan)),
        "by_enum": _by_enum(plan, found),
    }
    return environment.get_template("natvis.j2").render(known, **arrays)


def _by_enum(plan: Plan, found: Description) -> dict[str, dict[str, list[str]]]:
    """Returns the members of structs with arrays by an enum, with the element names of such
    arrays.
    """
    return {
        struct.type: {one.name: arrays.get(one.name, []) for one in struct.members}
        for struct in plan.data.with_fields
        if (arrays := found["by_enum"].get(struct.type))
    }


def _columns(plan: Plan) -> Iterator[dict[str, str | int]]:
    """Yields the columns after that of the handles, with the pointer type of their rows."""
    number = 1
    for component in plan.data.components.declared:
        if component.storage.kind == "aos":
            yield {"name": component.name, "number": number, "type": f"{component.struct.type} *"}
            number += 1
        for member in component.struct.members if component.storage.kind == "soa" else ():
            name = f"{component.name}.{member.name}"
            yield {"name": name, "number": number, "type": member.pointer.type}
            number += 1


def _stores(plan: Plan) -> Iterator[dict[str, str | int]]:
    for number, component in enumerate(plan.data.components.stores):
        yield {"name": component.name, "number": number, "type": f"{component.struct.type} *"}
