"""Writes the reference files of TextEncodersTest, with ONNX Runtime and tokenizers for Python.

Usage: make-references.py MODEL.onnx TOKENIZER.json FOLDER

MODEL and TOKENIZER are the files of all-MiniLM-L6-v2 (quantized) that alfamix includes.
"""

import hashlib
import json
import pathlib
import random
import sys

import numpy as np
import onnx
import onnxruntime
import tokenizers
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors, trainers

MODEL, TOKENIZER, FOLDER = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])

SENTENCES = [
    "The invoice for March is wrong, please refund it.",
    "My card was charged twice!",
    "Die Rechnung für März ist falsch, bitte erstatten Sie den Betrag.",
    "Der Drucker im zweiten Stock hat kein Papier mehr.",
    "La facture de mars est erronée, merci de la rembourser.",
    "Счёт за март неверный, верните деньги.",
    "三月的发票有误，请退款。",
    "मार्च का बिल गलत है, कृपया पैसे वापस करें।",
    "فاتورة شهر مارس خاطئة، يرجى رد المبلغ.",
    "החשבונית של מרץ שגויה, אנא החזירו את הכסף.",
    "三月の請求書が間違っています。返金してください。",
    "ใบแจ้งหนี้เดือนมีนาคมไม่ถูกต้อง โปรดคืนเงิน",
    "3월 청구서가 잘못되었습니다. 환불해 주세요.",
    "",
    " ",
    "\n\t ",
    "?",
    "a",
    "I can't log in 😡😡 — error #4711 (see https://example.org/help?id=1&x=2)",
    "naïve café, co-operate; don't",
]


def odd_strings():
    """Returns pairs of a text and how often it is repeated."""
    draw = random.Random(27)
    ranges = [
        (0x00, 0x7F),  # with control characters
        (0x80, 0x24F),  # Latin
        (0x300, 0x36F),  # combining marks
        (0x370, 0x52F),  # Greek, Cyrillic
        (0x590, 0x6FF),  # Hebrew, Arabic
        (0x900, 0x97F),  # Devanagari
        (0xE00, 0xE7F),  # Thai
        (0x1100, 0x11FF),  # Hangul letters
        (0x2000, 0x206F),  # spaces, directions, zero-width characters
        (0x3040, 0x30FF),  # Japanese
        (0x4E00, 0x4FFF),  # Chinese
        (0xAC00, 0xACFF),  # Hangul
        (0xF900, 0xFAFF),  # compatibility ideographs
        (0xFF00, 0xFFEF),  # full width
        (0x1D400, 0x1D4FF),  # mathematical letters
        (0x1F300, 0x1F64F),  # emoji
        (0x20000, 0x200FF),  # rare ideographs
        (0xE000, 0xE0FF),  # private use
    ]
    result = [(text, 1) for text in SENTENCES]
    result += [
        ("\x00", 1), ("a\x00b", 1), ("\ufeffmark", 1), ("\ufffd", 1), ("\u202eright to left", 1),
        ("👨‍👩‍👧‍👦 family", 1), ("🇩🇪🇫🇷", 1), ("e\u0301 é", 1), ("ﬁ ligature", 1), ("İstanbul ıI", 1),
        ("[CLS] [SEP] [MASK] [PAD] [UNK]", 1), ("<s></s><mask>", 1), ("##ing ##s", 1),
        ("x" * 99, 1), ("x" * 100, 1), ("x" * 101, 1), ("\r\n\r\n", 1), ("1234567890" * 20, 1),
        ("word ", 20_000), ("x", 100_000), ("你好", 50_000), ("😀", 25_000), ("a\u0301", 50_000),
        ("\n", 100_000), ("ab,", 33_334), ("שלום ", 20_000),
    ]
    while len(result) < 1000:
        kinds = draw.sample(ranges, draw.randint(1, 4))
        text = "".join(
            chr(draw.randint(*draw.choice(kinds))) if draw.random() > 0.2 else " "
            for _ in range(draw.randint(1, 60)))
        result.append((text, 1))
    return result


def write_tokens(path, tokenizer):
    lines = []
    for text, times in odd_strings():
        ids = tokenizer.encode(text * times).ids
        digest = hashlib.sha256(",".join(map(str, ids)).encode()).hexdigest()[:16]
        lines.append(json.dumps({"text": text, "times": times, "count": len(ids), "ids": digest}))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def features(session, tokenizer, texts, pooling, normalize):
    names = [i.name for i in session.get_inputs()]
    rows = []
    for text in texts:
        ids = np.array([tokenizer.encode(text).ids], np.int64)
        feed = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        tokens = session.run(None, {n: feed[n] for n in names})[0][0]
        row = {"mean": tokens.mean(0), "cls": tokens[0], "max": tokens.max(0)}[pooling]
        rows.append(row / np.linalg.norm(row) if normalize else row)
    return np.array(rows, np.float32)


def open_tokenizer(path, tokens=None):
    tokenizer = Tokenizer.from_file(str(path))
    tokenizer.no_padding()
    tokenizer.enable_truncation(tokens) if tokens else tokenizer.no_truncation()
    return tokenizer


