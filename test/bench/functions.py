#!/usr/bin/env python3
"""Every function and random bodies on a GPU, beside torch.compile and CUDA C.

    functions.py --lib libkern.so --log2 27 --seed 7 --part 1/2 --share 0/15

is one of the processes that `bench.py --only functions` starts: it makes its
share of the pairs with all their contenders, so that the caches on the disk
(Kern's, CuPy's, torch's and the driver's) have what the measuring process needs.
"""

import argparse
import functools
import os
import pathlib
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "e2e")]

if __name__ == "__main__":  # other peers take long to import
    sys.modules.update(jax=None, numba=None)

import cupy
import numpy as np

import function_bodies
from contenders import (
    Sources, Work, as_torch, kernapi, over, tensor, torch)

PEERS = ("kern", "CUDA C", "torch.compile")
ROW = 4096
GOALS = [["hand", 0.98], ["peers", 0.98]]
SAMPLE = 2048
DTYPES = {"f16": np.float16, "f32": np.float32, "f64": np.float64,
          "c64": np.complex64, "i32": np.int32, "i64": np.int64,
          "bool": np.bool_, "u8": np.uint8}
# Measurements are short, so that many fit into a run.
BATCHES, TARGET_MS = 5, 4.0


def array_type(kind):
    """What CuPy and NumPy hold: bf16 as bits."""
    return np.dtype(DTYPES.get(kind, np.uint16))


def rounded(values, kind):
    """f32 to the bits of bf16, to nearest even."""
    if kind != "bf16":
        return values.astype(array_type(kind))
    bits = values.astype(np.float32).view(np.uint32)
    return ((bits + 0x7fff + (bits >> 16 & 1)) >> 16).astype(np.uint16)


def numbers(array, kind):
    """A CPU array as numbers: bf16 as f32."""
    if kind != "bf16":
        return array
    return (array.astype(np.uint32) << 16).view(np.float32)


def drawn(rng, domain, kind, count):
    """Random numbers on the device."""
    if domain[0] == "bool":
        return rng.random(count, dtype=np.float32) < 0.5
    low, high = domain[-2:]
    if domain[0] == "int" or kind in ("i32", "i64"):
        made = rng.integers(int(low), int(high) + 1, count, dtype=np.int32)
        return made if domain[0] == "int" else made.astype(DTYPES[kind])
    if kind == "c64":
        return drawn(rng, domain, "f32", 2 * count).view(np.complex64)
    made = rng.random(count, dtype=np.float64 if kind == "f64" else np.float32)
    return rounded(made * (high - low) + low, kind)


def as_kern(array, kind):
    made = tensor(array)
    if kind == "bf16":
        made.c.dtype = kernapi.DLDataType(4, 16, 1)
    return made


def in_torch(array, kind):
    made = as_torch(array)
    return made.view(torch.bfloat16) if kind == "bf16" else made


def elements(pair, arrays):
    """The layout's arrays: the last one is a number, or one row for all."""
    if pair.layout == "row":
        return [a.reshape(-1, ROW) for a in arrays[:-1]] + [arrays[-1][:ROW]]
    return arrays


def at(array, shape, places):
    """Elements of an array that is broadcast to a shape, on the CPU."""
    index = cupy.unravel_index(cupy.asarray(places), shape)
    return cupy.asnumpy(cupy.broadcast_to(array, shape)[index])


def checked(body, kinds, inputs, shape, seed):
    """A check of results at some random places and at both ends."""
    count = int(np.prod(shape))
    places = np.concatenate([
        np.arange(64), np.arange(count - 64, count),
        np.random.default_rng(seed).integers(0, count, SAMPLE)])

    @functools.cache
    def wanted():
        given = [numbers(at(a, shape, places), k)
                 if isinstance(a, cupy.ndarray) else
                 np.full(places.size, a) for a, k in zip(inputs, kinds)]
        return function_bodies.expected(body, given)

    def check(results):
        found = [numbers(cupy.asnumpy(r.ravel()[cupy.asarray(places)]), kind)
                 for r, kind in zip(results, body.results)]
        return function_bodies.error(body, wanted(), found)
    return check


