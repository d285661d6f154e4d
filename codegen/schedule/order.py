"""This module orders systems for running one after the other.

They run by `after` and `before`, and otherwise as they stand in the schema. With workers, systems
that conflict keep to this order.
"""

from __future__ import annotations

import heapq

from model.code import System

Declared = dict[str, set[str]]  # a system's name to the names of those declared to run after it


def declared_orders(systems: list[System]) -> Declared:
    """Collects what `after` and `before` say about systems of one phase, nothing derived."""
    followers: Declared = {system.name: set() for system in systems}
    for system in systems:
        for ref in system.schedule.after:
            if ref.name in followers:
                followers[ref.name].add(system.name)
        for ref in system.schedule.before:
            if ref.name in followers:
                followers[system.name].add(ref.name)
    return followers


def one_by_one(systems: list[System]) -> list[System]:
    """Always takes next the first system in schema order that nothing left must precede.

    Systems on a circle, and behind one, are left out.
    """
    position = {system.name: i for i, system in enumerate(systems)}
    followers = declared_orders(systems)
    waits_for = dict.fromkeys(position, 0)
    for later in followers.values():
        for name in later:
            waits_for[name] += 1
    ready = [position[name] for name, n in waits_for.items() if n == 0]
    ordered: list[System] = []
    while ready:
        system = systems[heapq.heappop(ready)]
        ordered.append(system)
        for name in followers[system.name]:
            waits_for[name] -= 1
            if waits_for[name] == 0:
                heapq.heappush(ready, position[name])
    return ordered
