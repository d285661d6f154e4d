"""Random schemas as TOML. Most are valid, and their names nearly collide."""

from __future__ import annotations

import re
import string
from typing import Any

from hypothesis import strategies as st

from model.scalars import NUMBER_TYPES
from toml_text import Table, toml

# Words that generated code uses itself, and pieces of the names that it makes.
WORDS = (
    "a", "b", "c", "x", "y", "n", "i", "e", "w", "it", "at", "to", "one", "out", "value",
    "values", "count", "rows", "row", "mask", "words", "from", "table", "data", "base",
    "cursor", "index", "handle", "entities", "first", "last", "all", "get", "set", "has",
    "put", "add", "edit", "clear", "columns", "const_at", "column", "bitset", "store", "number",
    "member", "members", "fields", "defaults", "listed", "access", "matches", "match",
    "filter", "run_on", "schema_of", "phase", "clock", "buffer", "prefab", "query", "system",
    "component", "singleton", "iter", "begin", "next", "ctx", "cmd_a", "a_get", "a_set", "a_b",
    "b_a", "a_columns", "spawn_rows", "rows_a", "a_rows", "reserve_a", "dt", "tick_a", "user",
    "sealed", "puts", "position", "velocity", "health", "burning", "selected", "size_of",
    "text", "line", "entity_at", "stage", "stages", "reader", "event", "events", "emit",
    "died", "died_count", "a_emit", "owes", "from_to", "other",
)  # fmt: skip
WORLDS = ("colony", "game", "x1") * 5 + ("a", "run_away", "filter", "fields", "has", "base")

F32_MAX = 3.4028234663852886e38

docs = st.one_of(
    st.just(""),
    st.sampled_from(
        ["Plain.", "ends in \\", "??/", "two\nlines", "/* and */ and //", '"quoted"', "\t"]
    ),
    st.text(st.characters(blacklist_categories=("Cs",), blacklist_characters="\x00"), max_size=120),
    st.text("ab .\n", min_size=90, max_size=300),
)


def documents() -> st.SearchStrategy[Table]:
    """Returns a strategy for these schemas before they are TOML, and without an rng."""
    return _schema()


@st.composite
def schemas(draw: st.DrawFn) -> str:
    schema = draw(_schema())
    of = [*schema["singleton"].values(), *schema["component"].values()]
    for fields in (one["fields"] for one in of if "fields" in one and "layout" not in one):
        name = draw(st.sampled_from(WORDS))
        if name not in fields and draw(st.integers(0, 3)) == 0:
            fields[name] = {"type": "rng"}
    return toml(schema).decode()


@st.composite
def _schema(draw: st.DrawFn) -> Table:
    names = iter(draw(st.permutations(WORDS)))

    def some(least: int, most: int) -> list[str]:
        return [next(names) for _ in range(draw(st.integers(least, most)))]

    phases = some(1, 3)
    enums = {name: draw(_enum()) for name in some(0, 2)}
    structs: Table = {}
    for name in some(0, 2):
        structs[name] = {"doc": draw(docs), "fields": draw(_fields(enums, structs))}
    components: Table = {}
    for name in some(3, 7):
        components[name] = draw(_component(enums, structs, components))
    singletons = {
        name: {"doc": draw(docs), "fields": draw(_fields(enums, structs))} for name in some(0, 2)
    }
    events = {name: draw(_event(enums, structs)) for name in some(0, 2)}
    inputs = {name: draw(_event(enums, structs)) for name in some(0, 1)}
    words = st.lists(st.sampled_from(WORDS), min_size=2, max_size=3, unique=True)
    states: Table = {name: {"doc": draw(docs), "values": draw(words)} for name in some(0, 1)}
    prefabs = {}
    if any("fields" in component for component in components.values()):
        prefabs = {name: draw(_prefab(enums, structs, components)) for name in some(0, 2)}
    for prefab in prefabs.values():
        prefab |= draw(_value_of_state("lives", states))
    relations = {name: draw(_relation()) for name in some(0, 2)}
    if prefabs and relations:
        for name in some(0, 2):
            prefabs[name] = draw(_composite(prefabs, components, relations, enums, structs))
    links = {name: draw(_link(enums, structs)) for name in some(0, 2)}
    trees = [*relations, *(f"{end}({name})" for name in links for end in ("from", "to"))]
    values = list(singletons)
    queries = {name: draw(_query(components, trees, values)) for name in some(1, 3)}
    systems: Table = {}
    for name in some(1, 4):
        systems[name] = draw(
            _system(components, singletons, events, queries, relations, systems, phases, trees)
        )
        systems[name] |= draw(_about_links(links))
        systems[name] |= draw(_about_states(systems[name], states))
        systems[name]["hears"] += draw(st.sampled_from([[], list(inputs)]))
    keys = {name: found for name, one in components.items() if (found := _keys(one, enums))}
    indexes = {name: draw(_index(keys, components)) for name in (some(0, 2) if keys else [])}
    for system in systems.values():
        system |= draw(_asking(system, list(indexes)))
    listeners = {
        name: draw(_listener(components, events, relations, values)) for name in some(0, 2)
    }
    for name in some(0, 2) if links else []:
        systems[name] = draw(_over(links, components, phases))
    looked_up = {name for system in systems.values() for name in system["lookup"]["write"]}
    tags = [n for n, c in components.items() if "fields" not in c and n not in looked_up]
    return {
        "world": {
            "hide": draw(st.lists(st.sampled_from(tags), max_size=1)) if tags else [],
            "name": draw(st.sampled_from(WORLDS)),
            "phases": phases,
            **draw(_handles()),
            "on_despawn": draw(st.booleans()),
            "run_systems": draw(st.booleans()),
            **draw(st.sampled_from([{}, {"step": "1/60"}, {"step": 0.25, "max_steps": 1}])),
        },
        "enum": enums,
        "struct": structs,
        "component": components,
        "singleton": singletons,
        "state": states,
        "input": inputs,
        "event": events,
        "prefab": prefabs,
        "query": queries,
        "listener": listeners,
        "index": indexes,
        "relation": relations,
        "link": links,
        "system": systems,
    }


