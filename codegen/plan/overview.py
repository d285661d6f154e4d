"""Plans the overview: the comment at the top of `<world>.h` that shows the whole world."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from model.model import Model
from plan import text
from plan.common import Common
from plan.records.code import CodePlan
from plan.records.data import SingletonPlan
from plan.records.kinds import DataPlan
from plan.schedule import waits_words

Rows = list[tuple[str, str]]  # a name and its description


def make_overview(common: Common, data: DataPlan, code: CodePlan) -> list[str]:
    """Returns the lines of the overview without `//`. Leaves out empty sections."""
    model = common.model
    sections = _things(model, data)
    sections["Queries"] = [(q.name, q.selection.words) for q in code.queries]
    sections["Listeners"] = [(one.name, one.words) for one in code.listeners]
    sections["Indexes"] = [(index.name, index.words.overview) for index in code.indexes]
    for phase, waits in zip(code.phases, common.schedule, strict=True):
        rows = zip(phase.systems, waits.systems, strict=True)
        sections[f"Phase {phase.name}"] = [
            (s.name, "; ".join(filter(None, [waits_words(waits, system), s.context.summary])))
            for s, system in rows
        ]
    about = ["", *text.comment_lines(model.world.doc)] if model.world.doc.strip() else []
    for title, things in sections.items():
        about += _section(title, things) if things else []
    return about


def _things(model: Model, data: DataPlan) -> dict[str, Rows]:
    components, singletons, prefabs = (
        model.data.components,
        model.data.kept.singletons,
        model.data.prefabs,
    )
    return {
        "Enums": [
            (e.name, _names(v.name for v in model.types.enums[e.name].values))
            for e in data.types.enums
            if e.name not in model.data.kept.states
        ],
        "Components": [
            (c.name, _about(c.storage.words + c.watched.words, components[c.name].doc))
            for c in data.components.declared
        ],
        "Singletons": [
            (s.name, _about(_singleton(s, singletons[s.name].save), singletons[s.name].doc))
            for s in data.singletons
            if not s.state
        ],
        "Resources": [
            (name, _about(f"{one.c} of {one.header}", one.doc))
            for name, one in model.data.kept.resources.items()
        ],
        "States": [
            (name, _about(_names(v.name for v in model.types.enums[name].values), state.doc))
            for name, state in model.data.kept.states.items()
        ],
        "Events": [(e.name, _about(e.summary, model.data.events[e.name].doc)) for e in data.events],
        "Prefabs": [
            (p.name, _names(item.component.name for item in prefabs[p.name].components))
            for p in data.prefabs
        ],
        "Relations": [
            (r.name, _about(r.words, model.data.relations[r.name].doc)) for r in data.relations
        ],
        "Links": [
            (one.name, _about(one.words, model.data.links[one.name].doc)) for one in data.links
        ],
    }


def _names(names: Iterable[str]) -> str:
    return ", ".join(names)


def _singleton(singleton: SingletonPlan, save: bool) -> str:
    return (
        text.count_of(singleton.struct.layout.bytes, "byte")
        + ("" if save else ", not saved")
        + singleton.watched
    )


def _about(facts: str, doc: str) -> str:
    return f"{facts}: {text.first_sentence(doc)}" if doc.strip() else facts


def _section(title: str, rows: Rows) -> Iterator[str]:
    yield ""
    yield title
    width = max(len(name) for name, _ in rows)
    for name, words in rows:
        first, *rest = text.comment_lines(words or "nothing", text.COMMENT_WIDTH - width - 6)
        yield f"  {name:{width}}  {first}"
        for line in rest:
            yield f"  {'':{width}}    {line}"
