"""States are rewritten as declarations that the rest of the generator knows.

For a state `game`, a world has a singleton with the same name. It contains the current value, the
next value, a flag whether the value begins again (if the state has `again`), and a flag for each
system that runs once on a change of value: whether its turn is due. So saves, hashes, JSON and
reflection treat a state as a singleton. If a prefab lives while a state has a value, its entities
get a tag. The runtime uses it to find them when the state leaves that value.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from model.code import System
from model.data import Component, Prefab, PrefabComponent, Singleton, StateValue
from model.declared import Declared
from model.expressions import Expr, Op
from model.model import Model
from model.record import replace
from model.refs import Ref
from model.satisfy import Assignment, Facts, satisfiable
from model.types import Base, Field, Shape, Type

NOW, NEXT, AGAIN = "now", "next", "again"  # fields of the singleton of a state
MAX_CASES = 4_096  # combinations of the values of several states; beyond that, no proof is tried


def living_tag(lives: StateValue) -> str:
    """Returns the tag of the entities that are despawned when a state leaves a value."""
    return f"lives_{lives.state.name}_{lives.value.name}"


def unlisted_tag(prefab: Prefab) -> str:
    """Returns the tag that a prefab has because of `lives`; "" if it lists the tag, or has none."""
    if prefab.lives is None:
        return ""
    tag, place = living_tag(prefab.lives), prefab.lives.state.place
    return tag if Ref(tag, place) in (one.component for one in prefab.components) else ""


def _former_tag(model: Model, lives: StateValue) -> str:
    """Returns the tag's name before its state or value was renamed; "" if neither was."""
    state = model.data.kept.states.get(lives.state.name)
    values = model.types.enums[lives.state.name].values if state else ()
    was = {value.name: value.was for value in values}.get(lives.value.name, "")
    if not state or not (state.was or was):
        return ""
    return f"lives_{state.was or lives.state.name}_{was or lives.value.name}"


def due_field(system: str) -> str:
    """Returns the field that stores whether the turn of a system is due."""
    return f"{system}_due"


def once_in(system: System) -> StateValue | None:
    """Returns the value that makes a system run once, or None."""
    return system.schedule.turn.enters or system.schedule.turn.leaves


def once_words(system: System) -> str:
    """Returns when a system runs once, or ""."""
    whens = ((system.schedule.turn.enters, "gets"), (system.schedule.turn.leaves, "loses"))
    said = [f"{one.state.name} {verb} {one.value.name}" for one, verb in whens if one]
    return f"runs once when {', and when '.join(said)}" if said else ""


def with_living_tags(model: Model) -> Model:
    """Appends the tags to the components, and adds them to the prefabs.

    If the schema declares a component with the name of a tag, that component is used as the tag.
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
    """Appends the singletons of states to the declared singletons."""
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
    if model.data.kept.states[state].again:
        about = "whether the value ends and begins again"
        yield Field(Declared(AGAIN, place, about), Type(Base.NUMBER, "bool", Shape.ONE, 1))
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
    """Returns whether all expressions can be true at once. Each state has exactly one value."""
    whole = Expr(Op.AND, parts[0].place, operands=parts)
    return any(satisfiable(Facts(), given | case, whole) for case in _cases(model, whole))


def _cases(model: Model, whole: Expr) -> Iterator[Assignment]:
    """Yields the truth of each atom about states, for each combination of their values."""
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
