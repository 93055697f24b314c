"""The kern tool on files: its outputs and exit statuses."""

import os
import pathlib
import re
import subprocess

import numpy as np

import kernapi
from suite import Skip

REPOSITORY = pathlib.Path(__file__).resolve().parents[3]
GOOD = '''
"""A file."""

ufunc add(a, b):
    """The sum."""
    return a + b

ufunc half(x: T) -> T where T in (f32, f64):
    return x / 2

ufunc split(x: T) -> (whole: T, part: T) where T in (f32, f64):
    return floor(x), x - floor(x)

gufunc matmul(a: T[m, k], b: T[k, n]) -> (c: T[m, n]) where T in (f32, f64):
    for i, j in prange(m, n):
        c[i, j] = sum(a[i, p] * b[p, j] for p in range(k))
'''


class Tool:
    def __init__(self, ctx):
        self.ctx = ctx
        if not ctx.kern:
            raise Skip("no kern tool was given")
        self.folder = pathlib.Path(ctx.scratch)
        (self.folder / "good.kern").write_text(GOOD)

    def run(self, *arguments, folder=None):
        return subprocess.run(
            [os.path.abspath(self.ctx.kern), *map(str, arguments)],
            cwd=folder or self.folder, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, errors="replace", timeout=120)

    def device(self):
        return "cuda:0" if self.ctx.device == "cuda" else "cpu"


def ok(t, label, done):
    return t.check(label, done.returncode == 0,
                   f"exit {done.returncode}: {done.stderr[:400]}")


def ends(t, label, done, status, *words):
    """The exit status, a message on stderr, and no crash."""
    missing = [w for w in words if w not in done.stderr]
    t.check(label, done.returncode == status and done.stderr.strip()
            and not missing,
            f"exit {done.returncode}, expected {status}; {missing} not in: "
            f"{done.stderr[:400]}")


def basics(ctx):
    def run(t):
        tool = Tool(ctx)
        done = tool.run("--version")
        ok(t, "--version", done)
        t.check("version", ctx.lib.version() in done.stdout, done.stdout)
        done = tool.run("--help")
        ok(t, "--help", done)
        for verb in ("compile", "run", "check", "info", "devices"):
            t.check(f"--help names {verb}", verb in done.stdout)
            ok(t, f"{verb} --help", tool.run(verb, "--help"))
        done = tool.run("devices")
        ok(t, "devices", done)
        t.check("devices lists the CPU", "cpu" in done.stdout.lower(),
                done.stdout)
        if ctx.lib.cuda_count():
            t.check("devices lists the GPU", "cuda:0" in done.stdout,
                    done.stdout)
        else:
            t.check("devices says why there is no GPU",
                    ctx.lib.cuda_reason() in done.stdout + done.stderr,
                    done.stdout)
    return run


def wrong_command_lines(ctx):
    def run(t):
        tool = Tool(ctx)
        for arguments in [
                (), ("fly",), ("compile",), ("run",), ("run", "good.kern"),
                ("compile", "good.kern", "--no-such-option"),
                ("run", "good.kern", "add", "1", "2", "--device", "toaster"),
                ("compile", "good.kern", "--target", "sm_1"),
                ("compile", "good.kern", "--emit=poetry", "-o", "x"),
                ("check",)]:
            ends(t, "kern " + " ".join(arguments), tool.run(*arguments), 2)
    return run


