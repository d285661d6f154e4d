"""Decides how many random examples a test tries: few and always equal, or as many as are asked."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, Phase, settings

ASKED = int(os.environ.get("WEFT_EXAMPLES", "0"))


def examples(few: int, *, slow: bool = False) -> settings:
    """WEFT_EXAMPLES=500 tries as many instead, and other ones every time.

    A slow test shows the first example that fails instead of looking for the smallest.
    """
    return settings(
        max_examples=ASKED or few,
        derandomize=not ASKED,
        database=None,
        deadline=None,
        phases=[Phase.explicit, Phase.generate] if slow else list(Phase),
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )
