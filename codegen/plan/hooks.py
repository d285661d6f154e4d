"""Hooks are functions of the game that are called when a component comes or goes."""

from __future__ import annotations

from model.model import Component
from names.names import Names
from plan.data_records import ComponentPlan, HookPlan

ABOUT = [
    "The game defines these hooks. They may read anything, and record changes with ctx->cmd; "
    "direct structural calls are refused inside."
]
CALLED = {
    "on_add": "It is called when e has just been given it, and not when a value is overwritten.",
    "on_remove": "It is called when e is about to lose it, or to end with it.",
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
            body=_body(component, names, names.component(name, hook)),
            comment=[CALLED[hook]] if i else [*ABOUT, "", CALLED[hook]],
        )
        for i, hook in enumerate(component.hooks)
    ]


def _body(component: Component, names: Names, function: str) -> list[str]:
    """Returns the statements that call the game with its own types."""
    entity = f"{names.world('entity_of')}(handle)"
    if component.is_tag:
        return ["(void)value;", f"{function}(ctx, {entity});"]
    return [f"{function}(ctx, {entity}, (const {names.component(component.name)} *)value);"]


def with_on_add(components: list[ComponentPlan]) -> list[str]:
    """Names the components whose hook is called when they are added."""
    return [c.name for c in components if any(hook.kind == "on_add" for hook in c.hooks)]
