"""Integers that a body computes with few bits, since they cannot be larger: sums
and products around the limits of each type, compared, converted and stored, in
the lanes of a vector, against NumPy's 64 bits."""

import numpy as np

CELLS = {"i8": np.int8, "u8": np.uint8, "i16": np.int16, "u16": np.uint16,
         "i32": np.int32}
FACTORS = (1, -1, 2, 127, 128, -128, -129, 255, 256, 32767, 32768, -32768,
           -32769, 65536)
COUNTS = (1, 2, 3, 127, 128, 129, 130, 257)
RESULTS = {
    "stored": ("i16(s)", np.int16),
    "bytes": ("u8(s)", np.uint8),
    "real": ("f32(s)", np.float32),
    "unsigned": ("f64(u32(s))", np.float64),
    "bits": ("i16((s & 255) ^ (s | 3))", np.int16),
    "least": ("i16(min(max(s, {low}), {high}))", np.int16),
    "chosen": ("u8(1 if s > {high} or s < {low} else (7 if s == {low} else 0))",
               np.uint8),
    "difference": ("i8({high} - s)", np.int8),
}


def expected(result, s, low, high):
    s = s.astype(np.int64)
    match result:
        case "unsigned":
            return s.astype(np.uint32).astype(np.float64)
        case "bits":
            s = (s & 255) ^ (s | 3)
        case "least":
            s = np.minimum(np.maximum(s, low), high)
        case "chosen":
            s = np.where((s > high) | (s < low), 1, np.where(s == low, 7, 0))
        case "difference":
            s = high - s
    return s.astype(RESULTS[result][1])


def function(name, cell, factor, count, result, low, high):
    value, dtype = RESULTS[result]
    value = value.format(low=low, high=high)
    out = {"int16": "i16", "uint8": "u8", "float32": "f32", "float64": "f64",
           "int8": "i8"}[np.dtype(dtype).name]
    return f"""
gufunc {name}(x: {cell}[n]) -> (y: {out}[n - {count - 1}]):
    for i in prange(n - {count - 1}):
        s = 0
        for k in range({count}):
            if k != 1:
                s += i64(x[i + k]) * {factor}
        y[i] = {value}

ufunc {name}_alone(x: {cell}) -> {out}:
    s = 0
    for k in range({count}):
        s += i64(x) * {factor} if k != 1 else 0
    return {value}
"""


def sums(cell):
    def case(ctx):
        def run(t):
            rng = ctx.rng(41)
            info = np.iinfo(CELLS[cell])
            rows = []
            for factor in FACTORS:
                for count in rng.choice(COUNTS, 3, replace=False):
                    result = str(rng.choice(list(RESULTS)))
                    most = factor * int(info.max) * max(int(count) - 1, 1)
                    low, high = sorted(int(v) for v in rng.choice(
                        [0, -1, most, most // 2, 32767, -32768, 128, -129], 2))
                    rows.append((factor, int(count), result, low, high))
            source = "".join(function(f"sum_{k}", cell, *row)
                             for k, row in enumerate(rows))
            for n in (300, 323):
                x = rng.integers(info.min, info.max, n, CELLS[cell], endpoint=True)
                ends = rng.choice(np.array([info.min, info.max, 0], CELLS[cell]), n)
                for v in (x, ends, np.full(n, info.max, CELLS[cell]),
                          np.full(n, info.min, CELLS[cell])):
                    for k, (factor, count, result, low, high) in enumerate(rows):
                        wide = v.astype(np.int64) * factor
                        rest = n - count + 1
                        s = sum((wide[j:j + rest] for j in range(count) if j != 1),
                                np.zeros(rest, np.int64))
                        label = f"{result} of {count} × {factor}"
                        t.same(label, ctx.call(source, f"sum_{k}", v),
                               expected(result, s, low, high))
                        s = wide * (count - (count > 1))
                        t.same(f"{label} alone", ctx.call(source, f"sum_{k}_alone", v),
                               expected(result, s, low, high))
        return run
    return case


STORED = """
ufunc chosen(x: u8, y: u8) -> u8:
    return u8((x if x != 0 else y) + 1)

ufunc halved(x: i8, y: u8) -> i8:
    return i8((i64(x) if x != 0 else i64(y)) - 3)
"""


def stored(ctx):
    """Ufuncs whose integers have few bits."""
    def run(t):
        x = np.arange(256).astype(np.uint8)
        y = x[::-1].copy()
        t.same("chosen", ctx.call(STORED, "chosen", x, y),
               np.where(x != 0, x, y) + np.uint8(1))
        t.same("halved", ctx.call(STORED, "halved", x.astype(np.int8), y),
               (np.where(x != 0, x.astype(np.int8), y.astype(np.int64)) - 3
                ).astype(np.int8))
    return run


def cases(ctx):
    yield "stored", stored(ctx)
    for cell in CELLS:
        yield cell, sums(cell)(ctx)
