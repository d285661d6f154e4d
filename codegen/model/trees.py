"""Questions about relations and links use bits of rows: tags that the generator adds.

One tag of a relation marks the rows that have a parent. It has the name of the relation. Another
one marks the rows that have children. A relation has such a tag only if the schema asks the
question, so unused questions cost nothing. A link also has two: `owes_from` marks the rows from
which a link leads, and `owes_to` those to which one leads. The runtime updates the bits.
"""

from __future__ import annotations

from collections.abc import Iterator

from model.data import Component, Link, Relation, Stored
from model.declared import Declared
from model.expressions import Expr, Op
from model.model import Model
from model.record import replace

ENDS = ("from", "to")  # of a link
BY_CHILDREN = (Op.ROOT, Op.LEAF)  # these also need to know whether a row has children


def parents_tag(relation: str) -> str:
    """Returns the tag of the rows that have children."""
    return f"{relation}_parents"


def link_tag(link: str, end: str) -> str:
    """Returns the tag of the rows at the end "from" or "to" of a link."""
    return f"{link}_{end}"


def shown_tag(model: Model, name: str) -> str:
    """Returns `from(owes)` for a tag of links, and other names as they are."""
    link = model.data.relation_tags.get(name, "")
    if link not in model.data.links:
        return name
    return f"{ENDS[link_tags(link).index(name)]}({link})"


def link_tags(link: str) -> tuple[str, str]:
    return link_tag(link, "from"), link_tag(link, "to")


def with_relation_tags(model: Model) -> Model:
    """Appends the tags of relations and links to the components.

    A component with the name of a tag is kept, and is reported as a collision.
    """
    tags: dict[str, Component] = {}
    by_relation: dict[str, str] = {}
    for relation in model.data.relations.values():
        for name in _tags(model, relation):
            tags[name] = Component(Declared(name, relation.place), stored=Stored(save=False))
            by_relation[name] = relation.name
    for link in model.data.links.values():
        for name in _link_tags(model, link):
            tags[name] = Component(Declared(name, link.place), stored=Stored(save=False))
            by_relation[name] = link.name
    new = {name: tag for name, tag in tags.items() if name not in model.data.components}
    components = model.data.components | new
    data = replace(model.data, components=components, relation_tags=by_relation)
    return replace(model, data=data)


def _tags(model: Model, relation: Relation) -> Iterator[str]:
    atoms = [atom for atom in _asked(model) if atom.ref and atom.ref.name == relation.name]
    listed = {
        removal.component.name
        for reader in model.with_removals
        for removal in reader.messages.removed
    }
    if atoms or relation.name in listed:
        yield relation.name
    if any(atom.op in BY_CHILDREN for atom in atoms):
        yield parents_tag(relation.name)


def _link_tags(model: Model, link: Link) -> Iterator[str]:
    asked = {atom.end for atom in _asked(model) if atom.link and atom.link.name == link.name}
    yield from (link_tag(link.name, end) for end in ENDS if end in asked)


def _asked(model: Model) -> Iterator[Expr]:
    selections = [query.selection for query in model.begun]
    selections += [system.selection for system in model.code.systems.values()]
    selections += [index.selection for index in model.code.indexes.values()]
    for selection in selections:
        if selection.where:
            yield from selection.where.atoms()
