"""Numba's names of types, for signatures: `float64(float64)`, `int32[:, :]`.

`from kern.types import float64`, `kern.float64` and Numba's own objects are the
same to kern.vectorize and kern.guvectorize. Short names count bytes, as
Numba's do: `i8` is 64 bits wide.
"""

from kern._signatures import NAMES

globals().update(NAMES)

__all__ = sorted(NAMES)
