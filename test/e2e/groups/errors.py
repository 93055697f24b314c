"""Bad input: the right status, a message at the right place, never a crash."""

import pathlib

import numpy as np

import kernapi
from kernapi import (ARGUMENT, ARTEFACT, COMPILE, IO, MEMORY, NOT_FOUND,
                     SHAPE, TYPE)
from suite import Skip

GOOD = "ufunc add(a: T, b: T) -> T where T in (f32, f64):\n    return a + b\n"

# (name, source, the line the message must point at, words it must have)
SOURCES = [
    ("missing colon", "ufunc f(x)\n    return x\n", 1, [":"]),
    ("missing bracket", "ufunc f(x:\n    return x\n", 1, []),
    ("stray operator", "ufunc f(x):\n    return x +\n", 2, []),
    ("empty file's nonsense", "nonsense here\n", 1, []),
    ("tab in indentation", "ufunc f(x):\n\treturn x\n", 2, ["tab"]),
    ("inconsistent indentation",
     "ufunc f(x):\n    y = x\n  return y\n", 3, ["indent"]),
    ("no body", "ufunc f(x):\n", 1, []),
    ("unknown name", "ufunc f(x):\n    return exq(x)\n", 2, ["exq", "exp"]),
    ("unknown variable", "ufunc f(value):\n    return valeu * 2\n", 2,
     ["valeu", "value"]),
    ("unknown type", "ufunc f(x: f33) -> f32:\n    return x\n", 1, ["f33"]),
    ("unbound type variable", "ufunc f(x: T) -> T:\n    return x\n", 1, ["T"]),
    ("too many arguments", "ufunc f(x):\n    return sin(x, x)\n", 2,
     ["sin"]),
    ("too few arguments", "ufunc f(x):\n    return hypot(x)\n", 2,
     ["hypot", "2"]),
    ("wrong count for a def",
     "def g(a, b):\n    return a\n\nufunc f(x):\n    return g(x)\n", 5, ["g"]),
    ("two functions of one name",
     "ufunc f(x):\n    return x\n\nufunc f(y):\n    return y\n", 4, ["f"]),
    ("two parameters of one name", "ufunc f(x, x):\n    return x\n", 1,
     ["x"]),
    ("break outside a loop", "ufunc f(x):\n    break\n    return x\n", 2,
     ["break"]),
    ("missing return",
     "ufunc f(x: f32) -> f32:\n    y = x\n", None, ["f"]),
    ("some path without a return",
     "ufunc f(x: f32) -> f32:\n    if x > 0:\n        return x\n", None,
     ["f"]),
    ("unbound on some path",
     "ufunc f(x: f32) -> f32:\n    if x > 0:\n        y = x\n    return y\n",
     4, ["y"]),
    ("literal out of range",
     "ufunc f(x: u8) -> u8:\n    return x + 300\n", 2, ["300", "u8"]),
    ("literal too wide",
     "ufunc f(x: i64) -> i64:\n"
     "    return x + 99999999999999999999999999999999999999999\n",
     2, ["137 bits", "i64"]),
    ("result of another kind",
     "ufunc f(x: f32) -> i32:\n    return x\n", 2, ["f32", "i32"]),
    ("float bits", "ufunc f(x: f32) -> f32:\n    return x & 1\n", 2,
     ["f32"]),
    ("shifted float", "ufunc f(x: f64) -> f64:\n    return x << 2\n", 2,
     ["f64"]),
    ("tuple count", "ufunc f(x):\n    a, b = x, x, x\n    return a\n", 2,
     ["2", "3"]),
    ("returns of two lengths",
     "ufunc f(x: f32) -> (a: f32, b: f32):\n    return x\n", 2, ["2"]),
    ("indexing a scalar", "ufunc f(x: f32) -> f32:\n    return x[0]\n", 2,
     ["x"]),
    ("too many indices",
     "gufunc f(v: f32[n]) -> f32:\n    return v[0, 1]\n", 2, ["v"]),
    ("string", 'ufunc f(x):\n    y = "text"\n    return x\n', 2, []),
    ("list", "ufunc f(x):\n    y = []\n    return x\n", 2, []),
    ("lambda", "ufunc f(x):\n    g = lambda y: y\n    return g(x)\n", 2, []),
    ("try", "ufunc f(x):\n    try:\n        return x\n    except:\n"
     "        return 0\n", 2, []),
    ("Python's def with a star", "def g(*a):\n    return a\n", 1, []),
    ("keyword argument", "ufunc f(x):\n    return clip(x, lo=0, hi=1)\n", 2,
     []),
    ("recursion", "def g(x):\n    return g(x)\n\n"
     "ufunc f(x: f32) -> f32:\n    return g(x)\n", None, ["g"]),
    ("unknown module", "import numbers_of_mine\n", 1, ["numbers_of_mine"]),
    ("reserved item", "kernel k(x):\n    pass\n", 1, ["kernel"]),
    ("prange mismatch",
     "gufunc f(v: f32[n]) -> (r: f32[n]):\n    for i, j in prange(n):\n"
     "        r[i] = v[i]\n", 2, ["prange"]),
    ("break in prange",
     "gufunc f(v: f32[n]) -> (r: f32[n]):\n    for i in prange(n):\n"
     "        r[i] = v[i]\n        break\n", 4, ["break", "prange"]),
    ("scalar carried in prange",
     "gufunc f(v: f32[n]) -> f32:\n    acc = f32(0)\n"
     "    for i in prange(n):\n        acc += v[i]\n    return acc\n", 4,
     ["acc"]),
    ("writing an input",
     "gufunc f(v: f32[n]) -> f32:\n    v[0] = 1\n    return v[0]\n", 2,
     ["v"]),
    ("core dimension that nothing gives",
     "ufunc f(x: f32[n]) -> f32:\n    return x[0]\n", 1, []),
    ("zero step",
     "ufunc f(x: f32) -> f32:\n    for i in range(0, 4, 0):\n"
     "        x += i\n    return x\n", 2, ["step"]),
]


