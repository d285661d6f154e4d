"""Rules that prevent names from colliding in C and C++."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeVar

from check.names import is_snake_case, why_reserved
from model.code import Listener, Selection, System
from model.data import Resource
from model.model import Code, Data, Kept, Model, Types
from model.named import Named, declarations, fields
from model.record import replace
from model.refs import Ref
from model.types import ExternType
from names.claim import Claim, Owner
from names.claims import claims
from names.names import (
    CONTEXT_MEMBERS,
    EMIT_MEMBER,
    GO_MEMBER,
    ITERATOR_MEMBERS,
    ROWS_MEMBERS,
    SYSTEM_OVER_PARAMETERS,
    SYSTEM_PARAMETERS,
    SYSTEM_ROW_PARAMETERS,
    Names,
    heard_count,
    removed,
)
from names.nearest import a
from names.system_identifiers import IDENTIFIERS
from names.variables import is_variable
from names.words import RESERVED
from parse import Parsed
from source.source import Note, Place, Report

Item = TypeVar("Item")

_NAMESPACES = ("std", "weft")
# Declarations of these kinds are members of iterators or contexts.
_MEMBERS = (
    *("component", "singleton", "state", "event", "input", "resource"),
    *("query", "index", "relation", "link"),
)
_TYPE_OF = {"extern": "extern", "resource": "the type of resource"}


def duplicate_name(parsed: Parsed, report: Report) -> None:
    """Each declaration has a header and a C name, so two declarations must not share a name."""
    first: dict[str, Named] = {}
    for named in declarations(parsed.model):
        other = first.setdefault(named.name, named)
        if other is not named:
            message = f"{named.what} has the same name as {a(other.kind)}"
            notes = [Note(other.place, f"{other.what} is here")]
            help = "rename one of the two: each needs a header file and a C name of its own"
            report.error("duplicate-name", named.place, message, help=help, notes=notes)


def identifiers(parsed: Parsed, report: Report) -> None:
    """Runs the rules that need all identifiers of the generated code, which take long to list."""
    claims = list(_claims(parsed))
    _name_collision(claims, report)
    _c_type_like_ours(parsed, claims, report)
    _member_like_type(parsed, claims, report)
    _reserved_identifier(claims, report)


def _name_collision(claims: list[Claim], report: Report) -> None:
    """Identifiers at file scope must be unique. Each pair of declarations is reported once."""
    if len({claim.identifier for claim in claims}) == len(claims):
        return
    made: dict[str, Claim] = {}
    reported: set[tuple[Owner, Owner]] = set()
    for claim in claims:
        other = made.setdefault(claim.identifier, claim)
        if other is claim:
            continue
        pair = (other.owner, claim.owner)
        if other.what == claim.what or pair in reported or _same_name(*pair):
            continue
        reported.add(pair)
        message = f"{claim.what} has the C name '{claim.identifier}', which is already in use"
        notes = [Note(other.place, f"{other.what} has it too")]
        help = "rename one of the two"
        report.error("name-collision", claim.place, message, help=help, notes=notes)


def _c_type_like_ours(parsed: Parsed, claims: list[Claim], report: Report) -> None:
    """Generated C files include the game's headers, so a type there must not have one of their
    names.
    """
    made = {claim.identifier: claim for claim in claims}
    names = _names_of_variables(parsed.model)
    for kind, type in _of_the_game(parsed):
        other = made.get(type.c)
        of = other.what if other else _met_without_place(type.c, names)
        if not of:
            continue
        message = f"the C type '{type.c}' of {kind} '{type.name}' has the same name as {of}"
        notes = [Note(other.place, f"{other.what} is here")] if other else []
        help = f"give the type another name in {type.header}"
        place = parsed.book.value(kind, type.name, "c")
        report.error("name-collision", place, message, help=help, notes=notes)


def _met_without_place(word: str, names: set[str]) -> str:
    if word in _NAMESPACES:
        return "a namespace of C++"
    if word in CONTEXT_MEMBERS:
        return "a member of contexts"
    return "a variable of generated functions" if is_variable(word, names) else ""


def _names_of_variables(model: Model) -> set[str]:
    """Returns the names of the schema that generated code also gives to variables."""
    fields = {ref.name for index in model.code.indexes.values() for ref in index.fields}
    kinds = ("component", "singleton", "state", "relation", "link", "system")
    return fields | {named.name for named in declarations(model) if named.kind in kinds}


def _of_the_game(parsed: Parsed) -> Iterator[tuple[str, ExternType | Resource]]:
    for extern in parsed.model.types.externs.values():
        yield "extern", extern
    for resource in parsed.model.data.kept.resources.values():
        yield "resource", resource


def _member_like_type(parsed: Parsed, claims: list[Claim], report: Report) -> None:
    """In C++, a member must not have the name of its struct or of a type that the struct uses."""
    types = {claim.identifier: claim for claim in claims if not claim.is_local}
    of_the_game = {
        type.c: Claim(type.c, f"{_TYPE_OF[kind]} '{type.name}'", type.place, (kind, type.name))
        for kind, type in _of_the_game(parsed)
    }
    all_types = {**of_the_game, **types}
    for named, _ in fields(parsed.model):
        _complain_like_type(named, all_types, report)
    for named in declarations(parsed.model):
        if named.kind in _MEMBERS:
            _complain_like_type(named, all_types, report)
    names = Names(parsed.model.world.name)
    for system in parsed.model.code.systems.values():
        for ref in system.loop.tree.parent:
            parameter = Named("parameter", names.parent(ref.name), ref.place)
            _complain_like_type(parameter, types, report)
        for end, access in system.loop.over.ends if system.loop.over else ():
            for ref in (*access.read, *access.write):
                parameter = Named("parameter", names.end(end, ref.name), ref.place)
                _complain_like_type(parameter, types, report)


def _complain_like_type(named: Named, types: dict[str, Claim], report: Report) -> None:
    other = types.get(named.name)
    if other:
        message = f"{named.what} has the same name as {other.what} in C"
        notes = [Note(other.place, f"{other.what} is here")]
        help = "rename it: in C++, a member must not have the name of a type that its struct uses"
        report.error("member-like-type", named.place, message, help=help, notes=notes)


def _reserved_identifier(claims: list[Claim], report: Report) -> None:
    """A prefix and a name can together make a reserved word of C, C++, their libraries or POSIX."""
    reported = set()
    for claim in claims:
        reason = _why_reserved(claim)
        if reason and claim.owner not in reported:
            reported.add(claim.owner)
            message = f"{claim.what} has the C name '{claim.identifier}', which is {reason}"
            report.error("reserved-identifier", claim.place, message, help="rename it")


def _why_reserved(claim: Claim) -> str:
    word = claim.identifier
    if claim.is_local:  # not visible outside its file
        return RESERVED.get(word, "")
    if claim.in_cpp:  # POSIX reserves names only in C
        return RESERVED.get(word) or IDENTIFIERS.get(word, "")
    if word.endswith("_t"):
        return RESERVED.get(word, "reserved by POSIX, like all names that end in '_t'")
    return RESERVED.get(word) or IDENTIFIERS.get(word, "")


def member_collision(parsed: Parsed, report: Report) -> None:
    """Names of the schema must differ from the members that Weft adds to iterators and contexts."""
    model = parsed.model
    names = Names(model.world.name)
    places = {named.name: named.place for named in declarations(model)}
    for query in model.code.queries.values():
        of = f"the iterator of query '{query.name}'"
        columns = _columns(query.selection, model)
        members = (*ITERATOR_MEMBERS, *_gathered(columns, model))
        _complain_members(columns, members, of, places, report)
    for listener in model.code.listeners.values():
        of = f"the iterator of listener '{listener.name}'"
        columns = _columns(listener.selection, model)
        members = (
            *(ITERATOR_MEMBERS if listener.selection.has_rows else ()),
            *_gathered(columns, model),
        )
        members += tuple(_counted(listener))
        _complain_members((*columns, *listener.messages.hears), members, of, places, report)
        _complain_removed("listener", listener, places, report)
    for system in model.code.systems.values():
        columns = _columns(system.selection, model)
        of = f"the function of system '{system.name}'"
        parents = [names.parent(ref.name) for ref in system.loop.tree.parent]
        own = SYSTEM_ROW_PARAMETERS if system.loop.inline else SYSTEM_PARAMETERS
        _complain_members(columns, (*own, *parents), of, places, report)
        shared = (
            system.reach.singletons.read + system.reach.singletons.write + system.messages.hears
        )
        shared += system.reach.states.read + system.reach.states.write
        shared += system.reach.resources.read + system.reach.resources.write
        of = f"the context of system '{system.name}'"
        members = (*CONTEXT_MEMBERS, *_counted(system), *_granted(system))
        members += ("partial",) if system.loop.partial else ()
        _complain_members((*shared, *_looked_up(system)), members, of, places, report)
        _complain_removed("system", system, places, report)
        over = system.loop.over
        ends = [
            names.end(end, ref.name)
            for end, access in (over.ends if over else ())
            for ref in (*access.read, *access.write)
        ]
        of = f"the function of system '{system.name}'"
        members = (*SYSTEM_OVER_PARAMETERS, *ends)
        _complain_members((over.link,) if over else (), members, of, places, report)
    for prefab in model.data.prefabs.values():
        refs = [item.component for item in prefab.components]
        of = f"the rows of prefab '{prefab.name}'"
        _complain_members(_with_fields(refs, model), ROWS_MEMBERS, of, places, report)


def _looked_up(system: System) -> tuple[Ref, ...]:
    """Returns everything whose grant is a member of the context with its name."""
    reach, lookup = system.reach, system.reach.lookup
    named = lookup.read + lookup.write + lookup.relations + reach.queries + reach.indexes
    return named + reach.links.read + reach.links.write


def _granted(system: System) -> Iterator[str]:
    """Yields the context members that hold the grants of events and states."""
    yield from (f"{EMIT_MEMBER}_{ref.name}" for ref in system.messages.emits)
    yield from (f"{GO_MEMBER}_{ref.name}" for ref in system.reach.states.write)


def _counted(reader: System | Listener) -> Iterator[str]:
    """Yields the members that Weft adds for events and removals."""
    yield from (heard_count(ref.name) for ref in reader.messages.hears)
    for removal in reader.messages.removed:
        yield from removed(removal.component.name)


def _complain_removed(
    kind: str, reader: System | Listener, places: Mapping[str, Place], report: Report
) -> None:
    """`removed_horde_count` may be the count for `horde`, or the list for `horde_count`."""
    first: dict[str, Ref] = {}
    for removal in reader.messages.removed:
        ref = removal.component
        for member in removed(ref.name)[: 3 if removal.value else 2]:
            other = first.setdefault(member, ref)
            if other.name == ref.name or ref.name not in places:
                continue
            message = f"'{other.name}' and '{ref.name}' in 'removed' of {kind} '{reader.name}'"
            message += f" both make the member '{member}'"
            notes = [Note(other.place, f"the removals of '{other.name}' are read here")]
            report.error(
                "member-collision", ref.place, message, help="rename one of the two", notes=notes
            )


def _complain_members(
    refs: Iterable[Ref],
    taken: tuple[str, ...],
    of: str,
    places: Mapping[str, Place],
    report: Report,
) -> None:
    for ref in refs:
        if ref.name in taken and ref.name in places:
            message = f"'{ref.name}' cannot be used in {of}, which already has a '{ref.name}'"
            declared = Note(places[ref.name], f"'{ref.name}' is declared here")
            notes = [declared] if declared.place != ref.place else []
            report.error("member-collision", ref.place, message, help="rename it", notes=notes)


def _gathered(columns: Iterable[Ref], model: Model) -> Iterator[str]:
    """Yields the arrays of an iterator that point to its sparse values."""
    names = Names(model.world.name)
    sparse = (ref.name for ref in columns if model.data.components[ref.name].is_sparse)
    return (names.local("rows", name) for name in sparse)


def _columns(selection: Selection, model: Model) -> list[Ref]:
    return _with_fields(selection.read + selection.write + selection.optional, model)


def _with_fields(refs: Iterable[Ref], model: Model) -> list[Ref]:
    """Leaves out tags, because they are never members."""
    return [ref for ref in refs if model.has_values(ref.name)]


def _claims(parsed: Parsed) -> Iterator[Claim]:
    """Yields the identifiers of generated code, without names that other rules have reported."""
    model = parsed.model
    if not is_snake_case(model.world.name):
        return
    usable = replace(
        model,
        world=replace(model.world, phases=tuple(_usable_phases(model))),
        types=_usable_types(parsed),
        data=_usable_data(parsed),
        code=_usable_code(parsed),
    )
    yield from claims(usable)


def _usable_types(parsed: Parsed) -> Types:
    types = parsed.model.types
    return Types(
        enums={n: enum for n, enum in types.enums.items() if _is_usable(enum.kind, n, parsed)},
        structs=_usable(types.structs, "struct", parsed),
        externs=_usable(types.externs, "extern", parsed),
    )


def _usable_data(parsed: Parsed) -> Data:
    data = parsed.model.data
    return replace(
        data,
        components=_usable(data.components, "component", parsed),
        kept=Kept(
            singletons=_usable(data.kept.singletons, "singleton", parsed),
            states=_usable(data.kept.states, "state", parsed),
            resources=_usable(data.kept.resources, "resource", parsed),
        ),
        events={n: event for n, event in data.events.items() if _is_usable(event.kind, n, parsed)},
        prefabs=_usable(data.prefabs, "prefab", parsed),
        relations=_usable(data.relations, "relation", parsed),
        links=_usable(data.links, "link", parsed),
    )


def _usable_code(parsed: Parsed) -> Code:
    code = parsed.model.code
    return replace(
        code,
        queries=_usable(code.queries, "query", parsed),
        listeners=_usable(code.listeners, "listener", parsed),
        systems=_usable(code.systems, "system", parsed),
    )


def _usable(declared: dict[str, Item], kind: str, parsed: Parsed) -> dict[str, Item]:
    return {name: item for name, item in declared.items() if _is_usable(kind, name, parsed)}


def _is_usable(kind: str, name: str, parsed: Parsed) -> bool:
    return is_snake_case(name) and not why_reserved(kind, name) and parsed.sound(kind, name)


def _usable_phases(model: Model) -> Iterator[Ref]:
    once = {phase.name: phase for phase in reversed(model.world.phases)}
    return (phase for phase in reversed(once.values()) if is_snake_case(phase.name))


def _same_name(one: Owner, other: Owner) -> bool:
    """Returns whether two declarations have the same name, which another rule reports.

    A phase may have the name of a declaration.
    """
    return one != other and one[1] == other[1] and "phase" not in (one[0], other[0])


RULES = (
    duplicate_name,
    identifiers,
    member_collision,
)
