"""What a call can ask for: axis, axes, keepdims, order, dtype, signature,
and casting, each tried at random on NumPy's own functions beside ours."""

import numpy as np

import kernapi
import layouts
from kernapi import ALL_AXES, KernError

SOURCE = """
ufunc add(a: T, b: T) -> T where T in (
        i8, u8, i16, u16, i32, u32, i64, u64, f32, f64, c64, c128):
    return a + b

ufunc generic_add(a, b):
    return a + b

ufunc less(a: T, b: T) -> bool where T in (i32, f64):
    return a < b

ufunc both(a: T, b: T) -> (s: T, d: T) where T in (i32, f64):
    return a + b, a - b

gufunc vecdot(a: T[n], b: T[n]) -> T where T in (i64, f64):
    return sum(a[i] * b[i] for i in range(n))

gufunc matmul(a: T[m, k], b: T[k, n]) -> (c: T[m, n]) where T in (i64, f64):
    for i, j in prange(m, n):
        c[i, j] = sum(a[i, p] * b[p, j] for p in range(k))

gufunc matvec(a: T[m, n], v: T[n]) -> (c: T[m]) where T in (i64, f64):
    for i in prange(m):
        c[i] = sum(a[i, p] * v[p] for p in range(n))

gufunc total(v: T[n]) -> T where T in (i64, f64):
    return sum(x for x in v)

gufunc position(v: T[n]) -> i64 where T in (i64, f64):
    return argmax(v)

gufunc reversal(v: T[n]) -> (r: T[n]) where T in (i64, f64):
    for i in prange(n):
        r[i] = v[n - 1 - i]

gufunc steps(v: T[n]) -> (r: T[n - 1]) where T in (i64, f64):
    for i in prange(n - 1):
        r[i] = v[i + 1] - v[i]

gufunc weighted(v: T[n], w: T) -> T where T in (i64, f64):
    return sum(x * w for x in v)
"""
CHANNELS = ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f4", "f8", "c8",
            "c16"]


def attempt(call):
    """The value, or the error's text."""
    try:
        return call(), None
    except (KernError, TypeError, ValueError) as error:
        return None, f"{type(error).__name__}: {error}"


def agree(t, label, ours, theirs, order=False):
    """Both refuse, or both give the same (in the same memory order)."""
    got, refused = attempt(ours)
    with np.errstate(all="ignore"):
        wanted, refusal = attempt(theirs)
    if (refused is None) != (refusal is None):
        t.fail(label, f"ours: {refused or 'accepted'}; "
                      f"NumPy: {refusal or 'accepted'}")
        return False
    if refused is not None:
        return t.check(label, True)
    if not isinstance(got, tuple):
        got, wanted = (got,), (wanted,)
    ok = True
    for one, other in zip(got, wanted):
        ok &= t.same(label, one, np.asarray(other))
        if order:
            other = np.asarray(other)
            steps = [(a, b) for a, b, n in zip(
                one.strides, other.strides, one.shape) if n > 1]
            ok &= t.check(label, all(a == b for a, b in steps),
                          f"strides {one.strides}, NumPy's {other.strides}")
    return ok


def any_array(rng, shape, dtype=np.int64):
    layout = rng.choice([x for x in layouts.LAYOUTS if x != "inner-slice"])
    return layouts.array(rng, shape, dtype, layout if len(shape) else "C")


def any_axis(rng, rank):
    return int(rng.integers(-rank - 1, rank + 1))


def axis(ctx):
    def run(t):
        rng = ctx.rng(1)
        for round in range(250):
            rank = int(rng.integers(1, 5))
            shape = tuple(int(n) for n in rng.integers(1, 4, rank))
            a, b = any_array(rng, shape), any_array(rng, shape)
            which = any_axis(rng, rank)
            keep = bool(rng.integers(2))
            agree(t, f"vecdot {shape} axis={which} keepdims={keep}",
                  lambda: ctx.call(SOURCE, "vecdot", a, b, axis=which,
                                   keepdims=keep),
                  lambda: np.vecdot(a, b, axis=which, keepdims=keep))
            agree(t, f"reversal {shape} axis={which}",
                  lambda: ctx.call(SOURCE, "reversal", a, axis=which),
                  lambda: np.flip(a, which))
    return run


