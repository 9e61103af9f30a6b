"""How the test harness of haulback talks to a store that is slow or away.

The harness plays a client against a real store and has to give up at the same
moments as the binary does. The binary's own policy is written in Rust; this
file repeats it and is compared with it in the nightly run.

What is tried again:

* connection refused, connection reset and time-outs
* the answers 429, 500, 502, 503 and 504
* a lock held by somebody else, if a waiting time is set

What is never tried again:

* a wrong passphrase: three wrong ones lock the console for a minute
* the answers 400, 401, 403, 404 and 507
* a checksum that does not fit, because the second reading hides a failing disk
"""

from __future__ import annotations

import random
from dataclasses import dataclass

# The first wait, in seconds. Each further one is GROWTH times as long.
FIRST_WAIT = 2.0
GROWTH = 2.5

# No single wait is longer than this, whatever the store asks for.
LONGEST_WAIT = 90.0

# Attempts in all, the first one included.
MAX_ATTEMPTS = 5

# Uploads of packs get more, because a lost pack means reading the file again.
MAX_ATTEMPTS_UPLOAD = 8

# Waits are spread by this share in both directions, so that many hosts that
# were cut off together do not come back together.
SPREAD = 0.2

# Time-outs in seconds: to connect, to the first byte, between two bytes.
CONNECT_TIMEOUT = 10
FIRST_BYTE_TIMEOUT = 45
IDLE_TIMEOUT = 30

# A lock that was not renewed for this long belongs to nobody.
STALE_LOCK_SECONDS = 30 * 60
RENEW_LOCK_SECONDS = 5 * 60

AGAIN = frozenset({429, 500, 502, 503, 504})

# 507 means that the store is full. It does not get emptier by asking.
NEVER = frozenset({400, 401, 403, 404, 507})


class GaveUp(Exception):
    """All attempts were used. Carries the last answer for the report."""

    def __init__(self, attempts: int, last_status: int | None) -> None:
        super().__init__(f"gave up after {attempts} attempts, last answer {last_status}")
        self.attempts = attempts
        self.last_status = last_status


@dataclass(frozen=True)
class Budget:
    """How long one command may wait in all, in seconds."""

    push: int = 15 * 60
    pull: int = 10 * 60
    sweep: int = 60 * 60
    list: int = 60


def attempts_for(kind: str) -> int:
    """Uploads of packs are tried more often than anything else."""
    return MAX_ATTEMPTS_UPLOAD if kind == "upload" else MAX_ATTEMPTS


def may_try_again(status: int | None, attempt: int, kind: str = "request") -> bool:
    """``status`` is None when there was no answer at all."""
    if attempt >= attempts_for(kind):
        return False
    return status is None or status in AGAIN


def wait_before(attempt: int, retry_after: float | None = None, rng: random.Random | None = None) -> float:
    """Seconds to wait before the attempt with this number; the first has none.

    A ``Retry-After`` of the store is obeyed if it is longer than our own wait,
    and cut at LONGEST_WAIT. It is not spread.
    """
    if attempt <= 1:
        return 0.0
    own = min(FIRST_WAIT * GROWTH ** (attempt - 2), LONGEST_WAIT)
    if retry_after is not None and retry_after > own:
        return min(retry_after, LONGEST_WAIT)
    spread = (rng or random.Random()).uniform(1 - SPREAD, 1 + SPREAD)
    return own * spread


def lock_is_stale(age_seconds: float, clock_skew: float = 0.0) -> bool:
    """Clocks of hosts differ: a skew of up to 90 seconds is forgiven."""
    return age_seconds - min(abs(clock_skew), 90.0) > STALE_LOCK_SECONDS
