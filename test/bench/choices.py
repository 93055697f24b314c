#!/usr/bin/env python3
"""The mapping that calls of gufuncs choose, beside every other on the same data.

    choices.py --lib libkern.so --json choices.json

Functions that no other benchmark has run with few and many loop elements, short
and long cores, contiguous or with the loop innermost in memory. Each mapping is
forced in turn (KERN_MAPPING). A call should take at most twice the time of the
fastest mapping; calls of less than 20 microseconds are not judged, since they
wait for the launch.
"""

import argparse
import json
import os
import pathlib
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.path.insert(0, str(HERE.parent / "e2e"))

LOOPS = [1, 3, 17, 131, 1000]
CORES = [1, 31, 1000, 1000000]
MAPPINGS = ["grouped", "flat", "across", "sliced", "across,sliced", "resident",
            "sliced,resident", "privatised", "sliced,privatised", "staged",
            "staged,spread", "flat,tiled", "flat,sliced", "flat,across"]
SOURCE = (HERE / "choices.kern").read_text()
SMALL, LIMIT = 0.020, 2.0  # ms, and the most that a choice may cost


def functions(cupy, np, loop, core):
    """(name, arguments, results) for each function."""
    def data(*shape):
        return cupy.random.random(shape, dtype=np.float32)

    def empty(*shape, dtype=np.float32):
        return cupy.empty(shape, dtype)
    v, w = data(loop, core), data(loop, core)
    wide = min(core, 64)
    yield "rms", [v], [empty(loop)]
    yield "cosine", [v, w], [empty(loop)]
    yield "unit_range", [v], [empty(loop, core)]
    yield "logsumexp", [v], [empty(loop)]
    yield "trapezoid", [v, w], [empty(loop)]
    yield "clipped", [v, 0.5], [empty(loop, core)]
    yield "smoothed", [v, 0.5], [empty(loop, core)]
    yield ("counts", [(v * 1e6).astype(np.int32), cupy.arange(64)],
           [empty(loop, 64, dtype=np.int32)])
    yield "lags", [v, cupy.arange(8)], [empty(loop, 8)]
    yield "polynomial", [v, data(12)], [empty(loop, core)]
    yield ("gram", [v[:, :core // wide * wide].reshape(loop, -1, wide)],
           [empty(loop, wide, wide)])
    yield "window_mean", [v], [empty(loop, core)]


def innermost_loop(cupy, array):
    """The same values with the first axis innermost in memory."""
    return cupy.moveaxis(cupy.ascontiguousarray(cupy.moveaxis(array, 0, -1)),
                         -1, 0)


class Chooser:
    """Calls with a mapping, each in a module of its own, which keeps its plans."""

    def __init__(self, library):
        self.library, self.modules = library, {}

    def call(self, mapping, name, arguments, results):
        import kernapi
        from contenders import cupy, tensor
        os.environ.pop("KERN_MAPPING", None)
        if mapping:
            os.environ["KERN_MAPPING"] = mapping
        try:
            if mapping not in self.modules:
                self.modules[mapping] = self.library.compile(
                    SOURCE + f"# {mapping}\n")
            prepared = kernapi.Prepared(
                self.modules[mapping][name],
                [tensor(a) if isinstance(a, cupy.ndarray) else a
                 for a in arguments], [tensor(r) for r in results])
            prepared()
            return prepared
        finally:
            os.environ.pop("KERN_MAPPING", None)


def compare(chooser, name, arguments, results, batches):
    """Milliseconds of the choice (`None`) and of each mapping."""
    import statistics
    import numpy as np
    from contenders import cupy
    from measure import event_ms, paired, synchronize
    calls, first, once = {}, None, {}
    for mapping in [None, *MAPPINGS]:
        call = chooser.call(mapping, name, arguments, results)
        synchronize()
        found = [cupy.asnumpy(r[..., :4096]) for r in results]
        if first is None:
            first = found
        elif not all(np.allclose(a, b, rtol=1e-3, equal_nan=True,
                                 atol=1e-3 * np.nan_to_num(abs(a)).max())
                     for a, b in zip(first, found)):
            raise SystemExit(f"{name}: {mapping} gives another result")
        calls[mapping] = call
        once[mapping] = event_ms(call, 1)
    # What is far behind is run once.
    best = min(once.values())
    close = {m: c for m, c in calls.items() if m is None or once[m] < 4 * best}
    times = paired(close, batches, target_ms=1.0)
    once.update({m: statistics.median(t) for m, t in times.items()})
    return once


def main():
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("--lib", required=True, help="libkern.so")
    options.add_argument("--json", help="the file for all times")
    options.add_argument("--only", help="functions, with commas between them")
    options.add_argument("--batches", type=int, default=2)
    options.add_argument("--seconds", type=float, default=600,
                         help="begin nothing later than this")
    options = options.parse_args()
    import numpy as np
    import kernapi
    from contenders import cupy
    chooser = Chooser(kernapi.Library(options.lib))
    only = options.only.split(",") if options.only else None
    rows, slow, began = [], 0, time.monotonic()
    for loop in LOOPS:
        for core in CORES:
            for name, arguments, results in functions(cupy, np, loop, core):
                if ((only and name not in only)
                        or time.monotonic() - began > options.seconds):
                    continue
                for inner in (False, True):
                    if inner and (loop == 1 or core == 1):
                        continue
                    given = [innermost_loop(cupy, a)
                             if inner and isinstance(a, cupy.ndarray)
                             and a.ndim > 1 else a for a in arguments]
                    times = compare(chooser, name, given, results,
                                    options.batches)
                    chosen = times.pop(None)
                    best = min(times, key=times.get)
                    cost = chosen / min(times[best], chosen)
                    rows.append({"function": name, "loop": loop, "core": core,
                                 "inner": "loop" if inner else "core",
                                 "ms": chosen, "best": best,
                                 "best_ms": times[best], "cost": cost,
                                 "all": times})
                    if cost > LIMIT and chosen > SMALL:
                        slow += 1
                        others = ", ".join(f"{m} {t:.3f}" for m, t in sorted(
                            times.items(), key=lambda item: item[1])[:6])
                        print(f"{name} ({loop}, {core}) "
                              f"{'loop' if inner else 'core'} innermost: "
                              f"{chosen:.3f} ms; {others}", flush=True)
    judged = [row for row in rows if row["ms"] > SMALL]
    print(f"{len(rows)} calls, {len(judged)} judged, {slow} above {LIMIT:g} times the "
          f"best mapping; median "
          f"{sorted(r['cost'] for r in judged)[len(judged) // 2]:.2f}")
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(rows, indent=1))
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
