#!/usr/bin/env python3
"""Random gufuncs, run by Kern and by an evaluation of their trees.

    gufuncs.py --lib build/dev/lib/libkern.so --count 300 --seed 1
    gufuncs.py --lib … --kern build/dev/bin/kern --device cuda --count 10000
    gufuncs.py --lib … --kind arrays --count 1500

The kind is nests of loops, or array expressions, which are Python that NumPy
runs. Each function is called with several shapes and strides. On a GPU it is called
with every mapping in turn, or with two of them, and with `--kern` some also from
compiled files.
Half of the functions round (and are compiled in precise mode), the others
compute exactly. Results agree bit for bit, the sign of zero aside. A failure prints its
seed, the mapping and the shapes, and the smallest function found that fails the
same way; `--seed S --count 1` runs it again.
"""

import argparse
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor, as_completed

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.path.insert(0, str(HERE.parent / "e2e"))

import numpy as np

from array_generate import Arrays
from elements import IllTyped
from nest_evaluate import TooLong, Undefined
from nest_generate import Nests
from nest_inputs import calls_of, laid_out
from outcome import end, missed, options_of
from plant import plant
from shrink import smallest

BATCH = 20  # functions in one module
PRECISE = 1  # KERN_FP_PRECISE
PARTED = "[K0532]"  # a store that another name should see, and does not
FILES = 5  # one module in so many is also called from a compiled file
CHILD_SECONDS = 400
MAPPINGS = [None, "grouped", "flat", "across", "flat,across", "sliced",
            "across,sliced", "flat,sliced", "resident", "privatised",
            "sliced,privatised", "staged", "staged,spread", "flat,tiled",
            "phases"]


KINDS = {"nests": Nests, "arrays": Arrays}


def is_precise(seed):
    return seed // BATCH % 2 == 1


def make(options, seed):
    maker = KINDS[options.kind](random.Random(seed), not is_precise(seed))
    return maker.function(f"p{seed}")


class Refused(Exception):
    """Kern refuses a function or a call."""


def text_of(functions):
    return "\n".join([functions[0].helpers, *(f.text() for f in functions)])


class Runner:
    """Functions through Kern on one device."""

    def __init__(self, options):
        import kernapi
        self.kernapi, self.options = kernapi, options
        self.lib = kernapi.Library(options.lib)
        self.cuda = options.device == "cuda"
        self.place = "cuda" if self.cuda else "host"
        self.device = (kernapi.CUDA if self.cuda else kernapi.CPU, 0)
        self.mappings = MAPPINGS if self.cuda else [None]
        if options.mapping:
            self.mappings = [options.mapping]

    def compile(self, functions, precise):
        """A new module, since modules keep their plans. What is compiled for
        one comes from the cache for the next."""
        try:
            return self.lib.compile(text_of(functions), "gufuncs.kern",
                                    fp_mode=PRECISE if precise else None)
        except self.kernapi.KernError as error:
            raise Refused(str(error)) from None

    def load(self, functions, precise, all_forms):
        """The functions by way of a compiled file."""
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder) / "gufuncs.kern"
            source.write_text(text_of(functions))
            command = [self.options.kern, "compile", "-q", source, "-o",
                       source.with_suffix(".ptx"), "--target", self.target()]
            command += ["--forms", "all"] if all_forms else []
            command += ["--fp-mode", "precise"] if precise else []
            done = subprocess.run([str(c) for c in command], text=True,
                                  capture_output=True)
            if done.returncode:
                raise Refused(done.stderr)
            try:
                return self.lib.load_file(source.with_suffix(".ptx"))
            except self.kernapi.KernError as error:
                raise Refused(str(error)) from None

    def target(self):
        info = self.lib.describe(self.device)
        return f"sm_{info.compute_capability}"

    def problem(self, module, function, calls, mapping):
        """Why Kern and the tree disagree about some call, or None."""
        os.environ.pop("KERN_MAPPING", None)
        if mapping:
            os.environ["KERN_MAPPING"] = mapping
        for call, wanted in calls:
            try:
                actual = self.call(module, function, call, wanted)
            except self.kernapi.KernError as error:
                return f"refused: {error}; {call}"
            if len(actual) != len(wanted):
                return f"{len(actual)} results, not {len(wanted)}"
            for k, (a, (w, defined)) in enumerate(zip(actual, wanted)):
                if found := difference(a, w, defined):
                    return f"result {k}: {found}; {call}"
        return None

    def call(self, module, function, call, wanted):
        """The arrays that the call changes, then its results."""
        arguments, changed = [], []
        for a in function.inputs():
            held = call.inputs[a.name]
            if a.role == "inout":
                held = laid_out(held.copy(), call.layout, len(a.extents))
                changed.append(held)
            if a.holds == "range" and held.ndim == 1 and held.size > 1:
                step = int(held[1]) - int(held[0])
                held = range(int(held[0]), int(held[-1]) + step, step)
            elif not a.extents and held.ndim == 0:
                held = held.reshape(())
            arguments.append(held)
        out = None
        outputs = function.outputs()
        if outputs and call.layout:
            out = [laid_out(np.full_like(w, 77), call.layout, len(a.extents))
                   for a, (w, _) in zip(outputs, wanted[len(changed):])]
        if changed and self.cuda and not outputs:
            given = module[function.name](*arguments, device=self.device)
        else:
            given = module[function.name](*arguments, out=out, place=self.place,
                                          device=self.device)
        given = list(given) if isinstance(given, tuple) else [given]
        return changed + (given if outputs or function.results else [])


