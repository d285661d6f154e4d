"""Hooks are functions of the game that are called when a component comes or goes."""

from __future__ import annotations

from dataclasses import replace

from model.model import Component, Hook, Relation
from names.names import Names
from plan.data_records import ComponentPlan, HookPlan

ABOUT = [
    "The game defines these hooks. They may read anything, and record changes with ctx->cmd; "
    "direct structural calls are refused inside."
]
WHEN = {
    "on_add": "when e has just been given it, and not when a value is overwritten.",
    "on_remove": "when e is about to lose it, or to end with it.",
    "on_attach": "when child has just got parent, and not when it only moves among its siblings.",
    "on_detach": "when child is about to lose parent: for another one, for none, or since either "
    "of them ends.",
}


def make_hooks(component: Component, names: Names) -> list[HookPlan]:
    plans = [_hook(component, hook, names) for hook in component.hooks]
    return [replace(plan, comment=[*ABOUT, "", *plan.comment]) for plan in plans[:1]] + plans[1:]


def make_link_hooks(relation: Relation, names: Names) -> list[HookPlan]:
    plans = [_link_hook(relation, hook, names) for hook in relation.hooks]
    return [replace(plan, comment=[*ABOUT, "", *plan.comment]) for plan in plans[:1]] + plans[1:]


def _link_hook(relation: Relation, hook: Hook, names: Names) -> HookPlan:
    functions = [names.hook(relation.name, function.name) for function in hook.functions]
    entity = names.world("entity_of")
    given = f"ctx, {entity}(handle), {entity}(*(const uint64_t *)value)"
    return HookPlan(
        kind=hook.kind,
        functions=functions,
        wrapper=names.local(hook.kind, relation.name),
        takes=f", {names.world('entity')} parent",
        body=[f"{function}({given});" for function in functions],
        comment=[f"{_called(functions)} {WHEN[hook.kind]}"],
    )


def _called(functions: list[str]) -> str:
    return "It is called" if len(functions) == 1 else "They are called in this order"


def _hook(component: Component, hook: Hook, names: Names) -> HookPlan:
    functions = [names.hook(component.name, function.name) for function in hook.functions]
    return HookPlan(
        kind=hook.kind,
        functions=functions,
        wrapper=names.local(hook.kind, component.name),
        takes="" if component.is_tag else f", const {names.component(component.name)} *value",
        body=_body(component, names, functions),
        comment=[f"{_called(functions)} {WHEN[hook.kind]}"],
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
