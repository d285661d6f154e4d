"""Hooks are functions of the game that are called when a component comes or goes."""

from __future__ import annotations

from dataclasses import replace

from model.model import Component, Hook
from names.names import Names
from plan.data_records import ComponentPlan, HookPlan

ABOUT = [
    "The game defines these hooks. They may read anything, and record changes with ctx->cmd; "
    "direct structural calls are refused inside."
]
WHEN = {
    "on_add": "when e has just been given it, and not when a value is overwritten.",
    "on_remove": "when e is about to lose it, or to end with it.",
}


def make_hooks(component: Component, names: Names) -> list[HookPlan]:
    plans = [_hook(component, hook, names) for hook in component.hooks]
    return [replace(plan, comment=[*ABOUT, "", *plan.comment]) for plan in plans[:1]] + plans[1:]


def _hook(component: Component, hook: Hook, names: Names) -> HookPlan:
    functions = [names.hook(component.name, function.name) for function in hook.functions]
    called = "It is called" if len(functions) == 1 else "They are called in this order"
    return HookPlan(
        kind=hook.kind,
        functions=functions,
        wrapper=names.local(hook.kind, component.name),
        takes="" if component.is_tag else f", const {names.component(component.name)} *value",
        body=_body(component, names, functions),
        comment=[f"{called} {WHEN[hook.kind]}"],
    )


def _body(component: Component, names: Names, functions: list[str]) -> list[str]:
    """Returns the statements that call the game with its own types."""
    entity = f"{names.world('entity_of')}(handle)"
    if component.is_tag:
        return ["(void)value;", *(f"{function}(ctx, {entity});" for function in functions)]
    value = f"(const {names.component(component.name)} *)value"
    return [f"{function}(ctx, {entity}, {value});" for function in functions]


def with_on_add(components: list[ComponentPlan]) -> list[str]:
    """Names the components whose hook is called when they are added."""
    return [c.name for c in components if any(hook.kind == "on_add" for hook in c.hooks)]
