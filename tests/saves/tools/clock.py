"""Measures the processor time of exporting a save of a million entities, format by format.

Run `ninja build/inspect/crowd` and `.ci/install --look` first. Wall time would depend on what else
the machine does.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "bench"))
from progress import Progress

ROOT = Path(__file__).resolve().parents[3]
CROWD = ROOT / "build/inspect/crowd"
PYTHON = ROOT / ".venv/look/bin/python3"  # which has pyarrow
ENTITIES = 1_000_000
FORMATS = ("json", "csv", "sqlite", "parquet")


def processor_seconds(*command: str | Path) -> float:
    """Runs a command, and returns the processor time that it took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        save = Path(folder) / "crowd.save"
        progress = Progress(1 + len(FORMATS))
        progress.begin("making a save")
        processor_seconds(CROWD, str(ENTITIES), save)
        progress.end()
        print(f"{ENTITIES:,} entities, {save.stat().st_size / 1e6:.1f} MB")
        for to in FORMATS:
            out = Path(folder) / to
            export = (PYTHON, ROOT / "codegen", "saves", "export", save, "--to", to, "--out", out)
            progress.begin(to)
            seconds = processor_seconds(*export)
            progress.end()
            print(f"{to:8} {seconds:.1f} s", flush=True)


if __name__ == "__main__":
    main()
