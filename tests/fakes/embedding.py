"""An EmbeddingPort without a model: texts with the same words have the same direction."""

import zlib
from collections.abc import Sequence

import numpy as np

from core.ports.embedding import ModelInfo, Vectors

DIMENSION = 384


class WordHashes:
    """Each word adds one to a component chosen by its checksum."""

    model = ModelInfo("word-hashes", DIMENSION, 256, "0" * 64)

    async def start(self) -> None:
        """There is nothing to make ready."""

    async def query(self, text: str) -> Vectors:
        return await self.passages([text])

    async def passages(self, texts: Sequence[str]) -> Vectors:
        vectors = np.zeros((len(texts), DIMENSION), np.float32)
        for row, text in enumerate(texts):
            for word in text.lower().split():
                vectors[row, zlib.crc32(word.encode()) % DIMENSION] += 1
            vectors[row, 0] += 0.001  # no text is nothing
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)

    async def close(self) -> None:
        """Nothing is held."""
