"""Runs the tests and counts them: compiled programs one at a time, then pytest and the sum.

    run.py program RESULT PROGRAM [ARGUMENT...]   run a test program, store its outcome in RESULT
    run.py all LIST...                            run pytest, print every failure and the sum; a
                                                  LIST is a file with the path of a RESULT a line
    run.py some LIST... -- PYTHON_TEST...         the same, but pytest runs only these test files
    run.py long LIST...                           the same, but pytest runs only what `all` leaves
                                                  out, with all examples of random tests

`program` always succeeds, so that Ninja runs all programs (and runs one again only if it was
rebuilt). The others decide: their last line is `N passed, N failed`, and they exit 1 if anything
failed. A program that crashes, hangs, or prints no count has failed, and so has a skipped test. The
results of failed programs are deleted, so that they run again next time.
"""

from __future__ import annotations

import json
import os
import re
import resource
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:  # it runs some hundred times, and these take as long to import as all the rest
    from xml.etree.ElementTree import Element

# Python keeps what it has compiled, even if the caller told it not to: tests start the generator
# hundreds of times, and compiling it takes as long as it runs.
KEEPS = {"PYTHONDONTWRITEBYTECODE": ""}

# These are tests that `all` leaves out of pytest (.pytest.ini), and random ones, which try more
# then (support/examples.py).
LONG = ("-m", "long or rounds or hypothesis")
LONG_KEEPS = {"WEFT_LONG": "1"}

# Where a program of the build `mcdc` keeps its counts; it and its children add theirs up (%m).
COUNTS = ".%m.profraw"

HANG_SECONDS = 600
LONGEST = 6  # times that, for a program that gets on slowly, since the machine is busy

# cmocka says this at the end of each group; a program without cmocka ends with our own line.
CMOCKA_COUNT = re.compile(r"^\[  (PASSED|FAILED|SKIPPED) +\] (\d+) test\(s\)", re.MULTILINE)
OWN_COUNT = re.compile(r"^(\d+) passed, (\d+) failed$", re.MULTILINE)


class Result(NamedTuple):
    """The outcome of one test program, or of all of pytest."""

    name: str
    passed: int
    failed: int
    trouble: str  # "" if it went as it should, else what was wrong beyond the failures it counted
    output: str

    @property
    def good(self) -> bool:
        return self.failed == 0


def counts(output: str) -> tuple[int, int]:
    """How many tests the output of a program says have passed and failed (or were skipped)."""
    passed = failed = 0
    for word, number in CMOCKA_COUNT.findall(output):
        if word == "PASSED":
            passed += int(number)
        else:
            failed += int(number)
    for own_passed, own_failed in OWN_COUNT.findall(output):
        passed += int(own_passed)
        failed += int(own_failed)
    return passed, failed


def judge(name: str, exit_code: int | None, output: str) -> Result:
    """Weighs what a program said against how it ended (None: it was stopped because it hung)."""
    passed, failed = counts(output)
    if exit_code is None:
        trouble = f"still running after {HANG_SECONDS} s"
    elif exit_code < 0:
        trouble = f"crashed: {signal.Signals(-exit_code).name}"
    elif passed + failed == 0:
        trouble = f"ran no test (exit code {exit_code})"
    elif exit_code != 0 and failed == 0:
        trouble = f"exit code {exit_code}, though no test failed"
    elif exit_code == 0 and failed != 0:
        trouble = "exit code 0, though tests failed"
    else:
        trouble = ""
    return Result(name, passed, max(failed, 1 if trouble else 0), trouble, output)


def hangs(before: float, now: float) -> bool:
    """Tells by its seconds on the processor, HANG_SECONDS ago and now, whether a program hangs or
    never ends. A busy machine gives it few, a program that waits for itself takes none."""
    return now < before + 1 or now > HANG_SECONDS


def processor_seconds(pid: int) -> float:
    """Returns the seconds that a running process has taken; 0 where the system does not say."""
    try:
        said = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return 0.0
    user, system = said.rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def talk(process: subprocess.Popen[str]) -> tuple[str, int | None]:
    """Returns what a program says until its end, and its exit code; None: it was stopped."""
    before = 0.0
    for _ in range(LONGEST):
        try:
            said, complained = process.communicate(timeout=HANG_SECONDS)
            return said + complained, process.returncode
        except subprocess.TimeoutExpired:
            now = processor_seconds(process.pid)
            if hangs(before, now):
                break
            before = now
    process.kill()
    said, complained = process.communicate()
    return said + complained, None


