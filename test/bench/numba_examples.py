#!/usr/bin/env python3
"""Numba's documented examples and the code of the course "Fundamentals of
Accelerated Computing with CUDA Python" on the CPU, through Kern and Numba.

    numba_examples.py [--log2 22] [--only gaussian_pdf,l2_norm]
        [--into docs/explanation/performance.md]

Run it by a Python that has the package and Numba. The functions are those of
python/tests/test_numba_examples.py, which compares results; here they get larger
arrays. Contenders take turns within each batch; a figure is the median over the
batches, a ratio the median of those within one batch. Kern's targets "cpu" and
"parallel" are the same. The goal is for bodies without loops.
"""

import argparse
import datetime
import os
import pathlib
import statistics
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "python" / "tests")]

import numba
import numpy as np

import kern
from python_calls import number, paired
from report import put_into
from test_numba_examples import EXAMPLES

BEGIN, END = "<!-- numba:begin -->", "<!-- numba:end -->"
GOAL = 1.0
PEERS = ("cpu", "parallel")
# The last extents of what gufuncs get; the loop dimensions follow from the size.
CORES = {
    "g": [(1024,), ()], "add_2d_array": [(256, 256), (256, 256)],
    "matmulcore": [(2, 4), (4, 5)], "move_mean": [(1024,), ()], "l2_norm": [(1024,)],
}
LOOPS = {*CORES, "create_fractal"}


def inputs_of(name, given, count):
    """The example's inputs as arrays of `count` elements; numbers stay."""
    given = [np.asarray(one) for one in given]
    if name in CORES:
        rows = max(count // max(int(np.prod(one)) for one in CORES[name]), 1)
        return [np.resize(one, (rows, *core)) if core else one.ravel()[0]
                for one, core in zip(given, CORES[name])]  # fmt: skip
    shape = np.broadcast_shapes(*(one.shape for one in given))
    return [np.resize(np.broadcast_to(one, shape), count) if one.ndim else one[()]
            for one in given]  # fmt: skip


def compare(name, options):
    """A row: milliseconds of Kern and of Numba's targets, and the ratios."""
    kind, args, keywords, function, given = EXAMPLES[name]
    inputs = inputs_of(name, given, 1 << options.log2)
    ours = getattr(kern, kind)(*args, **keywords)(function)
    out = ours(*inputs)
    names = {"inputs": inputs, "kern": ours, "out": out}
    with np.errstate(all="ignore"):
        for target in PEERS:
            names[target] = getattr(numba, kind)(
                *args, target=target, **keywords)(function)
            want = names[target](*inputs)
            np.testing.assert_allclose(out, want, 1e-4, 1e-4 * np.abs(want).max())
        calls = [f"{one}(*inputs, out=out)" for one in ("kern", *PEERS)]
        times = paired(calls, names, options.batches, 1)
    row = {"name": name, "kern": statistics.median(times[0]) * 1e3}
    for target, taken in zip(PEERS, times[1:]):
        ratio = statistics.median(a / b for a, b in zip(times[0], taken))
        row[target] = statistics.median(taken) * 1e3, ratio
    if name not in LOOPS:
        row["met"] = max(row[target][1] for target in PEERS) <= GOAL
    return row


def cells(row):
    peers = [f"{number(time)} ({ratio:.2f})" for time, ratio in map(row.get, PEERS)]
    met = row.get("met")
    goal = "–" if met is None else f"at most {GOAL:g} {'✓' if met else '✗'}"
    return [row["name"], number(row["kern"]), *peers, goal]


def markdown(rows, options):
    cores = len(os.sched_getaffinity(0))
    command = "python3 test/bench/numba_examples.py"
    lines = [
        f"Measured on {cores} cores of one {kern.devices()[0].name} "
        f"({datetime.date.today()}, kern {kern.__version__}, NumPy {np.__version__}, "
        f"numba {numba.__version__}), 2^{options.log2} elements, with:", "", "```",
        f"{command} --log2 {options.log2} --into docs/explanation/performance.md",
        "```", "",
        "| example, ms | **Kern** | Numba `cpu` | Numba `parallel` | "
        "goal for bodies without loops |", "| --- | --- | --- | --- | --- |",
    ]  # fmt: skip
    lines += [f"| {' | '.join(cells(row))} |" for row in rows]
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--log2", type=int, default=22, help="elements of an array")
    parser.add_argument("--only", help="names, with commas between them")
    parser.add_argument("--batches", type=int, default=21)
    parser.add_argument("--into", type=pathlib.Path)
    options = parser.parse_args()
    # Numba's parallel target needs signatures.
    names = options.only.split(",") if options.only else [
        name for name, row in EXAMPLES.items() if row[1] and isinstance(row[1][0], list)
    ]  # fmt: skip
    rows = []
    for name in names:
        rows.append(compare(name, options))
        print("  ".join(cells(rows[-1])), flush=True)
    if options.into:
        put_into(options.into, markdown(rows, options), BEGIN, END)
    return 1 if any(row.get("met") is False for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
