"""Rules about components: storage, requires and excludes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from model.data import Component
from model.graph import Graph, circles, closure
from model.model import Model
from model.record import record
from model.refs import Ref
from model.required import Brought, Required
from parse import Parsed
from source.source import Note, Place, Report


def tag_storage(parsed: Parsed, report: Report) -> None:
    for component in _sound(parsed):
        for key in ("storage", "layout"):
            if component.is_tag and parsed.book.has("component", component.name, key):
                place = parsed.book.key("component", component.name, key)
                message = f"component '{component.name}' has no fields, so '{key}' has no effect"
                help = "remove it: a tag is a single bit for each row"
                report.error("tag-storage", place, message, help=help)


def replace_tag(parsed: Parsed, report: Report) -> None:
    for component in _sound(parsed):
        if component.is_tag and component.functions("on_replace"):
            place = parsed.book.key("component", component.name, "on_replace")
            message = f"component '{component.name}' has no fields, so 'on_replace' has no effect"
            help = "remove it: a tag has no value that can be replaced"
            report.error("replace-tag", place, message, help=help)


def replace_shared(parsed: Parsed, report: Report) -> None:
    """An on_replace function takes two values, so it cannot also be an on_add or on_remove
    function.
    """
    for component in _sound(parsed):
        for kind in ("on_add", "on_remove"):
            others = {function.name for function in component.functions(kind)}
            for function in component.functions("on_replace"):
                if function.name in others:
                    what = f"'{function.name}' of component '{component.name}'"
                    message = f"{what} is in both 'on_replace' and '{kind}'"
                    help = (
                        f"rename one of the two: '{kind}' passes one value to the function, "
                        "'on_replace' two"
                    )
                    report.error("replace-shared", function.place, message, help=help)


def soa_sparse(parsed: Parsed, report: Report) -> None:
    for component in _sound(parsed):
        if component.stored.layout == "soa" and component.is_sparse:
            place = parsed.book.value("component", component.name, "layout")
            message = f"component '{component.name}' is sparse, so it cannot have layout 'soa'"
            help = "remove 'storage' or 'layout': only table components can be soa"
            report.error("soa-sparse", place, message, help=help)


def requires_sparse(parsed: Parsed, report: Report) -> None:
    """Components of tables must not require or exclude sparse ones, which tables know nothing
    about.
    """
    components = parsed.model.data.components
    for component in _sound(parsed):
        for key, refs in (
            ("requires", component.rules.requires),
            ("excludes", component.rules.excludes),
        ):
            for ref in refs:
                sparse = [c for c in (component, components.get(ref.name)) if c and c.is_sparse]
                if sparse:
                    what = f"component '{component.name}' {key} '{ref.name}'"
                    message = f"{what}, but '{sparse[0].name}' is sparse"
                    help = "only table components and tags can be in 'requires' and 'excludes'"
                    report.error("requires-sparse", ref.place, message, help=help)


def requires_circle(parsed: Parsed, report: Report) -> None:
    components = parsed.model.data.components
    for circle in circles(requires_graph(parsed.model)):
        steps = [
            (name, next(ref for ref in components[name].rules.requires if ref.name == target))
            for name, target in pairwise(circle)
        ]
        message = f"components require each other in a circle: {' -> '.join(circle)}"
        notes = [Note(ref.place, f"'{name}' requires '{ref.name}'") for name, ref in steps[1:]]
        help = "merge them into one component: none of them could ever be removed"
        report.error("requires-circle", steps[0][1].place, message, help=help, notes=notes)


def requires_excluded(parsed: Parsed, report: Report) -> None:
    """A component whose requirements exclude each other can never be added."""
    model = parsed.model
    graph = requires_graph(model)
    for component in model.data.components.values():
        needed = closure(graph, component.name)
        for one, two, ref in excluding_pairs(model, needed):
            below = (closure(graph, name).keys() for name in graph[component.name])
            if any({one, two} <= names for names in below):
                continue  # already reported for a component that it requires
            reason = _pair(component, one, two)
            message = f"component '{component.name}' can never be added: {reason}"
            notes = [Note(ref.place, f"'{one}' excludes '{two}'")]
            help = "remove one of the two, or what requires it"
            report.error("requires-excluded", component.place, message, help=help, notes=notes)


def _pair(component: Component, one: str, two: str) -> str:
    """Explains why a component needs two components that exclude each other."""
    if component.name in (one, two):
        other = two if component.name == one else one
        return f"it requires '{other}', but they exclude each other"
    return f"it requires '{one}' and '{two}', which exclude each other"


def requires_values(parsed: Parsed, report: Report) -> None:
    """A required component must have a single initial value, however many components require it."""
    model = parsed.model
    required = Required(model)
    known: dict[str, set[str]] = {}
    for component in model.data.components.values():
        brought = list(required.brought([component.name]))
        known[component.name] = {one.component.name for one in brought if one.dispute}
    for component in model.data.components.values():
        owner = Owner(f"component '{component.name}'", "'requires' of ", component.place)
        below = {name for ref in component.rules.requires for name in known.get(ref.name, ())}
        _disputes(required.brought([component.name]), below, owner, report)
    for prefab in model.data.prefabs.values():
        names = [item.component.name for item in prefab.components]
        below = {name for one in names for name in known.get(one, ())}
        base = model.data.prefabs.get(prefab.base.name) if prefab.base else None
        inherited = [item.component.name for item in base.components] if base else []
        below |= {one.component.name for one in required.brought(inherited) if one.dispute}
        owner = Owner(f"prefab '{prefab.name}'", "", prefab.place)
        _disputes(required.brought(names), below, owner, report)


@record
class Owner:
    """A component or prefab that adds the components that it requires."""

    what: str
    list: str  # the list in which it names them, as a prefix of its name
    place: Place


def _disputes(brought: Iterator[Brought], below: set[str], owner: Owner, report: Report) -> None:
    """Reports components with differing initial values, unless one that it requires was
    reported.
    """
    for one in brought:
        name = one.component.name
        if one.dispute and name not in below:
            given = " and ".join(f"'{by.name}'" for by in one.dispute)
            message = (
                f"{owner.what} does not decide the values of '{name}': {given} give different ones"
            )
            places = [
                (by, ref.place)
                for by in one.dispute
                for ref in by.rules.requires
                if ref.name == name
            ]
            notes = [Note(place, f"'{by.name}' lists it here") for by, place in places]
            help = f"list '{name}' in {owner.list}{owner.what}, with its values"
            report.error("requires-values", owner.place, message, help=help, notes=notes)


def excluding_pairs(model: Model, names: dict[str, None]) -> Iterator[tuple[str, str, Ref]]:
    """Yields each pair of names that exclude each other, with the place where the first says so."""
    found: set[frozenset[str]] = set()
    for name in names:
        component = model.data.components.get(name)
        for ref in component.rules.excludes if component else ():
            pair = frozenset((name, ref.name))
            if ref.name in names and ref.name != name and pair not in found:
                found.add(pair)
                yield name, ref.name, ref


def requires_graph(model: Model) -> Graph:
    return {
        component.name: [ref.name for ref in component.rules.requires if ref.name != component.name]
        for component in model.data.components.values()
    }


def _sound(parsed: Parsed) -> Iterator[Component]:
    for component in parsed.model.data.components.values():
        if parsed.sound("component", component.name):
            yield component


RULES = (
    tag_storage,
    replace_tag,
    replace_shared,
    soa_sparse,
    requires_sparse,
    requires_circle,
    requires_excluded,
    requires_values,
)
