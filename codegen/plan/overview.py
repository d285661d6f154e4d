"""The comment on top of `<world>.h`: the whole world on a page."""

from __future__ import annotations

from model import Model

from plan import text
from plan.records import ComponentPlan, EnumPlan, PhasePlan, PrefabPlan, QueryPlan, SingletonPlan


def make_overview(
    model: Model,
    enums: list[EnumPlan],
    components: list[ComponentPlan],
    singletons: list[SingletonPlan],
    prefabs: list[PrefabPlan],
    queries: list[QueryPlan],
    phases: list[PhasePlan],
) -> list[str]:
    """Lines of the overview, without the comment marks. A section over nothing is left out."""
    lines: list[str] = []
    _section(lines, "Enums", [(e.name, ", ".join(v.name for v in model.enums[e.name].values)) for e in enums])
    _section(lines, "Components", [(c.name, _about(c.storage_words, c.struct.doc)) for c in components])
    _section(
        lines,
        "Singletons",
        [(s.name, _about(text.count_of(s.struct.bytes, "byte"), s.struct.doc)) for s in singletons],
    )
    prefab_rows = [(p.name, ", ".join(i.component.name for i in model.prefabs[p.name].components)) for p in prefabs]
    _section(lines, "Prefabs", prefab_rows)
    _section(lines, "Queries", [(q.name, q.selection.words) for q in queries])
    for phase in phases:
        _section(lines, f"Phase {phase.name}", [(s.name, s.summary) for s in phase.systems])
    return lines


def _about(facts: str, doc: list[str]) -> str:
    return f"{facts}: {doc[0]}" if doc and doc[0] else facts


def _section(lines: list[str], title: str, rows: list[tuple[str, str]]) -> None:
    if not rows:
        return
    width = max(len(name) for name, _ in rows)
    lines += ["", title]
    for name, words in rows:
        first, *rest = text.comment_lines(words, text.COMMENT_WIDTH - width - 4) or [""]
        lines.append(f"  {name:{width}}  {first}".rstrip())
        lines += [f"  {'':{width}}    {line}" for line in rest]
