"""Hooks: the functions of the game that are told of a component."""

from __future__ import annotations

from model.model import Component
from names.names import Names
from plan.data_records import ComponentPlan, HookPlan

CALLED = {
    "on_add": "e has got it. Not called when a value is overwritten.",
    "on_remove": "e is about to lose it, or to end with it.",
}


def make_hooks(component: Component, names: Names) -> list[HookPlan]:
    name = component.name
    type = names.component(name)
    return [
        HookPlan(
            kind=hook,
            function=names.component(name, hook),
            wrapper=names.local(hook, name),
            takes="" if component.is_tag else f", const {type} *value",
            given="" if component.is_tag else f", (const {type} *)value",
            called=CALLED[hook],
        )
        for hook in component.hooks
    ]


def told_of_adding(components: list[ComponentPlan]) -> list[str]:
    """The names of those that have a hook for that."""
    return [c.name for c in components if any(hook.kind == "on_add" for hook in c.hooks)]
