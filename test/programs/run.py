#!/usr/bin/env python3
"""Random well-typed programs, run by Kern and by an evaluation of their trees.

    run.py --lib build/dev/lib/libkern.so --count 300 --seed 1

Without library functions, results agree bit for bit (the sign and payload of
NaN aside); with them (one program in ten, without branches) they lie where the
stated ULP bounds allow. A failure prints its seed, how often it fails when it
is run again and, if always and unless --no-shrink is given, the smallest
program found that fails the same way; `--seed S --count 1` runs it again. On a
CPU the seed also chooses how many elements a vector has.

--planted N gives the compiler N programs that differ from their trees in one
place, and fails unless most of those whose result changes on some input are
caught.
"""

import os
import pathlib
import random
import sys
import time
from concurrent.futures import ProcessPoolExecutor, as_completed

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.path.insert(0, str(HERE.parent / "e2e"))

import numpy as np

from elements import BF16, TYPES, is_float, is_integer
from interpret import Broken, evaluate
from generate import Generator
from infer import Types
from intervals import reach
from library_functions import library_function
from outcome import end, missed, options_of
from plant import plant
from scalar_language import CONSTANTS
from shrink import shrink
from tree import (Aug, Bin, Call, Cmp, Each, For, PRange, Reduce, While, walk)

ROWS, LENGTHS = 10, (1, 2, 5)
LANES = (0, 1, 2, 4, 8, 16)
BATCH = 20  # programs in one process at a time
AGAIN = 5  # times a failure is run again
PRECISE = 1  # KERN_FP_PRECISE


among = []  # the names of the types that parameters have; all if none


def take_types(names):
    among[:] = names


def make(seed):
    """(function, types, whether it calls the library) of a seed."""
    generator = Generator(random.Random(seed), among)
    library = seed % 10 == 9
    name = f"p{seed}"
    function, types = (library_function(generator, name) if library
                       else generator.function(name))
    return function, types, library


def has_loop(function):
    return any(isinstance(n, (For, Each, While, PRange, Reduce))
               for n in walk(function))


def mixes_types(function, types):
    """Whether some operator has operands of two types."""
    found = Types(function, types)
    for node in walk(function):
        # Branches that a decided condition drops have no types.
        if isinstance(node, Bin):
            parts = [found.of.get(node.a), found.of.get(node.b)]
        elif isinstance(node, (Cmp, Call)):
            parts = [found.of.get(item) for item in node.items]
        elif isinstance(node, Aug):
            parts = [found.of.get(node.value), found.work.get(node)]
        else:
            continue
        if len({str(p) for p in parts
                if p is not None and not isinstance(p, str)}) > 1:
            return True
    return False


