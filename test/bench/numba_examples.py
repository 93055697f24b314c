#!/usr/bin/env python3
"""Numba's documented examples and the code of the course "Fundamentals of
Accelerated Computing with CUDA Python", through Kern and Numba.

    numba_examples.py [--device cuda] [--log2 22] [--only gaussian_pdf,l2_norm]
        [--into docs/explanation/performance.md] [--json out.json | --from out.json]

Run it by a Python that has the package and Numba. The functions are those of
python/tests/test_numba_examples.py, which compares results; here they get larger
arrays, on a GPU Numba's device arrays. Contenders take turns within each batch, so
that what disturbs one disturbs all. On a machine that has other work too the least
disturbed batches count: figures and ratios are those of the minima. Kern's targets
"cpu" and "parallel" are the same. The goal is for bodies without loops on the CPU,
and for all on a GPU.
"""

import argparse
import datetime
import json
import os
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "python" / "tests")]

import numba
import numpy as np

import kern

if not hasattr(np, "row_stack"):
    np.row_stack = np.vstack  # an old name that numba-cuda still uses
from python_calls import number
from python_small import paired
from report import put_into
from test_numba_examples import EXAMPLES

GOAL = 1.0
PEERS = {"cpu": ("cpu", "parallel"), "cuda": ("cuda",)}
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


def on_cpu(names):
    """A call's statement for each contender, and how many calls it makes."""
    return [f"{one}(*inputs, out=out)" for one in names], 1


def on_gpu(names):
    """Enough calls to keep the GPU busy while the next one is made."""
    return [f"for _ in range(20): {one}(*inputs, out=out)\nwait()" for one in names], 20


def compare(name, options):
    """A row: milliseconds of Kern and of Numba's targets, and the ratios."""
    kind, args, keywords, function, given = EXAMPLES[name]
    inputs = host = inputs_of(name, given, 1 << options.log2)
    ours = getattr(kern, kind)(*args, **keywords)(function)
    out = ours(*inputs)
    names = {"kern": ours}
    if options.device == "cuda":
        from numba import cuda

        inputs = [cuda.to_device(one) if one.ndim else one for one in host]
        out = cuda.to_device(np.zeros_like(out))
        names["wait"] = cuda.synchronize
        ours(*inputs, out=out)
        out = out.copy_to_host()
    with np.errstate(all="ignore"):
        for target in PEERS[options.device]:
            names[target] = getattr(numba, kind)(
                *args, target=target, **keywords)(function)
            want = names[target](*host)
            np.testing.assert_allclose(out, want, 1e-4, 1e-4 * np.abs(want).max())
        if options.device == "cuda":
            out = cuda.to_device(out)
        names.update(inputs=inputs, out=out)
        make = on_gpu if options.device == "cuda" else on_cpu
        calls, count = make(["kern", *PEERS[options.device]])
        least = [min(one) * 1e3 / count
                 for one in paired(calls, names, options.batches, 1)]
    row = {"name": name, "kern": least[0]}
    for target, time in zip(PEERS[options.device], least[1:]):
        row[target] = time, least[0] / time
    if name not in LOOPS or options.device == "cuda":
        row["met"] = max(row[one][1] for one in PEERS[options.device]) <= GOAL
    return row


def cells(row, device):
    if "failed" in row:
        return [row["name"], row["failed"]]
    peers = [f"{number(time)} ({ratio:.2f})" for time, ratio in map(row.get, PEERS[device])]
    met = row.get("met")
    goal = "–" if met is None else f"at most {GOAL:g} {'✓' if met else '✗'}"
    return [row["name"], number(row["kern"]), *peers, goal]


def markdown(report):
    device = report["device"]
    columns = [f"Numba `{one}`" for one in PEERS[device]]
    lines = [
        f"Measured on {report['machine']} ({report['date']}, {report['versions']}), "
        f"2^{report['log2']} elements, with:", "", "```", report["command"], "```", "",
        f"| example, ms | **Kern** | {' | '.join(columns)} | goal |",
        "| --- " * (3 + len(columns)) + "|",
    ]  # fmt: skip
    for row in report["rows"]:
        if "failed" not in row:
            lines.append(f"| {' | '.join(cells(row, device))} |")
    return "\n".join(lines) + "\n"


def measured(options):
    # Numba's parallel target needs signatures.
    names = options.only.split(",") if options.only else [
        name for name, row in EXAMPLES.items() if row[1] and isinstance(row[1][0], list)
    ]  # fmt: skip
    machine = kern.devices()[-1 if options.device == "cuda" else 0].name
    if options.device == "cpu":
        machine = f"{len(os.sched_getaffinity(0))} cores of one {machine}"
    report = {
        "device": options.device, "machine": machine, "log2": options.log2,
        "date": str(datetime.date.today()),
        "versions": f"kern {kern.__version__}, NumPy {np.__version__}, "
                    f"numba {numba.__version__}",
        "command": f"python3 test/bench/numba_examples.py --device {options.device} "
                   f"--log2 {options.log2} --into docs/explanation/performance.md",
        "rows": [],
    }  # fmt: skip
    for name in names:
        try:
            row = compare(name, options)
        except Exception as error:  # of one example; the others count
            row = {"name": name, "failed": f"{type(error).__name__}: {error}", "met": False}
        report["rows"].append(row)
        print("  ".join(cells(row, options.device)), flush=True)
    return report


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--device", choices=PEERS, default="cpu")
    parser.add_argument("--log2", type=int, default=22, help="elements of an array")
    parser.add_argument("--only", help="names, with commas between them")
    parser.add_argument("--batches", type=int, default=21)
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--from", type=pathlib.Path, dest="saved",
                        help="measure nothing; tabulate what --json wrote")
    parser.add_argument("--into", type=pathlib.Path)
    options = parser.parse_args()
    report = (json.loads(options.saved.read_text()) if options.saved
              else measured(options))
    if options.json:
        options.json.write_text(json.dumps(report, indent=1))
    if options.into:
        block = "numba" if report["device"] == "cpu" else "numba-gpu"
        put_into(options.into, markdown(report),
                 *(f"<!-- {block}:{end} -->" for end in ("begin", "end")))
    return 1 if any(row.get("met") is False for row in report["rows"]) else 0


if __name__ == "__main__":
    sys.exit(main())
