"""list_types.py KERN F.kern: a list that `same` of F.kern returns has the type, the
shape and the values that np.array gives it."""

import subprocess
import sys

import numpy as np

PLAIN = ["[1, 2, 3]", "[[1, 2], [3, 4]]", "[1, 2.5]", "[1, 2j]", "[True, False]",
         "[True, 2]", "[True, 2.5]", "[]", "[[], []]", "[[[1]], [[2]]]", "[-1, 0]",
         "[1,2,]", "[1_000, 0x10]", "[(1+2j), 0.5]", "[1e3]", " [ 1 ] "]
TYPED = {"f32([1, 2.5])": np.array([1, 2.5], "f4"),
         "u8([[1], [255]])": np.array([[1], [255]], "u1"),
         "c64([1j])": np.array([1j], "c8"),
         "[i16(1), i16(-2)]": np.array([1, -2], "i2"),
         "[nan, inf, -inf]": np.array([np.nan, np.inf, -np.inf])}

rows = {text: np.array(eval(text)) for text in PLAIN} | TYPED
differences = 0
for text, wanted in rows.items():
    done = subprocess.run([sys.argv[1], "run", sys.argv[2], "same", "-o", "out.npy",
                           "--", text.strip()], capture_output=True, text=True)
    got = np.load("out.npy") if done.returncode == 0 else done.stderr
    same = (isinstance(got, np.ndarray) and got.dtype == wanted.dtype
            and got.shape == wanted.shape
            and np.array_equal(got, wanted, equal_nan=True))
    if not same:
        differences += 1
        print(f"{text}: {got!r}, not {wanted!r}")
print(f"{len(rows)} lists, {differences} differences")