def positioned(message, line):
    """The place in `bad.kern:LINE:COLUMN: error`."""
    return (f"bad.kern:{line}:" if line else "bad.kern:") in message and \
        "error" in message


def source(ctx, text, line, words):
    def run(t):
        try:
            module = ctx.lib.compile(text, "bad.kern")
            # A generic function is typed when a call gives it types.
            for name in module.names():
                f = module[name]
                f(*[np.ones(3, np.float32)] * f.nin, place=ctx.place,
                  device=ctx.dl_device)
        except kernapi.KernError as error:
            t.check("status", error.status in (COMPILE, TYPE), str(error))
            t.check("place", positioned(error.message, line), str(error))
            missing = [w for w in words
                       if w.lower() not in error.message.lower()]
            t.check("message", not missing, f"{missing} not in {error}")
            t.check("shows the line", line is None or
                    text.split("\n")[line - 1].strip() in error.message,
                    str(error))
        else:
            t.fail("refused", "was accepted")
    return run


def several(ctx):
    def run(t):
        text = ("ufunc f(x):\n    return exq(x)\n\nufunc g(x):\n"
                "    return x + yy\n\nufunc h(x)\n    return x\n\n"
                "ufunc k(x: f99):\n    return x\n")
        t.refused("all errors in one run", lambda: ctx.lib.compile(
            text, "bad.kern"), COMPILE, "bad.kern:7:")
        text = ("ufunc f(x: f32) -> f32:\n    return exq(x)\n\n"
                "ufunc g(x: f32) -> f32:\n    return x + yy\n")

        def both():
            module = ctx.lib.compile(text, "bad.kern")
            return module["f"](np.float32(1))
        t.refused("two unknown names", both, COMPILE, "bad.kern:2:12",
                  "bad.kern:5:16")
    return run


def chains(ctx):
    """An error inside a def shows the call that led there."""
    def run(t):
        text = ("def inner(a, b):\n    return a & b\n\n"
                "def outer(a):\n    return inner(a, 1)\n\n"
                "ufunc f(x):\n    return outer(x)\n")
        t.refused("through two defs", lambda: ctx.lib.compile(
            text, "bad.kern")["f"](np.ones(2, np.float32)),
            (COMPILE, TYPE), "bad.kern:2:", "bad.kern:5:", "bad.kern:8:",
            "f32")
    return run


