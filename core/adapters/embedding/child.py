"""What runs inside an embedding worker: the tokenizer and the encoder, one text at a time."""

import hashlib
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from tokenizers import Tokenizer

from core.adapters.embedding.model import ENCODER, TOKENIZER, described
from core.adapters.workers.channel import Channel
from core.adapters.workers.frames import Frame
from core.ports.embedding import Vectors

# Since 1.29 it reports its use to its maker, under a number that it keeps in the person's home, unless it is told not
# to before it is loaded. Windows has another switch.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"
import onnxruntime as _onnxruntime  # pyright: ignore[reportMissingTypeStubs]

onnxruntime: Any = _onnxruntime  # it has no types
onnxruntime.disable_telemetry_events()


class Encoder:
    """A loaded model. Raises ValueError when the encoder's bytes are not those that its description names."""

    def __init__(self, folder: Path, threads: int) -> None:
        self.info = described(folder)
        weights = (folder / ENCODER).read_bytes()
        if hashlib.sha256(weights).hexdigest() != self.info.digest:
            raise ValueError("the encoder was changed")
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        options.enable_cpu_mem_arena = False  # an arena keeps the largest batch's memory for good
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        self._session = onnxruntime.InferenceSession(weights, options, providers=["CPUExecutionProvider"])
        self._tokenizer: Any = Tokenizer.from_file(str(folder / TOKENIZER))
        self._tokenizer.enable_truncation(self.info.max_tokens)
        self._tokenizer.no_padding()

    def vectors(self, texts: Sequence[str]) -> Vectors:
        """Rows of length 1. One text a run: the encoder rounds activations to the range of the whole batch, so a
        text's row would depend on its neighbours, and padding costs more than batches save."""
        rows = np.zeros((len(texts), self.info.dimension), np.float32)
        for row, text in enumerate(texts):
            tokens = np.array([self._tokenizer.encode(text).ids], np.int64)
            rows[row] = self._session.run(None, {"input_ids": tokens, "attention_mask": np.ones_like(tokens)})[0][0]
        return rows


def serve(channel: Channel) -> None:
    """Answer {"model": folder, "threads": n, "texts": […]} with the rows as float32 bytes, in order."""
    loaded: dict[tuple[str, int], Encoder] = {}

    def answer(request: Frame) -> Frame:
        folder, threads = str(request.header["model"]), int(request.header["threads"])
        encoder = loaded.get((folder, threads))
        if encoder is None:
            loaded.clear()
            encoder = loaded[folder, threads] = Encoder(Path(folder), threads)
        rows = encoder.vectors(request.header["texts"])
        return Frame({"rows": len(rows)}, rows.tobytes())

    channel.answer(answer)
