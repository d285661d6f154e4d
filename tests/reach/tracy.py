"""Tracy receives the zones of a world from the functions in runtime/trace/README.md.

They are compiled with the header of Tracy's client and linked with the client into the colony,
which also writes a trace. The zones that the client sends are compared with the trace, one by one.
tracy_reader.cpp replaces Tracy's viewer, which no registry has.
"""

from __future__ import annotations

import os
import socket
import subprocess
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from built import built
from compilers import RUNTIME
from installed import ROOT, block
from trace_file import read_zones

HERE = Path(__file__).parent
PAGE = RUNTIME / "trace/README.md"
CRATE = ".venv/reach/cargo/registry/src/*/tracy-client-sys-*/tracy"
COLONY = ("game/main.o", "game/trace.o", "libcolony.a", "libweft.a")
TICKS = 120
# The client looks at nothing but zones, and at time by a clock that any machine has.
CLIENT = (
    "-DTRACY_ENABLE", "-DTRACY_ONLY_LOCALHOST", "-DTRACY_NO_BROADCAST", "-DTRACY_TIMER_FALLBACK",
    "-DTRACY_NO_CALLSTACK", "-DTRACY_NO_SYSTEM_TRACING", "-DTRACY_NO_CRASH_HANDLER",
)  # fmt: skip

# A zone of a thread: its name, how many lie around it, and the rows that it had.
Told = tuple[str, int, int]


@dataclass
class Thread:
    """A thread as the client tells of it: its zones in the order of their ends."""

    open: list[tuple[str, int]] = field(default_factory=list)
    zones: list[Told] = field(default_factory=list)


def compile_(*arguments: str | Path) -> None:
    done = subprocess.run(
        [str(one) for one in arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0 and done.stdout == "", done.stdout


@pytest.fixture(scope="module")
def client() -> Path:
    (folder,) = ROOT.glob(CRATE)
    return folder


@pytest.fixture(scope="module")
def programs(client: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The colony with a client, and what listens to it."""
    out = tmp_path_factory.mktemp("tracy")
    (out / "sink.c").write_text(block(PAGE, "c sink.c"), encoding="utf-8")
    compile_("gcc", "-std=c11", "-Wall", "-Wextra", *CLIENT, "-I", client, "-I", RUNTIME, "-I", out,
             "-c", HERE / "tracy_both.c", "-o", out / "both.o")  # fmt: skip
    compile_("g++", "-std=c++17", "-w", *CLIENT, "-c", client / "TracyClient.cpp",
             "-o", out / "client.o")  # fmt: skip
    objects = [built(f"build/{name}") for name in COLONY]
    compile_("g++", "-Wl,--wrap=weft_trace_profile", out / "both.o", *objects, out / "client.o",
             "-lpthread", "-ldl", "-lm", "-o", out / "colony")  # fmt: skip
    compile_("g++", "-std=c++17", "-Wall", "-Wextra", "-isystem", client, HERE / "tracy_reader.cpp",
             client / "common/tracy_lz4.cpp", "-o", out / "reader")  # fmt: skip
    return out


def free_port() -> str:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return str(server.getsockname()[1])


def received(lines: list[str]) -> list[list[Told]]:
    """The zones of each thread. An end without a beginning is a mistake, and so is an open zone."""
    words = [line.split() for line in lines]
    names = {place: name for kind, place, name in (w for w in words if w[0] == "place")}
    threads: dict[str, Thread] = defaultdict(Thread)
    for kind, one, *rest in words:
        if kind == "begin":
            threads[one].open.append((names[rest[0]], 0))
        elif kind == "value":
            name, _ = threads[one].open.pop()
            threads[one].open.append((name, int(rest[0])))
        elif kind == "end":
            name, rows = threads[one].open.pop()
            threads[one].zones.append((name, len(threads[one].open), rows))
    assert not any(thread.open for thread in threads.values())
    return sorted(thread.zones for thread in threads.values())


def written(trace: Path) -> list[list[Told]]:
    """The zones of each thread in a trace but for turns that threads share."""
    threads: dict[int, list[Told]] = defaultdict(list)
    for zone in read_zones(trace):
        if not zone.shared:
            threads[zone.thread].append((zone.name, zone.depth, zone.arg("rows")))
    return sorted(threads.values())


@pytest.mark.parametrize("workers", ["0", "4"])
def test_it_gets_every_zone(programs: Path, tmp_path: Path, workers: str) -> None:
    trace, port = tmp_path / "some.trace", free_port()
    arguments = ("--quiet", "--ticks", str(TICKS), "--workers", workers, "--trace", str(trace))
    with subprocess.Popen(
        [programs / "colony", *arguments],
        env=os.environ | {"TRACY_PORT": port, "TRACY_NO_EXIT": "1"},  # which waits for a listener
        stdout=subprocess.DEVNULL,
    ) as colony:
        try:
            lines = subprocess.run(
                [programs / "reader", port], stdout=subprocess.PIPE, text=True, check=True
            ).stdout.splitlines()
            assert colony.wait(60) == 0
        finally:
            colony.kill()
    zones = written(trace)
    assert received(lines) == zones
    all_ = [zone for thread in zones for zone in thread]
    assert len(all_) > TICKS and any(rows > 0 for _, _, rows in all_)
