"""Port: turning text into vectors."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]
"""Shape (texts, dimension), each row of length 1."""


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """`digest` (SHA-256 of the model file) stands beside every vector: another digest means embedding again."""

    name: str
    dimension: int
    max_tokens: int
    digest: str


class EmbeddingPort(Protocol):
    @property
    def model(self) -> ModelInfo: ...

    async def start(self) -> None:
        """Have the model ready before the first question. Never raises for what `query` would raise for."""
        ...

    async def query(self, text: str) -> Vectors:
        """One row. Never waits behind `passages`. Raises EnvironmentFault when the model can't run."""
        ...

    async def passages(self, texts: Sequence[str]) -> Vectors:
        """At most 64 texts; runs at low priority in another process."""
        ...

    async def close(self) -> None: ...
