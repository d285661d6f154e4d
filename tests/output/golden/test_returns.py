"""What generated calls return is what the table of schema/GUIDE.md says."""

from __future__ import annotations

import re
from functools import cache

from compilers import ROOT
from emit.emit import render
from generated import model_of
from plan import make_plan

GUIDE = ROOT / "schema/GUIDE.md"
# A call of the game: what it returns, and its name without that of the world.
CALL = re.compile(r"([A-Za-z_][\w ]*?[ *]+)odd_(\w+)\(\s*(?:const )?odd_world \*w\b")
NUMBERS = ("uint32_t", "uint64_t", "size_t")


@cache
def calls() -> dict[str, str]:
    """By name: the type that it returns, as the table calls it."""
    model = model_of(ROOT / "tests/output/golden/any_name.toml", strict=False)
    files = render(make_plan(model)).items()
    text = "\n".join(re.sub(r"//.*", "", text) for path, text in files if path.endswith(".h"))
    found: dict[str, str] = {}
    for match in CALL.finditer(text):
        type = re.sub(r"\b(static|inline|const|WEFT_\w+)\b", "", match[1]).strip()
        found[match[2]] = _kind(type.replace(" ", ""))
    return found


def _kind(type: str) -> str:
    if type in NUMBERS:
        return "a number"
    kinds = {"bool": "`bool`", "odd_entity": "a handle", "weft_status": "`weft_status`"}
    return "a pointer" if type.endswith("*") else kinds.get(type, type)


def table() -> dict[str, set[str]]:
    """By what is returned: the verbs that the table names for it."""
    rows = re.findall(r"^\| (.+?) \| (.+?) \| .+ \|$", GUIDE.read_text(encoding="utf-8"), re.M)
    kinds = set(calls().values())
    return {
        kind: set(re.findall(r"`(?:burrow)?(_\w+)`", said)) for kind, said in rows if kind in kinds
    }


def with_verb(verb: str) -> dict[str, str]:
    return {name: kind for name, kind in calls().items() if f"_{name}".endswith(verb)}


def test_there_are_calls() -> None:
    assert len(calls()) > 120
    assert {"`bool`", "a handle", "a pointer", "a number", "`weft_status`"} == set(table())


def test_calls_return_what_the_table_says() -> None:
    for kind, verbs in table().items():
        for verb in verbs:
            found = with_verb(verb)
            assert found, f"there is no call {verb}"
            longer = {other for row in table().values() for other in row if other != verb}
            own = {n: k for n, k in found.items() if not any(f"_{n}".endswith(o) for o in longer)}
            # Of a soa component a pointer is a struct of pointers.
            assert {k for k in own.values() if not k.endswith("columns")} == {kind}, own


def test_the_table_lists_every_call_that_returns_a_status() -> None:
    listed = table()["`weft_status`"]
    of_phases = {"run_p_phase", "run_p_late", "entity_sort", "fragment_merge"}
    statuses = {name for name, kind in calls().items() if kind == "`weft_status`"} - of_phases
    assert {n for n in statuses if not any(f"_{n}".endswith(verb) for verb in listed)} == set()
