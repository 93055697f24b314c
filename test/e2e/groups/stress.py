"""Many threads, many modules, many calls."""

import gc
import os
import pathlib
import subprocess
import sys
import threading

import numpy as np

import kernapi
from suite import Skip


def threads(ctx):
    """Eight threads compile and call at once, on common and own modules."""
    common = ("ufunc add(a, b):\n    return a + b\n\n"
              "gufunc total(v: [n]):\n    return sum(v)\n")
    dtypes = [np.int8, np.uint8, np.int16, np.int32, np.int64, np.float32,
              np.float64]

    def run(t):
        shared = ctx.lib.compile(common, "shared.kern")
        problems, done = [], []
        barrier = threading.Barrier(8)

        def work(number):
            try:
                rng = np.random.default_rng(number)
                barrier.wait()
                for turn in range(12):
                    dtype = dtypes[(number + turn) % len(dtypes)]
                    a = rng.integers(0, 50, (20, 30)).astype(dtype)
                    place = dict(place=ctx.place, device=ctx.dl_device)
                    got = shared["add"](a, a[::-1], **place)
                    if not np.array_equal(got, a + a[::-1]):
                        problems.append(f"add {number} {turn}")
                    got = shared["total"](a, **place)
                    if not np.array_equal(got, a.sum(1)):
                        problems.append(f"total {number} {turn}")
                    own = ctx.lib.compile(
                        f"ufunc f{number}(x):\n"
                        f"    return x * 2 + {turn}\n", "own.kern")
                    got = own[f"f{number}"](a, **place)
                    if not np.array_equal(got, a * 2 + turn):
                        problems.append(f"own {number} {turn}")
                    try:
                        ctx.lib.compile(f"ufunc f(x):\n    return y{number}\n",
                                        "bad.kern")["f"](np.ones(2))
                        problems.append(f"error {number}: none")
                    except kernapi.KernError as error:
                        # The message is this thread's own.
                        if f"y{number}" not in error.message:
                            problems.append(f"error {number}: {error}")
                    done.append(1)
            except Exception as error:
                problems.append(f"{number}: {type(error).__name__}: {error}")

        pool = [threading.Thread(target=work, args=(k,)) for k in range(8)]
        for thread in pool:
            thread.start()
        for thread in pool:
            thread.join()
        t.check("no problem", not problems, "; ".join(problems[:5]))
        t.check("all done", len(done) == 96, str(len(done)))
    return run


def resident():
    """Resident memory in KiB."""
    try:
        for line in open("/proc/self/status"):
            if line.startswith("VmRSS"):
                return int(line.split()[1])
    except OSError:
        pass
    raise Skip("/proc/self/status is not here to read")


def no_growth(ctx):
    def run(t):
        if "libclang_rt.asan" in os.environ.get("LD_PRELOAD", ""):
            raise Skip("AddressSanitizer keeps what is freed")
        text = "ufunc add(a, b):\n    return a + b\n"
        f = ctx.module(text)["add"]
        a = np.ones((64, 64), np.float32)
        strided = np.ones((128, 128), np.float32)[::2, ::2]

        def some(count):
            for _ in range(count):
                f(a, a, place=ctx.place, device=ctx.dl_device)
                f(a, strided, place=ctx.place, device=ctx.dl_device)
                try:
                    f(a, a[:3], place=ctx.place, device=ctx.dl_device)
                except kernapi.KernError:
                    pass
            gc.collect()

        some(500)
        before = resident()
        some(3000)
        grown = resident() - before
        t.check("9000 calls", grown < 8192, f"grew by {grown} KiB")
    return run


def modules_released(ctx):
    def run(t):
        def some(count, start):
            for k in range(start, start + count):
                module = ctx.lib.compile(
                    f"ufunc f(x: f32) -> f32:\n    return x + {k}\n")
                got = module["f"](np.float32(1), device=(kernapi.CPU, 0))
                if got != k + 1:
                    t.fail(f"module {k}", str(got))
        some(30, 0)
        before = resident()
        some(120, 30)
        gc.collect()
        grown = resident() - before
        t.check("120 modules", grown < 60 * 1024, f"grew by {grown} KiB")
    return run


def big_program(ctx):
    def run(t):
        text = "".join(
            f"ufunc f{k}(x: f32) -> f32:\n    return x * {k} + {k}\n\n"
            for k in range(300))
        module = ctx.lib.compile(text, "big.kern")
        for k in (0, 150, 299):
            t.same(f"f{k}", module[f"f{k}"](
                np.ones(3, np.float32), place=ctx.place,
                device=ctx.dl_device), np.full(3, 2 * k, np.float32))
        text = "ufunc f(x: i64) -> i64:\n    y = x\n" + "".join(
            f"    y = y * 3 + {k}\n" for k in range(500)) + "    return y\n"
        y = np.arange(4)
        with np.errstate(over="ignore"):
            for k in range(500):
                y = y * 3 + k
        t.same("500 statements", ctx.call(text, "f", np.arange(4)), y)
        names = ", ".join(f"a{k}" for k in range(30))
        text = f"ufunc f({names}):\n    return " + names.replace(",", " +")
        t.same("30 parameters", ctx.call(
            text + "\n", "f", *[np.full(3, k) for k in range(30)]),
            np.full(3, 435))
    return run


FORKING = """
import os, signal, sys, time
import numpy as np
import kernapi

lib = kernapi.Library(sys.argv[1])
f = lib.compile("ufunc f(x):\\n    return exp(x) * sin(x)\\n", "f.kern")["f"]
x = np.linspace(-1, 1, 1 << 20)
expected = f(x, device=(kernapi.CPU, 0))
child = os.fork()
same = np.array_equal(f(x, device=(kernapi.CPU, 0)), expected)
if child:
    ended = 0
    until = time.monotonic() + 30
    while not ended and time.monotonic() < until:
        time.sleep(0.02)
        ended, status = os.waitpid(child, os.WNOHANG)
    if not ended:
        os.kill(child, signal.SIGKILL)
        sys.exit("the child hangs")
    same = same and status == 0
sys.exit(0 if same else 3)
"""


def forked(ctx):
    """A child of os.fork() makes calls and exits normally."""
    def run(t):
        done = subprocess.run(
            [sys.executable, "-c", FORKING,
             pathlib.Path(ctx.lib.c._name).resolve()],
            cwd=pathlib.Path(kernapi.__file__).parent,
            capture_output=True, text=True)
        t.check("fork", done.returncode == 0,
                f"{done.returncode}: {done.stderr[-500:]}")
    return run


def cases(ctx):
    yield "threads", threads(ctx)
    yield "no growth", no_growth(ctx)
    yield "modules released", modules_released(ctx)
    yield "big programs", big_program(ctx)
    yield "forked processes", forked(ctx)
