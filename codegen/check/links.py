"""Rules about links."""

from __future__ import annotations

from parse import Parsed
from source.source import Report


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


RULES = (link_ends, link_write_bare)
