"""The words of the language's units: four dimensions, labels that count as 1, and shares.

A label says what is counted (tokens, requests, GPUs). It multiplies and divides like a unit and is shown with the
result, but it is worth 1: a plain number may be given where a label is meant.
"""

from types import MappingProxyType

from calculator.core import units

DIMENSIONS = MappingProxyType({"B": "byte", "FLOP": "FLOP", "s": "second", "USD": "USD"})
"""Base symbol of each dimension, and its name."""

BINARY = ("KiB", "MiB", "GiB", "TiB", "PiB")
DECIMAL = ("KB", "MB", "GB", "TB", "PB")
BITS = ("kb", "Mb", "Gb", "Tb")
OPERATIONS = ("kFLOP", "MFLOP", "GFLOP", "TFLOP", "PFLOP", "EFLOP")

_BYTE, _FLOP, _SECOND = "B", "FLOP", "s"

SCALED: MappingProxyType[str, tuple[float, str]] = MappingProxyType(
    {
        **dict(
            zip(
                DECIMAL, [(factor, _BYTE) for factor in (units.KB, units.MB, units.GB, units.TB, units.PB)], strict=True
            )
        ),
        **dict(
            zip(
                BINARY,
                [(factor, _BYTE) for factor in (units.KIB, units.MIB, units.GIB, units.TIB, units.PIB)],
                strict=True,
            )
        ),
        "bit": (1 / units.BITS_PER_BYTE, _BYTE),
        **{
            f"{prefix}b": (factor / units.BITS_PER_BYTE, _BYTE)
            for prefix, factor in zip("kMGT", (1e3, 1e6, 1e9, 1e12), strict=True)
        },
        **dict(zip(OPERATIONS, [(10.0**power, _FLOP) for power in (3, 6, 9, 12, 15, 18)], strict=True)),
        "ns": (1e-9, _SECOND),
        "µs": (units.US, _SECOND),
        "ms": (units.MS, _SECOND),
        "min": (units.MINUTE_S, _SECOND),
        "h": (units.HOUR_S, _SECOND),
        "day": (units.DAY_S, _SECOND),
        "week": (7 * units.DAY_S, _SECOND),
        "year": (units.YEAR_S, _SECOND),
        "ktok": (1e3, "tok"),
        "Mtok": (1e6, "tok"),
        "Btok": (1e9, "tok"),
        "Ttok": (1e12, "tok"),
    }
)
"""Symbol, the number of base units in it, and the base symbol."""

SHARES = MappingProxyType({"%": 0.01, "pp": 0.01})

_PLAIN_LABELS = (
    "replica",
    "layer",
    "step",
    "block",
    "node",
    "adapter",
    "chunk",
    "item",
    "page",
    "user",
    "core",
    "job",
    "head",
    "expert",
    "shard",
    "sample",
    "slot",
    "comparison",
    "pair",
    "rank",
    "worker",
    "event",
    "failure",
    "interruption",
    "prompt",
    "session",
    "turn",
    "tenant",
    "drive",
    "example",
    "param",
    "document",
)


def _plural(word: str) -> str:
    return word[:-1] + "ies" if word.endswith("y") else word + "s"


_LABEL_WORDS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "tok": (("tok", "token"), ("toks", "tokens")),
    "req": (("req", "request"), ("reqs", "requests")),
    "seq": (("seq", "sequence"), ("seqs", "sequences")),
    "GPU": (("GPU", "gpu"), ("GPUs", "gpus")),
    "query": (("query",), ("queries",)),
    **{label: ((label,), (_plural(label),)) for label in _PLAIN_LABELS},
}
_LABEL_WORDS["document"] = (("document", "doc"), ("documents", "docs"))

LABELS = frozenset(_LABEL_WORDS)
LABEL_WORDS = frozenset(word for forms in _LABEL_WORDS.values() for form in forms for word in form)
PLURAL_LABELS = frozenset(word for _, plurals in _LABEL_WORDS.values() for word in plurals)

