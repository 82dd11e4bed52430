"""The two networks of text recognition: where lines are, and what letters stand in a line.

Both come from PP-OCRv6 (Apache-2.0), as ONNX files in a folder. Nothing is ever fetched.
"""

import os
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from core.adapters.extraction.ocr_boxes import Box, boxes_in

# Before it is loaded: it reports its use to its maker otherwise, under a number that it keeps in the person's home.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"
import onnxruntime as _onnxruntime  # pyright: ignore[reportMissingTypeStubs]

onnxruntime: Any = _onnxruntime  # it has no types
onnxruntime.disable_telemetry_events()

LINES = "PP-OCRv6_det_small.onnx"
LETTERS = "PP-OCRv6_rec_small.onnx"

LONGEST, SHORTEST = 1_280, 320  # sides of what the network for lines sees, in pixels
STEP = 32  # they are whole multiples of it
MOST_THREADS = 4

Values = NDArray[np.float32]


def threads() -> int:
    """Processors for recognition: all but one, which the window keeps, and not so many that a laptop's fan starts."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(MOST_THREADS, cores - 1))


class Network:
    """A loaded ONNX file with one input and one output."""

    def __init__(self, file: Path) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads()
        options.inter_op_num_threads = 1
        options.enable_cpu_mem_arena = False  # an arena keeps the largest page's memory for good
        options.log_severity_level = 4
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        self._session = onnxruntime.InferenceSession(str(file), options, providers=["CPUExecutionProvider"])
        self._input: str = self._session.get_inputs()[0].name
        self.about: dict[str, str] = dict(self._session.get_modelmeta().custom_metadata_map)

    def run(self, values: Values) -> Values:
        return self._session.run(None, {self._input: values})[0]


def normalised(picture: Image.Image) -> Values:
    """Colour planes in the order blue, green, red, each from -1 to 1: [3, height, width]."""
    return np.ascontiguousarray(np.asarray(picture)[:, :, ::-1].transpose(2, 0, 1), np.float32) / 127.5 - 1.0


class LineFinder:
    """Finds lines of text in a picture, whichever way they run."""

    def __init__(self, folder: Path) -> None:
        self._network = Network(folder / LINES)

    def lines(self, picture: Image.Image) -> list[Box]:
        """Boxes of the lines in an RGB picture, in its pixels."""
        scale = min(1.0, LONGEST / max(picture.size))
        scale = max(scale, min(SHORTEST / min(picture.size), LONGEST / max(picture.size)))
        width, height = (max(STEP, round(side * scale / STEP) * STEP) for side in picture.size)
        size = (width, height)
        seen = picture if size == picture.size else picture.resize(size, Image.Resampling.BILINEAR)
        likelihood = self._network.run(normalised(seen)[np.newaxis])[0, 0]
        by_x, by_y = picture.width / size[0], picture.height / size[1]
        return [box.scaled(by_x, by_y) for box in boxes_in(likelihood)]
