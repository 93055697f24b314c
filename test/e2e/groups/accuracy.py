"""Every function within its bound of MPFR's result; accuracy.py measures more
closely and prints what it finds."""

import accuracy
import mpfr
from suite import Skip


def function(ctx, name, kind):
    def run(t):
        if not mpfr.available():
            raise Skip("libmpfr.so.6 is not installed")
        # The host's machine may be a small one.
        count, step = (400, 7) if ctx.device == "cuda" else (60, 97)
        found = accuracy.measure(ctx, name, kind, count, step)
        bound = accuracy.BOUND[kind]
        t.check(f"{name} of {kind}", found.max <= bound,
                f"{found.max:.2f} ULP, bound {bound}, at {found.at}")
    return run


def cases(ctx):
    for name, kind in accuracy.all_functions():
        yield f"{name} of {kind}", function(ctx, name, kind)