def open_session(path):
    """Opens a model without the fused operations that differ between versions of ONNX Runtime."""
    unstable = ["LayerNormFusionL1", "LayerNormFusionL2", "SimplifiedLayerNormFusion"]
    return onnxruntime.InferenceSession(
        str(path), providers=["CPUExecutionProvider"], disabled_optimizers=unstable)


def tiny_model(path, vocabulary, inputs):
    """Writes a model that looks up a vector for each token, and adds the mean of all."""
    draw = np.random.default_rng(7)
    table = numpy_helper.from_array(draw.normal(size=(vocabulary, 6)).astype(np.float32), "table")
    nodes = [
        helper.make_node("Gather", ["table", "input_ids"], ["vectors"]),
        helper.make_node("Cast", ["attention_mask"], ["mask"], to=TensorProto.FLOAT),
        helper.make_node("Unsqueeze", ["mask", "axis"], ["column"]),
        helper.make_node("Mul", ["vectors", "column"], ["masked"]),
        helper.make_node("ReduceMean", ["masked"], ["mean"], axes=[1], keepdims=1),
        helper.make_node("Add", ["masked", "mean"], ["last_hidden_state"]),
    ]
    graph = helper.make_graph(
        nodes, "tiny",
        [helper.make_tensor_value_info(name, TensorProto.INT64, ["texts", "tokens"]) for name in inputs],
        [helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, ["texts", "tokens", 6])],
        [table, numpy_helper.from_array(np.array([2], np.int64), "axis")])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)])
    model.ir_version = 8
    onnx.save(model, str(path))


def roberta():
    tokenizer = Tokenizer(models.BPE(unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.train_from_iterator(SENTENCES, trainers.BpeTrainer(
        vocab_size=400, special_tokens=["<s>", "<pad>", "</s>", "<unk>", "<mask>"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), show_progress=False))
    tokenizer.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0))
    return tokenizer


def xlm_roberta():
    tokenizer = Tokenizer(models.Unigram())
    tokenizer.normalizer = normalizers.Sequence([normalizers.NFKC(), normalizers.Replace(tokenizers.Regex(" {2,}"), " ")])
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.train_from_iterator(SENTENCES, trainers.UnigramTrainer(
        vocab_size=300, special_tokens=["<s>", "<pad>", "</s>", "<unk>"], unk_token="<unk>", show_progress=False))
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", pair="<s> $A </s> </s> $B </s>", special_tokens=[("<s>", 0), ("</s>", 2)])
    return tokenizer


def mpnet():
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.train_from_iterator(SENTENCES, trainers.WordPieceTrainer(
        vocab_size=300, special_tokens=["<s>", "<pad>", "</s>", "<unk>", "[UNK]"], show_progress=False))
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", pair="<s> $A </s> </s> $B </s>", special_tokens=[("<s>", 0), ("</s>", 2)])
    return tokenizer


def main():
    tokenizer = open_tokenizer(TOKENIZER)
    write_tokens(FOLDER / "minilm-tokens.jsonl", tokenizer)
    session = open_session(MODEL)
    (FOLDER / "sentences.json").write_text(json.dumps({"sentences": SENTENCES}), encoding="utf-8")
    np.save(FOLDER / "minilm.npy", features(session, open_tokenizer(TOKENIZER, 256), SENTENCES, "mean", True))
    for name, make, inputs, pooling, normalize in [
            ("roberta", roberta, ["input_ids", "attention_mask"], "cls", False),
            ("xlm-roberta", xlm_roberta, ["input_ids", "attention_mask"], "mean", True),
            ("mpnet", mpnet, ["input_ids", "attention_mask"], "max", True)]:
        folder = FOLDER / name
        folder.mkdir(exist_ok=True)
        tokenizer = make()
        tokenizer.save(str(folder / "tokenizer.json"))
        tiny_model(folder / "model.onnx", tokenizer.get_vocab_size(), inputs)
        (folder / "1_Pooling").mkdir(exist_ok=True)
        (folder / "1_Pooling" / "config.json").write_text(json.dumps({
            "word_embedding_dimension": 6, "pooling_mode_cls_token": pooling == "cls",
            "pooling_mode_mean_tokens": pooling == "mean", "pooling_mode_max_tokens": pooling == "max"}) + "\n")
        types = ["Transformer", "Pooling"] + (["Normalize"] if normalize else [])
        (folder / "modules.json").write_text(json.dumps(
            [{"idx": i, "type": "sentence_transformers.models." + t} for i, t in enumerate(types)]) + "\n")
        (folder / "config.json").write_text(json.dumps(
            {"model_type": name, "max_position_embeddings": 34}) + "\n")
        session = open_session(folder / "model.onnx")
        np.save(folder / "features.npy", features(
            session, open_tokenizer(folder / "tokenizer.json", 32), SENTENCES, pooling, normalize))
        write_tokens(folder / "tokens.jsonl", open_tokenizer(folder / "tokenizer.json"))


main()
