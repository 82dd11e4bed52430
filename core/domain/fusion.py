"""Joining two rankings, and asking again with what was found."""

from collections.abc import Hashable, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

K = 10  # of reciprocal rank fusion; the usual 60 blurs first places
FEEDBACK = 5  # passages that speak for what is meant
FEEDBACK_WEIGHT = 1.0
AGREEING = 3  # of the first ten of both rankings: fewer, and what came first says nothing about what is meant
COVERED = 1 / 3  # of a question: what a ranking by words has to cover to count as much as one by meaning

Key = TypeVar("Key", bound=Hashable)


def reciprocal_ranks(
    rankings: Sequence[Sequence[Key]], weights: Sequence[float] | None = None, k: int = K
) -> list[tuple[Key, float]]:
    """Best first, with scores: the sum of weight / (k + rank) over the rankings; of equals, the first ranking's order
    leads.

    Source: Cormack, Clarke and Büttcher 2009.
    """
    scores: dict[Key, float] = {}
    for ranking, weight in zip(rankings, weights or [1.0] * len(rankings), strict=True):
        for rank, key in enumerate(ranking, 1):
            scores[key] = scores.get(key, 0.0) + weight / (k + rank)
    return sorted(scores.items(), key=lambda pair: -pair[1])  # stable: in order of first appearance


def agree(one: Sequence[Key], other: Sequence[Key]) -> bool:
    """Whether two rankings found the same things first."""
    return len(set(one[:10]) & set(other[:10])) >= AGREEING


def weight_of_words(covered: float) -> float:
    """What a ranking by words counts beside one by meaning: little where its best passages hold little of what was
    asked (`covered`, 0 to 1), since another passage happens to have one of the words then."""
    return min(1.0, covered / COVERED)


def with_feedback(question: NDArray[np.float32], found: NDArray[np.float32]) -> NDArray[np.float32]:
    """The question's vector (shape (1, dimension)) moved towards the mean of passages that were found first for it.

    Source: Rocchio 1971, pseudo-relevance feedback without negative examples.
    """
    if len(found) == 0:
        return question
    moved = question + FEEDBACK_WEIGHT * found.mean(axis=0, keepdims=True)
    return (moved / max(float(np.linalg.norm(moved)), 1e-9)).astype(np.float32)
