"""The runner never counts a failure as passed, whatever a test program does."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
RUN = ROOT / "tests/run.py"
_spec = importlib.util.spec_from_file_location("run", RUN)
assert _spec is not None and _spec.loader is not None
run = importlib.util.module_from_spec(_spec)
sys.modules["run"] = run
_spec.loader.exec_module(run)

CMOCKA_GOOD = "[==========] 3 test(s) run.\n[  PASSED  ] 3 test(s).\n"
CMOCKA_BAD = "[  PASSED  ] 2 test(s).\n[  FAILED  ] 1 test(s), listed below:\n[  FAILED  ] x\n"
CMOCKA_SKIPPED = "[  PASSED  ] 1 test(s).\n[  SKIPPED ] 1 test(s), listed below:\n"


@pytest.mark.parametrize(
    ("exit_code", "output", "passed", "failed", "trouble"),
    [
        (0, CMOCKA_GOOD, 3, 0, ""),
        (0, CMOCKA_GOOD + CMOCKA_GOOD, 6, 0, ""),
        (0, "12 passed, 0 failed\n", 12, 0, ""),
        (1, CMOCKA_BAD, 2, 1, ""),
        (0, CMOCKA_SKIPPED, 1, 1, "exit code 0, though tests failed"),
        (1, "10 passed, 2 failed\n", 10, 2, ""),
        (0, CMOCKA_BAD, 2, 1, "exit code 0, though tests failed"),
        (1, CMOCKA_GOOD, 3, 1, "exit code 1, though no test failed"),
        (-11, CMOCKA_GOOD, 3, 1, "crashed: SIGSEGV"),
        (-6, "", 0, 1, "crashed: SIGABRT"),
        (0, "", 0, 1, "ran no test (exit code 0)"),
        (0, "0 passed, 0 failed\n", 0, 1, "ran no test (exit code 0)"),
        (None, CMOCKA_GOOD, 3, 1, f"still running after {run.HANG_SECONDS} s"),
    ],
)
def test_verdict(
    exit_code: int | None, output: str, passed: int, failed: int, trouble: str
) -> None:
    result = run.judge("program", exit_code, output)
    assert (result.passed, result.failed, result.trouble) == (passed, failed, trouble)
    assert result.good == (failed == 0)


def test_a_program_hangs_that_gets_nowhere_or_ever_on() -> None:
    assert run.hangs(0, 0) and run.hangs(300, 300.5)  # it waits, from the beginning or now
    assert not run.hangs(0, 12) and not run.hangs(300, 312)  # the machine is busy
    assert run.hangs(590, run.HANG_SECONDS + 1)


def test_seconds_on_the_processor_are_those_of_the_process() -> None:
    before, used = run.processor_seconds(os.getpid()), time.process_time()
    while time.process_time() < used + 0.1:
        pass
    assert run.processor_seconds(os.getpid()) > before
    assert run.processor_seconds(2**30) == 0


def test_a_program_that_hangs_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "HANG_SECONDS", 1)
    command = ["sleep", "600"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True) as process:
        assert run.talk(process) == ("", None)


def all_of(
    folder: Path, tests: str, programs: dict[str, str], *some: str, mode: str = "all"
) -> tuple[int, str]:
    """Runs the runner in a project with one pytest file and some shell scripts as test programs."""
    (folder / "tests").mkdir(exist_ok=True)
    (folder / "tests" / "test_it.py").write_text(tests)
    ours = (ROOT / ".pytest.ini").read_text().splitlines(keepends=True)
    usual = [line for line in ours if not line.startswith("norecursedirs")]
    (folder / ".pytest.ini").write_text("".join(usual))
    results = []
    for name, script in programs.items():
        results.append(f"build/{name}.result")
        command = [sys.executable, str(RUN), "program", results[-1], "sh", "-c", script]
        subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
    (folder / "list").write_text("".join(f"{result}\n" for result in results))
    what = ["some", "list", "--", *some] if some else [mode, "list"]
    command = [sys.executable, str(RUN), *what]
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PYTEST_")}
    environment["PYTEST_XDIST_AUTO_NUM_WORKERS"] = "1"  # two take longer to start than they run
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout


GOOD_TEST = "def test_good():\n    pass\n"
BAD_TEST = "def test_bad():\n    assert 1 == 2\n"
SKIPPED_TEST = "import pytest\n\n@pytest.mark.skip\ndef test_skipped():\n    pass\n"


def test_everything_is_counted(tmp_path: Path) -> None:
    code, output = all_of(tmp_path, GOOD_TEST, {"a": "echo 4 passed, 0 failed"})
    assert (code, output.splitlines()[-1]) == (0, "5 passed, 0 failed")


def test_what_python_compiles_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also by a program that a test starts, and where the caller has told Python otherwise."""
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    started = "import sys; sys.exit(sys.dont_write_bytecode)"
    test = f"""
import subprocess, sys
def test_kept():
    assert subprocess.run([sys.executable, "-c", {started!r}]).returncode == 0
"""
    code, output = all_of(tmp_path, test, {})
    assert (code, output.splitlines()[-1]) == (0, "1 passed, 0 failed")


