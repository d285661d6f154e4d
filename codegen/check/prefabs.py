"""Rules about prefabs: their components, and the prefab in `is`."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from check.components import excluding_pairs, requires_graph
from model.data import Prefab
from model.graph import Graph, circles, closure
from model.parts import is_plain, parts_component, prefab_graph
from model.states import living_tag, unlisted_tag
from names.nearest import suggest
from parse import Parsed
from source.source import Note, Place, Report


def prefab_excluded(parsed: Parsed, report: Report) -> None:
    """A pair that a prefab inherits is reported for the prefab in `is` only."""
    model = parsed.model
    graph = requires_graph(model)
    for prefab in model.data.prefabs.values():
        base = model.data.prefabs.get(prefab.base.name) if prefab.base else None
        inherited = _together(graph, base) if base else {}
        needs = [closure(graph, item.component.name) for item in prefab.components]
        for one, two, ref in excluding_pairs(model, _together(graph, prefab)):
            known = [*needs, inherited]
            if any(one in names and two in names for names in known):
                continue  # already reported
            reason = f"it needs '{one}' and '{two}', which exclude each other"
            message = f"prefab '{prefab.name}' can never be spawned: {reason}"
            notes = [Note(ref.place, f"'{one}' excludes '{two}'")]
            help = "remove one of the two"
            report.error("prefab-excluded", prefab.place, message, help=help, notes=notes)


def _together(graph: dict[str, list[str]], prefab: Prefab) -> dict[str, None]:
    needs = [closure(graph, item.component.name) for item in prefab.components]
    return dict.fromkeys(name for names in needs for name in names)


def prefab_empty(parsed: Parsed, report: Report) -> None:
    for prefab in parsed.model.data.prefabs.values():
        empty = not prefab.components and not prefab.parts and not prefab.written.parts
        if empty and parsed.sound("prefab", prefab.name) and is_whole(parsed, prefab.name):
            message = f"prefab '{prefab.name}' has neither components nor parts"
            help = "add a component or a tag: components = { position = {} }"
            report.error("prefab-empty", prefab.place, message, help=help)


def prefab_circle(parsed: Parsed, report: Report) -> None:
    for circle in circles(prefab_graph(parsed.model)):
        steps = [(one, other, _place(parsed, one, other)) for one, other in pairwise(circle)]
        message = f"prefabs contain each other in a circle: {' -> '.join(circle)}"
        notes = [Note(place, f"'{one}' needs '{other}' here") for one, other, place in steps[1:]]
        help = "remove one of these: a spawn would never end"
        report.error("prefab-circle", steps[0][2], message, help=help, notes=notes)


def _place(parsed: Parsed, prefab: str, other: str) -> Place:
    """Returns the place that makes one prefab need another."""
    found = parsed.model.data.prefabs[prefab]
    refs = [found.base, *(part.prefab for part in found.written.parts)]
    return next((ref.place for ref in refs if ref and ref.name == other), found.place)


def without_unknown(parsed: Parsed, report: Report) -> None:
    """`without` names components and parts of the prefab in `is`."""
    for prefab in parsed.model.data.prefabs.values():
        for ref in prefab.written.without:
            base = parsed.model.data.prefabs.get(prefab.base.name) if prefab.base else None
            help = 'remove it: only a prefab with is = "…" inherits anything'
            if base:
                if not is_whole(parsed, base.name) or _is_of_lives(prefab, base, ref.name):
                    continue
                had = listed_components(base)
                had += [part.name for part in base.parts]
                if ref.name in had:
                    continue
                help = suggest(ref.name, had, f"'{base.name}' has")
                if ref.name == "lives" and base.lives:
                    help = f"remove it: {_keeps_lives(base)}"
            elif prefab.base:
                continue  # unknown-prefab
            of = f"'{prefab.base.name}'" if prefab.base else "it"
            message = f"prefab '{prefab.name}' leaves out '{ref.name}', which {of} does not have"
            report.error("without-unknown", ref.place, message, help=help)


def without_lives(parsed: Parsed, report: Report) -> None:
    """The tag of `lives` cannot be left out, because `lives` gives it."""
    for prefab in parsed.model.data.prefabs.values():
        base = parsed.model.data.prefabs.get(prefab.base.name) if prefab.base else None
        if base is None or not is_whole(parsed, base.name):
            continue
        for ref in prefab.written.without:
            if not _is_of_lives(prefab, base, ref.name):
                continue
            of, help = "of its 'lives'", _keeps_lives(base)
            if prefab.lives and living_tag(prefab.lives) != ref.name:
                of, help = f"of 'lives' of '{base.name}'", "its own 'lives' replaces the tag"
            elif prefab.written.lives:
                help = "its own 'lives' adds the tag"
            message = f"prefab '{prefab.name}' leaves out '{ref.name}', the tag {of}"
            report.error("without-lives", ref.place, message, help=f"remove it: {help}")


def _is_of_lives(prefab: Prefab, base: Prefab, name: str) -> bool:
    own = living_tag(prefab.lives) if prefab.lives else ""
    return name in {own, unlisted_tag(base)}


def _keeps_lives(base: Prefab) -> str:
    return f"a variant of '{base.name}' can have another value in 'lives', but not none"


def listed_components(prefab: Prefab) -> list[str]:
    """Returns the components that a prefab and those in `is` list, without the tag of `lives`."""
    unlisted = unlisted_tag(prefab)
    names = (item.component.name for item in prefab.components)
    return [name for name in names if name != unlisted]


def without_kept(parsed: Parsed, report: Report) -> None:
    """A name that `without` leaves out must not be listed again."""
    for prefab in parsed.model.data.prefabs.values():
        lacks = {ref.name: ref for ref in prefab.written.without}
        kept = [item.component for item in prefab.written.components]
        for name, place in [
            *((ref.name, ref.place) for ref in kept),
            *((part.path[0], part.place) for part in prefab.written.parts),
        ]:
            if name in lacks:
                message = f"prefab '{prefab.name}' has '{name}', but also leaves it out"
                notes = [Note(lacks[name].place, f"'without' lists '{name}' here")]
                help = "remove one of the two"
                report.error("without-kept", place, message, help=help, notes=notes)


def without_required(parsed: Parsed, report: Report) -> None:
    """A component that another one requires would be added again."""
    graph = requires_graph(parsed.model)
    for prefab in parsed.model.data.prefabs.values():
        own = [item.component.name for item in prefab.components]
        for ref in prefab.written.without:
            if ref.name not in parsed.model.data.components or ref.name in own:
                continue
            by = next((name for name in own if ref.name in closure(graph, name)), "")
            if by:
                message = f"prefab '{prefab.name}' leaves out '{ref.name}', but '{by}' requires it"
                help = f"leave out '{by}' too, or keep '{ref.name}'"
                report.error("without-required", ref.place, message, help=help)


def parts_name(parsed: Parsed, report: Report) -> None:
    """The name of the component that stores the parts of a prefab must be free."""
    for prefab in parsed.model.data.prefabs.values():
        name = parts_component(prefab.name)
        other = parsed.model.data.components.get(name)
        own = any(part.introduced_by == prefab.name for part in prefab.parts)
        if own and other and not other.of_prefab:
            message = f"component '{name}' has the name that stores the parts of '{prefab.name}'"
            notes = [Note(prefab.place, f"prefab '{prefab.name}' is here")]
            help = "rename one of the two: each prefab with parts has a component of this form"
            report.error("parts-name", other.place, message, help=help, notes=notes)


def parts_listed(parsed: Parsed, report: Report) -> None:
    for prefab in parsed.model.data.prefabs.values():
        for item in prefab.written.components:
            component = parsed.model.data.components.get(item.component.name)
            if component and component.of_prefab:
                name = component.name
                message = (
                    f"prefab '{prefab.name}' lists '{name}', which stores the parts of prefab "
                )
                message += f"'{component.of_prefab}'"
                help = f'remove it: write is = "{component.of_prefab}", or declare parts'
                report.error("parts-listed", item.component.place, message, help=help)


def is_whole(parsed: Parsed, prefab: str, graph: Graph | None = None) -> bool:
    """Returns whether everything that a prefab consists of could be read, without a circle."""
    graph = graph or prefab_graph(parsed.model)
    needed = closure(graph, prefab)
    known = all(
        name in parsed.model.data.prefabs and parsed.sound("prefab", name) for name in needed
    )
    return known and not circles({name: graph[name] for name in needed})


def whole(parsed: Parsed) -> Iterator[Prefab]:
    """Yields the prefabs with parts, `is` or refs that could be read completely."""
    graph = prefab_graph(parsed.model)
    for prefab in parsed.model.data.prefabs.values():
        if not is_plain(prefab) and is_whole(parsed, prefab.name, graph):
            yield prefab


RULES = (
    prefab_excluded,
    prefab_empty,
    prefab_circle,
    without_unknown,
    without_lives,
    without_kept,
    without_required,
    parts_name,
    parts_listed,
)