def run_program(result_path: Path, command: list[str]) -> int:
    name = result_path.with_suffix("").as_posix().removeprefix("build/")
    with subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,  # apart, since cmocka counts there and lines must stay whole
        text=True,
        errors="replace",
        env={**os.environ, "LLVM_PROFILE_FILE": str(result_path.with_suffix(COUNTS).absolute())},
    ) as process:
        output, exit_code = talk(process)
    result = judge(name, exit_code, output)
    result_path.parent.mkdir(parents=True, exist_ok=True)
    result_path.write_text(json.dumps(result._asdict()), encoding="utf-8")
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = (
        used.ru_utime + used.ru_stime
    )  # of processor time, which a busy machine does not change much
    print(f"{name}: {result.passed} passed, {result.failed} failed ({seconds:.1f} s)")
    return 0


def files_without(cases: list[Element], files: list[str]) -> list[str]:
    """The test files asked for, or all there are, of which the report has no test. pytest passes
    over folders with certain names, and says nothing."""
    asked = files or [path.as_posix() for path in sorted(Path("tests").rglob("test_*.py"))]
    ran = {str(case.get("classname")).replace(".", "/") + ".py" for case in cases}
    return [file for file in asked if file not in ran]


def run_pytest(report: Path, files: list[str], *, long: bool = False) -> Result:
    """Runs these test files, or every test_*.py if there are none, on all processors; if `long`,
    what is left out of them otherwise. What pytest prints goes straight to the terminal."""
    from xml.etree import ElementTree

    report.parent.mkdir(parents=True, exist_ok=True)
    report.unlink(missing_ok=True)
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-n",
        "auto",
        "--dist",
        "loadgroup",
        f"--junitxml={report}",
        *(LONG if long else ()),
        *files,
    ]
    environment = {**os.environ, **KEEPS, **(LONG_KEEPS if long else {})}
    done = subprocess.run(command, stdin=subprocess.DEVNULL, env=environment, check=False)
    if not report.exists():
        return Result("pytest", 0, 1, f"wrote no report (exit code {done.returncode})", "")
    cases = ElementTree.parse(report).getroot().findall(".//testcase")
    failed = sum(1 for case in cases if len(case.findall("failure") + case.findall("error")) > 0)
    skipped = [str(case.get("name")) for case in cases if case.find("skipped") is not None]
    passed = len(cases) - failed - len(skipped)
    trouble = f"skipped: {', '.join(skipped)}" if skipped else ""
    if not long and (left_out := files_without(cases, files)):
        trouble = f"no test ran of {', '.join(left_out)}"
    if done.returncode != 0 and failed == 0 and not skipped:
        trouble = f"exit code {done.returncode}, though no test failed"
    return Result("pytest", passed, max(failed + len(skipped), 1 if trouble else 0), trouble, "")


def read_results(lists: list[Path]) -> dict[Path, Result]:
    """Returns what came of the programs whose results these lists name."""
    paths = [Path(line) for path in lists for line in path.read_text().splitlines()]
    return {path: Result(**json.loads(path.read_text(encoding="utf-8"))) for path in paths}


def report(kept: dict[Path, Result], others: list[Result]) -> int:
    """Prints every failure and the sum; forgets kept results that are failures."""
    results = [*kept.values(), *others]
    for result in results:
        if not result.good:
            print(f"\n==== {result.name}: {result.failed} failed. {result.trouble}".rstrip())
            print(result.output, end="")
    for path, result in kept.items():
        if not result.good:
            path.unlink()
    passed = sum(result.passed for result in results)
    failed = sum(result.failed for result in results)
    print(f"{passed} passed, {failed} failed", flush=True)
    return 0 if failed == 0 else 1


def run_all(lists: list[str], files: list[str], *, long: bool = False) -> int:
    results = read_results([Path(path) for path in lists])
    return report(results, [run_pytest(Path("build/pytest.xml"), files, long=long)])


def main(arguments: list[str]) -> int:
    match arguments:
        case ["program", result, *command] if command:
            return run_program(Path(result), command)
        case ["all", *lists]:
            return run_all(lists, [])
        case ["long", *lists]:
            return run_all(lists, [], long=True)
        case ["some", *arguments] if "--" in arguments:
            end = arguments.index("--")
            return run_all(arguments[:end], arguments[end + 1 :])
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