def test_some_are_counted_without_the_others(tmp_path: Path) -> None:
    (tmp_path / "test_other.py").write_text(GOOD_TEST)
    code, output = all_of(tmp_path, BAD_TEST, {"a": "echo 4 passed, 0 failed"}, "test_other.py")
    assert (code, output.splitlines()[-1]) == (0, "5 passed, 0 failed")


LONG_TEST = """
import os, pytest

@pytest.mark.long
def test_long():
    assert "WEFT_LONG" in os.environ
"""


def test_what_is_long_is_left_to_a_run_of_its_own(tmp_path: Path) -> None:
    tests = GOOD_TEST + LONG_TEST
    for mode, passed in (("all", 5), ("long", 5)):
        code, output = all_of(tmp_path, tests, {"a": "echo 4 passed, 0 failed"}, mode=mode)
        assert (code, output.splitlines()[-1]) == (0, f"{passed} passed, 0 failed")
    code, output = all_of(tmp_path, BAD_TEST + LONG_TEST, {}, mode="all")
    assert (code, output.splitlines()[-1]) == (1, "0 passed, 1 failed")
    code, output = all_of(tmp_path, BAD_TEST + LONG_TEST, {}, mode="long")
    assert (code, output.splitlines()[-1]) == (0, "1 passed, 0 failed")


def test_a_failed_program_is_printed_and_runs_again(tmp_path: Path) -> None:
    programs = {"a": "echo 4 passed, 0 failed", "b": "echo oh no; kill -SEGV $$"}
    code, output = all_of(tmp_path, GOOD_TEST, programs)
    assert (code, output.splitlines()[-1]) == (1, "5 passed, 1 failed")
    assert "==== b: 1 failed. crashed: SIGSEGV\noh no\n" in output
    assert (tmp_path / "build/a.result").exists()
    assert not (tmp_path / "build/b.result").exists()


@pytest.mark.parametrize("tests", [BAD_TEST, SKIPPED_TEST, "import nothing_like_it\n", ""])
def test_what_pytest_did_not_pass_has_failed(tmp_path: Path, tests: str) -> None:
    code, output = all_of(tmp_path, tests, {"a": "echo 4 passed, 0 failed"})
    assert (code, output.splitlines()[-1]) == (1, "4 passed, 1 failed")


def test_a_file_that_pytest_passes_over_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "tests" / "build"  # a name that pytest takes for one of what is built
    folder.mkdir(parents=True)
    (folder / "test_unseen.py").write_text(GOOD_TEST)
    code, output = all_of(tmp_path, GOOD_TEST, {"a": "echo 4 passed, 0 failed"})
    assert (code, output.splitlines()[-1]) == (1, "5 passed, 1 failed")
    assert "no test ran of tests/build/test_unseen.py" in output
