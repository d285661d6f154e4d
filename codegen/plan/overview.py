"""The comment on top of `<world>.h`: the whole world on a page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from model.model import Model
from plan import text
from plan.code_records import QueryPlan
from plan.data_records import (
    ComponentPlan,
    EnumPlan,
    EventPlan,
    PrefabPlan,
    RelationPlan,
    SingletonPlan,
)
from plan.records import PhasePlan
from plan.schedule import waits_words
from schedule import PhaseSchedule


def make_overview(
    model: Model,
    enums: list[EnumPlan],
    components: list[ComponentPlan],
    singletons: list[SingletonPlan],
    events: list[EventPlan],
    prefabs: list[PrefabPlan],
    queries: list[QueryPlan],
    relations: list[RelationPlan],
    phases: list[PhasePlan],
    schedule: list[PhaseSchedule],
) -> list[str]:
    """Lines of the overview, without the comment marks. A section over nothing is left out."""
    sections = {
        "Enums": [(e.name, _names(v.name for v in model.enums[e.name].values)) for e in enums],
        "Components": [
            (c.name, _about(c.storage_words + c.watched_words, model.components[c.name].doc))
            for c in components
        ],
        "Singletons": [
            (
                s.name,
                _about(_singleton(s, model.singletons[s.name].save), model.singletons[s.name].doc),
            )
            for s in singletons
        ],
        "Events": [(e.name, _about(e.summary, model.events[e.name].doc)) for e in events],
        "Prefabs": [
            (p.name, _names(item.component.name for item in model.prefabs[p.name].components))
            for p in prefabs
        ],
        "Relations": [
            (r.name, _about(f"children {r.fate}", model.relations[r.name].doc)) for r in relations
        ],
        "Queries": [(q.name, q.selection.words) for q in queries],
    }
    for phase, waits in zip(phases, schedule, strict=True):
        rows = zip(phase.systems, waits.systems, strict=True)
        sections[f"Phase {phase.name}"] = [
            (s.name, "; ".join(filter(None, [waits_words(waits, system), s.summary])))
            for s, system in rows
        ]
    about = ["", *text.comment_lines(model.world.doc)] if model.world.doc.strip() else []
    for title, things in sections.items():
        about += _section(title, things) if things else []
    return about


def _names(names: Iterable[str]) -> str:
    return ", ".join(names)


def _singleton(singleton: SingletonPlan, save: bool) -> str:
    return text.count_of(singleton.struct.bytes, "byte") + ("" if save else ", not saved")


def _about(facts: str, doc: str) -> str:
    return f"{facts}: {text.first_sentence(doc)}" if doc.strip() else facts


def _section(title: str, rows: list[tuple[str, str]]) -> Iterator[str]:
    yield ""
    yield title
    width = max(len(name) for name, _ in rows)
    for name, words in rows:
        first, *rest = text.comment_lines(words or "nothing", text.COMMENT_WIDTH - width - 6)
        yield f"  {name:{width}}  {first}"
        for line in rest:
            yield f"  {'':{width}}    {line}"
