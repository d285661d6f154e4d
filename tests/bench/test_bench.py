"""The bench measures, agrees with its limits, and its figures can be read and drawn. No times are
judged.

The program is build/bench/checked/bench, or the one that WEFT_BENCH names.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import pty
import re
import struct
import subprocess
import sys
import termios
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from built import built

sys.path.insert(0, str(Path(__file__).resolve().parent))

import instructions

HERE = Path(__file__).resolve().parent

# The program takes as long to compile as a build of the runtime: what runs it is left to `ninja
# test-long`.
of_the_program = pytest.mark.long

# Small ones, of several kinds; the first part of a name stands for all that begin so.
WORKLOADS = {
    "iter_frag26": {"iter_frag26_1_O2", "iter_frag26_12_O2", "iter_frag26_emptied_O2"},
    "_tag": {"add_remove_tag_O2", "commands_tag_O2", "select_tag_O2"},
    "memory_32": {"memory_32_O2"},
    "trim": {"trimmed_32_O2", "trim_O2"},
    "load_changed": {"load_changed_O2"},
    "select_": {"select_values_O2", "select_sparse_O2", "select_tag_O2", "select_all_O2"},
    "math_": {
        f"math_{name}{kind}_O2"
        for name in ("sin", "cos", "tan", "exp", "log", "sqrt", "atan2", "pow", "hypot")
        for kind in ("", "f")
    },
    "index_hash": {"index_hash_find_O2", "index_hash_text_O2", "index_hash_changed_O2"},
    "chain_4": {
        "chain_4_O2",
        "chain_4_shared_O2",
        "chain_4_by_hand_O2",
        "chain_4_by_hand_shared_O2",
        "chain_4_rows_by_hand_O2",
        "chain_4_rows_by_hand_shared_O2",
        "chain_4_by_blocks_O2",
        "chain_4_by_blocks_shared_O2",
    },
    "troupe_": {
        f"troupe_{layout}_{work}_{pairing}_O2"
        for layout in ("aos", "soa")
        for work in ("flat", "pick")
        for pairing in (
            "apart",
            "fused",
            "rows",
            "fused_by_apart",
            "rows_by_apart",
            "rows_by_fused",
        )
    },
    "tree_of_8": {"tree_of_8_O2"},
    "links_": {"links_bytes_O2", "links_set_O2", "links_set_scattered_O2", "links_walk_O2"},
    "clone_10000": {"clone_10000_O2"},
    "part_": {"part_save_O2", "part_load_O2"},
    "watch_": {"watch_seven_O2", "watch_seven_kept_O2", "watch_few_O2", "watch_few_held_O2"},
    "merge": {"merge_O2", "merge_speedup_O2", "merge_by_hand_O2"},
    "workers_": {
        "workers_speedup_O2",
        "workers_by_hand_O2",
        "workers_few_speedup_O2",
        "workers_few_by_hand_O2",
        "workers_dispatch_O2",
        "workers_tree_speedup_O2",
        "workers_tree_parts_O2",
    },
}
MEMBERS = {"workload", "n", "ns_per_item", "limit_ns_per_item", "ratio", "unit", "flags"}


def bench(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    named = os.environ.get("WEFT_BENCH")
    program = Path(named) if named else built("build/bench/checked/bench")
    return subprocess.run(
        [program, *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )


def on_terminal(*command: str | Path, columns: int = 80) -> tuple[int, str] | None:
    """Runs a program whose output is a terminal; its exit code, and what it wrote there.

    None: there is no terminal to be had, as in a folder that is made the root, without /dev/pts.
    What is said of pipes is tried there nevertheless.
    """
    try:
        own, its = pty.openpty()
    except OSError:
        return None
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=its, stderr=its) as running:
        os.close(its)
        text = b""
        with contextlib.suppress(OSError):  # Linux reports the other end's close as an error
            while piece := os.read(own, 4096):
                text += piece
    os.close(own)
    return running.returncode, text.decode()


def script(name: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, HERE / name, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@of_the_program
@pytest.mark.parametrize("workload", WORKLOADS)
def test_sides_agree_and_figures_can_be_read(workload: str, tmp_path: Path) -> None:
    path = tmp_path / "figures.json"
    done = bench("--quick", "--filter", workload, "--json", path)
    assert (done.returncode, done.stderr) == (0, "")
    figures = json.loads(path.read_text(encoding="utf-8"))
    assert {figure["workload"] for figure in figures} == WORKLOADS[workload]
    assert all(figure.keys() >= MEMBERS for figure in figures)

    svg = tmp_path / "figures.svg"
    assert script("plot.py", path, svg).returncode == 0
    ElementTree.parse(svg)

    results, storage = tmp_path / "RESULTS.md", tmp_path / "STORAGE.md"
    results.write_text("words\n<!-- targets -->\nold\n<!-- end -->\nmore words\n")
    storage.write_text("words\n<!-- costs -->\nold\n<!-- end -->\nmore words\n")
    assert script("results.py", path, tmp_path).returncode == 0
    (page,) = (tmp_path / "machines").iterdir()
    table = page.read_text(encoding="utf-8")
    assert all(f"| {name.removesuffix('_O2')} |" in table for name in WORKLOADS[workload])
    for text in (results.read_text(encoding="utf-8"), storage.read_text(encoding="utf-8")):
        assert text.startswith("words\n") and text.endswith("more words\n") and "old" not in text


@of_the_program
def test_instructions_are_counted_and_shown(tmp_path: Path) -> None:
    counts, dumps, figures = (tmp_path / name for name in ("counts", "dump", "bench.json"))
    done = bench("--filter", "add_remove_tag", "--count", counts, "--json", figures)
    assert (done.returncode, done.stderr) == (0, "")
    assert counts.read_text() == "add_remove_tag_O2 100000 100000 0 4 8\n"
    for number in range(1, 9):  # each end is even; what lies between two sides counts for neither
        Path(f"{dumps}.{number}").write_text(f"events: Ir\ntotals: {number * 100_000}\n")
    counted = list(instructions.rows(counts.read_text(), dumps))
    assert [(row["instructions"], row["limit_instructions"]) for row in counted] == [(6, 14)]

    assert bench("--quick", "--filter", "add_remove_tag", "--json", figures).returncode == 0
    (tmp_path / "bench-instructions.json").write_text(json.dumps(counted))
    for name, mark in (("RESULTS.md", "targets"), ("STORAGE.md", "costs")):
        (tmp_path / name).write_text(f"<!-- {mark} -->\n<!-- end -->\n")
    assert script("results.py", figures, tmp_path).returncode == 0
    (page,) = (tmp_path / "machines").iterdir()
    assert " 6 / 14 |\n" in page.read_text(encoding="utf-8")


def test_targets_are_compared_over_machines(tmp_path: Path) -> None:
    figures, other = tmp_path / "bench.json", tmp_path / "machines" / "abacus.md"
    rows = [
        dict.fromkeys(("limit_value", "ratio_p10", "ratio_p90"), None)
        | {"workload": name, "n": 1000, "unit": "ns", "value": value, "ratio": ratio}
        | {"value_max": value_max, "ratio_max": ratio_max, "flags": "-O3"}
        for name, value, ratio, value_max, ratio_max in (
            ("walk", 3.0, 1.2, None, 1.1),
            ("trim", 2.5, None, 2.0, None),
            ("free", 1.0, 1.0, None, None),
        )
    ]
    figures.write_text(json.dumps(rows))
    other.parent.mkdir()
    other.write_text("# All figures\n| walk | 1k | 1 ns | 1 ns | 1.00 |  | 1.1 x | met |\n")
    for name, mark in (("RESULTS.md", "targets"), ("STORAGE.md", "costs")):
        (tmp_path / name).write_text(f"<!-- {mark} -->\n<!-- end -->\n")
    assert script("results.py", figures, tmp_path).returncode == 0
    table = (tmp_path / "RESULTS.md").read_text(encoding="utf-8")
    here = next(page.stem for page in other.parent.iterdir() if page != other)
    machines = {"abacus": {"walk": "1.00", "trim": ""}}
    machines[here] = {"walk": "**1.20**", "trim": "**2.50 ns**"}
    for workload, target in (("walk", "1.1 x"), ("trim", "2.00 ns")):
        cells = [machines[name][workload] for name in sorted(machines)]
        assert f"| {workload} | 1k | {target} | {' | '.join(cells)} |\n" in table
    assert "free" not in table


@of_the_program
def test_what_is_asked_wrongly_is_refused(tmp_path: Path) -> None:
    assert bench("--fast").returncode == 2
    assert bench("--json").returncode == 2
    assert bench("--count", tmp_path / "no" / "folder").returncode == 2
    assert bench("--json", tmp_path / "no" / "folder").returncode == 2


def test_the_stress_project_is_the_same_each_time(tmp_path: Path) -> None:
    trees = []
    for name in ("once", "again"):
        assert script("stress.py", tmp_path / name).returncode == 0
        trees.append({path.name: path.read_bytes() for path in (tmp_path / name).iterdir()})
    assert trees[0] == trees[1]
    schema = trees[0]["stress.toml"].decode()
    counts = [schema.count(f"\n[{kind}.") for kind in ("system", "query")]
    assert counts == [300, 100]
    assert schema.count("\n[component.") - schema.count(".fields]\n") == 500


@of_the_program
def test_a_terminal_shows_how_far_it_is_and_a_pipe_does_not() -> None:
    asked = ("--quick", "--filter", "memory_32")
    if ended := on_terminal(built("build/bench/checked/bench"), *asked):
        code, shown = ended
        assert code == 0
        groups = re.findall(r"\r(\d+) of (\d+): (\w+)", shown)
        total = groups[0][1]
        assert groups[0] == ("1", total, "iterate")
        assert groups[-1][:2] == (total, total)
    piped = bench(*asked)
    assert "\r" not in piped.stdout + piped.stderr and " of " not in piped.stdout


def written_over(shown: str) -> list[str]:
    """The lines that were shown, and then written over by the next one."""
    return [piece for line in shown.split("\n") for piece in line.split("\r")[:-1] if piece]


@of_the_program
@pytest.mark.parametrize("columns", [40, 80])
def test_what_is_written_over_fits_its_terminal(columns: int) -> None:
    """A line that went on in the next one would leave its beginning behind."""
    asked = ("--quick", "--filter", "add_remove_tag")
    if ended := on_terminal(built("build/bench/checked/bench"), *asked, columns=columns):
        code, shown = ended
        lines = [
            line.removesuffix("\x1b[K")
            for line in written_over(shown)
            if re.match(r"\d+ of \d+: ", line)
        ]
        assert code == 0 and any("add_remove_tag" in line for line in lines)
        assert 35 < max(map(len, lines)) < columns
        assert shown.endswith("\r\x1b[K")
    code_of_parts = f"import sys; sys.path.append({str(HERE)!r}); from progress import Progress; "
    code_of_parts += "p = Progress(1); p.begin('a' * 200); p.end()"
    if ended := on_terminal(sys.executable, "-c", code_of_parts, columns=columns):
        assert ended == (0, "\r" + ("1 of 1: " + "a" * 200)[: columns - 1] + "\x1b[K\r\x1b[K")


def test_scripts_show_their_parts_on_a_terminal_alone() -> None:
    code = "from progress import Progress; p = Progress(2); p.begin('a'); p.begin('b'); p.end()"
    command = [sys.executable, "-c", f"import sys; sys.path.append({str(HERE)!r}); {code}"]
    expected = "\r1 of 2: a …\x1b[K\r2 of 2: b …\x1b[K\r\x1b[K"
    assert on_terminal(*command) in (None, (0, expected))
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout + done.stderr == ""


def test_several_programs_are_counted(tmp_path: Path) -> None:
    command = [
        sys.executable,
        HERE / "run.py",
        tmp_path / "figures.json",
        "/bin/false",
        "/bin/false",
    ]
    if ended := on_terminal(*command):
        code, shown = ended
        assert code == 1
        assert "1 of 2: /bin/false" in shown and "2 of 2: /bin/false" in shown
    piped = subprocess.run(command, capture_output=True, text=True, check=False)
    assert piped.returncode == 1 and " of 2: " not in piped.stdout + piped.stderr
