"""How memories fade, and that the page about it says what the code does."""

import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.history import KEPT_ACCESSES, KEPT_VERSIONS
from core.domain.tiers import (
    DAY,
    FLOOR,
    HALF_LIFE,
    HOUR,
    REINFORCEMENT,
    START,
    Tier,
    reinforced,
    salience_now,
)
from core.domain.trash import KEPT

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "memory.md").read_text(encoding="utf-8")

strengths = st.floats(0, 1e6)
spans = st.floats(0, 1e10)
tiers = st.sampled_from(list(Tier))


@pytest.mark.parametrize("tier", list(Tier))
def test_half_is_left_after_a_half_life(tier: Tier) -> None:
    assert salience_now(3.0, 1000.0, 1000.0 + HALF_LIFE[tier], tier) == pytest.approx(1.5)
    assert salience_now(3.0, 1000.0, 1000.0, tier) == 3.0


@given(strengths, spans, spans, tiers)
def test_salience_falls_with_time_and_never_below_its_floor(
    strength: float, one: float, other: float, tier: Tier
) -> None:
    sooner, later = sorted((one, other))
    before, after = (salience_now(strength, 0.0, now, tier) for now in (sooner, later))
    assert strength >= before >= after >= strength * FLOOR * (1 - 1e-12)
    assert salience_now(strength, 0.0, later, tier, pinned=True) == strength
    assert salience_now(strength, later, sooner, tier) == strength  # a clock that went back


@given(strengths, spans, st.floats(0, 1e3), tiers)
def test_reinforcing_never_lowers_it(strength: float, elapsed: float, delta: float, tier: Tier) -> None:
    faded = salience_now(strength, 0.0, elapsed, tier)
    after = reinforced(strength, delta)
    assert salience_now(after, elapsed, elapsed, tier) >= faded - 1e-9
    assert after >= round(strength, 9)


@given(strengths, st.floats(-1e9, 1e9))
def test_it_is_never_below_nothing(strength: float, delta: float) -> None:
    assert reinforced(strength, delta) >= 0.0
    assert math.isfinite(reinforced(strength, delta))


def test_ten_tenths_are_one() -> None:
    strength = 0.0
    for _ in range(10):
        strength = reinforced(strength, 0.1)
    assert strength == 1.0


def test_tiers_fade_in_hours_weeks_months_and_hardly() -> None:
    assert HOUR < HALF_LIFE[Tier.WORKING] < DAY < 7 * DAY < HALF_LIFE[Tier.EPISODIC] <= 31 * DAY
    assert 60 * DAY < HALF_LIFE[Tier.SEMANTIC] < 365 * DAY < HALF_LIFE[Tier.PROCEDURAL]


def test_the_page_says_what_the_code_does() -> None:
    lives = {Tier.WORKING: f"{HALF_LIFE[Tier.WORKING] / HOUR:g} hours"}
    lives |= {tier: f"{HALF_LIFE[tier] / DAY:,g} days" for tier in Tier if tier is not Tier.WORKING}
    for tier, life in lives.items():
        (line,) = [line for line in PAGE.splitlines() if line.startswith(f"| {tier} |")]
        assert line.endswith(f"| {life} |")
    assert f"max({FLOOR:g}, 2 ^" in PAGE
    assert f"A new one begins at {START:g}." in PAGE
    assert f"adds {REINFORCEMENT:g}," in PAGE
    assert f"The last {KEPT_ACCESSES} uses" in PAGE
    assert f"the newest {KEPT_VERSIONS} versions" in PAGE
    assert f"After {KEPT / DAY:g} days" in PAGE
