"""These rules are about relations, and about systems that follow one from parents to children."""

from __future__ import annotations

from collections.abc import Iterator

from model.model import Ref, System
from parse import Parsed
from source.source import Report


def order_alone(parsed: Parsed, report: Report) -> None:
    """An order is one of rows, so a system without rows cannot have one."""
    for system, ref in _ordered(parsed):
        chosen = system.selection
        if not (chosen.read or chosen.write or chosen.optional or chosen.where):
            message = f"system '{system.name}' has an order, but no columns and no where"
            help = "it gets no rows that could be ordered: remove order"
            report.error("order-alone", ref.place, message, help=help)


def order_mask(parsed: Parsed, report: Report) -> None:
    for system, ref in _ordered(parsed):
        if system.selection.rows == "mask":
            message = f"system '{system.name}' has an order, and rows = \"mask\""
            help = "remove one of the two: parents and children do not fit into whole ranges"
            report.error("order-mask", ref.place, message, help=help)


def order_list(parsed: Parsed, report: Report) -> None:
    for system, ref in _ordered(parsed):
        if system.selection.rows == "list":
            message = f"system '{system.name}' has an order, and rows = \"list\""
            help = "remove one of the two: a list goes down a table, not from parents to children"
            report.error("order-list", ref.place, message, help=help)


def parent_alone(parsed: Parsed, report: Report) -> None:
    for system in parsed.model.systems.values():
        if system.parent and not system.order and parsed.sound("system", system.name):
            message = f"system '{system.name}' reads its parents, but has no order"
            help = 'add order = "…", the relation whose parents are meant'
            place = parsed.book.key("system", system.name, "parent")
            report.error("parent-alone", place, message, help=help)


def parent_tag(parsed: Parsed, report: Report) -> None:
    for system in parsed.model.systems.values():
        for ref in system.parent:
            if parsed.is_tag(ref.name):
                message = (
                    f"system '{system.name}' reads its parents' '{ref.name}', which is a tag "
                    "and has no value"
                )
                help = "remove it, or give the component a field"
                report.error("parent-tag", ref.place, message, help=help)


def _ordered(parsed: Parsed) -> Iterator[tuple[System, Ref]]:
    for system in parsed.model.systems.values():
        if system.order:
            yield system, system.order


RULES = (order_alone, order_mask, order_list, parent_alone, parent_tag)
