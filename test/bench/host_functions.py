#!/usr/bin/env python3
"""Every function and random bodies on the CPU, beside NumPy, Numba and C++.

    host_functions.py --lib libkern.so [--part 1/4] [--row exp] [--seconds 280]
        [--seed 7] [--json out.json] [--into docs/explanation/performance.md]

The pairs are those of `bench.py --only functions`, but for bf16, which NumPy
lacks. Every result is checked first. Contenders take turns within each batch;
ratios are medians over the batches. The C++ loops are compiled here, all in one
file, for the C library's vector functions.
"""

import argparse
import ctypes
import datetime
import json
import math
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np

import function_bodies
import function_report
import function_table
from host import CPU, FLAGS, VECTOR_FLAGS, cores, kernapi, numba
from report import put_into

HERE = pathlib.Path(__file__).resolve().parent
BEGIN, END = "<!-- host-functions:begin -->", "<!-- host-functions:end -->"
ROW = 4096
SAMPLE = 2048
DTYPES = {"f16": np.float16, "f32": np.float32, "f64": np.float64,
          "c64": np.complex64, "i32": np.int32, "i64": np.int64,
          "bool": np.bool_, "u8": np.uint8}
STORED = {**function_bodies.C_TYPES, "f16": "_Float16"}
NAMES = {"np": np, "math": math, "PI": math.pi}
# What NumPy and Numba have no function of arrays for.
ABSENT = ("vectorize", "step(", "erf", "gamma(", "reversed_bits")


def drawn(rng, domain, kind, count):
    if domain[0] == "bool":
        return rng.random(count) < 0.5
    low, high = domain[-2:]
    if domain[0] == "int" or kind in ("i32", "i64"):
        return rng.integers(int(low), int(high) + 1, count).astype(
            np.int32 if domain[0] == "int" else DTYPES[kind])
    if kind == "c64":
        return drawn(rng, domain, "f32", 2 * count).view(np.complex64)
    return rng.uniform(low, high, count).astype(DTYPES[kind])


def arrays_of(pair, count, seed):
    """The inputs and one output for each result."""
    body, rng = pair.body, np.random.default_rng(seed)
    kinds = body.input_kinds()
    inputs = [drawn(rng, d, k, count) for d, k in zip(body.domains, kinds)]
    if pair.layout == "scalar":
        inputs[-1] = DTYPES[kinds[-1]](1.25 if kinds[-1][0] != "i" else 3)
    if pair.layout == "row":
        inputs = [a.reshape(-1, ROW) for a in inputs[:-1]] + [inputs[-1][:ROW]]
    shape = np.broadcast_shapes(*map(np.shape, inputs))
    return inputs, [np.empty(shape, DTYPES[k]) for k in body.results]


LOOP = """
namespace n%(number)d {
typedef %(compute)s T;
extern "C" void f%(number)d(%(parameters)s, %(result)s *__restrict out,
                            int64_t count, int64_t threads) {
  share(count / row, threads, [=](int64_t begin, int64_t end) {
    for (int64_t r = begin * row; r < end * row; r += row)
      for (int64_t k = 0; k < row; ++k) {
%(reads)s
%(body)s
        out[r + k] = store_%(kind)s(%(last)s);
      }
  });
}
}
"""
HEAD = """\
#include <cmath>
#include <complex>
#include <cstdint>
#include <thread>
#include <vector>
using namespace std;
#define COMPLEX
%s
static constexpr int64_t row = %d;
template <typename Loop>
static void share(int64_t count, int64_t threads, Loop loop) {
  vector<thread> others;
  for (int64_t t = 1; t < threads; ++t)
    others.emplace_back(loop, count * t / threads, count * (t + 1) / threads);
  loop(0, count / threads);
  for (thread &other : others)
    other.join();
}
"""