@st.composite
def _handles(draw: st.DrawFn) -> Table:
    index, generation = draw(st.integers(1, 32)), draw(st.integers(1, 32))
    most = min(1_000_000, 2**index - 1)
    waiting = draw(st.integers(0, most - 1))
    return {
        "entity": {"index_bits": index, "generation_bits": generation},
        "max_entities": most - waiting,
        "recycle_after": waiting,
    }


@st.composite
def _enum(draw: st.DrawFn) -> Table:
    words = st.lists(st.sampled_from(WORDS), min_size=1, max_size=4, unique=True)
    return {"doc": draw(docs), "values": draw(words)}


@st.composite
def _event(draw: st.DrawFn, enums: Table, structs: Table) -> Table:
    most = draw(st.sampled_from([1, 1000, 16_777_216]))
    return {"doc": draw(docs), "max": most, "fields": draw(_fields(enums, structs))}


@st.composite
def _fields(draw: st.DrawFn, enums: Table, structs: Table) -> Table:
    names = draw(st.lists(st.sampled_from(WORDS), min_size=1, max_size=4, unique=True))
    return {name: draw(_field(enums, structs)) for name in names}


def _keys(component: Table, enums: Table) -> list[str]:
    """Returns the fields that a hash may use as its key: those with one value, and strings."""
    single = {*NUMBER_TYPES, *enums, "entity"}
    types = {name: field["type"] for name, field in component.get("fields", {}).items()}
    return [name for name, type in types.items() if type in single or type.startswith("char[")]


@st.composite
def _index(draw: st.DrawFn, keys: dict[str, list[str]], components: Table) -> Table:
    """Uses fields of a component as its key: `keys` has the possible fields by component."""
    name = draw(st.sampled_from(list(keys)))
    fields = components[name]["fields"]
    numbers = [f for f in keys[name] if fields[f]["type"] in NUMBER_TYPES[1:]]
    short = [f for f in numbers if fields[f]["type"] not in ("i64", "u64")]
    index: Table = {"doc": draw(docs), "of": name}
    if len(short) > 1 and draw(st.booleans()):
        axes = st.lists(st.sampled_from(short), unique=True, min_size=2, max_size=3)
        index |= {"grid": draw(axes), "cell": draw(st.sampled_from([0.5, 4, 1e9]))}
    elif numbers and draw(st.booleans()):
        index["ordered"] = draw(st.sampled_from(numbers))
    else:
        index["hash"] = draw(st.lists(st.sampled_from(keys[name]), unique=True, min_size=1))
    if draw(st.booleans()):
        asked = draw(st.lists(st.sampled_from(list(components)), min_size=1, max_size=2))
        index["where"] = draw(_where(asked))
    return index


