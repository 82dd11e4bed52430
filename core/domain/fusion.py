"""Joining two rankings, and asking again with what was found."""

from collections.abc import Hashable, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

K = 10  # of reciprocal rank fusion; the usual 60 blurs first places
FEEDBACK = 5  # passages that speak for what is meant
FEEDBACK_WEIGHT = 1.0

Key = TypeVar("Key", bound=Hashable)


def reciprocal_ranks(rankings: Sequence[Sequence[Key]], k: int = K) -> list[tuple[Key, float]]:
    """Best first, with scores: the sum of 1 / (k + rank) over the rankings; of equals, the first ranking's order leads.

    Source: Cormack, Clarke and Büttcher 2009.
    """
    scores: dict[Key, float] = {}
    for ranking in rankings:
        for rank, key in enumerate(ranking, 1):
            scores[key] = scores.get(key, 0.0) + 1.0 / (k + rank)
    return sorted(scores.items(), key=lambda pair: -pair[1])  # stable: in order of first appearance


def with_feedback(question: NDArray[np.float32], found: NDArray[np.float32]) -> NDArray[np.float32]:
    """The question's vector (shape (1, dimension)) moved towards the mean of passages that were found first for it.

    Source: Rocchio 1971, pseudo-relevance feedback without negative examples.
    """
    if len(found) == 0:
        return question
    moved = question + FEEDBACK_WEIGHT * found.mean(axis=0, keepdims=True)
    return (moved / max(float(np.linalg.norm(moved)), 1e-9)).astype(np.float32)
