"""Rules about links."""

from __future__ import annotations

from collections.abc import Iterator

from model.code import Over, System
from model.readers import Readers
from model.trees import link_tags, with_relation_tags
from parse import Parsed
from source.source import Report

MAX_END_POINTERS = 32  # pointers that a system over links gathers for a link, on the stack


def link_ends(parsed: Parsed, report: Report) -> None:
    """The two ends of a symmetric link are alike."""
    for link in parsed.model.data.links.values():
        if link.symmetric and link.ends.source != link.ends.target:
            place = parsed.book.key("link", link.name, "on_despawn")
            message = (
                f"link '{link.name}' is symmetric, but 'from' and 'to' of its 'on_despawn' differ"
            )
            help = 'write both, for example on_despawn = { from = "despawn", to = "despawn" }'
            report.error("link-ends", place, message, help=help)


def link_write_bare(parsed: Parsed, report: Report) -> None:
    """A grant to write gives access to values; links are added and removed by commands."""
    for system in parsed.model.code.systems.values():
        for ref in system.reach.links.write:
            link = parsed.model.data.links.get(ref.name)
            if link and link.is_bare and parsed.sound("link", link.name):
                message = f"system '{system.name}' writes '{ref.name}', whose links have no value"
                help = "list it in 'read'; commands add and remove links"
                report.error("link-write-bare", ref.place, message, help=help)


def over_rows(parsed: Parsed, report: Report) -> None:
    """A system over links has no rows."""
    for system, over in _overs(parsed):
        for key in ("read", "write", "optional", "where", "rows", "order", "parent", "inline"):
            rest = system.selection.write if key == "write" else (over.link,)
            if not parsed.book.has("system", system.name, key) or not rest:
                continue
            message = f"system '{system.name}' has both 'over' and '{key}'"
            help = f"remove '{key}': it iterates links; 'ends' gives it components of their ends"
            if key == "write":
                help = (
                    f"list only '{over.link.name}' there; 'ends' gives it components of both ends"
                )
            place = parsed.book.key("system", system.name, key)
            report.error("over-rows", place, message, help=help)


def ends_alone(parsed: Parsed, report: Report) -> None:
    for system in parsed.model.code.systems.values():
        key = ("system", system.name, "ends")
        if not system.loop.over and parsed.book.has(*key) and parsed.sound("system", system.name):
            message = f"system '{system.name}' has 'ends', but not 'over'"
            help = 'add over = "…", the links of these ends'
            report.error("ends-alone", parsed.book.key(*key), message, help=help)


def end_tag(parsed: Parsed, report: Report) -> None:
    for system, over in _overs(parsed):
        for end, access in over.ends:
            for ref in (*access.read, *access.write):
                if parsed.is_tag(ref.name):
                    what = f"'ends.{end}' of system '{system.name}'"
                    message = f"{what} lists '{ref.name}', which is a tag and has no value"
                    help = 'remove it; to ask for it, use lookup = { read = ["…"] }'
                    report.error("end-tag", ref.place, message, help=help)


def end_pointers(parsed: Parsed, report: Report) -> None:
    components = parsed.model.data.components
    for system, over in _overs(parsed):
        count = 0
        for ref in (*over.reads, *over.writes):
            before = count
            count += components[ref.name].columns if ref.name in components else 0
            if before <= MAX_END_POINTERS < count:
                most = f"more than {MAX_END_POINTERS} pointers for each link"
                message = f"system '{system.name}' needs {most}, counting '{ref.name}'"
                help = (
                    "look some of them up by their entity: each field of a soa one needs a pointer"
                )
                report.error("end-pointers", ref.place, message, help=help)


def over_write_bare(parsed: Parsed, report: Report) -> None:
    for system, over in _overs(parsed):
        link = parsed.model.data.links.get(over.link.name)
        if over.write and link and link.is_bare and parsed.sound("link", link.name):
            message = f"system '{system.name}' writes '{link.name}', whose links have no value"
            help = "remove it from 'write'; commands add and remove links"
            report.error("link-write-bare", over.write.place, message, help=help)


def over_parallel(parsed: Parsed, report: Report) -> None:
    """Two links may have an end in common, so parts must not write ends, or marks of ends."""
    overs = [(system, over) for system, over in _overs(parsed) if system.loop.parallel]
    readers = Readers(with_relation_tags(parsed.model)) if overs else None
    for system, over in overs:
        what = f"system '{system.name}' is parallel, but"
        for ref in over.writes:
            message = f"{what} writes '{ref.name}' at ends of links"
            help = "remove 'parallel': several links may lead to the same entity"
            report.error("parallel-write", ref.place, message, help=help)
        for ref in system.reach.links.read if over.write else ():
            if ref.name == over.link.name:
                message = f"{what} writes '{ref.name}', which it also reads through 'links'"
                help = "remove 'parallel', or one of the two"
                report.error("parallel-alias", ref.place, message, help=help)
        tags = link_tags(over.link.name)
        if over.write and readers and any(readers.group("changed", tag) for tag in tags):
            message = f"{what} writes '{over.link.name}', whose changes have a reader"
            help = "remove 'parallel': several links may mark the same entity as changed"
            report.error("parallel-write", over.write.place, message, help=help)


def _overs(parsed: Parsed) -> Iterator[tuple[System, Over]]:
    for system in parsed.model.code.systems.values():
        if system.loop.over:
            yield system, system.loop.over


RULES = (
    link_ends,
    link_write_bare,
    over_rows,
    ends_alone,
    end_tag,
    end_pointers,
    over_write_bare,
    over_parallel,
)