def refused_input(ctx):
    def run(t):
        tool = Tool(ctx)
        (tool.folder / "bad.kern").write_text(
            "ufunc f(x: f32) -> f32:\n    return exq(x)\n")
        (tool.folder / "type.kern").write_text(
            "ufunc f(x):\n    return x & 1\n")
        (tool.folder / "bad.npy").write_bytes(b"not an array")
        (tool.folder / "plain.ptx").write_text(
            ".version 7.0\n.target sm_75\n.address_size 64\n")
        np.save(tool.folder / "x3.npy", np.ones(3))
        np.save(tool.folder / "x4.npy", np.ones(4))
        out = tool.folder / "out.npy"
        for label, arguments, words in [
                ("check bad", ("check", "bad.kern"),
                 ("bad.kern:2:12", "exq", "exp")),
                ("compile bad", ("compile", "bad.kern", "-o", "bad.ptx"),
                 ("bad.kern:2:12",)),
                ("missing source", ("compile", "none.kern"), ("none.kern",)),
                ("missing source to run", ("run", "none.kern", "f", "1"),
                 ("none.kern",)),
                ("unknown function",
                 ("run", "good.kern", "ad", "1", "2", "-o", "out.npy"),
                 ("ad", "add")),
                ("too few inputs",
                 ("run", "good.kern", "add", "1", "-o", "out.npy"),
                 ("add", "2")),
                ("too many inputs",
                 ("run", "good.kern", "add", "1", "2", "3"), ("add",)),
                ("shapes", ("run", "good.kern", "add", "x3.npy", "x4.npy",
                            "-o", "out.npy"), ("(3,)", "(4,)")),
                ("missing npy", ("run", "good.kern", "half", "none.npy",
                                 "-o", "out.npy"), ("none.npy",)),
                ("malformed npy", ("run", "good.kern", "half", "bad.npy",
                                   "-o", "out.npy"), ("bad.npy",)),
                ("no loop", ("run", "good.kern", "half", "c128(1)", "-o",
                             "out.npy"), ("f32", "f64")),
                ("type error at the call",
                 ("run", "type.kern", "f", "1.5", "-o", "out.npy"),
                 ("type.kern:2:",)),
                ("PTX without a manifest",
                 ("run", "plain.ptx", "f", "1", "-o", "out.npy"),
                 ("plain.ptx", "manifest")),
                ("signature that does not fit",
                 ("compile", "good.kern", "--signature", "f32(i8, i8, i8)",
                  "-o", "out.ptx"), ("f32(i8, i8, i8)",)),
                ("folder that is not there",
                 ("run", "good.kern", "half", "x3.npy", "-o",
                  "none/out.npy"), ("none",))]:
            ends(t, label, tool.run(*arguments), 1, *words)
            t.check(label + ": no output", not out.exists()
                    and not (tool.folder / "bad.ptx").exists())
        np.save(out, np.arange(3))
        before = out.read_bytes()
        tool.run("run", "good.kern", "add", "x3.npy", "x4.npy", "-o", out)
        t.check("an old output is untouched by a failed run",
                out.read_bytes() == before)
        left = [p.name for p in tool.folder.iterdir()
                if p.name.startswith(("out", ".out")) and p != out]
        t.check("no temporary files", not left, str(left))
        out.unlink()
        t.check("diagnostics go to stderr",
                tool.run("check", "bad.kern").stdout == "")
    return run


def check_and_info(ctx):
    def run(t):
        tool = Tool(ctx)
        ok(t, "check", tool.run("check", "good.kern"))
        done = tool.run("info", "good.kern")
        ok(t, "info", done)
        for word in ("add", "half", "split", "matmul", "(m,k),(k,n)->(m,n)",
                     "ff->f", "dd->d"):
            t.check(f"info says {word}", word in done.stdout, done.stdout)
    return run


def compiled(ctx):
    def run(t):
        tool = Tool(ctx)
        for target in ("sm_75", "sm_80", "sm_90", "sm_100", "sm_120"):
            path = tool.folder / f"{target}.ptx"
            done = tool.run("compile", "good.kern", "-o", path, "--target",
                            target)
            if not ok(t, f"compile for {target}", done):
                continue
            text = path.read_text()
            t.check(f"{target} in the text",
                    re.search(rf"^\.target {target}\b", text, re.M))
            t.check(f"{target} has entries", ".entry" in text)
            done = tool.run("info", path)
            ok(t, f"info of {target}", done)
            t.check(f"info names the target {target}",
                    target in done.stdout and "matmul" in done.stdout,
                    done.stdout)
        done = tool.run("compile", "good.kern")
        ok(t, "compile without -o", done)
        t.check("good.ptx is beside the source",
                (tool.folder / "good.ptx").exists())
        done = tool.run("compile", "good.kern", "-o", "s.ptx", "--signature",
                        "f32(f32, f32)", "--signature", "i64(i64, i64)")
        ok(t, "signatures of a generic function", done)
        if done.returncode == 0:
            said = tool.run("info", "s.ptx").stdout
            t.check("its loops", "ff->f" in said and "ll->l" in said, said)
    return run


def emitted(ctx):
    def run(t):
        tool = Tool(ctx)
        for kind, mark in [("llvm", "define"), ("ptx", ".entry")]:
            done = tool.run("compile", "good.kern", f"--emit={kind}", "-o",
                            f"e.{kind}")
            if ok(t, f"--emit={kind}", done):
                text = (tool.folder / f"e.{kind}").read_text()
                t.check(f"{kind} text", mark in text, text[:200])
    return run


def runs(ctx):
    def run(t):
        tool = Tool(ctx)
        rng = ctx.rng(1)
        for name in ("bool", "i8", "u8", "i16", "u16", "i32", "u32", "i64",
                     "u64", "f32", "f64"):
            dtype = kernapi.NUMPY_TYPE[name]
            for order in "CF":
                x = (rng.random((5, 7)) * 50).astype(dtype, order=order)
                y = (rng.random((7,)) * 50).astype(dtype)
                np.save(tool.folder / "x.npy", x)
                np.save(tool.folder / "y.npy", y)
                done = tool.run("run", "good.kern", "add", "x.npy", "y.npy",
                                "-o", "z.npy", "--device", tool.device())
                if ok(t, f"add {name} {order}", done):
                    t.same(f"add {name} {order} values",
                           np.load(tool.folder / "z.npy"), x + y)
    return run