def tuples(ctx):
    def run(t):
        rng = ctx.rng(2)
        for round in range(250):
            rank = int(rng.integers(1, 5))
            shape = tuple(int(n) for n in rng.integers(0 if round % 9 == 0
                                                       else 1, 4, rank))
            v = any_array(rng, shape)
            count = int(rng.integers(1, rank + 1))
            which = tuple(int(x) for x in rng.permutation(rank)[:count])
            if rng.integers(2):
                which = tuple(x - rank for x in which)
            if rng.integers(6) == 0:
                which += (any_axis(rng, rank),)
            ours, theirs = which, which
            if rng.integers(4) == 0:
                ours, theirs = ALL_AXES, None
            keep = bool(rng.integers(2))
            agree(t, f"total {shape} axis={ours} keepdims={keep}",
                  lambda: ctx.call(SOURCE, "total", v, axis=ours,
                                   keepdims=keep),
                  lambda: np.sum(v, axis=theirs, keepdims=keep))
            if ours == ALL_AXES and v.size:
                t.same("position in C order",
                       ctx.call(SOURCE, "position", v, axis=ALL_AXES),
                       np.argmax(v))
        v = rng.integers(0, 9, (2, 3))
        for which in (ALL_AXES, (0, 1)):
            t.refused("a result with the core dimension",
                      lambda: ctx.call(SOURCE, "reversal", v, axis=which),
                      kernapi.ARGUMENT, "`axis` takes one axis")
    return run


def any_axes(rng, ranks, cores):
    """One entry for each operand, mostly right."""
    entries = []
    for rank, core in zip(ranks, cores):
        if rng.integers(15) == 0:
            core = max(0, core + int(rng.integers(-1, 2)))
        pool = [int(x) for x in rng.permutation(max(rank, 1))]
        entry = tuple(pool[:core]) + (0,) * max(0, core - len(pool))
        entry = tuple(x - rank if rng.integers(2) else x for x in entry)
        if rng.integers(15) == 0 and core:
            entry = entry[:-1] + (any_axis(rng, rank),)
        entries.append(entry)
    return entries


def axes(ctx):
    cases = [("vecdot", np.vecdot, (1, 1), (0,)),
             ("matmul", np.matmul, (2, 2), (2,)),
             ("matvec", np.matvec, (2, 1), (1,))]

    def run(t):
        rng = ctx.rng(3)
        accepted = 0
        for round in range(400):
            name, theirs, ins, outs = cases[round % 3]
            loop = int(rng.integers(0, 3))
            ranks = [core + loop for core in ins]
            keep = bool(rng.integers(4) == 0)
            result = [outs[0] + loop + (1 if keep and not outs[0] else 0)]
            cores = list(ins) + [ins[0] if keep and not outs[0] else outs[0]]
            entries = any_axes(rng, ranks + result, cores)
            if rng.integers(3) == 0:
                entries = entries[:2]
            # Extents of one size, so that most choices of axes fit.
            a, b = (any_array(rng, (3,) * rank) for rank in ranks)
            accepted += agree(
                t, f"{name} {ranks} axes={entries} keepdims={keep}",
                lambda: ctx.call(SOURCE, name, a, b, axes=entries,
                                 keepdims=keep),
                lambda: theirs(a, b, axes=entries,
                               **({"keepdims": True} if keep else {})))
        t.check("all agree", accepted == 400)
    return run


