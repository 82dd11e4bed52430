"""A model's folder: model.onnx (pooled rows of length 1 come out), tokenizer.json, model.toml (name, sizes, hashes)."""

import tomllib
from pathlib import Path

from core.ports.embedding import ModelInfo

ENCODER = "model.onnx"
TOKENIZER = "tokenizer.json"
DESCRIPTION = "model.toml"


def described(folder: Path) -> ModelInfo:
    """What model.toml says. Raises OSError or ValueError where it is missing or doesn't say it."""
    said = tomllib.loads((folder / DESCRIPTION).read_text("utf-8"))
    try:
        return ModelInfo(
            str(said["name"]), int(said["dimension"]), int(said["max_tokens"]), str(said["sha256"][ENCODER])
        )
    except (KeyError, TypeError) as error:
        raise ValueError(f"{DESCRIPTION} lacks {error}") from error
