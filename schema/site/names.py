"""Names that a search finds first: keys of the schema, ids of diagnostics, calls and commands.

Sphinx ranks a page that *defines* a word above one that contains it. A page defines the code in its
headings, and in the first cell of each table row. Code in a link is defined where the link leads.
Sphinx has three ranks: here titles are above headings, and these above rows of tables.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, ClassVar

from docutils import nodes
from sphinx import addnodes
from sphinx.domains import Domain, ObjType

NAME = re.compile(r"[A-Za-z_][\w.-]*")
# Pages that explain what others define.
DEFINING = re.compile(
    r"schema/reference/|codegen/COMMANDS|runtime/(LIMITS|COMPILERS|save/SAVES|serve/RPC)"
)
FIRST, SECOND, THIRD = range(3)  # Sphinx's ranks


def rank_of(page: str, name: str, *, is_title: bool) -> int:
    """Returns the rank of a name in a heading. Errors and commands share a page each."""
    own = page == "codegen/COMMANDS" or (page == "schema/reference/errors" and "-" in name)
    return FIRST if is_title or own else SECOND


class Names(Domain):
    name = "weft"
    label = "Weft"
    data_version = 1
    object_types: ClassVar = {"name": ObjType("name")}
    initial_data: ClassVar[dict[str, Any]] = {"names": {}}

    @property
    def names(self) -> dict[str, dict[str, tuple[str, int]]]:
        return self.data["names"]  # type: ignore[no-any-return]

    def note(self, page: str, name: str, anchor: str, rank: int = FIRST) -> None:
        self.names.setdefault(page, {}).setdefault(name, (anchor, rank))

    def clear_doc(self, docname: str) -> None:
        self.names.pop(docname, None)

    def merge_domaindata(self, docnames: Any, otherdata: dict[str, Any]) -> None:
        for page in docnames:
            if page in otherdata["names"]:
                self.names[page] = otherdata["names"][page]

    def resolve_any_xref(self, *_: Any) -> list[tuple[str, nodes.Element]]:
        return []  # pages link to pages

    def get_objects(self) -> Iterator[tuple[str, str, str, str, str, int]]:
        for page, found in self.names.items():
            for name, (anchor, rank) in found.items():
                yield name, name, "name", page, anchor, rank


def literals(node: nodes.Element) -> Iterator[str]:
    """Returns the names in the code of a heading or cell.

    `_set_all(w, value)` has `_set_all`, `weft check` has `check`, and `[event.x]` has `event`.
    """
    for literal in node.findall(nodes.literal):
        if is_linked(literal):
            continue
        words = [found[0] for found in NAME.finditer(literal.astext())]
        if words:
            word = words[1] if words[0] == "weft" and len(words) > 1 else words[0]
            yield word.removesuffix(".x")


def is_linked(node: nodes.Node) -> bool:
    while node := node.parent:
        if isinstance(node, (nodes.reference, addnodes.pending_xref)):
            return True
    return False


def define(app: Any, doctree: nodes.document) -> None:
    page = app.env.docname
    if not DEFINING.match(page):
        return
    names = app.env.get_domain("weft")
    for section in doctree.findall(nodes.section):
        for name in literals(section[0]):
            rank = rank_of(page, name, is_title=section.parent is doctree)
            names.note(page, name, section["ids"][0], rank)
    for number, row in enumerate(doctree.findall(nodes.row)):
        cells = list(row.findall(nodes.entry))
        found = list(literals(cells[0])) if cells else []
        if found and not isinstance(row.parent, nodes.thead):
            anchor = f"row-{number}"
            row["ids"].append(anchor)
            for name in found:
                names.note(page, name, anchor, SECOND if page.startswith("schema/") else THIRD)


def setup(app: Any) -> dict[str, bool | int]:
    app.add_domain(Names)
    app.connect("doctree-read", define)
    return {"parallel_read_safe": True, "parallel_write_safe": True, "env_version": 1}
