"""Slices with every two constant bounds and every step: which arrays calls,
`--check=bounds` and the compiler refuse, and what the others give."""

import random

import numpy as np

import kernapi


def elements(count):
    return f"{count} element" + "s" * (count != 1)


def said(n, lower, upper, step):
    """The indices that the bounds say, wherever these lie."""
    def place(bound, absent):
        return absent if bound is None else bound + n * (bound < 0)
    return range(place(lower, 0 if step > 0 else n - 1),
                 place(upper, n if step > 0 else -1), step)


def taken(n, lower, upper, step):
    """Those that Python takes, and NumPy."""
    return range(n)[slice(lower, upper, step)]


def is_refused(n, *bounds):
    """Kern takes what the bounds say: arrays of which Python takes other
    elements are too short, unless it takes none of any array."""
    return (list(said(n, *bounds)) != list(taken(n, *bounds))
            and any(taken(each, *bounds) for each in range(40)))


def text(lower, upper, step):
    def part(bound):
        return "" if bound is None else str(bound)
    return f"{part(lower)}:{part(upper)}:{step}"


def sample():
    """Some of every two bounds from -9 to 9, and every step up to 4, and those
    that were once refused for no reason."""
    bounds = [None, *range(-9, 10)]
    every = [(lower, upper, step) for lower in bounds for upper in bounds
             for step in (-4, -3, -2, -1, 1, 2, 3, 4)]
    return random.Random(16).sample(every, 150) + [
        (-4, 7, 3), (-4, 0, 1), (5, -1, -1), (None, -5, -1), (5, None, 1),
        (-2, None, -1)]


def function(name, extent, bounds):
    return f"""
gufunc {name}(x: f64[{extent}]) -> (size: i64, total: f64, weighted: f64):
    part = x[{text(*bounds)}]
    weighted = 0.0
    for i in range(len(part)):
        weighted += (i + 1) * part[i]
    return len(part), sum(part), weighted
"""


def results(x, bounds):
    part = x[slice(*bounds)]
    return (np.int64(len(part)), part.sum(),
            (part * np.arange(1, len(part) + 1)).sum())


def grid(ctx):
    """What calls refuse, and `--check=bounds` at run time."""
    def run(t):
        source = "".join(function(f"f{k}", "n", bounds)
                         for k, bounds in enumerate(sample()))
        modules = ((ctx.module(source), kernapi.SHAPE, "x` has"),
                   (ctx.lib.compile(source, checks=1), kernapi.CHECK,
                    "out of range"))
        for k, bounds in enumerate(sample()):
            for n in range(10):
                x = np.arange(2.0, n + 2)
                for module, status, words in modules:
                    label = f"x[{text(*bounds)}] of {n}"
                    if is_refused(n, *bounds):
                        t.refused(
                            label, lambda: module[f"f{k}"](
                                x, place=ctx.place, device=ctx.dl_device),
                            status, words, elements(n))
                        continue
                    got = module[f"f{k}"](x, place=ctx.place,
                                          device=ctx.dl_device)
                    for one, expected in zip(got, results(x, bounds)):
                        t.same(label, one, expected)
    return run


def literal(ctx):
    """What the compiler refuses of an array whose extent is in the header."""
    def run(t):
        lengths = random.Random(17)
        allowed = ""
        calls = []
        for k, bounds in enumerate(sample()):
            n = lengths.randrange(1, 10)
            source = function(f"f{k}", n, bounds)
            if is_refused(n, *bounds):
                t.refused(f"x[{text(*bounds)}] of {n}",
                          lambda: ctx.lib.compile(source), kernapi.COMPILE,
                          "K0510", f"`x`, which has {elements(n)}")
            else:
                allowed += source
                calls.append((f"f{k}", n, bounds))
        for name, n, bounds in calls:
            x = np.arange(2.0, n + 2)
            for one, expected in zip(ctx.call(allowed, name, x),
                                     results(x, bounds)):
                t.same(f"x[{text(*bounds)}] of {n}", one, expected)
    return run


def cases(ctx):
    yield "every two bounds", grid(ctx)
    yield "of literal extents", literal(ctx)
