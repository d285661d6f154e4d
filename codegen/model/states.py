"""States are lowered to things that the rest of the generator knows already.

A world keeps of a state `game` a singleton of that name: the value it has, the one it will have,
and for each system that runs once when a value comes or goes whether its turn is due. So saves,
hashes, JSON and reflection have states as they have singletons. A prefab that lives while a state
has a value gives its entities a tag, by which they are found when that value goes.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from model.code import System
from model.data import Component, PrefabComponent, Singleton, StateValue
from model.declared import Declared
from model.expressions import Expr, Op
from model.model import Model
from model.record import replace
from model.refs import Ref
from model.satisfy import Assignment, Facts, satisfiable
from model.types import Base, Field, Shape, Type

NOW, NEXT = "now", "next"  # fields of what a world keeps of a state
MAX_CASES = 4_096  # of values that several states have at once; for more no proof is tried


def living_tag(lives: StateValue) -> str:
    """Names the tag of the entities that end when a state leaves a value."""
    return f"lives_{lives.state.name}_{lives.value.name}"


def _former_tag(model: Model, lives: StateValue) -> str:
    """Names the tag as it was before its state or value was renamed; "" if neither was."""
    state = model.data.kept.states.get(lives.state.name)
    values = model.types.enums[lives.state.name].values if state else ()
    was = {value.name: value.was for value in values}.get(lives.value.name, "")
    if not state or not (state.was or was):
        return ""
    return f"lives_{state.was or lives.state.name}_{was or lives.value.name}"


def due_field(system: str) -> str:
    """Names the field that tells whether the turn of a system is due."""
    return f"{system}_due"


def once_in(system: System) -> StateValue | None:
    """Returns the value whose state keeps whether the turn of a system is due, if one does."""
    return system.schedule.turn.enters or system.schedule.turn.leaves


def once_words(system: System) -> str:
    """Says when a system runs once, or nothing."""
    whens = ((system.schedule.turn.enters, "gets"), (system.schedule.turn.leaves, "loses"))
    said = [f"{one.state.name} {verb} {one.value.name}" for one, verb in whens if one]
    return f"runs once when {', and when '.join(said)}" if said else ""


def with_living_tags(model: Model) -> Model:
    """Adds the tags behind all components, and to the prefabs.

    A component of the name of a tag stays what it is: it is that tag, if it is one.
    """
    living = {name: one for name, one in model.data.prefabs.items() if one.lives}
    if not living:
        return model
    components, prefabs = dict(model.data.components), dict(model.data.prefabs)
    for name, prefab in living.items():
        assert prefab.lives is not None
        tag, place = living_tag(prefab.lives), prefab.lives.state.place
        about = f"It ends when state {prefab.lives.state.name} leaves {prefab.lives.value.name}."
        former = _former_tag(model, prefab.lives)
        components.setdefault(tag, Component(Declared(tag, place, about, former)))
        if tag not in (item.component.name for item in prefab.components):
            item = PrefabComponent(Ref(tag, place), {})
            prefabs[name] = replace(prefab, components=(*prefab.components, item))
    return replace(model, data=replace(model.data, components=components, prefabs=prefabs))


def with_states(model: Model) -> Model:
    """Adds what a world keeps of states behind all singletons."""
    singletons = {
        state.name: Singleton(
            Declared(state.name, state.place, state.doc, state.was),
            fields=tuple(_fields(model, state.name)),
            of_state=True,
        )
        for state in model.data.kept.states.values()
    }
    kept = model.data.kept
    kept = replace(kept, singletons=kept.singletons | singletons)
    return replace(model, data=replace(model.data, kept=kept))


def _fields(model: Model, state: str) -> Iterator[Field]:
    place = model.data.kept.states[state].place
    of = Type(Base.ENUM, state, Shape.ONE, 1)
    yield Field(Declared(NOW, place, "the value that it has"), of)
    about = "the value that it will have; another one if it is to change"
    yield Field(Declared(NEXT, place, about), of)
    for system in model.code.systems.values():
        kept = once_in(system)
        if kept and kept.state.name == state:
            flag = Type(Base.NUMBER, "bool", Shape.ONE, 1)
            due = system.schedule.turn.enters is not None and _is_first(
                model, system.schedule.turn.enters
            )
            about = f"the turn of {system.name} is due"
            yield Field(Declared(due_field(system.name), place, about), flag, default=due)


def _is_first(model: Model, one: StateValue) -> bool:
    return one.value.name == model.types.enums[one.state.name].values[0].name


def possible(model: Model, parts: tuple[Expr, ...], given: Assignment) -> bool:
    """Returns whether all expressions can be true at once, where each state has one value."""
    whole = Expr(Op.AND, parts[0].place, operands=parts)
    return any(satisfiable(Facts(), given | case, whole) for case in _cases(model, whole))


def _cases(model: Model, whole: Expr) -> Iterator[Assignment]:
    """Yields what is true of the states in an expression, for each mix of values."""
    asked = dict.fromkeys(a.ref.name for a in whole.atoms() if a.op is Op.IS and a.ref)
    known = [model.types.enums[name] for name in asked if name in model.types.enums]
    values = [[value.name for value in one.values] for one in known]
    cases = 1
    for some in values:
        cases *= len(some)
    if cases > MAX_CASES or len(values) < len(asked):
        yield {}
        return
    for mix in product(*values):
        has = dict(zip(asked, mix, strict=True))
        yield {
            atom.atom: has[atom.ref.name] == atom.value.name
            for atom in whole.atoms()
            if atom.op is Op.IS and atom.ref and atom.value
        }