@st.composite
def _asking(draw: st.DrawFn, system: Table, indexes: list[str]) -> Table:
    """Lists indexes, and sets `after_load` if it reads changes."""
    asked = draw(st.lists(st.sampled_from(indexes), unique=True)) if indexes else []
    shown = draw(st.sampled_from(["", "everything", "nothing"]))
    reads = re.search(r"(added|changed|removed)\(", system.get("where", "")) or system["removed"]
    return {"indexes": asked} | ({"after_load": shown} if shown and reads else {})


@st.composite
def _field(draw: st.DrawFn, enums: Table, structs: Table) -> Table:
    element = draw(st.sampled_from([*NUMBER_TYPES, "entity", "char", *enums, *structs]))
    count = draw(st.integers(1, 5))
    by = [f"[{name}]" for name in enums]
    shapes = [f"[{count}]"] if element == "char" else ["", f"[{count}]", f"[..{count}]", *by]
    shape = draw(st.sampled_from(shapes))
    field: Table = {"type": element + shape, "doc": draw(docs), "unit": draw(docs)}
    if draw(st.booleans()):
        field["save"] = draw(st.booleans())
    if draw(st.booleans()) and element in NUMBER_TYPES[1:]:
        limits = draw(_scalar(element)), draw(_scalar(element)), 0  # missing ones are 0
        field["min"], field["max"] = min(limits), max(limits)
        return field
    if draw(st.booleans()) and element != "entity":
        field["default"] = draw(_value(field["type"], enums, structs))
    return field


@st.composite
def _value(draw: st.DrawFn, type: str, enums: Table, structs: Table) -> Any:
    element, _, rest = type.partition("[")
    if element == "char":
        capacity = int(rest.removesuffix("]")) - 1
        letters = string.ascii_letters + ' "\\?%\n\t\x7f'
        return draw(st.text(letters, max_size=capacity))
    if not rest:
        return draw(_element(element, enums, structs))
    if rest.removesuffix("]") in enums:
        names = st.sampled_from(enums[rest.removesuffix("]")]["values"])
        return draw(st.dictionaries(names, _element(element, enums, structs)))
    capacity = int(rest.removeprefix("..").removesuffix("]"))
    return draw(st.lists(_element(element, enums, structs), max_size=capacity))


def _element(element: str, enums: Table, structs: Table) -> st.SearchStrategy[Any]:
    if element in enums:
        return st.sampled_from(enums[element]["values"])
    if element in structs:
        return _given(structs[element]["fields"], enums, structs)
    return _scalar(element)


@st.composite
def _given(draw: st.DrawFn, fields: Table, enums: Table, structs: Table) -> Table:
    """Values for some of the fields."""
    given = {}
    for name, field in fields.items():
        plain = not field["type"].startswith("entity") and "min" not in field
        if plain and draw(st.booleans()):
            given[name] = draw(_value(field["type"], enums, structs))
    return given


def _scalar(scalar: str) -> st.SearchStrategy[Any]:
    if scalar == "bool":
        return st.booleans()
    if scalar == "f32":
        return st.floats(-F32_MAX, F32_MAX, allow_nan=False) | st.just(0.1)
    if scalar == "f64":
        return st.floats(allow_nan=False, allow_infinity=False)
    bits = int(scalar[1:])
    if scalar[0] == "u":
        return st.integers(0, min(2**bits, 2**63) - 1)  # TOML has no larger ones
    return st.integers(-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)


@st.composite
def _component(draw: st.DrawFn, enums: Table, structs: Table, before: Table) -> Table:
    kind = draw(st.sampled_from(["aos", "soa", "sparse", "tag", "tag"]))
    component: Table = {"doc": draw(docs)}
    hooks = draw(st.lists(st.sampled_from(["on_add", "on_remove"]), unique=True, max_size=2))
    replaces = st.booleans() | st.just(["retell", "relight"])
    functions = st.lists(st.sampled_from(["hear", "tell"]), unique=True, min_size=1)
    component |= {hook: draw(st.booleans() | functions) for hook in hooks}
    if kind != "tag":
        component["fields"] = draw(_fields(enums, structs))
        component |= {"on_replace": draw(replaces)} if draw(st.booleans()) else {}
    if kind == "soa":
        component["layout"] = "soa"
    if kind == "sparse":
        component["storage"] = "sparse"
        return component
    ruled = [name for name, other in before.items() if other.get("storage") != "sparse"]
    for key in ("requires", "excludes"):
        chosen = draw(st.lists(st.sampled_from(ruled), unique=True, max_size=1)) if ruled else []
        if chosen and draw(st.booleans()):
            component[key] = chosen
            if key == "requires":
                fields = before[chosen[0]].get("fields", {})
                values = draw(_given(fields, enums, structs))
                component[key] = [{"name": chosen[0], "values": values}]
            ruled = [name for name in ruled if name not in chosen]
    return component


