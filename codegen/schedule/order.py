"""Orders systems for a single thread.

The order follows `after` and `before`, and otherwise the schema. If there are several workers,
systems that conflict keep this order.
"""

from __future__ import annotations

import heapq

from model.code import System

Declared = dict[str, set[str]]  # a system -> the systems that are declared to run after it


def declared_orders(systems: list[System]) -> Declared:
    """Returns what `after` and `before` say about the systems of one phase, without
    consequences.
    """
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
    """Repeatedly takes the first system of the schema whose predecessors have all been taken.

    Systems on a circle, and systems after one, are left out.
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