SOURCE = """\
%(includes)s
typedef %(compute)s T;
%(helpers)s
template <typename V, int N> struct alignas(sizeof(V) * N) Pack { V v[N]; };

extern "C" __global__ void f(%(parameters)s, %(result)s *out, long long packs,
                             unsigned row) {
  long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (i >= packs)
    return;
%(loads)s
  Pack<%(result)s, %(width)d> results;
#pragma unroll
  for (int k = 0; k < %(width)d; ++k) {
%(reads)s
%(body)s
    results.v[k] = %(store)s(%(last)s);
  }
  reinterpret_cast<Pack<%(result)s, %(width)d> *>(out)[i] = results;
}
"""
STORED = {**function_bodies.C_TYPES, "f16": "unsigned short",
          "bf16": "unsigned short"}


def cuda_source(pair):
    """A kernel whose threads take 16 bytes of the widest operand, or None."""
    body = pair.body
    text = body.c()
    if text is None:
        return None
    kinds = body.input_kinds()
    width = 16 // max(array_type(k).itemsize for k in (*kinds, *body.results))
    loads, reads, parameters = [], [], []
    for name, kind in zip(body.inputs, kinds):
        stored, last = STORED[kind], name == body.inputs[-1]
        if last and pair.layout == "scalar":
            parameters.append(f"{stored} {name}s")
            reads.append(f"    const auto {name} = load_{kind}({name}s);")
            continue
        place = "unsigned(i) % row" if last and pair.layout == "row" else "i"
        pack = f"Pack<{stored}, {width}>"
        parameters.append(f"const {stored} *{name}p")
        loads.append(f"  const {pack} {name}s = reinterpret_cast<const {pack} *>"
                     f"({name}p)[{place}];")
        reads.append(f"    const auto {name} = load_{kind}({name}s.v[k]);")
    kind = body.results[0]
    return SOURCE % {
        "includes": "#include <cupy/complex.cuh>\n#define COMPLEX" if "c64" in (
            *kinds, *body.results) else "",
        "compute": function_bodies.C_TYPES[body.kind],
        "helpers": (HERE / "functions.h").read_text().replace(
            "#pragma once", ""),
        "parameters": ", ".join(parameters), "result": STORED[kind],
        "width": width, "loads": "\n".join(loads), "reads": "\n".join(reads),
        "body": text.replace("  const", "    const"),
        "store": f"store_{kind}", "last": f"v{len(body.steps) - 1}"}