@st.composite
def _prefab(draw: st.DrawFn, enums: Table, structs: Table, components: Table) -> Table:
    with_fields = [name for name, component in components.items() if "fields" in component]
    first = draw(st.sampled_from(with_fields))
    others = draw(st.lists(st.sampled_from(list(components)), unique=True, max_size=3))
    return {
        "doc": draw(docs),
        "components": {
            name: draw(_given(components[name].get("fields", {}), enums, structs))
            for name in dict.fromkeys([first, *others])
        },
    }


@st.composite
def _composite(
    draw: st.DrawFn,
    prefabs: Table,
    components: Table,
    relations: Table,
    enums: Table,
    structs: Table,
) -> Table:
    """A prefab with parts. It may be a variant of another one, and refer to its parts."""
    one = draw(_prefab(enums, structs, components))
    base = draw(st.sampled_from(["", *prefabs]))
    one |= {"is": base} if base else {}
    listed, owned = _inherited(prefabs, base)
    listed |= one["components"].keys()
    parts: Table = {}
    for i in range(draw(st.integers(1, 2))):
        of = draw(st.sampled_from(list(prefabs)))
        changed = draw(st.lists(st.sampled_from(sorted(_inherited(prefabs, of)[0])), max_size=1))
        parts[f"part{len(prefabs)}{i}"] = {
            "prefab": of,
            "by": draw(st.sampled_from(list(relations))),
            "count": draw(st.integers(1, 3)),
            "with": {
                name: draw(_given(components[name].get("fields", {}), enums, structs))
                for name in changed
            },
        }
    for name in owned:
        if draw(st.booleans()):
            parts[name] = {"count": draw(st.integers(1, 3))}
    fields = [
        f"{name}.{field}"
        for name in sorted(listed)
        for field, type in components[name].get("fields", {}).items()
        if "entity" in (type, type.get("type") if isinstance(type, dict) else "")
    ]
    refs = draw(st.lists(st.sampled_from(fields), max_size=2, unique=True)) if fields else []
    return one | {"parts": parts, "refs": dict.fromkeys(refs, "self")}


def _inherited(prefabs: Table, name: str) -> tuple[set[str], set[str]]:
    """Returns the components and the parts of a prefab, with those of the one in its `is`."""
    listed: set[str] = set()
    owned: set[str] = set()
    while name:
        one = prefabs[name]
        listed |= one["components"].keys()
        owned |= one.get("parts", {}).keys()
        name = one.get("is", "")
    return listed, owned


@st.composite
def _value_of_state(draw: st.DrawFn, key: str, states: Table) -> Table:
    """Names a value of a state under a key, or nothing."""
    if not states or draw(st.booleans()):
        return {}
    name = draw(st.sampled_from(list(states)))
    return {key: f"{name}.{draw(st.sampled_from(states[name]['values']))}"}


@st.composite
def _about_states(draw: st.DrawFn, system: Table, states: Table) -> Table:
    about: Table = {}
    for name, state in states.items():
        access = draw(st.sampled_from(["", "read", "write"]))
        about |= {"states": {access: [name]}} if access else {}
        if draw(st.booleans()):
            asked = f"{draw(st.sampled_from(['', '!']))}({name} == {state['values'][0]})"
            about["when"] = f"{asked} & ({system['when']})" if "when" in system else asked
    for key in () if "every" in system else ("enters", "leaves"):
        about |= draw(_value_of_state(key, states))
    return about


@st.composite
def _relation(draw: st.DrawFn) -> Table:
    fates = st.sampled_from(["despawn", "detach"])
    relation = {"doc": draw(docs), "on_parent_despawn": draw(fates)}
    if draw(st.booleans()):
        relation["children"] = "append"
    hooks = draw(st.lists(st.sampled_from(["on_attach", "on_detach"]), unique=True, max_size=2))
    functions = st.lists(st.sampled_from(["told", "drawn"]), unique=True, min_size=1)
    return relation | {hook: draw(st.booleans() | functions) for hook in hooks}