def loop_source(number, pair):
    body, text = pair.body, pair.body.c()
    if text is None:
        return None
    reads, parameters = [], []
    for name, kind in zip(body.inputs, body.input_kinds()):
        place = "r + k"
        if name == body.inputs[-1]:
            place = {"scalar": "0", "row": "k"}.get(pair.layout, place)
        parameters.append(f"const {STORED[kind]} *__restrict {name}p")
        reads.append(
            f"        const auto {name} = load_{kind}({name}p[{place}]);")
    return LOOP % {
        "number": number, "compute": function_bodies.C_TYPES[body.kind],
        "parameters": ", ".join(parameters), "reads": "\n".join(reads),
        "result": STORED[body.results[0]], "kind": body.results[0],
        "body": text.replace("  const", "        const"),
        "last": f"v{len(body.steps) - 1}"}


def compiled_loops(pairs, folder):
    """The C++ loops of all pairs that have one, by name."""
    sources = {p.name: loop_source(k, p) for k, p in enumerate(pairs)}
    path = pathlib.Path(folder) / "loops.cpp"
    head = HEAD % ((HERE / "functions.h").read_text().replace(
        "#pragma once", ""), ROW)
    path.write_text(head + "".join(filter(None, sources.values())))
    library = path.with_suffix(".so")
    done = subprocess.run(
        ["g++", *FLAGS, *VECTOR_FLAGS["g++"], path, "-o", library, "-lmvec",
         "-lm"], text=True, capture_output=True, check=False)
    if done.returncode:
        print(f"no C++ loops: {done.stderr[:2000]}", flush=True)
        return {}
    loaded = ctypes.CDLL(str(library))
    return {p.name: getattr(loaded, f"f{k}") for k, p in enumerate(pairs)
            if sources[p.name]}


def in_cpp(loop, inputs, out):
    held = [np.asarray(a) for a in inputs]
    words = [ctypes.c_void_p(a.ctypes.data) for a in (*held, out)]
    words += [ctypes.c_int64(out.size), ctypes.c_int64(cores())]
    return lambda: loop(*words) or held and None


def in_numpy(body, inputs, outs):
    names = dict(NAMES)
    exec(body.python(lambda f: f.numpy), names)

    def run():
        made = names["f"](*inputs)
        for out, one in zip(outs, made if isinstance(made, tuple) else (made,)):
            out[...] = one
    return run


def in_numba(pair, inputs, outs):
    """One loop over all elements; rows have a loop of their own."""
    body = pair.body
    names = {**NAMES, "prange": numba.prange}
    flat = [a.ravel() if isinstance(a, np.ndarray) else a for a in inputs]
    reads = []
    for name in body.inputs:
        place = f"{name}s[i]"
        if name == body.inputs[-1]:
            place = {"scalar": f"{name}s", "row": f"{name}s[i % {ROW}]"}.get(
                pair.layout, place)
        reads.append(f"        {name} = {place}\n")
    given = ", ".join(f"{n}s" for n in body.inputs)
    exec(f"def loop({given}, out):\n    for i in prange(out.size):\n"
         + "".join(reads) + "".join(
             f"        {name} = {text}\n"
             for name, text in body.lines(lambda f: f.numpy))
         + f"        out[i] = v{len(body.steps) - 1}\n", names)
    function = numba.njit(parallel=True)(names["loop"])
    out = outs[0].reshape(-1)
    return lambda: function(*flat, out)


def contenders(pair, function, loops, inputs, outs):
    """For each a function without arguments, or the reason why there is none."""
    body = pair.body
    text = body.python(lambda f: f.numpy)
    has_numpy = text and not any(word in text for word in ABSENT)
    made = {"kern": lambda: lambda: function(*inputs, out=outs, device=CPU)}
    if pair.name in loops:
        made["C++"] = lambda: in_cpp(loops[pair.name], inputs, outs[0])
    if has_numpy:
        made["NumPy"] = lambda: in_numpy(body, inputs, outs)
    if has_numpy and numba and body.kind != "f16" and len(outs) == 1:
        made["Numba"] = lambda: in_numba(pair, inputs, outs)
    return made


def wanted_at(pair, inputs, outs, seed):
    count = outs[0].size
    places = np.concatenate([
        np.arange(64), np.arange(count - 64, count),
        np.random.default_rng(seed).integers(0, count, SAMPLE)])
    given = [np.broadcast_to(a, outs[0].shape).ravel()[places] for a in inputs]
    return places, function_bodies.expected(pair.body, given)


