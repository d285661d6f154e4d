"""The order in which systems run, one after the other: by `after` and `before`, else as they stand
in the schema. With workers it is what conflicting systems keep to.
"""

from __future__ import annotations

import heapq

from model.model import System

Declared = dict[str, set[str]]  # of each system those that it says run after it, or that say so


def declared_orders(systems: list[System]) -> Declared:
    """What `after` and `before` say about systems of one phase, nothing derived."""
    followers: Declared = {system.name: set() for system in systems}
    for system in systems:
        for ref in system.after:
            if ref.name in followers:
                followers[ref.name].add(system.name)
        for ref in system.before:
            if ref.name in followers:
                followers[system.name].add(ref.name)
    return followers


def one_by_one(systems: list[System]) -> list[System]:
    """Of the systems that nothing left must precede, always the first in schema order.

    Those on a circle, and behind one, are left out.
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
