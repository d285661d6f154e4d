"""Plans systems over links: the arrays that are filled for their functions."""

from __future__ import annotations

from model.code import System
from model.trees import link_tags
from plan.common import Common
from plan.grants import Parts
from plan.lists import NONE
from plan.records.data import ComponentPlan
from plan.records.over import EndPlan, OverPlan


def make_over(system: System, common: Common, parts: Parts) -> OverPlan | None:
    over = system.loop.over
    if not over:
        return None
    names, link = common.names, parts.links[over.link.name]
    const = "" if over.write else "const "
    element = "" if link.bare else f"{const}{link.struct.type} *"
    ends = [
        _end(end, parts.components[ref.name], common, write)
        for end, access in over.ends
        for refs, write in ((access.read, False), (access.write, True))
        for ref in refs
    ]
    entity = names.world("entity")
    values = names.local("values", link.name) if element else ""
    parameters = [f"const {entity} *from", f"const {entity} *to"]
    parameters += [f"{element}const *{link.name}"] if element else []
    arguments = ["from", "to", *([values] if values else []), *(end.name for end in ends)]
    watched = any(common.changes.incoming("changed", tag) != NONE for tag in link_tags(link.name))
    return OverPlan(
        link=link,
        parameters=[*parameters, *(end.parameter for end in ends)],
        arguments=arguments,
        values=values,
        element=element,
        ends=ends,
        marks=bool(over.write) and watched,
    )


def _end(end: str, component: ComponentPlan, common: Common, write: bool) -> EndPlan:
    names = common.names
    name = names.end(end, component.name)
    const = "" if write else "const "
    if component.storage.kind == "soa":
        element = names.component(component.name, "columns" if write else "const_columns") + " "
        return EndPlan(end, component, f"const {element}*{name}", name, element, write)
    element = f"{const}{component.struct.type} *"
    return EndPlan(end, component, f"{element}const *{name}", name, element, write)