def strange_bytes(ctx):
    def run(t):
        rng = ctx.rng(1)
        texts = [b"", b"\n\n\n", b"\xef\xbb\xbf" + GOOD.encode(), b"\x00" * 10,
                 b"\xff\xfe\xfd", b"ufunc \xc3\x28(x):\n    return x\n",
                 GOOD.encode().replace(b"\n", b"\r\n"), b"(" * 5000,
                 b"ufunc f(x):\n    return " + b"(" * 3000 + b"x" +
                 b")" * 3000 + b"\n",
                 b"ufunc f(x):\n    return " + b"-" * 20000 + b"x\n",
                 b"ufunc f(x):\n    return x" + b" + x" * 20000 + b"\n",
                 b'"""never closed\n', b"ufunc f(x):\n    return 1e999999 * x\n",
                 b"ufunc f(x):\n    return x \\", b"#" * 100000]
        for text in texts:
            try:
                ctx.lib.compile(text, "bad.kern")
            except kernapi.KernError as error:
                t.check(repr(text[:40]), error.status == COMPILE and
                        error.message, str(error)[:300])
            else:
                t.check(repr(text[:40]), True)
        for trial in range(300):
            data = bytearray(GOOD.encode())
            for _ in range(int(rng.integers(1, 6))):
                at = int(rng.integers(len(data)))
                action = rng.integers(3)
                if action == 0:
                    data[at] = int(rng.integers(256))
                elif action == 1:
                    del data[at]
                else:
                    data.insert(at, int(rng.integers(32, 127)))
            try:
                ctx.lib.compile(bytes(data), "bad.kern")
            except kernapi.KernError as error:
                t.check(f"mutation {trial}", error.status == COMPILE,
                        f"{bytes(data)!r}: {error}")
            else:
                t.check(f"mutation {trial}", True)
    return run


def calls(ctx):
    def run(t):
        f = np.ones(3, np.float32)
        for args in [(), (f,), (f, f, f), (1, 2, 3, 4)]:
            t.refused(f"{len(args)} arguments", lambda: ctx.call(
                GOOD, "add", *args), ARGUMENT, "add", "2", str(len(args)))
        t.refused("no loop", lambda: ctx.call(
            GOOD, "add", f, np.ones(3, np.complex128)), TYPE, "c128", "f32",
            "f64")
        t.refused("shapes", lambda: ctx.call(
            GOOD, "add", f, np.ones(4, np.float32)), SHAPE, "(3,)", "(4,)")
        module = ctx.module(GOOD)
        t.refused("function", lambda: module["ad"], NOT_FOUND, "ad", "add")
        t.refused("device", lambda: module["add"](
            f, f, device=(kernapi.CUDA, 99)),
            (NOT_FOUND, kernapi.DEVICE, ARGUMENT))
        t.refused("kind of device", lambda: module["add"](
            f, f, device=(77, 0)), (NOT_FOUND, kernapi.DEVICE, ARGUMENT))
        t.check("after all that it works", np.array_equal(
            ctx.call(GOOD, "add", f, f), f + f))
    return run


def memory(ctx):
    def run(t):
        t.refused("array", lambda: ctx.lib.new_array(
            np.float64, (2**56,), ctx.dl_device), MEMORY)
        t.refused("size overflows", lambda: ctx.lib.new_array(
            np.float64, (2**40, 2**40), ctx.dl_device), (MEMORY, ARGUMENT,
                                                         SHAPE))
        t.refused("negative", lambda: ctx.lib.new_array(
            np.float64, (4, -1), ctx.dl_device), (ARGUMENT, SHAPE))
        one = np.ones(1, np.float32)
        tall = np.lib.stride_tricks.as_strided(one, (2**30, 1), (0, 0))
        wide = np.lib.stride_tricks.as_strided(one, (1, 2**30), (0, 0))
        t.refused("result", lambda: ctx.call(GOOD, "add", tall, wide), MEMORY)
        t.check("after that it works", np.array_equal(
            ctx.call(GOOD, "add", one, one), one + one))
    return run