def difference(actual, wanted, defined):
    if actual.dtype != wanted.dtype or actual.shape != wanted.shape:
        return f"{actual.dtype}{actual.shape}, not {wanted.dtype}{wanted.shape}"
    bad = actual != wanted
    if wanted.dtype.kind == "f":
        bad &= ~(np.isnan(actual) & np.isnan(wanted))
    if defined is not None:
        bad &= defined
    if not bad.any():
        return None
    at = tuple(int(i) for i in np.argwhere(bad)[0])
    return (f"{int(bad.sum())} of {bad.size} differ, at {at} {actual[at]!r}, "
            f"not {wanted[at]!r}")


def child(options):
    """Runs seeds in this process; a line of JSON for each step."""
    def say(**entry):
        print(json.dumps(entry), flush=True)

    runner = Runner(options)
    skipped = {int(s) for s in options.skip.split(",") if s}
    seeds = [s for s in range(options.seed, options.seed + options.count)
             if s not in skipped]
    functions, calls = {}, {}
    for seed in seeds:
        say(running=seed, mapping="the tree's own evaluation")
        functions[seed] = make(options, seed)
        calls[seed] = calls_of(functions[seed], seed)
        say(seed=seed, calls=len(calls[seed]))
    precise = is_precise(options.seed)
    found = set()

    def compiled(make_module, seeds):
        """Each seed's module: one for all, or one each if that is refused."""
        try:
            module = make_module([functions[s] for s in seeds])
            return {s: module for s in seeds}
        except Refused as error:
            if len(seeds) == 1:
                found.add(seeds[0])
                if PARTED in str(error):
                    say(seed=seeds[0], calls=0)
                else:
                    say(failed=seeds[0], how=f"refused: {error}", mapping=None)
                return {}
        modules = {}
        for s in seeds:
            modules.update(compiled(make_module, [s]))
        return modules

    number = options.seed // BATCH
    mappings = runner.mappings
    if options.two_mappings and len(mappings) > 1:
        mappings = [None, mappings[1 + number % (len(mappings) - 1)]]
    ways = [(m, lambda fs: runner.compile(fs, precise)) for m in mappings]
    if runner.cuda and options.kern and number % FILES == 0:
        every = number // FILES // 2 % 2 == 1
        ways.append((f"file, --forms all: {every}",
                     lambda fs: runner.load(fs, precise, every)))
    for way, make_module in ways:
        left = [s for s in seeds if s not in found]
        for seed, module in compiled(make_module, left).items():
            say(running=seed, mapping=way)
            mapping = None if way and way.startswith("file") else way
            problem = runner.problem(module, functions[seed], calls[seed],
                                     mapping)
            if problem:
                found.add(seed)
                say(failed=seed, how=problem, mapping=way)
                if runner.cuda and problem.startswith("refused"):
                    sys.exit(3)  # the device may be of no more use
    say(done=True)


def run_batch(options, first, count):
    """The failures (seed, how, mapping) of some seeds, and how many calls. A
    process that ends early is one failure; the others are run without it."""
    failures, calls, skipped = [], {}, set()
    while len(skipped) < count:
        command = [sys.executable, __file__, *sys.argv[1:], "--child", "--seed",
                   first, "--count", count, "--skip",
                   ",".join(map(str, skipped))]
        try:
            done = subprocess.run([str(c) for c in command], text=True,
                                  capture_output=True, timeout=CHILD_SECONDS)
            output, how = done.stdout, f"ended with {done.returncode}: " + \
                " | ".join(done.stderr.strip().splitlines()[-4:])
        except subprocess.TimeoutExpired as late:
            output = (late.stdout or b"").decode()
            how = f"ran for {CHILD_SECONDS} s"
        running, ended = {"running": first, "mapping": None}, False
        for line in output.splitlines():
            entry = json.loads(line)
            if "seed" in entry:
                calls[entry["seed"]] = entry["calls"]
            elif "running" in entry:
                running = entry
            elif "failed" in entry:
                failures.append((entry["failed"], entry["how"],
                                 entry["mapping"]))
                running = None
            ended = ended or "done" in entry
        if ended:
            break
        if running is not None:
            failures.append((running["running"], how, running["mapping"]))
        skipped |= {f[0] for f in failures}
    return failures, calls


