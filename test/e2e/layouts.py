"""Arrays of every memory layout."""

import numpy as np

LAYOUTS = ["C", "Fortran", "sliced", "reversed", "transposed", "zero-stride",
           "offset", "inner-slice"]


def values(rng, shape, dtype):
    """Random values whose sums, differences and products are exact."""
    dtype = np.dtype(dtype)
    if dtype == np.bool_:
        return rng.integers(0, 2, shape).astype(bool)
    low = 0 if dtype.kind == "u" else -50
    return rng.integers(low, 100, shape).astype(dtype)


def array(rng, shape, dtype, layout):
    """An array of that shape in the memory layout `layout`."""
    shape = tuple(shape)
    ndim = len(shape)
    if ndim == 0:
        return np.array(values(rng, (), dtype))
    if layout == "C":
        return values(rng, shape, dtype)
    if layout == "Fortran":
        return np.asfortranarray(values(rng, shape, dtype))
    if layout == "sliced":
        steps = rng.integers(1, 4, ndim)
        base = values(
            rng, [n * s + 1 for n, s in zip(shape, steps)], dtype)
        return base[tuple(slice(1, 1 + n * s, s)
                          for n, s in zip(shape, steps))]
    if layout == "reversed":
        flip = rng.integers(0, 2, ndim)
        flip[rng.integers(ndim)] = 1
        return values(rng, shape, dtype)[
            tuple(slice(None, None, -1 if f else 1) for f in flip)]
    if layout == "transposed":
        order = rng.permutation(ndim)
        inverse = np.argsort(order)
        return values(
            rng, [shape[i] for i in order], dtype).transpose(inverse)
    if layout == "zero-stride":
        pick = rng.integers(0, 2, ndim)
        pick[rng.integers(ndim)] = 1
        base = values(
            rng, [1 if p else n for n, p in zip(shape, pick)], dtype)
        return np.broadcast_to(base, shape)
    if layout == "offset":
        count = int(np.prod(shape))
        start = int(rng.integers(1, 8))
        return values(rng, (count + start,), dtype)[start:].reshape(shape)
    if layout == "inner-slice":
        base = values(rng, shape[:-1] + (shape[-1] + 5,), dtype)
        return base[..., 3:3 + shape[-1]]
    raise ValueError(layout)


def writable(rng, shape, dtype, layout):
    """The same for outputs, with the whole memory behind it."""
    if layout == "zero-stride":
        layout = "C"
    result = array(rng, shape, dtype, layout)
    base = result
    while isinstance(base.base, np.ndarray):
        base = base.base
    return result, base