def axes_with_out(ctx):
    def run(t):
        rng = ctx.rng(4)
        for round in range(60):
            a = any_array(rng, (2, 3, 4))
            b = any_array(rng, (2, 4, 5))
            entries = [(-2, -1), (-2, -1),
                       tuple(int(x) for x in rng.permutation(3)[:2])]
            wanted = np.matmul(a, b, axes=entries)
            out = np.full(wanted.shape, -1)
            if round % 2:
                out = np.full(wanted.shape[::-1], -1).T
            ctx.call(SOURCE, "matmul", a, b, axes=entries, out=out)
            t.same(f"matmul axes={entries} out", out, wanted)
            which = int(rng.integers(-3, 3))
            wanted = np.vecdot(a, a, axis=which, keepdims=True)
            out = np.full(wanted.shape, -1)
            ctx.call(SOURCE, "vecdot", a, a, axis=which, keepdims=True,
                     out=out)
            t.same(f"vecdot axis={which} keepdims out", out, wanted)
        a = any_array(rng, (2, 3))
        t.refused("a kept axis has extent 1",
                  lambda: ctx.call(SOURCE, "total", a, axis=1, keepdims=True,
                                   out=np.zeros((2, 3), np.int64)),
                  kernapi.SHAPE, "axis 1", "extent 1")
    return run


def refused_axes(ctx):
    def run(t):
        a = np.arange(6).reshape(2, 3)
        call = ctx.call
        for label, ask, words in [
                ("a ufunc", lambda: call(SOURCE, "generic_add", a, a, axis=0),
                 ["ufunc"]),
                ("both", lambda: call(SOURCE, "total", a, axis=0, axes=[0]),
                 ["`axis` and `axes`"]),
                ("two core dimensions",
                 lambda: call(SOURCE, "matmul", a.T, a, axis=0),
                 ["one core dimension", "(m,k),(k,n)->(m,n)"]),
                ("keepdims of a matrix product",
                 lambda: call(SOURCE, "matmul", a.T, a, keepdims=True),
                 ["`keepdims`"]),
                ("keepdims with a scalar input",
                 lambda: call(SOURCE, "weighted", a, 2, keepdims=True),
                 ["`keepdims`"]),
                ("an axis twice",
                 lambda: call(SOURCE, "total", a, axis=(0, -2)),
                 ["named twice"]),
                ("too few entries",
                 lambda: call(SOURCE, "matmul", a.T, a,
                              axes=[(0, 1), (0, 1)]), ["`axes` has 2"])]:
            t.refused(label, ask, kernapi.ARGUMENT, *words)
        t.refused("out of bounds", lambda: call(SOURCE, "total", a, axis=2),
                  kernapi.SHAPE, "axis 2", "`v`", "2 dimensions")
        t.same("axis of a function with a scalar input",
               call(SOURCE, "weighted", a, np.array([2, 3, 4]), axis=0),
               a.sum(axis=0) * [2, 3, 4])
    return run


def order(ctx):
    """New results lie in memory as NumPy's."""
    def run(t):
        rng = ctx.rng(5)
        for round in range(500):
            rank = int(rng.integers(1, 5))
            shape = tuple(int(n) for n in rng.integers(1, 5, rank))
            operands = []
            for _ in range(2):
                part = tuple(
                    1 if rng.integers(5) == 0 else n for n in shape)
                part = part[int(rng.integers(0, rank)):] \
                    if rng.integers(4) == 0 else part
                operands.append(any_array(rng, part, np.float64))
            a, b = operands
            asked = rng.choice(list("KCFA"))
            agree(t, f"add {a.shape}{a.strides} {b.shape}{b.strides} {asked}",
                  lambda: ctx.call(SOURCE, "generic_add", a, b, order=asked),
                  lambda: np.add(a, b, order=asked), order=True)
            agree(t, f"twice the same {a.shape}{a.strides}",
                  lambda: ctx.call(SOURCE, "generic_add", a, a),
                  lambda: np.add(a, a), order=True)
    return run


def order_of_gufuncs(ctx):
    def run(t):
        rng = ctx.rng(6)
        for round in range(200):
            loop = tuple(int(n) for n in rng.integers(2, 4, 2))
            a = any_array(rng, loop + (3, 4), np.float64)
            b = any_array(rng, loop + (4, 2), np.float64)
            asked = rng.choice(list("CF"))
            agree(t, f"matmul {a.strides} {b.strides} {asked}",
                  lambda: ctx.call(SOURCE, "matmul", a, b, order=asked),
                  lambda: np.matmul(a, b, order=asked), order=True)
    return run