@st.composite
def _link(draw: st.DrawFn, enums: Table, structs: Table) -> Table:
    fates = st.sampled_from(["remove", "despawn"])
    link: Table = {"doc": draw(docs), "symmetric": draw(st.booleans())}
    if draw(st.booleans()):
        link["fields"] = draw(_fields(enums, structs))
    source = draw(fates)
    link["on_despawn"] = {"from": source, "to": source if link["symmetric"] else draw(fates)}
    hooks = draw(st.lists(st.sampled_from(["on_add", "on_remove"]), unique=True, max_size=2))
    functions = st.lists(st.sampled_from(["tied", "untied"]), unique=True, min_size=1)
    return link | {hook: draw(st.booleans() | functions) for hook in hooks}


@st.composite
def _about_links(draw: st.DrawFn, links: Table) -> Table:
    access: Table = {}
    for name, link in links.items():
        how = draw(st.sampled_from(["", "read", *(["write"] if "fields" in link else [])]))
        if how:
            access.setdefault(how, []).append(name)
    return {"links": access} if access else {}


@st.composite
def _over(draw: st.DrawFn, links: Table, components: Table, phases: list[str]) -> Table:
    """A system over links. In parallel, it writes neither ends nor links that others read."""
    name = draw(st.sampled_from(list(links)))
    parallel = draw(st.integers(0, 2)) == 0
    with_fields = [name for name, component in components.items() if "fields" in component]
    system: Table = {
        "doc": draw(docs),
        "phase": draw(st.sampled_from(phases)),
        "over": name,
        "parallel": parallel,
        "commands": draw(st.booleans()),
        "lookup": {"read": [], "write": []},
        "removed": [],
        "ends": {},
    }
    for end in ("from", "to"):
        some = st.lists(st.sampled_from(with_fields), unique=True, max_size=2)
        used = draw(some) if with_fields else []
        cut = len(used) if parallel else draw(st.integers(0, len(used)))
        system["ends"][end] = {"read": used[:cut], "write": used[cut:]}
    if "fields" in links[name] and not parallel and draw(st.booleans()):
        system["write"] = [name]
    if parallel and draw(st.booleans()):
        system["partial"] = {"fields": {"sum": "u64"}}
    return system


@st.composite
def _query(
    draw: st.DrawFn, components: Table, relations: list[str], singletons: list[str]
) -> Table:
    in_tables = [n for n, c in components.items() if "fields" not in c or "storage" not in c]
    every = draw(st.lists(st.sampled_from(in_tables), max_size=2, unique=True)) if in_tables else []
    selection = draw(_selection(components, relations, singletons, is_system=False))
    return {**selection, "all": every}


@st.composite
def _listener(
    draw: st.DrawFn, components: Table, events: Table, relations: Table, singletons: list[str]
) -> Table:
    selection = draw(_selection(components, list(relations), singletons, is_system=False))
    selection.pop("write", None)
    selection = {"doc": selection["doc"]} if draw(st.booleans()) else selection
    hears = draw(st.lists(st.sampled_from(list(events)), unique=True)) if events else []
    removed = draw(_removed(components, relations))
    if not (hears or removed):  # it needs at least one condition
        selection.setdefault("where", next(iter(components)))
    return {**selection, "hears": hears, "removed": removed}


@st.composite
def _removed(draw: st.DrawFn, components: Table, relations: Table) -> list[Any]:
    lost = draw(st.lists(st.sampled_from(list(components)), unique=True, max_size=2))
    valued = [
        {"name": name, "value": draw(st.booleans())} if "fields" in components[name] else name
        for name in lost
    ]
    links = st.lists(st.sampled_from(list(relations)), max_size=1) if relations else st.just([])
    return valued + draw(links)


@st.composite
def _selection(
    draw: st.DrawFn,
    components: Table,
    relations: list[str],
    singletons: list[str],
    *,
    is_system: bool,
) -> Table:
    """Columns in random roles, and a filter that may also name components that are columns."""
    names = draw(st.permutations(list(components)))
    names = names[: draw(st.integers(0, 5))]
    selection: Table = {"doc": draw(docs)}
    rest = []
    for name in names:
        is_tag = "fields" not in components[name]
        roles = ["optional", "where", "where"]
        roles += (["write"] if is_system else []) if is_tag else ["read", "write"]
        role = draw(st.sampled_from(roles))
        if role == "where":
            rest.append(name)
        else:
            selection.setdefault(role, []).append(name)
    columns = selection.get("read", []) + selection.get("write", [])
    certain = [name for name in columns if "fields" in components[name]]
    again = draw(st.lists(st.sampled_from(names), max_size=2)) if names else []
    asked = [draw(_asked(name, components[name])) for name in [*rest, *again]]
    trees = draw(st.lists(st.sampled_from(relations), max_size=2)) if relations else []
    asked += [draw(_asked_of_tree(name)) for name in trees]
    values = draw(st.lists(st.sampled_from(singletons), max_size=1)) if singletons else []
    asked += [f"changed({name})" for name in values]
    if asked and (rest or trees or draw(st.booleans())):
        selection["where"] = draw(_where(asked))
        if certain and draw(st.booleans()):  # every row passes
            selection["where"] = f"({selection['where']}) | {draw(st.sampled_from(certain))}"
    if is_system and any("fields" in components[name] for name in selection.get("write", [])):
        selection |= draw(st.sampled_from([{}, {}, {"marks": "explicit"}]))
    if names and draw(st.integers(0, 3)) == 0:
        selection["rows"] = draw(st.sampled_from(["mask", "list"]))
    return selection


