"""Small calls from Python: Kern's functions beside those of each library, in turn."""

import argparse
import statistics
import timeit

import numpy as np

import kern

# By the part and the name of a row: at most this ratio, or this figure.
RATIOS = {
    ("calls", "NumPy, out="): 0.7, ("calls", "NumPy, new result"): 0.85,
    ("calls", "torch on cpu, out="): 0.7, ("calls", "torch on cuda, out="): 0.7,
    ("one", "torch, out="): 0.7, ("one", "CuPy, out="): 0.9,
    **{("methods", name): 2 for name in (
        "reduce", "reduce, axis=0", "accumulate", "outer", "reduceat",
        "at, a number", "at, an array")},
    ("large", "add"): 1.05, ("large", "gaussian_pdf"): 1.05,
    ("first", "nothing cached"): 0.15, ("first", "from the cache"): 0.02,
}


def optional(name):
    try:
        return __import__(name)
    except ImportError:
        return None


def paired(statements, names, batches, count, wait=lambda: None):
    """Seconds of each statement, one list for each, taken in turn; `wait` is called
    before each, untimed."""
    timers = [timeit.Timer(one, globals=names) for one in statements]
    for timer in timers:
        timer.timeit(max(count // 4, 4))
    times = [[] for _ in statements]
    for _ in range(batches):
        for timer, taken in zip(timers, times):
            wait()
            taken.append(timer.timeit(count) / count)
    return times


def row(part, name, peer, times, scale):
    """One line of a table: ours and the peer's times, and their ratio."""
    ours, theirs = times
    ratio = statistics.median(a / b for a, b in zip(ours, theirs))
    limit = RATIOS.get((part, name))
    return {"part": part, "name": name, "peer": peer,
            "kern": statistics.median(ours) * scale,
            "theirs": statistics.median(theirs) * scale,
            "ratio": ratio, "goal": limit,
            "met": None if limit is None else ratio <= limit}


class Calls:
    """Calls of some f32: for each framework its own addition and ours."""

    def __init__(self, part, elements, module, options):
        self.part, self.add, self.options = part, module.add, options
        self.x = np.arange(1, elements + 1, dtype="f4")
        self.rows = []

    def compare(self, framework, function, peer, make, host, wait=lambda: None,
                peer_out="out=out"):
        x = self.x
        a, b, out = make(x), make(2 * x), make(x)
        names = {"kern": self.add, "peer": function, "a": a, "b": b, "out": out}
        for name, ours, theirs in (
                ("out=", "kern(a, b, out=out)", f"peer(a, b, {peer_out})"),
                ("new result", "kern(a, b)", "peer(a, b)")):
            for call in (ours, theirs):
                for _ in range(3):  # to the shortest way
                    result = eval(call, names)
                result = result if name == "new result" else out
                assert (host(result) == 3 * x).all(), framework
            times = paired([ours, theirs], names, self.options.batches,
                           self.options.count, wait)
            self.rows.append(
                row(self.part, f"{framework}, {name}", peer, times, 1e9))


def small_calls(module, options):
    """Calls of eight f32."""
    calls = Calls("calls", 8, module, options)
    compare = calls.compare
    compare("NumPy", np.add, "numpy.add", np.array, np.asarray)
    numba, torch, cupy = map(optional, ("numba", "torch", "cupy"))
    if numba:
        @numba.vectorize
        def sum_of(x, y):
            return x + y
        compare("Numba", sum_of, "Numba's DUFunc", np.array, np.asarray)
    for device in ("cpu", "cuda") if torch else ():
        if device == "cpu" or torch.cuda.is_available():
            compare(f"torch on {device}", torch.add, "torch.add",
                    lambda array: torch.tensor(array, device=device),
                    lambda tensor: tensor.cpu().numpy(),
                    torch.cuda.synchronize if device == "cuda" else lambda: None)
    if cupy and cupy.cuda.is_available():
        compare("CuPy", cupy.add, "cupy.add", cupy.asarray, cupy.asnumpy,
                cupy.cuda.runtime.deviceSynchronize)
    return calls.rows


def one_element(module, options):
    """Calls of one f32 on a GPU, beside what a user of the library would write."""
    if len(kern.devices()) == 1:
        return []
    # Fewer calls a batch than a GPU's queue has places.
    options = argparse.Namespace(**{**vars(options), "count": 400})
    calls = Calls("one", 1, module, options)
    torch, cupy, numba = map(optional, ("torch", "cupy", "numba"))
    if torch:
        calls.compare("torch", torch.add, "torch.add",
                      lambda array: torch.tensor(array, device="cuda"),
                      lambda tensor: tensor.cpu().numpy(), torch.cuda.synchronize)
    if cupy:
        kernel = cupy.ElementwiseKernel(
            "float32 x, float32 y", "float32 z", "z = x + y", "sum_of")
        calls.compare("CuPy", kernel, "ElementwiseKernel", cupy.asarray,
                      cupy.asnumpy, cupy.cuda.runtime.deviceSynchronize, "out")
    if numba:
        if not hasattr(np, "row_stack"):
            np.row_stack = np.vstack  # an old name that numba-cuda still uses
        from numba import cuda

        @numba.vectorize(["float32(float32, float32)"], target="cuda")
        def sum_of(x, y):
            return x + y
        calls.compare("Numba", sum_of, "Numba's ufunc", cuda.to_device,
                      lambda array: array.copy_to_host(), cuda.synchronize)
    return calls.rows


METHODS = {
    "reduce": "add.reduce(a)", "reduce, axis=0": "add.reduce(rows)",
    "accumulate": "add.accumulate(a)", "outer": "add.outer(a, a)",
    "reduceat": "add.reduceat(a, [0, 3])",
    "at, a number": "add.at(a, places, 0.5)",
    "at, an array": "add.at(a, places, halves)",
}


def small_methods(module, options):
    """NumPy's methods on eight f64."""
    names = {"a": np.arange(8.0), "rows": np.arange(32.0).reshape(4, 8),
             "places": np.array([0, 2, 2, 3]), "halves": np.full(4, 0.5)}
    rows = []
    for name, statement in METHODS.items():
        results = []
        for function in (module.add, np.add):
            here = {key: value.copy() for key, value in names.items()}
            for _ in range(3):
                result = eval(statement, {**here, "add": function})
            results.append(here["a"] if result is None else result)
        assert (results[0] == results[1]).all(), name
        times = paired([statement, statement.replace("add.", "np.add.")],
                       {**names, "add": module.add, "np": np},
                       options.batches, options.count // 2)
        rows.append(row("methods", name, "numpy.add's", times, 1e9))
    return rows
