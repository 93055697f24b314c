#!/usr/bin/env python3
"""The functions of examples/pasted on one thread of the CPU, beside Numba.

    pasted_bodies.py --build build/release [--parallel] [--only sliding,hashing] [--json F]

Run it by a Python that has Numba. Numba compiles the Python file, Kern the other; both
get the arrays of test/examples/pasted_inputs.py, larger, and results must agree. Numba
calls functions of rows that return values from a loop of its own. Contenders take turns
within each batch; times are CPU time of the thread, and the least of all batches counts.
With --parallel both use all cores, Numba by its target `parallel`, and times are by the
clock.
"""

import argparse
import importlib.util
import json
import math
import os
import pathlib
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "e2e"), str(HERE.parent / "examples")]
PARALLEL = "--parallel" in sys.argv
if PARALLEL:  # threads of one must not spin while the other is measured
    os.environ.update(OMP_WAIT_POLICY="passive", KMP_BLOCKTIME="0")
else:
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})  # before threads begin

import numba
import numpy as np

import kernapi
from kernarguments import Tensor
from pasted import FOLDER, core_counts
from pasted_inputs import INPUTS, Inputs

# Elements of a row, by the most core dimensions of an operand, and of all rows.
ROW = {0: 8, 1: 64, 2: 64, 3: 32}
ELEMENTS = 1 << 15
TOLERANCE = {"f": 1e-4}
LEAST_SECONDS = 0.002


def in_parallel(decorator):
    """Numba's `vectorize` or `guvectorize` with another target."""
    return lambda *given, **options: decorator(
        *given, **{**options, "target": "parallel", "nopython": True})


def numba_module(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    if PARALLEL:
        for name in ("vectorize", "guvectorize"):
            if not hasattr(numba, f"one_thread_{name}"):
                setattr(numba, f"one_thread_{name}", getattr(numba, name))
            setattr(numba, name, in_parallel(getattr(numba, f"one_thread_{name}")))
    spec.loader.exec_module(module)
    return module


def looped(function, inputs, results):
    """A function that stores what another returns for each loop element."""
    given = [f"a{k}" for k in range(inputs)]
    made = [f"r{k}" for k in range(results)]
    stores = "\n".join(f"        {r}[i] = made{f'[{k}]' if results > 1 else ''}"
                       for k, r in enumerate(made))
    source = (f"def loop({', '.join(given + made)}):\n"
              f"    for i in prange(r0.shape[0]):\n"
              f"        made = f({', '.join(f'{a}[i]' for a in given)})\n{stores}\n")
    names = {"f": function, "prange": numba.prange}
    exec(source, names)
    return numba.njit(names["loop"], parallel=PARALLEL)


def numba_call(function, arrays, results):
    """A call without arguments, that fills the results."""
    if isinstance(function, (numba.np.ufunc.dufunc.DUFunc, np.ufunc)):
        return lambda: function(*arrays, out=tuple(results))
    if not hasattr(function, "py_func"):  # made by guvectorize
        return lambda: function(*arrays, *results)
    loop = looped(function, len(arrays), len(results))
    return lambda: loop(*arrays, *results)


def operands(function, name):
    """Inputs that all have the whole loop shape, in memory one after the other."""
    ranks, result_ranks = core_counts(function.signature)
    n = ROW[max(ranks + result_ranks)]
    largest = max(np.size(one) for one in INPUTS[name](Inputs(1, n)))
    inputs = INPUTS[name](Inputs(max(ELEMENTS // largest, 1), n))
    ranks += [0] * (len(inputs) - len(ranks))
    arrays = [np.asarray(one) for one in inputs]
    loop = np.broadcast_shapes(*(
        a.shape[:a.ndim - rank] for a, rank in zip(arrays, ranks)))
    return inputs, [
        one if isinstance(one, int) else np.ascontiguousarray(
            np.broadcast_to(a, loop + a.shape[a.ndim - rank:]))
        for one, a, rank in zip(inputs, arrays, ranks)]


def seconds(call, count):
    clock = time.perf_counter if PARALLEL else time.thread_time
    began = clock()
    for _ in range(count):
        call()
    return (clock() - began) / count


def paired(calls, batches):
    """The least seconds of each call; they take turns."""
    counts = [max(1, math.ceil(LEAST_SECONDS / max(seconds(c, 1), 1e-7)))
              for c in calls]
    return [min(times) for times in zip(*(
        [seconds(c, n) for c, n in zip(calls, counts)] for _ in range(batches)))]


def compare(module, original, name, batches):
    function = module[name]
    _, arrays = operands(function, name)
    got = function(*arrays)
    got = list(got) if isinstance(got, tuple) else [got]
    theirs = [np.empty_like(one) for one in got]
    given = [np.full(theirs[0].shape[:1], a) if isinstance(a, int) else a
             for a in arrays]
    peer = numba_call(getattr(original, name), given, theirs)
    with np.errstate(all="ignore"):
        peer()
        for one, want in zip(got, theirs):
            near = TOLERANCE.get(one.dtype.char, 1e-6)
            np.testing.assert_allclose(one, want, near, near)
        ours = kernapi.Prepared(
            function, [a if isinstance(a, int) else Tensor.of(a) for a in arrays],
            [Tensor.of(one) for one in got])
        return paired([ours, peer], batches)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--parallel", action="store_true")
    parser.add_argument("--only", help="subjects, with commas between them")
    parser.add_argument("--batches", type=int, default=15)
    parser.add_argument("--json", type=pathlib.Path)
    options = parser.parse_args()
    lib = kernapi.Library(options.build / "lib" / "libkern.so")
    subjects = options.only.split(",") if options.only else [
        p.stem for p in sorted(FOLDER.glob("*.kern"))]
    rows = []
    print("| subject | function | Kern, µs | Numba, µs | ratio |\n" + "| --- " * 5 + "|")
    for subject in subjects:
        module = lib.compile_file(FOLDER / f"{subject}.kern")
        with np.errstate(all="ignore"):
            original = numba_module(FOLDER / f"{subject}.py")
        for name in module.names():
            try:
                ours, theirs = compare(module, original, name, options.batches)
            except Exception as error:  # of one function; the others count
                print(f"| {subject} | {name} | {type(error).__name__}: "
                      f"{' '.join(str(error).split())[:200]} |", flush=True)
                continue
            rows.append({"subject": subject, "name": name, "kern": ours,
                         "numba": theirs, "ratio": ours / theirs})
            print(f"| {subject} | {name} | {ours * 1e6:.1f} | {theirs * 1e6:.1f} "
                  f"| {ours / theirs:.2f} |", flush=True)
    ratios = [row["ratio"] for row in rows]
    if ratios:
        print(f"\n{len(ratios)} functions, geometric mean "
              f"{math.exp(np.mean(np.log(ratios))):.2f}, at most one "
              f"{sum(r <= 1 for r in ratios)}, above 1.3 "
              f"{sum(r > 1.3 for r in ratios)}")
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1))


if __name__ == "__main__":
    main()
