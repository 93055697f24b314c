"""npy_write.py FILE EXPR: saves what a NumPy expression gives."""

import sys

import numpy as np

np.save(sys.argv[1], eval(sys.argv[2], {"np": np}))