@st.composite
def _asked(draw: st.DrawFn, name: str, component: Table) -> str:
    """Tests that a row has it, or how it changed."""
    changed = f"changed({name})" if "fields" in component else f"added({name})"
    return draw(st.sampled_from([name, name, f"added({name})", changed, f"removed({name})"]))


@st.composite
def _asked_of_tree(draw: st.DrawFn, name: str) -> str:
    words: tuple[str, ...] = ("added", "changed", "removed")
    words += () if name.endswith(")") else ("root", "leaf")
    return draw(st.sampled_from([name, *(f"{word}({name})" for word in words)]))


@st.composite
def _where(draw: st.DrawFn, names: list[str]) -> str:
    parts = [("!" if draw(st.booleans()) else "") + name for name in names]
    text = parts[0]
    for part in parts[1:]:
        operator = draw(st.sampled_from("&|^"))
        text = f"{draw(st.sampled_from(['', '!']))}({text}) {operator} {part}"
    return text


def _unasked_tags(system: Table, components: Table, queries: Table) -> list[str]:
    """Returns the tags that a system may write on any entity: it must not walk or read them."""
    wheres = [system.get("where", ""), *(queries[q].get("where", "") for q in system["queries"])]
    asked = set(re.findall(r"\w+", " ".join(wheres)))
    asked |= {*system.get("write", []), *system.get("optional", [])}
    asked |= {one if isinstance(one, str) else one["name"] for one in system["removed"]}
    return [n for n, c in components.items() if "fields" not in c and n not in asked]


@st.composite
def _system(
    draw: st.DrawFn,
    components: Table,
    singletons: Table,
    events: Table,
    queries: Table,
    relations: Table,
    before: Table,
    phases: list[str],
    trees: list[str],
) -> Table:
    def some(names: list[str], most: int = 2) -> list[str]:
        return draw(st.lists(st.sampled_from(names), unique=True, max_size=most)) if names else []

    def split(names: list[str]) -> Table:
        cut = draw(st.integers(0, len(names)))
        return {"read": names[:cut], "write": names[cut:]}

    with_fields = [name for name, component in components.items() if "fields" in component]
    phase = draw(st.sampled_from(phases))
    same_phase = [name for name, system in before.items() if system["phase"] == phase]
    system: Table = {
        **draw(_selection(components, trees, list(singletons), is_system=True)),
        "phase": phase,
        "after": some(same_phase, 1),
        "singletons": split(some(list(singletons))),
        "lookup": split(some(with_fields)),
        "queries": some(list(queries), 3),
        "emits": some(list(events)),
        "hears": some(list(events)),
        "commands": draw(st.booleans()),
        "flush": draw(st.integers(0, 3)) == 0,
        "removed": draw(_removed(components, relations)),
    }
    if draw(st.integers(0, 2)) == 0:
        system["switch"] = draw(st.sampled_from(["saved", "unsaved"]))
    if draw(st.integers(0, 2)) == 0:
        system["every"] = draw(st.floats(0.001, 1e6))
    watched = some(list(singletons))
    if watched and draw(st.booleans()):
        asked = [f"changed({name})" for name in watched]
        system["when"] = f"({draw(_where(asked))}) | {asked[0]}"  # true where all are changed
    system["lookup"]["read"] += some(list(relations), 1)
    system["lookup"]["write"] += some(_unasked_tags(system, components, queries), 1)
    has_rows = {"read", "write", "optional", "where"} & system.keys()
    if relations and has_rows and "rows" not in system and draw(st.booleans()):
        system["order"] = draw(st.sampled_from(list(relations)))
        system["parent"] = some(with_fields)
    return system