def measured(pair, function, loops, options):
    inputs, outs = arrays_of(pair, 1 << options.log2, options.seed)
    places, wanted = wanted_at(pair, inputs, outs, options.seed)
    row = {"work": pair.name, "kind": pair.body.kind, "layout": pair.layout,
           "text": pair.body.kern(), "ms": {}, "gbs": {}, "ratios": {},
           "failed": {}}
    runs = {}
    for peer, make in contenders(pair, function, loops, inputs, outs).items():
        try:
            for out in outs:
                out.fill(1)
            run = make()
            with np.errstate(all="ignore"):
                run()
            off = function_bodies.error(pair.body, wanted, [
                out.ravel()[places] for out in outs])
        except Exception as problem:  # of one contender; the others count
            text = str(problem).strip().splitlines()
            row["failed"][peer] = f"{type(problem).__name__}: {text[:1]}"
            continue
        if off <= 1 or (peer != "kern" and off < 1e4):
            runs[peer] = run  # fast-math and NumPy's f16 are further off
        else:
            row["failed"][peer] = f"wrong: {off:.3g} × the tolerance"
    times = {peer: [] for peer in runs}
    with np.errstate(all="ignore"):
        for _ in range(options.batches):
            for peer, run in runs.items():
                began = time.perf_counter()
                run()
                times[peer].append((time.perf_counter() - began) * 1e3)
    moved = sum(np.asarray(a).nbytes for a in (*inputs, *outs))
    for peer, taken in times.items():
        row["ms"][peer] = statistics.median(taken)
        row["gbs"][peer] = moved / row["ms"][peer] / 1e6
        if "kern" in times and peer != "kern":
            row["ratios"][peer] = statistics.median(
                theirs / mine for mine, theirs in zip(times["kern"], taken))
    return row


def markdown(report):
    return (f"Measured on {report['cores']} cores of one {report['device']} "
            f"({report['date']}, {report['versions']}), 2^{report['log2']} "
            f"elements, seed {report['seed']}, with:\n\n```\n"
            f"{report['command']}\n```\n\n"
            + function_report.markdown(report["functions"], of_copy=False))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--lib", required=True)
    parser.add_argument("--log2", type=int, default=22)
    parser.add_argument("--batches", type=int, default=7)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--part", default="1/2", metavar="K/M")
    parser.add_argument("--row", default="")
    parser.add_argument("--seconds", type=float, default=1e9)
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--into", type=pathlib.Path)
    options = parser.parse_args()
    stop = time.monotonic() + options.seconds
    pairs = [p for p in function_bodies.part_of(
        function_bodies.pairs(options.seed), options.part, options.row)
        if p.body.kind != "bf16"]
    lib = kernapi.Library(options.lib)
    versions = [f"kern {lib.version()}", f"NumPy {np.__version__}"] + (
        [f"Numba {numba.__version__}"] if numba else [])
    report = {
        "device": lib.describe(CPU).name.decode(), "cores": cores(),
        "date": datetime.date.today().isoformat(), "functions": [],
        "versions": ", ".join(versions), "log2": options.log2,
        "seed": options.seed,
        "command": "python3 test/bench/bench.py --lib LIB --only "
                   f"functions-host --part {options.part} --seed {options.seed}"}
    with tempfile.TemporaryDirectory() as folder:
        loops = compiled_loops(pairs, folder)
        for pair in pairs:
            if time.monotonic() > stop:
                print(f"out of time: {pair.name} and what follows is left out")
                break
            function = lib.compile(pair.body.kern())["f"]
            row = measured(pair, function, loops, options)
            report["functions"].append(row)
            print(pair.name, {p: round(t, 3) for p, t in row["ms"].items()},
                  {p: round(r, 2) for p, r in row["ratios"].items()},
                  *row["failed"].items(), flush=True)
            if options.json:
                options.json.write_text(json.dumps(report, indent=1))
    if options.into:
        put_into(options.into, markdown(report), BEGIN, END)
    print("\n".join(function_report.summary(report["functions"])))
    return int(any("kern" in row["failed"] for row in report["functions"]))


if __name__ == "__main__":
    sys.exit(main())
