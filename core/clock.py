"""Time as the core sees it: instants are UTC seconds since the epoch (float), so tests can set them."""

import time
from collections.abc import Callable

Clock = Callable[[], float]
"""Answers the present instant in seconds since 1970-01-01 UTC."""

system_clock: Clock = time.time
