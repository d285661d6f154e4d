"""Rules about relations, and about systems that visit parents before children."""

from __future__ import annotations

from collections.abc import Iterator

from check.selections import selecting
from model.code import Selection, System
from model.expressions import Expr, Op
from model.refs import Ref
from parse import Parsed
from source.source import Note, Report

MAX_CHANGED_PARENTS = 64  # names in one `where`, because each takes one bit of a word of the row


def order_alone(parsed: Parsed, report: Report) -> None:
    """`order` needs rows, so a system without rows must not set it."""
    for system, ref in _ordered(parsed):
        if not system.selection.has_rows:
            message = f"system '{system.name}' has 'order', but selects no rows"
            help = "remove 'order': there are no rows to order"
            report.error("order-alone", ref.place, message, help=help)


def order_mask(parsed: Parsed, report: Report) -> None:
    for system, ref in _ordered(parsed):
        if system.selection.rows == "mask":
            message = f"system '{system.name}' has both 'order' and rows = \"mask\""
            help = "remove one of the two: a mask cannot visit parents before children"
            report.error("order-mask", ref.place, message, help=help)


def order_list(parsed: Parsed, report: Report) -> None:
    for system, ref in _ordered(parsed):
        if system.selection.rows == "list":
            message = f"system '{system.name}' has both 'order' and rows = \"list\""
            help = "remove one of the two: a list cannot visit parents before children"
            report.error("order-list", ref.place, message, help=help)


def parent_alone(parsed: Parsed, report: Report) -> None:
    """`parent` needs rows and a relation."""
    for system in parsed.model.code.systems.values():
        if not system.loop.tree.parent or not parsed.sound("system", system.name):
            continue
        place = parsed.book.key("system", system.name, "parent")
        if not system.loop.tree.by and not parsed.hidden.any_name:
            message = f"system '{system.name}' has 'parent', but does not name a relation"
            help = 'add relation = "…", or order = "…" to visit parents before children'
            report.error("parent-alone", place, message, help=help)
        elif not system.loop.tree.order and not system.selection.has_rows:
            message = f"system '{system.name}' has 'parent', but selects no rows"
            help = "remove 'parent': there are no rows with parents"
            report.error("parent-alone", place, message, help=help)


def parent_write(parsed: Parsed, report: Report) -> None:
    """Without `order`, some rows would see what the system wrote in the same turn, and others
    not.
    """
    for system in parsed.model.code.systems.values():
        written = {ref.name: ref for ref in system.selection.write}
        for ref in () if system.loop.tree.order else system.loop.tree.parent:
            if ref.name in written:
                message = (
                    f"system '{system.name}' writes '{ref.name}', but reads it of parents in "
                    "any order"
                )
                help = 'add order = "…" to visit parents before children'
                notes = [Note(written[ref.name].place, "written here")]
                report.error("parent-write", ref.place, message, help=help, notes=notes)


def relation_alone(parsed: Parsed, report: Report) -> None:
    """`relation` belongs to `parent`, and `order` already gives the relation."""
    for system in parsed.model.code.systems.values():
        if not system.loop.tree.relation or not parsed.sound("system", system.name):
            continue
        if system.loop.tree.order:
            message = f"system '{system.name}' has both 'order' and 'relation'"
            help = "remove 'relation': 'order' already names the relation of parents"
            report.error("relation-alone", system.loop.tree.relation.place, message, help=help)
        elif not system.loop.tree.parent:
            message = f"system '{system.name}' has 'relation', but reads nothing of parents"
            help = "remove 'relation', or list components in parent = [\"…\"]"
            report.error("relation-alone", system.loop.tree.relation.place, message, help=help)


def changed_parent_order(parsed: Parsed, report: Report) -> None:
    """Only `order` decides which parent is meant, and lets a parent's turn precede its
    children's.
    """
    for user in selecting(parsed):
        system = parsed.model.code.systems.get(user.name) if user.kind == "system" else None
        if (system and system.loop.tree.order) or not parsed.sound(user.kind, user.name):
            continue
        for atom in _asked_of_parents(user.selection):
            if atom.ref and atom.ref.name in parsed.model.data.relations:
                continue  # not a component of a parent, with or without `order`
            message = f"{user.what} asks for {atom.atom}, but has no 'order'"
            help = 'add order = "…", the relation of the parents'
            if not system:
                message = f"{user.what} asks for {atom.atom}, which only a system with 'order' can"
                help = "ask for it in 'where' of a system"
            report.error("changed-parent-order", atom.place, message, help=help)


def changed_parent_write(parsed: Parsed, report: Report) -> None:
    """The walk notices only what a system writes through columns of its rows."""
    for system in parsed.model.code.systems.values():
        listed = [parsed.model.code.queries.get(ref.name) for ref in system.reach.queries]
        ways = [("looks up and writes", ref) for ref in system.reach.lookup.write]
        ways += [
            (f"writes, by query '{query.name}',", ref)
            for query in listed
            if query
            for ref in query.selection.write
        ]
        by_name = {ref.name: does for does, ref in reversed(ways)}
        for atom in _asked_of_parents(system.selection):
            name = atom.ref.name if atom.ref else ""
            if name in by_name:
                what = f"{by_name[name]} '{name}'"
                message = f"system '{system.name}' asks for {atom.atom}, but {what}"
                help = "write it in another system, or only as a column of the current rows"
                report.error("changed-parent-write", atom.place, message, help=help)


def changed_parent_parallel(parsed: Parsed, report: Report) -> None:
    """The rows of one depth are known only after the rows above had their turn."""
    for system in parsed.model.code.systems.values():
        for atom in _asked_of_parents(system.selection) if system.loop.parallel else ():
            message = f"system '{system.name}' is parallel, but asks for {atom.atom}"
            help = "remove one of the two: the system's writes decide which rows it visits next"
            report.error("changed-parent-parallel", atom.place, message, help=help)


def changed_parent_many(parsed: Parsed, report: Report) -> None:
    for system in parsed.model.code.systems.values():
        asked = {atom.atom: atom for atom in _asked_of_parents(system.selection)}
        if len(asked) > MAX_CHANGED_PARENTS:
            atom = list(asked.values())[MAX_CHANGED_PARENTS]
            most = f"more than {MAX_CHANGED_PARENTS} changed_parent"
            message = f"system '{system.name}' asks for {most}"
            help = "ask for some of them in another system"
            report.error("changed-parent-many", atom.place, message, help=help)


def _asked_of_parents(selection: Selection) -> list[Expr]:
    atoms = selection.where.atoms() if selection.where else ()
    return [atom for atom in atoms if atom.op is Op.CHANGED_PARENT]


def _ordered(parsed: Parsed) -> Iterator[tuple[System, Ref]]:
    for system in parsed.model.code.systems.values():
        if system.loop.tree.order:
            yield system, system.loop.tree.order


RULES = (
    order_alone,
    order_mask,
    order_list,
    parent_alone,
    parent_write,
    relation_alone,
    changed_parent_order,
    changed_parent_write,
    changed_parent_parallel,
    changed_parent_many,
)