def planted(options, count):
    """How many damaged functions change a result by their trees, and of those
    how many Kern's results are found to differ for."""
    runner, showing, caught = Runner(options), 0, 0
    for seed in range(1, count + 1):
        function = make(options, seed)
        damaged = plant(function, random.Random(seed))
        if damaged is None:
            continue
        calls = calls_of(function, seed)
        try:
            after = [c.expected(damaged) for c, _ in calls]
            module = runner.compile([damaged], is_precise(seed))
        except (Undefined, TooLong, Refused, ValueError, OverflowError):
            continue
        if any(difference(a, w, d) for found, (_, wanted) in zip(after, calls)
               for (a, _), (w, d) in zip(found, wanted)):
            showing += 1
            caught += runner.problem(module, function, calls, None) is not None
    return showing, caught


def kind_of(problem):
    """The code of a refusal; "refused" without one; else nothing."""
    code = re.search(r"\[K\d+\]", problem)
    refused = problem.startswith("refused")
    return code.group() if refused and code else "refused"[:7 * refused]


def report(options, seed, problem, mapping):
    function = make(options, seed)
    print(f"\nseed {seed}, mapping {mapping}: {problem}")
    in_process = not problem.startswith(("ended", "ran for")) and not (
        options.device == "cuda" and problem.startswith("refused"))
    if options.shrink and in_process and not str(mapping).startswith("file"):
        runner = Runner(options)
        calls = [call for call, _ in calls_of(function, seed)]

        def found(candidate):
            """Its problem, if it is of the same kind."""
            KINDS[options.kind].check(candidate)
            if not candidate.inputs():
                raise IllTyped("no parameters")
            try:
                wanted = [(c, c.expected(candidate)) for c in calls]
                module = runner.compile([candidate], is_precise(seed))
                how = runner.problem(module, candidate, wanted, mapping)
            except (Undefined, TooLong, IndexError):
                return None
            except Refused as error:
                how = f"refused: {error}"
            return how if how and kind_of(how) == kind_of(problem) else None
        function = smallest(function, "arrays",
                            lambda f: found(f) is not None, 300)
        print(f"the smallest that fails: {found(function)}")
    print(text_of([function]))


def main():
    parser = options_of(__doc__)
    parser.add_argument("--kern", help="the tool, for compiled files on a GPU")
    parser.add_argument("--kind", choices=KINDS, default="nests")
    parser.add_argument("--mapping", help="only this one")
    parser.add_argument("--two-mappings", action="store_true",
                        help="on a GPU: the call's own, and of the others one "
                        "for each batch, in turn")
    parser.add_argument("--seconds", type=int, default=0,
                        help="begin nothing later than this")
    parser.add_argument("--child", action="store_true",
                        help=argparse.SUPPRESS)
    parser.add_argument("--skip", default="", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.show:
        print(text_of([make(options, options.seed)]))
        return 0
    if options.child:
        child(options)
        return 0

    past = options.seed + options.count
    batches, first = [], options.seed
    while first < past:  # batches begin where the mode changes
        last = min(past, first - first % BATCH + BATCH)
        batches.append((first, last - first))
        first = last
    failures, calls, begin = [], {}, time.monotonic()
    said = begin

    def batch(first, count):
        late = options.seconds and \
            time.monotonic() - begin > options.seconds
        return None if late else run_batch(options, first, count)

    with ThreadPoolExecutor(options.jobs) as pool:
        for future in as_completed([pool.submit(batch, *b) for b in batches]):
            if future.result() is None:
                continue
            for seed, how, mapping in future.result()[0]:
                failures.append((seed, how, mapping))
                print(f"seed {seed}, mapping {mapping}: {how[:240]}",
                      flush=True)
            calls.update(future.result()[1])
            if time.monotonic() - said > 20:
                said = time.monotonic()
                print(f"{len(calls)} of {options.count}, {said - begin:.0f} s",
                      file=sys.stderr, flush=True)
    failures.sort(key=lambda f: f[0])
    called = sum(count > 0 for count in calls.values())
    print(f"{len(calls) - len(failures)} functions agree, {len(failures)} "
          f"do not; {called} were called, {sum(calls.values())} times for each "
          f"mapping; {time.monotonic() - begin:.0f} s")
    for seed, how, mapping in failures[:10]:
        report(options, seed, how, mapping)
    failed = len(failures)
    if len(calls) >= 100 and called < 0.9 * len(calls):
        print("fewer than 90 % of the functions were called")
        failed += 1
    if options.planted:
        failed += missed(*planted(options, options.planted))
    return end(options, len(calls) - len(failures), failed)


if __name__ == "__main__":
    sys.exit(main())
