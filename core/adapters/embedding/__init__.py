"""Turning text into vectors with a model that lies in a folder: ONNX encoder, tokenizer, description."""