def in_cuda(pair, inputs, out):
    source = cuda_source(pair)
    if source is None:
        return None
    kernel = cupy.RawModule(code=source, options=("--std=c++17",)).get_function("f")
    width = 16 // max(array_type(k).itemsize for k in (
        *pair.body.input_kinds(), *pair.body.results))
    packs = out.size // width
    values = [a if isinstance(a, cupy.ndarray) else
              rounded(np.float64(a), k)[()] for a, k in
              zip(inputs, pair.body.input_kinds())]
    arguments = (*values, out, np.int64(packs), np.uint32(ROW // width))
    return lambda: kernel((over(packs),), (256,), arguments)


def compiled(pair, inputs):
    """torch.compile's; a number is an array of one element, so that it is not
    known when the function is compiled."""
    names = {"torch": torch}
    exec(pair.body.torch(), names)
    kinds = pair.body.input_kinds()
    given = [in_torch(a if isinstance(a, cupy.ndarray) else cupy.asarray(
        rounded(np.full((), a), k)), k) for a, k in zip(inputs, kinds)]
    torch._dynamo.reset()
    call = torch.compile(names["f"], dynamic=False)
    state = {}

    views = {torch.bfloat16: torch.int16, torch.bool: torch.uint8}

    def run():
        state["out"] = None  # its memory is used again
        made = state["out"] = call(*given)
        made = made if isinstance(made, tuple) else (made,)
        return [one.view(views.get(one.dtype, one.dtype)) for one in made]
    run()
    return run


def make(sources, count, seed, which, pair):
    body = pair.body
    rng = cupy.random.default_rng(seed)
    kinds = body.input_kinds()
    inputs = [drawn(rng, d, k, count) for d, k in zip(body.domains, kinds)]
    if pair.layout == "scalar":
        inputs[-1] = 1.25 if body.kind[0] != "i" else 3
    inputs = elements(pair, inputs)
    shape = np.broadcast_shapes(*(np.shape(a) for a in inputs))
    out = [cupy.empty(shape, array_type(k)) for k in body.results]
    moved = sum(a.nbytes for a in (*inputs, *out) if isinstance(a, cupy.ndarray))
    work = Work(pair.name, moved, {}, out,
                checked(body, kinds, inputs, shape, seed), GOALS, tags={
                    "kind": body.kind, "layout": pair.layout,
                    "text": body.kern()})
    work.add("kern", lambda: kernapi.Prepared(
        sources.function(body.kern(), "f"),
        [as_kern(a, k) if isinstance(a, cupy.ndarray) else a
         for a, k in zip(inputs, kinds)],
        [as_kern(o, k) for o, k in zip(out, body.results)]))
    if "CUDA C" in which and body.c():
        work.add("CUDA C", lambda: in_cuda(pair, inputs, out[0]))
    if "torch.compile" in which and torch and body.torch():
        work.add("torch.compile", lambda: compiled(pair, inputs))
    return work


def prepare_torch():
    """Choices between variants are timed by whoever measures, not while
    others keep the GPU busy."""
    if torch:
        import torch._inductor.config as config
        config.compile_threads = 1
        if hasattr(config, "autotune_local_cache"):
            config.autotune_local_cache = False


def warm(options, part, log2, count):
    """Fills the caches with many processes, each of which has a CPU. Leaves
    time to measure so many pairs."""
    limit = max(1.0, options.stop - time.monotonic() - 40 - 0.25 * count)
    stop = time.monotonic() + limit + 20
    processes = max(1, len(os.sched_getaffinity(0)) - 1)
    command = [sys.executable, __file__, "--lib", options.lib, "--log2", log2,
               "--seed", options.seed, "--part", part, "--peers", options.peers,
               "--row", options.row or "", "--seconds", limit]
    children = [subprocess.Popen(
        [*map(str, command), "--share", f"{k}/{processes}"],
        stdout=subprocess.DEVNULL) for k in range(processes)]
    for child in children:
        try:
            child.wait(max(1.0, stop - time.monotonic()))
        except subprocess.TimeoutExpired:
            child.kill()


def works(options, sources, which):
    """The pairs of a part, each as its name and a function that makes it."""
    pairs = function_bodies.part_of(
        function_bodies.pairs(options.seed), options.part, options.row)
    log2 = options.log2 - 1
    prepare_torch()
    warm(options, options.part, log2, len(pairs))
    print(f"{len(pairs)} pairs of seed {options.seed}, part {options.part}; "
          f"{options.stop - time.monotonic():.0f} s left", flush=True)
    for pair in pairs:
        yield pair.name, functools.partial(
            make, sources, 1 << log2, options.seed, which, pair)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("--lib", "--part", "--share", "--peers", "--row"):
        parser.add_argument(name, required=True)
    parser.add_argument("--log2", type=int, required=True)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--seconds", type=float, required=True)
    options = parser.parse_args()
    stop = time.monotonic() + options.seconds
    number, of = map(int, options.share.split("/"))
    prepare_torch()
    sources = Sources(kernapi.Library(options.lib))
    pairs = function_bodies.part_of(
        function_bodies.pairs(options.seed), options.part,
        options.row)[number::of]
    for pair in pairs:
        if time.monotonic() > stop:
            break
        try:
            for run in make(sources, 1 << options.log2, options.seed,
                            options.peers.split(","), pair).run.values():
                run()
        except Exception as problem:  # the measuring process will say so
            print(pair.name, problem, file=sys.stderr)
        cupy.get_default_memory_pool().free_all_blocks()


if __name__ == "__main__":
    main()
