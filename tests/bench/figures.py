"""Reads the figures that the bench wrote, for the scripts that show them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PLAIN_SUFFIX = "_O2"  # what the names of workloads end with in the build without flags


@dataclass(frozen=True)
class Figure:
    workload: str  # without the suffix
    plain: bool  # of the build without flags
    n: int
    unit: str
    value: float  # in the unit; time is an item's
    limit: float | None  # that of plain arrays
    ratio: float | None
    ratio_low: float | None  # tenth and ninetieth percentile
    ratio_high: float | None
    value_max: float | None  # targets
    ratio_max: float | None
    flags: str
    instructions: float | None = None  # of an item, where they were counted
    limit_instructions: float | None = None

    @property
    def met(self) -> bool | None:
        """Returns whether all targets are met; None if there is none."""
        if self.value_max is None and self.ratio_max is None:
            return None
        good = self.value_max is None or self.value <= self.value_max
        return good and (self.ratio_max is None or (self.ratio or 0.0) <= self.ratio_max)

    @property
    def out_of_reach(self) -> bool:
        """Returns whether the limit alone takes longer than the target."""
        return self.value_max is not None and (self.limit or 0.0) > self.value_max

    @property
    def is_step(self) -> bool:
        """One of the ten slowest spawns, whose n is the number of the step."""
        return self.workload.removeprefix("spawn_slowest_").isdigit()


def read(path: Path) -> list[Figure]:
    """Reads the figures, with instructions if a file in that folder has them."""
    near = path.with_name("bench-instructions.json")
    counted: list[dict[str, Any]] = json.loads(near.read_text("utf-8")) if near.exists() else []
    counts = {(row["workload"], row["n"]): row for row in counted}
    return [
        _figure(item, counts.get((item["workload"], item["n"]), {}))
        for item in json.loads(path.read_text(encoding="utf-8"))
    ]


def _figure(item: dict[str, Any], counts: dict[str, Any]) -> Figure:
    name = str(item["workload"])
    return Figure(
        workload=name.removesuffix(PLAIN_SUFFIX),
        plain=name.endswith(PLAIN_SUFFIX),
        n=item["n"],
        unit=item["unit"],
        value=item["value"],
        limit=item["limit_value"],
        ratio=item["ratio"],
        ratio_low=item["ratio_p10"],
        ratio_high=item["ratio_p90"],
        value_max=item["value_max"],
        ratio_max=item["ratio_max"],
        flags=item["flags"],
        instructions=counts.get("instructions"),
        limit_instructions=counts.get("limit_instructions"),
    )


def size(n: int) -> str:
    """A number of entities, as people say it."""
    if n >= 1_000_000 and n % 100_000 == 0:
        return f"{n / 1_000_000:g}M"
    if n >= 1_000 and n % 1_000 == 0:
        return f"{n // 1_000}k"
    return str(n)


def amount(value: float, unit: str) -> str:
    """A figure with as many digits as mean something. Long times are said in microseconds."""
    if unit == "ns" and value >= 1000:
        value, unit = value / 1000, "us"
    digits = 3 if value < 1 else 2 if value < 10 else 1 if value < 100 else 0
    return f"{value:.{digits}f} {unit}"