def files(ctx):
    def run(t):
        folder = pathlib.Path(ctx.scratch)
        t.refused("no such source", lambda: ctx.lib.compile_file(
            folder / "none.kern"), (NOT_FOUND, IO), "none.kern")
        t.refused("no such artefact", lambda: ctx.lib.load_file(
            folder / "none.ptx"), (NOT_FOUND, IO), "none.ptx")
        t.refused("a folder", lambda: ctx.lib.compile_file(folder),
                  (NOT_FOUND, IO, COMPILE))
        t.refused("no manifest", lambda: ctx.lib.load_text(
            ".version 7.0\n.target sm_75\n.address_size 64\n"), ARTEFACT,
            "manifest")
        t.refused("empty", lambda: ctx.lib.load_text(""), ARTEFACT)
        t.refused("binary", lambda: ctx.lib.load_text(b"\x7fELF\x00\x01"),
                  ARTEFACT)
        t.refused("no such npy", lambda: ctx.lib.read_npy(
            folder / "none.npy"), (NOT_FOUND, IO), "none.npy")
        good = folder / "good.npy"
        np.save(good, np.arange(12.0).reshape(3, 4))
        data = good.read_bytes()
        bad = folder / "bad.npy"
        for label, content in [
                ("empty", b""), ("no magic", b"hello" * 30),
                ("cut in the header", data[:20]), ("cut in the data",
                                                   data[:-1]),
                ("header length", data[:8] + b"\xff\xff" + data[10:]),
                ("version", data[:6] + b"\x09\x00" + data[8:]),
                ("no shape", data.replace(b"'shape'", b"'shqpe'")),
                ("strange type", data.replace(b"<f8", b"<x8")),
                ("object type", data.replace(b"'<f8'", b"'|O8'")),
                ("big-endian or refused", data.replace(b"<f8", b">f8")),
                ("negative shape", data.replace(b"(3, 4)", b"(-3,4)")),
                ("huge shape", data.replace(b"(3, 4)", b"(3,99)"))]:
            bad.write_bytes(content)
            try:
                got = ctx.lib.read_npy(bad)
            except kernapi.KernError as error:
                t.check(label, error.status in (IO, TYPE)
                        and "bad.npy" in error.message, str(error))
            else:
                t.check(label, label.startswith("big") and np.array_equal(
                    got.numpy(ctx.lib), np.load(bad)), "was accepted")
        tensor = kernapi.Tensor.of(np.ones(3))
        t.refused("no such folder", lambda: ctx.lib.write_npy(
            folder / "none" / "x.npy", tensor.c), (IO, NOT_FOUND), "x.npy")
        t.check("nothing is left", not (folder / "none").exists())
    return run


def npy_types(ctx):
    """Read and written for every type, in C and Fortran order."""
    def run(t):
        folder = pathlib.Path(ctx.scratch)
        rng = ctx.rng(2)
        for name, dtype in kernapi.NUMPY_TYPE.items():
            for order in "CF":
                for shape in [(), (5,), (3, 4), (2, 3, 4), (0, 3)]:
                    x = (rng.random(shape) * 100).astype(dtype)
                    x = np.asarray(x, order=order)
                    path = folder / f"{name}.npy"
                    np.save(path, x)
                    got = ctx.lib.read_npy(path)
                    label = f"{name} {order} {shape}"
                    t.same("read " + label, got.numpy(ctx.lib), x)
                    ctx.lib.write_npy(folder / "out.npy", got.tensor)
                    # NumPy reads types that it has not, bf16, as raw bytes.
                    t.same("written " + label,
                           np.load(folder / "out.npy").view(x.dtype), x)
                    if order == "F" and min(shape, default=0) > 1:
                        t.check("order " + label, np.isfortran(
                            np.load(folder / "out.npy")) == np.isfortran(x))
        x = np.arange(24).reshape(4, 6)[::2, ::-3]
        ctx.lib.write_npy(folder / "out.npy", kernapi.Tensor.of(x).c)
        t.same("written from strides", np.load(folder / "out.npy"), x)
        left = [p.name for p in folder.iterdir() if "out.npy" in p.name]
        t.check("no temporary files", left == ["out.npy"], str(left))
    return run


def newer_gpu(ctx):
    """PTX for a GPU newer than this one."""
    def run(t):
        if ctx.device != "cuda":
            raise Skip("there is no CUDA device")
        if not ctx.kern:
            raise Skip("no kern tool was given")
        import subprocess
        folder = pathlib.Path(ctx.scratch)
        (folder / "g.kern").write_text(GOOD)
        have = ctx.lib.describe(ctx.dl_device).compute_capability
        if have >= 120:
            raise Skip("no target is newer than this GPU")
        subprocess.run([ctx.kern, "compile", folder / "g.kern", "-o",
                        folder / "g.ptx", "--target", "sm_120"], check=True)
        x = np.ones(3, np.float32)

        def use():
            module = ctx.lib.load_file(folder / "g.ptx")
            return module["add"](x, x, place="cuda")
        t.refused("sm_120", use, (ARTEFACT, kernapi.DEVICE), "sm_120",
                  f"sm_{have}")
    return run


def cases(ctx):
    for name, text, line, words in SOURCES:
        yield name, source(ctx, text, line, words)
    yield "several errors", several(ctx)
    yield "chains of calls", chains(ctx)
    yield "strange bytes", strange_bytes(ctx)
    yield "calls", calls(ctx)
    yield "memory", memory(ctx)
    yield "files", files(ctx)
    yield "npy types", npy_types(ctx)
    yield "newer GPU", newer_gpu(ctx)
