"""Selections skip rows with a hidden tag, unless they name the tag.

A selection that names none of the hidden tags is read as if its `where` ended in `& !disabled`. So
the later steps, from the rules to the generated code, need not know about hiding.
"""

from __future__ import annotations

from model.code import Selection
from model.expressions import Expr, Op
from model.model import Code, Model
from model.record import replace
from model.refs import Ref


def hide(model: Model) -> Model:
    """Adds the hidden tags of [world] to the `where` of each selection with rows."""
    tags = tuple(ref for ref in model.world.hide if model.is_tag(ref.name))
    if not tags:
        return model
    queries = {
        name: replace(query, selection=_without(query.selection, tags))
        for name, query in model.code.queries.items()
    }
    listeners = {
        name: replace(listener, selection=_without(listener.selection, tags))
        for name, listener in model.code.listeners.items()
        if listener.selection.has_rows
    }
    indexes = {
        name: replace(index, selection=_without(index.selection, tags))
        for name, index in model.code.indexes.items()
    }
    systems = {
        name: replace(system, selection=_without(system.selection, tags))
        for name, system in model.code.systems.items()
        if system.selection.has_rows
    }
    systems = model.code.systems | systems
    listeners = model.code.listeners | listeners
    return replace(model, code=Code(queries, listeners, indexes, systems))


def _without(selection: Selection, tags: tuple[Ref, ...]) -> Selection:
    listed = selection.read + selection.write + selection.optional
    named = {ref.name for ref in listed}
    where = selection.where
    named |= {ref.name for ref in where.refs()} if where else set()
    added = tuple(
        Expr(Op.NOT, tag.place, operands=(Expr(Op.HAS, tag.place, ref=tag),))
        for tag in tags
        if tag.name not in named
    )
    if not added:
        return selection
    parts = (where.operands if where.op is Op.AND else (where,)) if where else ()
    both = (*parts, *added)
    place = where.place if where else added[0].place
    whole = both[0] if len(both) == 1 else Expr(Op.AND, place, operands=both)
    return replace(selection, where=whole)


def written(model: Model, selection: Selection) -> Expr | None:
    """Returns the `where` as the schema writes it."""
    where = selection.where
    if where is None:
        return None
    parts = where.operands if where.op is Op.AND else (where,)
    kept = tuple(part for part in parts if not _is_added(model, part))
    if len(kept) == len(parts):
        return where
    if len(kept) > 1:
        return Expr(Op.AND, where.place, operands=kept)
    return kept[0] if kept else None


def hidden(model: Model, selection: Selection) -> list[str]:
    """Returns the tags whose rows a selection skips because it does not name them."""
    where = selection.where
    parts = (where.operands if where.op is Op.AND else (where,)) if where else ()
    added = [part.operands[0].ref for part in parts if _is_added(model, part)]
    return [ref.name for ref in added if ref]


def _is_added(model: Model, part: Expr) -> bool:
    """Returns whether a part of a `where` was added because of `hide` in [world]."""
    return part.op is Op.NOT and any(part.operands[0].ref is tag for tag in model.world.hide)