_OTHER_SPELLINGS = {
    "B": "byte bytes",
    "KB": "kB",
    "bit": "bits",
    "kb": "kbit Kb",
    "Mb": "Mbit",
    "Gb": "Gbit",
    "Tb": "Tbit",
    "µs": "us",
    "s": "sec second seconds",
    "min": "minute minutes",
    "h": "hr hour hours",
    "day": "days",
    "week": "weeks",
    "year": "years",
    "USD": "usd dollar dollars",
    "%": "percent",
    "ktok": "ktoken ktokens",
    "Mtok": "Mtoken Mtokens",
    "Btok": "Btoken Btokens",
    "Ttok": "Ttoken Ttokens",
    **{symbol: f"{symbol}s" for symbol in ("FLOP", *OPERATIONS)},
}

_COMPOUND_LABELS = ("GPU", "node", "core", "replica")
_COMPOUND_TIMES = {
    "s": ("s", "second"),
    "min": ("min", "minute"),
    "h": ("hour", "h"),
    "day": ("day",),
    "year": ("year",),
}


def _words() -> dict[str, tuple[str, ...]]:
    words: dict[str, tuple[str, ...]] = {symbol: (symbol,) for symbol in (*DIMENSIONS, *SCALED, *SHARES)}
    for symbol, spellings in _OTHER_SPELLINGS.items():
        words.update(dict.fromkeys(spellings.split(), (symbol,)))
    for label, (singular, plural) in _LABEL_WORDS.items():
        words.update(dict.fromkeys((*singular, *plural), (label,)))
    for label in _COMPOUND_LABELS:
        for unit, times in _COMPOUND_TIMES.items():
            for time in times:
                words[f"{label}-{time}"] = (label, unit)
                if len(time) > 1:
                    words[f"{label}-{time}s"] = (label, unit)
    return words


WORDS: MappingProxyType[str, tuple[str, ...]] = MappingProxyType(_words())
"""Every word that may stand after a number, and the symbols whose product it is ("GPU-hours" is GPU times h)."""

COMPOUNDS = {
    (label, symbol): f"{label}-{spellings[0]}"
    for label in _COMPOUND_LABELS
    for symbol, spellings in _COMPOUND_TIMES.items()
    if symbol != "s"
}
"""How a label times a time is shown: GPU-hour, but tok/s/GPU."""

RESERVED = frozenset(word for word in WORDS if word not in LABEL_WORDS and "-" not in word)
"""Words of dimensions and shares: no line may be named so. Labels may: the word then means the line."""

HINTS = MappingProxyType(
    {
        **{
            f"{prefix}FLOPS": f"'{prefix}FLOPS' can be read two ways: {prefix}FLOP/s is a rate, {prefix}FLOP an amount"
            for prefix in ("", "G", "T", "P", "E")
        },
        "k": "'k' alone is no unit: write 128e3, or 131072 if you mean 128 x 1024",
        "K": "'K' alone is no unit: write 128e3, or 131072 if you mean 128 x 1024",
        "M": "'M' alone is no unit: write e6, as in 15e6",
        "G": "'G' alone is no unit: write GB or GiB for bytes, or e9",
        "T": "'T' alone is no unit: write TB or TiB for bytes, or e12",
        "bn": "'bn' is no unit: write e9, as in 70e9",
        "m": "'m' is no unit: write min for minutes, ms for milliseconds",
        "d": "'d' is no unit: write day",
        "x": "'x' is no operator: multiply with *",
        "gb": "'gb' can be read two ways: write GB for bytes, Gb for bits",
        "mb": "'mb' can be read two ways: write MB for bytes, Mb for bits",
        "tb": "'tb' can be read two ways: write TB for bytes, Tb for bits",
        "b": "'b' can be read two ways: write B for bytes, bit for bits",
        "month": "months differ in length: write days, as in 30 days",
        "months": "months differ in length: write days, as in 30 days",
        "GBps": "write GB/s",
        "Gbps": "write Gb/s",
        "GiBps": "write GiB/s",
        "TBps": "write TB/s",
    }
)
"""What to write in place of words that look like units and are none."""
