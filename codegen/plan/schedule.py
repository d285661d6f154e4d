"""The order in which systems run: phase by phase, by `after` and `before`, else in schema order."""

from __future__ import annotations

import heapq

from model import Model, System


def systems_in_order(model: Model) -> list[System]:
    """All systems in the order they run. `check` has made sure that there is no circle."""
    ordered: list[System] = []
    for phase in model.world.phases:
        ordered += _phase_order([s for s in model.systems.values() if s.phase.name == phase.name])
    return ordered


def _phase_order(systems: list[System]) -> list[System]:
    """Of the systems that nothing left must precede, always the first in schema order."""
    position = {system.name: i for i, system in enumerate(systems)}
    followers: dict[int, set[int]] = {i: set() for i in range(len(systems))}
    for i, system in enumerate(systems):
        for ref in system.after:
            if ref.name in position:
                followers[position[ref.name]].add(i)
        for ref in system.before:
            if ref.name in position:
                followers[i].add(position[ref.name])
    waits_for = [sum(i in later for later in followers.values()) for i in range(len(systems))]
    ready = [i for i, n in enumerate(waits_for) if n == 0]
    ordered: list[System] = []
    while ready:
        i = heapq.heappop(ready)
        ordered.append(systems[i])
        for follower in sorted(followers[i]):
            waits_for[follower] -= 1
            if waits_for[follower] == 0:
                heapq.heappush(ready, follower)
    return ordered
