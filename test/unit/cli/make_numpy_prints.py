#!/usr/bin/env python3
"""Writes NumpyPrints.inc: arrays and what NumPy's print() makes of them.

    python make_numpy_prints.py > NumpyPrints.inc

The printing rules are NumPy's own, so the expected texts come from NumPy 2.4.
"""

import numpy as np

NAMES = {
    "?": "Bool", "b": "I8", "B": "U8", "h": "I16", "H": "U16", "i": "I32",
    "I": "U32", "l": "I64", "L": "U64", "e": "F16", "f": "F32", "d": "F64",
    "F": "C64", "D": "C128",
}  # fmt: skip

INF, NAN = np.inf, np.nan
FLOATS = [
    0.0, -0.0, 1.0, -1.0, 0.1, -0.5, 100.0, 999.0, 1000.0, 1024.0, 65504.0,
    1e5, 123456.0, 999999.0, 1e6, 16777216.0, 1e7, 123456789.0, 1e15, 1e16,
    1e-3, 1e-4, 9.999e-5, 1e-5, 6e-8, 1 / 3, 2 / 3, np.pi, 1e22, 1.7e38,
    5e-324, 1.7976931348623157e308, INF, -INF, NAN,
]  # fmt: skip
COMPLEX = [
    0j, 1 + 2j, 2j, complex(-0.0, 2.0), complex(1, NAN), complex(INF, -1),
    complex(0.1, 1e20), complex(1, -INF), -1 - 0.5j, complex(0.0, -0.0),
    complex(1, -0.0), complex(NAN, 0),
]  # fmt: skip

ROWS = [
    ("d", [0.0, 1.0, 2.5]), ("d", [1.0, -1.0]), ("d", [0.1, 0.25, 100.0]),
    ("d", [1 / 3, 2 / 3]), ("d", [np.pi, np.e * 1e3]), ("d", [1e-5, 1.0]),
    ("d", [1e8, 1.0]), ("d", [99999999.0, 1e5]), ("d", [1.0, 1000.1]),
    ("d", [1e300, 1e-300]), ("d", [NAN, 1.0]), ("d", [INF, -1.5]),
    ("d", [-INF, 2.25]), ("d", [NAN, NAN]), ("d", [INF]), ("d", [-INF, NAN]),
    ("d", [0.0, -0.0]), ("d", [1.123456785, 2.0]), ("d", [0.000123456789, 0.05]),
    ("d", [1e-5, NAN]), ("d", [1e10, -INF]), ("d", [-1e-10, 5.0]),
    ("d", [123456.789, 0.5]), ("d", [1.5e16, 2.5e16]), ("d", [0.3989422804014327]),
    ("f", [0.1, 0.2, 1 / 3]), ("f", [1e6, 1.0]), ("f", [999999.0, 1e5]),
    ("f", [16777216.0, 3.0]), ("f", [1e-4, 0.05]), ("f", [9.9e-5, 0.05]),
    ("f", [3.4e38, 1e-45]), ("f", [np.pi, -np.e]), ("f", [1.0, 1000.0]),
    ("f", [1.0, 1000.1]), ("f", [0.33333334, 100.0]),
    ("f", [0.1, 1.23456789e-8]), ("e", [6e-8, 1.0, 1.2345]),
    ("e", [0.1, 0.3333, 2.0]), ("e", [1000.0, 1.0]), ("e", [6e-8, 1.0]),
    ("e", [999.0, 100.0]), ("e", [65504.0]), ("e", [0.5, NAN]),
    ("i", [1, -20, 300]), ("b", [-128, 127]), ("B", [0, 255]), ("h", [-32768, 5]),
    ("H", [65535, 1]), ("I", [4294967295]), ("l", [-(2**63), 2**63 - 1]),
    ("L", [2**64 - 1, 0]), ("?", [True, False]),
    ("D", [1 + 2j, 3.5 - 1j]), ("D", [complex(NAN, INF), 1j]), ("D", [1e10 + 1e-10j, 0j]),
    ("F", [0.1 + 0.2j, -1 / 3 + 1e3j]), ("F", [complex(1, -INF), 2j]),
]  # fmt: skip

GRIDS = [
    ("d", (2, 3)), ("f", (3, 1)), ("i", (2, 2, 2)), ("?", (2, 3)), ("l", (1, 1, 1)),
    ("d", (0,)), ("d", (2, 0, 3)), ("f", (40,)), ("l", (30,)), ("?", (20,)),
    ("f", (3, 30)), ("i", (1000,)), ("i", (1001,)), ("f", (2000,)), ("d", (50, 50)),
    ("B", (6, 200)), ("h", (7, 200)), ("i", (2, 2, 300)), ("h", (12, 9, 11)),
    ("D", (12,)), ("d", (1, 1, 2, 2)), ("d", (1, 1200)), ("f", (1200, 1)),
    ("L", (4, 26)), ("e", (25,)), ("?", (1100,)),
]  # fmt: skip


def ramp(code: str, shape: tuple) -> np.ndarray:
    """The values that the test computes for itself: 7 i mod 251, of floats the
    quarter, of bool the lowest bit."""
    values = np.arange(np.prod(shape, dtype=int)) * 7 % 251
    if code == "?":
        values = values % 2
    elif code in "efdFD":
        values = values / 4
    return values.astype(code).reshape(shape)


def emit(code: str, array: np.ndarray, is_ramp: bool) -> None:
    shape = ", ".join(map(str, array.shape))
    data = "" if is_ramp else np.ascontiguousarray(array).tobytes().hex()
    print(f'{{DType::{NAMES[code]}, {{{shape}}}, "{data}", {str(is_ramp).lower()},')
    print(f'R"({array!s})"}},')


def main() -> None:
    print(f"// Made by make_numpy_prints.py with NumPy {np.__version__}.")
    with np.errstate(all="ignore"):
        for code in "def":
            for value in FLOATS:
                emit(code, np.array(value).astype(code), False)
        for code in "DF":
            for value in COMPLEX:
                emit(code, np.array(value).astype(code), False)
        for code, values in ROWS:
            emit(code, np.array(values).astype(code) if code in "efF" else np.array(values, code), False)
    for code in "?bBhHilIL":
        emit(code, np.array(1, code), False)
    for code, shape in GRIDS:
        emit(code, ramp(code, shape), True)


if __name__ == "__main__":
    main()
