"""Words of comments: what a system may access, and how its function is called."""

from __future__ import annotations

from collections.abc import Iterator

from model.code import Over, System, merged_words
from model.refs import Ref
from model.states import once_in, once_words
from plan.records.data import ComponentPlan
from plan.records.selection import SelectionPlan
from plan.records.system import ParentPlan
from plan.relations import TAG_ELEMENT
from plan.selections import selection_words


def system_words(system: System) -> str:
    """Returns what a system may access, for comments."""
    parts = (
        (f"reads {{}} of parents{_by(system)}", system.loop.tree.parent),
        ("looks up {}", system.reach.lookup.read + system.reach.lookup.relations),
        ("looks up and writes {}", system.reach.lookup.write),
        ("reads singleton {}", system.reach.singletons.read),
        ("writes singleton {}", system.reach.singletons.write),
        ("reads resource {}", system.reach.resources.read),
        ("writes resource {}", system.reach.resources.write),
        ("reads state {}", system.reach.states.read),
        ("changes state {}", system.reach.states.write),
        *(_at_ends(system.loop.over) if system.loop.over else ()),
        ("reads links {}", system.reach.links.read),
        ("reads and writes links {}", system.reach.links.write),
        ("iterates query {}", system.reach.queries),
        ("uses index {}", system.reach.indexes),
        ("emits {}", system.messages.emits),
        ("hears {}", system.messages.hears),
        ("reads removals of {}", [removal.component for removal in system.messages.removed]),
    )
    words = [does.format(", ".join(ref.name for ref in refs)) for does, refs in parts if refs]
    if system.loop.tree.order:
        words.insert(0, f"runs from parents to children by {system.loop.tree.order.name}")
    if system.loop.turn:
        words.append("is called at the beginning and end of its turn")
    if system.loop.partial:
        words.append(merged_words(system))
    if system.messages.commands:
        words.append("records commands")
    if system.schedule.flush:
        words.append("applies commands before it runs")
    if system.schedule.turn.switch:
        words.append("can be switched off")
    if system.schedule.turn.every is not None:
        words.append(f"runs every {system.schedule.turn.every:g} s")
    if once_in(system):
        words.append(once_words(system))
    if system.schedule.turn.when:
        words.append(f"runs only when {system.schedule.turn.when.text}")
    over = system.loop.over
    rows = selection_words(system.selection) or "is called once a turn"
    rows = f"iterates {'and writes ' if over.write else ''}links {over.link.name}" if over else rows
    return "; ".join([rows, *words])


def _at_ends(over: Over) -> Iterator[tuple[str, tuple[Ref, ...]]]:
    for end, access in over.ends:
        yield f"reads {{}} at {end}", access.read
        yield f"writes {{}} at {end}", access.write


def _by(system: System) -> str:
    return (
        ""
        if system.loop.tree.order or not system.loop.tree.by
        else f" by {system.loop.tree.by.name}"
    )


def absent_words(optional: list[ComponentPlan], selection: SelectionPlan) -> str:
    """Returns which parameters of the game's function may be NULL."""
    shown = {"aos": "", "soa": ".…", "sparse": "[k]" if selection.listed else "[i]"}
    names = [c.name + shown[c.storage.kind] for c in optional if c.storage.kind != "tag"]
    if not names:
        return ""
    return f" {', '.join(names)} {'is' if len(names) == 1 else 'are'} NULL if absent."


def parent_words(parents: list[ParentPlan], listed: bool = False) -> list[str]:
    """Returns the values of parameters for parents if there is no parent."""
    i = "k" if listed else "i"
    tags = [parent for parent in parents if parent.element == TAG_ELEMENT]
    values = f"…_parent[{i}] is NULL if the row has no parent, or its parent lacks the component."
    bools = f"For a tag, …_parent[{i}] is true if the row has a parent with the tag."
    return [*([values] if len(tags) < len(parents) else []), *([bools] if tags else [])]


def called_words(system: System, selection: SelectionPlan, parents: list[ParentPlan]) -> str:
    """Returns how often, and with which rows, the game's function is called."""
    if selection.depth_order:
        depth = "It is called for runs of rows of one depth, parents before their children."
        return " ".join([depth, *parent_words(parents)])
    if system.loop.over:
        at_most = (
            "It is called for at most 256 links at a time: link i leads from from[i] to to[i]."
        )
        order = "Links are in the order of the indices of `from`, then of `to`."
        lacks = "Links are skipped if one of their ends lacks a component that is listed in `ends`."
        has_ends = system.loop.over.reads or system.loop.over.writes
        return " ".join([at_most, order, *([lacks] if has_ends else [])])
    if not system.selection.has_rows:
        return "It is called once a turn, with a count of 0."
    return " ".join([_rows_words(selection, parents), *parent_words(parents, selection.listed)])


def _rows_words(selection: SelectionPlan, parents: list[ParentPlan]) -> str:
    if selection.mask:
        return (
            "It is called for ranges of a table. Iterate over `rows`, the rows of the range that "
            "pass."
        )
    if selection.listed:
        sparse = ", and sparse values with k" if selection.gathered else ""
        sparse = ", and values of parents and sparse values with k" if parents else sparse
        where = f"index columns and handles with rows[k]{sparse}, for each k below count"
        return f"It is called for lists of rows: {where}."
    rows = "runs of rows" if selection.by_row else "whole tables"
    return f"It is called for {rows}."