def values(rng, t, shape):
    """Random values of a type, special ones among them."""
    if t == TYPES["bool"]:
        return rng.integers(0, 2, shape).astype(bool)
    if is_integer(t):
        info = np.iinfo(t)
        small = rng.integers(-9 if t.kind == "i" else 0, 40, shape)
        special = rng.choice(
            np.array([info.min, info.max, 0, 1, info.max // 2], dtype=t), shape)
        return np.where(rng.random(shape) < 0.7, small.astype(t), special)
    wide = rng.normal(0, 4, shape)
    special = rng.choice([0.0, -0.0, 1.0, -1.0, 0.5, np.inf, -np.inf, np.nan,
                          1e-7, 1e-12, 3e4, 7e4, 1e300], shape)
    chosen = np.where(rng.random(shape) < 0.8, wide, special)
    with np.errstate(all="ignore"):
        return chosen.astype(np.float32).astype(t) if t == BF16 else \
            chosen.astype(t)


def inputs(function, types, seed, library=False):
    rng = np.random.default_rng(seed)
    length = LENGTHS[seed % len(LENGTHS)]
    arrays = []
    for parameter, t in zip(function.parameters, types):
        shape = (ROWS, length) if parameter.is_array else (ROWS,)
        if library:
            arrays.append(rng.uniform(0.1, 4, shape).astype(t))
        else:
            arrays.append(values(rng, t, shape))
    return arrays, length


def expected(function, types, arrays, length):
    """The results of every row; None if a loop runs too long, or elements of a
    result are left undefined."""
    static = Types(function, types)
    rows = []
    try:
        for row in range(ROWS):
            rows.append(evaluate(function, static, [a[row] for a in arrays],
                                 length))
    except Broken:
        return None
    return [np.array([r[k] for r in rows]) for k in range(len(rows[0]))]


def agree(actual, wanted):
    """Bit for bit, NaNs being equal. A result of weak values alone is i64 or
    f64 on both sides."""
    if actual.dtype != wanted.dtype or actual.shape != wanted.shape:
        return f"{actual.dtype}{actual.shape}, not {wanted.dtype}{wanted.shape}"
    if is_float(wanted.dtype):
        a, w = (x.astype(np.float64) for x in (actual, wanted))
        bad = ~((np.isnan(a) & np.isnan(w)) |
                ((a == w) & (np.signbit(a) == np.signbit(w))))
    else:
        bad = actual != wanted
    if not bad.any():
        return None
    at = tuple(int(i) for i in np.argwhere(bad)[0])
    return f"row {at}: {actual[at]!r}, not {wanted[at]!r}"


def within(function, arrays, actual):
    for row in range(ROWS):
        interval = reach(function, [a[row] for a in arrays])
        if interval is None:
            continue
        lo, hi = interval
        if not lo <= float(actual[row]) <= hi:
            return (f"row {row}: {actual[row]!r} is not within "
                    f"[{lo!r}, {hi!r}]")
    return None


class Runner:
    """Programs through Kern on one device."""

    def __init__(self, lib, device):
        import kernapi
        self.kernapi = kernapi
        self.lib = kernapi.Library(lib)
        self.device = device

    def compile(self, functions):
        text = CONSTANTS + "\n".join(f.text() for f in functions)
        return self.lib.compile(text, "programs.kern", fp_mode=PRECISE)

    def call(self, module, function, arrays):
        place = "cuda" if self.device == "cuda" else "host"
        device = (self.kernapi.CUDA if place == "cuda" else self.kernapi.CPU, 0)
        out = module[function.name](*arrays, place=place, device=device)
        return list(out) if isinstance(out, tuple) else [out]

    def problem(self, function, types, seed, library, module=None,
                compiled=None):
        """Why Kern and the tree disagree, or None. `compiled` is what the
        compiler gets, where that is not the function itself."""
        arrays, length = inputs(function, types, seed, library)
        try:
            module = module or self.compile([compiled or function])
            actual = self.call(module, function, arrays)
        except self.kernapi.KernError as error:
            return f"refused: {error}"
        if library:
            return within(function, arrays, actual[0])
        wanted = expected(function, types, arrays, length)
        if wanted is None:
            return None
        if len(wanted) != len(actual):
            return f"{len(actual)} results, not {len(wanted)}"
        for a, w in zip(actual, wanted):
            if problem := agree(a, w):
                return problem
        return None


def lanes_of(seed):
    """The elements of a vector on a CPU (KERN_LANES); 0 is what the compiler
    chooses. ROWS is no multiple of most, so that vectors have a remainder."""
    return LANES[seed // 7 % len(LANES)]


def run_seeds(lib, device, seeds):
    """The outcomes of some seeds: (seed, problem or None, loops, mixes)."""
    outcomes = []
    for lanes in sorted(set(map(lanes_of, seeds))):
        os.environ["KERN_LANES"] = str(lanes)
        outcomes += run_together(
            lib, device, [seed for seed in seeds if lanes_of(seed) == lanes])
    return outcomes


def run_together(lib, device, seeds):
    runner = Runner(lib, device)
    programs = [(seed, *make(seed)) for seed in seeds]
    try:
        module = runner.compile([p[1] for p in programs])
    except runner.kernapi.KernError:
        module = None  # each by itself, to see which is refused
    return [(seed, runner.problem(function, types, seed, library, module),
             has_loop(function), mixes_types(function, types))
            for seed, function, types, library in programs]


def run_planted(lib, device, seeds):
    """(seed, whether the damage shows on the inputs, whether it was caught)."""
    runner = Runner(lib, device)
    outcomes = []
    for seed in seeds:
        function, types, library = make(seed)
        damaged = None if library else plant(function, random.Random(seed))
        if damaged is None:
            continue
        arrays, length = inputs(function, types, seed)
        try:
            before = expected(function, types, arrays, length)
            after = expected(damaged, types, arrays, length)
        except Exception:
            continue  # the damaged program is none of the language
        if before is None or after is None:
            continue
        shows = any(agree(a, b) for a, b in zip(after, before))
        problem = runner.problem(function, types, seed, False, None, damaged)
        outcomes.append((seed, shows, problem is not None))
    return outcomes


def in_parallel(work, options, seeds):
    chunks = [seeds[i:i + BATCH] for i in range(0, len(seeds), BATCH)]
    done, begin = 0, time.monotonic()
    with ProcessPoolExecutor(options.jobs, initializer=take_types,
                             initargs=(among,)) as pool:
        futures = {pool.submit(work, options.lib, options.device, c): c
                   for c in chunks}
        for future in as_completed(futures):
            done += len(futures[future])
            try:
                yield from future.result()
            except Exception as error:
                yield (futures[future][0],
                       f"the run of these seeds broke off: {error!r}",
                       False, False)
            if sys.stderr.isatty():
                print(f"\r{done} of {len(seeds)}, "
                      f"{time.monotonic() - begin:.0f} s", end="",
                      file=sys.stderr)
    if sys.stderr.isatty():
        print(file=sys.stderr)


def report(options, seed, problem):
    function, types, library = make(seed)
    os.environ["KERN_LANES"] = str(lanes_of(seed))
    print(f"\nseed {seed}: {problem}")
    runner = Runner(options.lib, options.device)
    again = sum(runner.problem(function, types, seed, library) is not None
                for _ in range(AGAIN))
    print(f"alone it fails {again} of {AGAIN} times")
    if options.shrink and again == AGAIN:

        def fails(candidate, kept):
            found = runner.problem(candidate, kept, seed, library)
            return found is not None and \
                found.startswith("refused") == problem.startswith("refused")
        function, types = shrink(function, types, fails)
        print("the smallest that fails: " +
              str(runner.problem(function, types, seed, library)))
    print("with " + ", ".join(
        f"{p.name}: {t}" for p, t in zip(function.parameters, types)))
    print(function.text())


def main():
    parser = options_of(__doc__)
    parser.add_argument("--types", metavar="A,B", default="",
                        help="only parameters of these types; the programs of "
                             "the same seeds are others")
    options = parser.parse_args()
    take_types([t for t in options.types.split(",") if t])
    if unknown := set(among) - set(TYPES):
        parser.error(f"no such type: {', '.join(sorted(unknown))}")
    if options.show:
        print(make(options.seed)[0].text())
        return 0

    seeds = list(range(options.seed, options.seed + options.count))
    outcomes = list(in_parallel(run_seeds, options, seeds))
    failures = sorted((o for o in outcomes if o[1]), key=lambda o: o[0])
    loops = sum(o[2] for o in outcomes) / max(1, len(outcomes))
    mixed = sum(o[3] for o in outcomes) / max(1, len(outcomes))
    print(f"{len(outcomes) - len(failures)} programs agree, {len(failures)} do "
          f"not; {loops:.0%} have a loop, {mixed:.0%} mix types")
    for seed, problem, _, _ in failures[:10]:
        report(options, seed, problem)
    failed = len(failures)
    if options.count >= 100 and not among and min(loops, mixed) < 0.3:
        print("fewer than 30 % have a loop or mix types")
        failed += 1
    if options.planted:
        planted = list(in_parallel(
            run_planted, options, list(range(1, options.planted + 1))))
        showing = [p for p in planted if p[1]]
        caught = [p for p in showing if p[2]]
        failed += missed(len(showing), len(caught))
    return end(options, len(outcomes) - len(failures), failed)


if __name__ == "__main__":
    sys.exit(main())