def runs_more(ctx):
    def run(t):
        tool = Tool(ctx)
        rng = ctx.rng(2)
        a, b = rng.random((3, 4)), rng.random((2, 4, 5))
        np.save(tool.folder / "a.npy", a)
        np.save(tool.folder / "b.npy", b)
        done = tool.run("run", "good.kern", "matmul", "a.npy", "b.npy", "-o",
                        "c.npy", "--device", tool.device())
        if ok(t, "matmul", done):
            c = np.load(tool.folder / "c.npy")
            t.check("matmul values", c.dtype == np.float64
                    and c.shape == (2, 3, 5)
                    and np.allclose(c, a @ b, rtol=1e-13))
        done = tool.run("run", "good.kern", "split", "a.npy", "-o", "p.npy",
                        "-o", "q.npy", "--device", tool.device())
        if ok(t, "two results", done):
            t.same("whole", np.load(tool.folder / "p.npy"), np.floor(a))
            t.same("part", np.load(tool.folder / "q.npy"), a - np.floor(a))
        for arguments, expected in [
                (("add", "1", "2"), "3"), (("add", "1", "2.5"), "3.5"),
                (("add", "-1", "-0.5"), "-1.5"), (("half", "inf"), "inf"),
                (("half", "nan"), "nan"), (("add", "True", "True"), None),
                (("half", "f32(0.5)"), "0.25"),
                (("add", "u8(200)", "u8(100)"), "44"),
                (("add", "i8(-100)", "i8(-100)"), "56")]:
            done = tool.run("run", "good.kern", *arguments, "--device",
                            tool.device())
            label = " ".join(arguments)
            if ok(t, label, done) and expected:
                t.check(label + " printed",
                        re.search(rf"(?<![\d.]){re.escape(expected)}(?![\d])",
                                  done.stdout), done.stdout)
        np.save(tool.folder / "v.npy", np.arange(6.0).reshape(2, 3))
        done = tool.run("run", "good.kern", "half", "v.npy", "--device",
                        tool.device())
        ok(t, "an array printed", done)
        t.check("its numbers", all(
            s in done.stdout for s in ("0.5", "1.5", "2.5")), done.stdout)
        ok(t, "device auto", tool.run("run", "good.kern", "add", "1", "2",
                                      "--device", "auto"))
        if not ctx.lib.cuda_count():
            ends(t, "a GPU that is not there", tool.run(
                "run", "good.kern", "add", "1", "2", "--device", "cuda:0"),
                1)
    return run


def runs_compiled(ctx):
    """`kern run F.ptx`: needs a GPU."""
    def run(t):
        tool = Tool(ctx)
        ok(t, "compile", tool.run("compile", "good.kern", "-o", "g.ptx"))
        x = np.arange(5, dtype=np.float32)
        np.save(tool.folder / "x.npy", x)
        done = tool.run("run", "g.ptx", "half", "x.npy", "-o", "h.npy")
        if ctx.device != "cuda":
            if not ctx.lib.cuda_count():
                ends(t, "PTX without a GPU", done, 1, "g.ptx")
            return
        if ok(t, "run", done):
            t.same("values", np.load(tool.folder / "h.npy"), x / 2)
        module = ctx.lib.load_file(tool.folder / "g.ptx")
        a = np.random.default_rng(0).random((3, 4)).astype(np.float32)
        got = module["matmul"](a, a.T.copy(), place="cuda")
        t.check("through the C interface", np.allclose(
            got, a @ a.T, rtol=1e-5))
        t.refused("a generic function is not in it", lambda: module["add"](
            x, x, place="cuda"),
            (kernapi.TYPE, kernapi.NOT_FOUND, kernapi.COMPILE), "add")
    return run


def examples(ctx):
    """Every example checks, compiles, and its PTX is loadable."""
    def run(t):
        tool = Tool(ctx)
        files = sorted((REPOSITORY / "examples").glob("[0-9]*.kern"))
        if not files:
            raise Skip("the examples are not beside the tests")
        t.check("there are examples", len(files) >= 9)
        for path in files:
            ok(t, f"check {path.name}", tool.run("check", path))
            out = tool.folder / (path.stem + ".ptx")
            generic = {"01_add": "f32(f32, f32)",
                       "05_zero_suppress": "i16(i16, i16)"}
            types = [f"--signature={generic[path.stem]}"] \
                if path.stem in generic else []
            ok(t, f"compile {path.name}",
               tool.run("compile", path, *types, "-o", out))
    return run


def cases(ctx):
    yield "basics", basics(ctx)
    yield "wrong command lines", wrong_command_lines(ctx)
    yield "refused input", refused_input(ctx)
    yield "check and info", check_and_info(ctx)
    yield "compile", compiled(ctx)
    yield "emit", emitted(ctx)
    yield "run on every type", runs(ctx)
    yield "run", runs_more(ctx)
    yield "run a compiled file", runs_compiled(ctx)
    yield "examples", examples(ctx)
