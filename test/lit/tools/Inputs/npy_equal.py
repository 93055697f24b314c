"""npy_equal.py FILE EXPR: fails unless FILE holds exactly what EXPR gives."""

import sys

import numpy as np

found = np.load(sys.argv[1])
expected = np.asarray(eval(sys.argv[2], {"np": np, "load": np.load}))
if found.dtype != expected.dtype or found.shape != expected.shape:
    sys.exit(
        f"{sys.argv[1]}: {found.dtype} {found.shape}, expected {expected.dtype} {expected.shape}"
    )
np.testing.assert_array_equal(found, expected)
