"""Shapes and values for generated gufuncs, and the memory layouts of their arrays."""

import numpy as np

from elements import TYPES
from nest_evaluate import TooLong, Undefined
from nest_tree import BINS
from nest_types import LARGEST_NUMBER

SMALL = [1, 1, 2, 3, 4, 5, 7, 8, 9]
EXTENTS = [0, 1, 2, 3, 5, 7, 8, 13, 15, 16, 17, 31, 32, 33, 47, 63, 64, 65, 100,
           127, 128, 129, 255, 257]
LONG = [511, 1000, 1023, 1025, 2048, 2049, 4096, 4097]
LOOPS = [(), (1,), (2,), (3,), (5,), (7,), (17,), (31,), (33,), (64,), (65,),
         (129,), (257,), (1000,), (0,), (2, 3), (5, 1, 2), (4, 33), (3, 1),
         (2, 3, 4)]
LAYOUTS = 7
LARGEST = 300_000  # elements of an array


class Call:
    """The dimensions of one call, its loop shape, and its inputs by name."""

    def __init__(self, dims, loop, inputs, layout):
        self.dims, self.loop, self.inputs = dims, loop, inputs
        self.layout = layout

    def __str__(self):
        shapes = ", ".join(f"{n}: {a.shape} strides {a.strides}"
                           for n, a in self.inputs.items())
        return f"{self.dims}, loop {self.loop}; {shapes}"

    def expected(self, function):
        """(values, which are defined) of each array that the function gives or
        changes, then of the scalars it returns. Raises Undefined or TooLong."""
        # A smaller function may have fewer inputs.
        ranks = {a.name: self.inputs[a.name].ndim - len(a.extents)
                 for a in function.inputs()}
        loop = np.broadcast_shapes(*(self.inputs[name].shape[:rank]
                                     for name, rank in ranks.items()))
        count = int(np.prod(loop, dtype=np.int64))
        flat = {}
        for name, rank in ranks.items():
            held = self.inputs[name]
            held = held.reshape((1,) * (len(loop) - rank) + held.shape)
            core = held.shape[len(loop):]
            flat[name] = np.broadcast_to(held, loop + core).reshape(
                (count,) + core)
        run = function.evaluation(self.dims, count, flat)
        found = [run.result(a.name) for a in function.arrays
                 if a.role == "inout"]
        found += [run.result(a.name) for a in function.outputs()]
        found += [(r, None) for r in run.results]
        return [(v.reshape(loop + v.shape[1:]),
                 None if w is None else w.reshape(loop + v.shape[1:]))
                for v, w in found]


def numbers(rng, array, shape, order):
    t = TYPES[array.type]
    if array.holds == "bins":
        return rng.integers(0, BINS, shape).astype(t)
    if array.holds == "range":
        begin, step = int(rng.integers(-9, 9)), int(rng.choice([-2, -1, 1, 3]))
        one = begin + step * np.arange(shape[-1])
        return np.broadcast_to(one, shape).astype(t)
    if array.holds == "order":
        keys = rng.random(shape)
        return np.argsort(keys, -1).astype(t)
    if t.kind == "f":
        most = LARGEST_NUMBER[array.type]
        return rng.integers(-most, most + 1, shape).astype(t)
    info = np.iinfo(t)
    small = rng.integers(-9 if t.kind == "i" else 0, 40, shape)
    if order % 3:
        return small.astype(t)
    special = rng.choice(np.array([info.min, info.max, 0, 1, info.max // 2],
                                  dtype=t), shape)
    return np.where(rng.random(shape) < 0.7, small.astype(t), special)


def laid_out(array, layout, core):
    """The same values elsewhere: other strides, and beginnings that are not
    aligned."""
    if layout == 1 and array.ndim:
        return np.asfortranarray(array)
    if layout == 2 and array.ndim:  # backwards, and apart
        wide = np.zeros(array.shape[:-1] + (2 * array.shape[-1] + 1,),
                        array.dtype)
        held = wide[..., :2 * array.shape[-1]][..., ::-2]
    elif layout == 3:  # from the second element on
        held = np.zeros(array.size + 1, array.dtype)[1:].reshape(array.shape)
    elif layout == 4 and core > 1:  # the core's axes turned
        held = np.zeros(array.shape[:-2] + (array.shape[-1], array.shape[-2]),
                        array.dtype).swapaxes(-1, -2)
    elif layout == 5 and array.ndim:  # rows apart
        held = np.zeros(array.shape[:-1] + (array.shape[-1] + 3,),
                        array.dtype)[..., :array.shape[-1]]
    elif layout == 6 and array.ndim > core:  # the loop's axis innermost
        turned = np.zeros(array.shape[1:] + array.shape[:1], array.dtype)
        held = np.moveaxis(turned, -1, 0)
    else:
        return np.ascontiguousarray(array) if array.ndim else array
    held[...] = array
    return held


def narrowed(rng, loop):
    """A loop shape that broadcasts to this one."""
    kind = rng.integers(6)
    if kind == 0:
        return ()
    if kind == 1:
        return loop[1:]
    if kind == 2:
        return tuple(1 if rng.random() < 0.5 else n for n in loop)
    return loop


def draw(rng, function, scale):
    """The dimensions, loop shape and inputs of a call; None where a result
    would have a negative extent, or an array too many elements."""
    dims = {}
    for d in ("m", "n", "k"):
        pool = EXTENTS if scale == 1 and rng.random() < 0.7 else SMALL
        dims[d] = max(function.least, int(rng.choice(pool)))
    if scale == 2:
        dims[str(rng.choice(list(dims)))] = int(rng.choice(LONG))
    # Other names of the same extents, which meet those in a body.
    dims.update(p=dims["m"], q=dims["n"])
    loop = LOOPS[rng.integers(len(LOOPS))]
    if scale == 2 and rng.random() < 0.7:
        loop = LOOPS[rng.integers(5)]

    def extent(e):
        return int(eval(str(e), {}, dims))
    for a in function.arrays:
        core = [extent(e) for e in a.extents]
        # An input may lack the dimension of the loop that is 0.
        extents = [max(n, 1) for n in (*loop, *core)]
        if min(core, default=0) < 0 or np.prod(extents, dtype=object) > LARGEST:
            return None
    inputs, order, loops = {}, int(rng.integers(3)), [()]
    has_full = any(a.role == "inout" for a in function.arrays)
    for a in function.inputs():
        core = tuple(extent(e) for e in a.extents)
        own = () if a.holds == "range" else loop if a.role == "inout" or not has_full and \
            a is function.inputs()[0] else narrowed(rng, loop)
        loops.append(own)
        made = numbers(rng, a, own + core, order)
        if a.role != "inout" and own and own[0] > 1 and rng.random() < 0.1:
            # One element, seen again and again.
            made = np.broadcast_to(made[:1], own + core)
        else:
            made = laid_out(made, int(rng.integers(LAYOUTS)), len(core))
        inputs[a.name] = made
    return Call(dims, np.broadcast_shapes(*loops), inputs,
                int(rng.integers(LAYOUTS)))


def calls_of(function, seed, count=3):
    """Calls of a function whose results are defined, with these results. A call
    without a defined result is drawn again."""
    rng = np.random.default_rng(seed)
    found = []
    for k in range(count):
        for attempt in range(24):
            scale = max(0, (1, 2, 1)[k] - attempt // 8)
            call = draw(rng, function, scale)
            if call is None:
                continue
            try:
                found.append((call, call.expected(function)))
                break
            except (Undefined, TooLong):
                continue
    return found