def order_along_an_axis(ctx):
    """Results lie as inputs with as many core dimensions do, wherever these are."""
    def run(t):
        rng = ctx.rng(8)
        for rank in (2, 3, 4):
            for _ in range(20):
                turn = rng.permutation(rank)
                a = rng.integers(0, 9, (2, 3, 4, 5)[:rank]).transpose(turn)
                for which in range(rank - 1):
                    got = ctx.call(SOURCE, "reversal", a, axis=which)
                    t.same(f"reversal {turn} {which}", got, np.flip(a, which))
                    t.check(f"strides {turn} {which}",
                            got.strides == np.empty_like(a).strides, got.strides)
                    got = ctx.call(SOURCE, "steps", a, axes=[which, which])
                    t.same(f"steps {turn} {which}", got, np.diff(a, axis=which))
                    like = got.transpose(np.argsort(a.strides)[::-1])
                    t.check(f"strides of steps {turn} {which}",
                            like.flags.c_contiguous, got.strides)
    return run


def casting(ctx):
    """Which loop is taken, which conversions are refused."""
    def run(t):
        rng = ctx.rng(7)
        for round in range(900):
            a, b, dtype, of_out = rng.choice(CHANNELS, 4)
            x = layouts.values(rng, (3,), np.dtype(a))
            y = layouts.values(rng, (3,), np.dtype(b))
            if x.dtype.kind == "c":
                x = x.real.astype(x.dtype)
            asked, out = {}, None
            if rng.integers(2):
                asked["casting"] = str(rng.choice(kernapi.CASTINGS))
            kind = rng.integers(4)
            if kind == 1:
                asked["dtype"] = dtype
            elif kind == 2:
                # With one input named and one not NumPy wants the loop of
                # their common type; ours is any to which both cast.
                inputs, result = rng.integers(2, size=2)
                asked["signature"] = [dtype if inputs else None] * 2 + [
                    dtype if result else None]
            if rng.integers(2):
                out = np.zeros(3, of_out)
            theirs = {k: v for k, v in asked.items() if k != "signature"}
            if "signature" in asked:
                if not any(asked["signature"]):
                    continue
                theirs["signature"] = tuple(asked["signature"])
            if asked.get("casting") == "unsafe":
                # Floats out of an integer's range do not become NumPy's.
                x, y = (x.real.astype("i1") % 50).astype(a), (
                    y.real.astype("i1") % 50).astype(b)
            agree(t, f"{a} + {b} {asked} -> {out is not None and of_out}",
                  lambda: ctx.call(SOURCE, "add", x, y, out=out, **asked),
                  lambda: np.add(x, y, out=None if out is None
                                 else out.copy(), **theirs))
    return run


def generic_loops(ctx):
    def run(t):
        a = np.arange(4, dtype=np.int32)
        call = ctx.call
        t.same("dtype", call(SOURCE, "generic_add", a, a, dtype="f8"),
               np.add(a, a, dtype="f8"))
        t.same("signature",
               call(SOURCE, "generic_add", a, a, signature=["f8", "i4", None]),
               np.add(a, a, dtype="f8"))
        t.same("weak numbers", call(SOURCE, "generic_add", a, 1, dtype="i2"),
               np.add(a, 1, dtype="i2"))
        t.refused("a cast", lambda: call(SOURCE, "generic_add", a, a + 0.5,
                                         dtype="i4"),
                  kernapi.TYPE, "argument 2 (`b`)", "f64 to i32",
                  "'same_kind'")
        t.refused("another result",
                  lambda: call(SOURCE, "generic_add", a, a,
                               signature=["i4", "i4", "f8"]),
                  kernapi.TYPE, "result 1 is i32", "f64")
        t.refused("no such loop",
                  lambda: call(SOURCE, "less", a, a, dtype="i4"),
                  kernapi.TYPE, "no loop (any, any) -> (i32)")
        t.refused("a number that does not fit",
                  lambda: call(SOURCE, "generic_add", a, 300, dtype="i1",
                               casting="unsafe"), kernapi.TYPE, "300")
    return run


def cases(ctx):
    for function in (axis, tuples, axes, axes_with_out, refused_axes, order,
                     order_of_gufuncs, order_along_an_axis, casting,
                     generic_loops):
        yield function.__name__.replace("_", " "), function(ctx)
