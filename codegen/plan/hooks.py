"""Hooks are functions of the game that are called when a component comes or goes."""

from __future__ import annotations

from dataclasses import replace

from model.model import Component, Hook
from names.names import Names
from plan.data_records import ComponentPlan, HookPlan

ABOUT = [
    "The game defines these hooks. They may look at ctx->world, and record changes with ctx->cmd; "
    "direct structural calls are refused inside."
]
WHEN = {
    "on_add": "when e has just been given it, and not when a value is overwritten.",
    "on_replace": "before a whole value takes the place of the one that e has: by a set, a "
    "prefab's, a command's, by name or from JSON. What edits a value in place calls none.",
    "on_remove": "when e is about to lose it, or to end with it.",
}


def make_hooks(component: Component, names: Names) -> list[HookPlan]:
    plans = [_hook(component, hook, names) for hook in component.hooks]
    return [replace(plan, comment=[*ABOUT, "", *plan.comment]) for plan in plans[:1]] + plans[1:]


def _hook(component: Component, hook: Hook, names: Names) -> HookPlan:
    functions = [names.hook(component.name, function.name) for function in hook.functions]
    values = _values(component, hook)
    called = "It is called" if len(functions) == 1 else "They are called in this order"
    return HookPlan(
        kind=hook.kind,
        functions=functions,
        wrapper=names.local(hook.kind, component.name),
        takes="".join(f", const {names.component(component.name)} *{value}" for value in values),
        values=", ".join(f"const void *{value}" for value in values or ["value"]),
        body=_body(component, names, functions, values),
        comment=[f"{called} {WHEN[hook.kind]}"],
    )


def _values(component: Component, hook: Hook) -> list[str]:
    """Names the parameters for values; a tag has none."""
    if component.is_tag:
        return []
    return ["old_value", "new_value"] if hook.kind == "on_replace" else ["value"]


def _body(component: Component, names: Names, functions: list[str], values: list[str]) -> list[str]:
    """Returns the statements that call the game with its own types."""
    type = names.component(component.name)
    given = ["&own", f"{names.world('entity_of')}(handle)"]
    given += [f"(const {type} *){value}" for value in values]
    context = f"const {names.world('hook_ctx')} own = hook_ctx(ctx);"
    unused = [] if values else ["(void)value;"]
    return [context, *unused, *(f"{function}({', '.join(given)});" for function in functions)]


def with_on_add(components: list[ComponentPlan]) -> list[str]:
    """Names the components whose hook is called when they are added."""
    return [c.name for c in components if any(hook.kind == "on_add" for hook in c.hooks)]
