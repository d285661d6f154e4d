"""Plans hooks: functions of the game that are called when a component is added or removed."""

from __future__ import annotations

from model.data import Component, Hook, Link, Relation
from model.record import replace
from names.names import Names
from plan.records.data import ComponentPlan, HookPlan, WrapperPlan

ABOUT = [
    "The game defines these hooks. They may read ctx->world, and record changes with ctx->cmd. "
    "Structural calls with a world are refused inside a hook."
]
WHEN = {
    "on_add": "after e got the component, but not when its value is overwritten.",
    "on_replace": "before the whole value of e is replaced: by set, a prefab, a command, by name "
    "or from JSON. Edits of a value in place do not call it.",
    "on_remove": "before the component is removed from e, or e is despawned.",
    "on_attach": "after child was attached to parent, but not when it moves among its siblings.",
    "on_detach": "before child is detached from parent: for another parent, for none, or because "
    "either of them is despawned.",
}
WHEN_LINKED = {
    "on_add": "after the link was added, but not when its value is overwritten.",
    "on_remove": "before the link is removed, by a call or because one of its ends is despawned.",
}
FILLED = "The hook may write to value as part of the add: no reader sees the earlier value."


def make_hooks(component: Component, names: Names, is_seeded: bool) -> list[HookPlan]:
    plans = [_hook(component, hook, names) for hook in component.hooks]
    plans = [replace(plan, comment=[*ABOUT, "", *plan.comment]) for plan in plans[:1]] + plans[1:]
    if not is_seeded:
        return plans
    number = names.number("component", component.name)
    if any(plan.kind == "on_add" for plan in plans):
        return [_seeding(plan, number) if plan.kind == "on_add" else plan for plan in plans]
    wrapper = WrapperPlan(names.local("on_add", component.name), "void *value", {}, seeds=number)
    return [HookPlan("on_add", [], {}, {}, [], wrapper), *plans]


def _seeding(plan: HookPlan, component: str) -> HookPlan:
    return replace(plan, wrapper=replace(plan.wrapper, seeds=component))


def make_node_hooks(relation: Relation, names: Names) -> list[HookPlan]:
    plans = [_node_hook(relation, hook, names) for hook in relation.hooks]
    return [replace(plan, comment=[*ABOUT, "", *plan.comment]) for plan in plans[:1]] + plans[1:]


def _node_hook(relation: Relation, hook: Hook, names: Names) -> HookPlan:
    functions = [names.hook(relation.name, function.name) for function in hook.functions]
    parent = f", {names.world('entity_of')}(*(const uint64_t *)value)"
    return HookPlan(
        kind=hook.kind,
        functions=functions,
        takes=dict.fromkeys(functions, f", {names.world('entity')} parent"),
        when=dict.fromkeys(functions, WHEN[hook.kind]),
        comment=[f"{_called(functions)} {WHEN[hook.kind]}"],
        wrapper=WrapperPlan(
            name=names.local(hook.kind, relation.name),
            values="const void *value",
            passes=dict.fromkeys(functions, parent),
        ),
    )


def make_link_hooks(link: Link, names: Names) -> list[HookPlan]:
    plans = [_link_hook(link, hook, names) for hook in link.hooks]
    return [replace(plan, comment=[*ABOUT, "", *plan.comment]) for plan in plans[:1]] + plans[1:]


def _link_hook(link: Link, hook: Hook, names: Names) -> HookPlan:
    entity, removes = names.world("entity"), _functions(link, "on_remove")
    types = {
        names.hook(link.name, function.name): ""
        if link.is_bare
        else f"{names.link(link.name)} *"
        if hook.kind == "on_add" and function.name not in removes
        else f"const {names.link(link.name)} *"
        for function in hook.functions
    }
    functions, when = list(types), WHEN_LINKED[hook.kind]
    fills = [function for function, type in types.items() if type and not _is_const(type)]
    filled = f" {FILLED}" if fills else ""
    to = f", {names.world('entity_of')}(to)"
    return HookPlan(
        kind=hook.kind,
        functions=functions,
        takes={
            function: f", {entity} to" + (f", {type}value" if type else "")
            for function, type in types.items()
        },
        when={function: when + (filled if function in fills else "") for function in functions},
        comment=[f"{_called(functions)} {when}{filled}"],
        wrapper=WrapperPlan(
            name=names.local(hook.kind, link.name),
            values="uint64_t to, void *value",
            passes={
                function: to + (f", ({type})value" if type else "")
                for function, type in types.items()
            },
            of_tag=link.is_bare,
        ),
    )


def _functions(link: Link, kind: str) -> set[str]:
    return {ref.name for hook in link.hooks if hook.kind == kind for ref in hook.functions}


def _called(functions: list[str]) -> str:
    return "It is called" if len(functions) == 1 else "They are called in this order"


def _hook(component: Component, hook: Hook, names: Names) -> HookPlan:
    values = _values(component, hook)
    types = {
        names.hook(component.name, function.name): _type(component, hook, function.name, names)
        for function in hook.functions
    }
    functions = list(types)
    fills = [function for function in functions if values and not _is_const(types[function])]
    filled = f" {FILLED}" if fills else ""
    const = "" if hook.kind == "on_add" else "const "
    return HookPlan(
        kind=hook.kind,
        functions=functions,
        takes={
            function: "".join(f", {type}{value}" for value in values)
            for function, type in types.items()
        },
        when={
            function: WHEN[hook.kind] + (filled if function in fills else "")
            for function in functions
        },
        comment=[f"{_called(functions)} {WHEN[hook.kind]}{filled}"],
        wrapper=WrapperPlan(
            name=names.local(hook.kind, component.name),
            values=", ".join(f"{const}void *{value}" for value in values or ["value"]),
            passes={
                function: "".join(f", ({type}){value}" for value in values)
                for function, type in types.items()
            },
            of_tag=component.is_tag,
        ),
    )


def _values(component: Component, hook: Hook) -> list[str]:
    """Names the parameters for values; a tag has none."""
    if component.is_tag:
        return []
    return ["old_value", "new_value"] if hook.kind == "on_replace" else ["value"]


def _type(component: Component, hook: Hook, function: str, names: Names) -> str:
    """Returns the type of values. A function that is also an on_remove hook may only read them."""
    type = f"{names.component(component.name)} *"
    removes = (other.name for other in component.functions("on_remove"))
    return type if hook.kind == "on_add" and function not in removes else f"const {type}"


def _is_const(type: str) -> bool:
    return type.startswith("const ")


def told_of_added(components: list[ComponentPlan]) -> list[str]:
    """Names the components with an on_add hook of the game."""
    told = [[h for h in c.calls.hooks if h.kind == "on_add" and h.functions] for c in components]
    return [c.name for c, hooks in zip(components, told, strict=True) if hooks]


def with_on_add(components: list[ComponentPlan]) -> list[str]:
    """Names the components with a hook or a seed that runs when they are added."""
    return [c.name for c in components if any(hook.kind == "on_add" for hook in c.calls.hooks)]
