"""Finds circles, orders and reachable names in graphs."""

from __future__ import annotations

from graphlib import CycleError, TopologicalSorter
from itertools import pairwise

Graph = dict[str, list[str]]  # from a name to the names that it points to


def circles(graph: Graph) -> list[list[str]]:
    """Returns circles that share no edge. Each begins and ends with its first name in graph
    order.
    """
    order = {name: index for index, name in enumerate(graph)}
    edges = {name: [to for to in targets if to in graph] for name, targets in graph.items()}
    found = []
    while circle := _one_circle(edges):
        for source, target in pairwise(circle):
            edges[source] = [other for other in edges[source] if other != target]
        start = min(range(len(circle) - 1), key=lambda index: order[circle[index]])
        ring = circle[:-1]
        found.append([*ring[start:], *ring[:start], ring[start]])
    return found


def _one_circle(edges: Graph) -> list[str]:
    try:
        TopologicalSorter(edges).prepare()
    except CycleError as error:
        backwards: list[str] = error.args[1]
        return backwards[::-1]
    return []


def targets_first(graph: Graph) -> list[str]:
    """Returns every name after the names that it points to. The graph must not have circles."""
    inside = {name: [to for to in targets if to in graph] for name, targets in graph.items()}
    return list(TopologicalSorter(inside).static_order())


def closure(graph: Graph, start: str) -> dict[str, None]:
    """Returns every name that can be reached from `start`: `start` itself first, then the
    nearest.
    """
    reached = {start: None}
    queue = [start]
    for name in queue:
        for target in graph.get(name, ()):
            if target not in reached:
                reached[target] = None
                queue.append(target)
    return reached
