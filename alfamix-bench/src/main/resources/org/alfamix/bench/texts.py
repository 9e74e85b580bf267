"""Encodes the lines of a JSON file with ONNX Runtime and tokenizers, as a Python user would.

Usage: texts.py FOLDER TEXTS.json BATCH THREADS

Prints the seconds, without loading. Batches contain texts of similar length; with a batch of 1, each thread encodes
texts one by one.
"""

import json
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import onnxruntime
from tokenizers import Tokenizer

folder, file, batch, threads = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
tokenizer = Tokenizer.from_file(folder + "/tokenizer.json")
tokenizer.no_padding()
tokenizer.enable_truncation(256)
options = onnxruntime.SessionOptions()
options.intra_op_num_threads = 1 if batch == 1 else threads
session = onnxruntime.InferenceSession(folder + "/model.onnx", options, providers=["CPUExecutionProvider"])
names = [i.name for i in session.get_inputs()]
with open(file, encoding="utf-8") as lines:
    texts = json.load(lines)


def encode(encodings):
    longest = max(len(e.ids) for e in encodings)
    ids = np.zeros((len(encodings), longest), np.int64)
    mask = np.zeros_like(ids)
    for row, encoding in enumerate(encodings):
        ids[row, : len(encoding.ids)] = encoding.ids
        mask[row, : len(encoding.ids)] = 1
    inputs = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
    tokens = session.run(None, {name: inputs[name] for name in names})[0]
    pooled = (tokens * mask[:, :, None]).sum(1) / mask.sum(1)[:, None]
    return pooled / np.linalg.norm(pooled, axis=1, keepdims=True)


def run():
    encodings = tokenizer.encode_batch(texts)
    order = sorted(range(len(texts)), key=lambda i: len(encodings[i].ids))
    groups = [[encodings[i] for i in order[at : at + batch]] for at in range(0, len(order), batch)]
    if batch == 1:
        with ThreadPoolExecutor(threads) as pool:
            return list(pool.map(encode, groups))
    return [encode(group) for group in groups]


encode(tokenizer.encode_batch(texts[:8]))
start = time.perf_counter()
run()
print(time.perf_counter() - start)
