"""Shows the time of phases and systems in a run of the game, and the longest chain.

That chain is the critical path: the systems of a phase that must run one after the other and take
the most time in total. More workers cannot make the phase shorter than that. Without a profile the
times are unknown, and the path is the chain with the most systems.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from model.code import System
from schedule import PhaseSchedule
from schedule.trace import Timed, Trace, TraceError

HEAD = """\
Times are averages over all ticks. The critical path is the slowest chain of systems that wait for
each other: with any number of workers, the phase takes at least as long. The planned path is the
chain with the most systems. A star marks the systems of the measured path.
"""

Job = tuple[System, ...]  # a system, or the systems of a pass


def as_profile(trace: Trace, path: str, world: str, phases: list[PhaseSchedule]) -> str:
    """Returns the profile in words. Raises TraceError if the trace belongs to another world."""
    _compare(trace, path, world, phases)
    all_us = sum(timed.us for timed in trace.phases.values()) / trace.ticks
    threads = "1 thread" if trace.threads == 1 else f"{trace.threads} threads"
    ticks = "1 tick" if trace.ticks == 1 else f"{trace.ticks:,} ticks"
    head = f"world {world}: {ticks} in {path}, {all_us:.2f} us each, on {threads}\n\n{HEAD}"
    return head + "".join(
        line + "\n" for phase in phases for line in ("", *_phase_lines(trace, phase))
    )


def _compare(trace: Trace, path: str, world: str, phases: list[PhaseSchedule]) -> None:
    names = [system.name for phase in phases for system in phase.systems]
    if trace.world != world:
        raise TraceError(
            f"'{path}' is a trace of world '{trace.world}', but the schema has world '{world}'"
        )
    for name in trace.systems:
        if name not in names:
            words = f"'{path}' contains turns of '{name}', which is not a system of the schema"
            help = "the schema has changed: build the game and run it again"
            raise TraceError(words, help)


def _phase_lines(trace: Trace, phase: PhaseSchedule) -> Iterator[str]:
    timed = trace.phases.get(phase.name, Timed())
    applying = trace.applying.get(phase.name, Timed())
    ticks = trace.ticks

    def us(job: Job) -> float:
        return max(trace.systems.get(system.name, Timed()).us for system in job) / ticks

    yield f"phase {phase.name}: {timed.us / ticks:.2f} us a tick"
    if applying.count:
        yield f"  applying commands: {applying.us / ticks:.2f} us"
    measured = [job for segment in phase.segments for job in _longest(phase, segment, us)]
    planned = [job for segment in phase.segments for job in _longest(phase, segment, lambda job: 1)]
    if not measured:
        return
    yield f"  measured path: {sum(map(us, measured)):.2f} us: {_names(measured)}"
    systems = "1 system" if len(planned) == 1 else f"{len(planned)} systems"
    yield f"  planned path: {systems}: {_names(planned)}"
    yield ""
    yield f"  {'us a tick':>11} {'a turn':>10} {'rows a turn':>13} {'turns':>8}"
    on_path = {system.name for job in measured for system in job}
    order = sorted(phase.systems, key=lambda s: -trace.systems.get(s.name, Timed()).us)
    for system in order:
        one = trace.systems.get(system.name, Timed())
        turns = max(one.count, 1)
        star = "*" if system.name in on_path else " "
        yield (
            f"  {one.us / ticks:11.2f} {one.us / turns:10.2f} {one.rows / turns:13,.1f}"
            f" {one.count:8} {star} {system.name}"
        )


def _names(path: list[Job]) -> str:
    return ", ".join(" + ".join(system.name for system in job) for job in path)


def _longest(
    phase: PhaseSchedule, segment: tuple[System, ...], weight: Callable[[Job], float]
) -> list[Job]:
    """Returns the heaviest chain of jobs of a segment; the first one if several are equal."""
    jobs: dict[str, Job] = {}  # by the first system, in the single-threaded order
    for system in segment:
        lead = phase.lead(system).name
        jobs[lead] = (*jobs.get(lead, ()), system)
    best: dict[str, tuple[float, list[Job]]] = {}
    for lead, job in jobs.items():
        waits = {phase.lead(w.earlier).name for system in job for w in phase.waits_of(system)}
        before = [best[name] for name in jobs if name in waits and name != lead]
        weighs, path = max(before, key=lambda one: one[0], default=(0.0, []))
        best[lead] = (weighs + weight(job), [*path, job])
    return max(best.values(), key=lambda one: one[0])[1]
