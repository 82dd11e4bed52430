"""The model in resources/model is the one that was built, and it tells meanings apart."""

import hashlib
import tomllib
from pathlib import Path

import numpy as np
import pytest
from tokenizers import Tokenizer

from core.adapters.embedding.child import onnxruntime

FOLDER = Path(__file__).resolve().parents[2] / "resources" / "model"
DESCRIPTION = tomllib.loads((FOLDER / "model.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json"])
def test_file_is_the_built_one(name: str) -> None:
    assert hashlib.sha256((FOLDER / name).read_bytes()).hexdigest() == DESCRIPTION["sha256"][name]


def test_two_alike_are_nearer_than_two_unlike() -> None:
    texts = ["The patient may not drive after the operation.", "Driving is forbidden once surgery is over."]
    texts += ["The printer on the second floor needs a new cartridge."]
    tokenizer = Tokenizer.from_file(str(FOLDER / "tokenizer.json"))
    tokenizer.enable_truncation(DESCRIPTION["max_tokens"])
    tokenizer.enable_padding()
    encoded = tokenizer.encode_batch(texts)
    session = onnxruntime.InferenceSession(FOLDER / "model.onnx", providers=["CPUExecutionProvider"])
    inputs = {
        "input_ids": np.array([one.ids for one in encoded], np.int64),
        "attention_mask": np.array([one.attention_mask for one in encoded], np.int64),
    }
    vectors = np.asarray(session.run(["embedding"], inputs)[0])
    assert vectors.shape == (3, DESCRIPTION["dimension"])
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    cosines = vectors @ vectors.T
    assert cosines[0, 1] > 0.6  # 0.69 in full precision
    assert cosines[0, 2] < 0.2
    assert cosines[1, 2] < 0.2
