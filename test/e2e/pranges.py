"""Random bodies of `prange`, and the elements that their iterations access.

A body is valid Python except for its header, so it can be run on arrays that
record each access.
"""

import re

BASE = 200  # indices from here on, of which none is negative


class Bodies:
    """Makes functions `f` of (inout y: i64[b], at: i64[d], m: dim, n: dim,
    s: i64); `disguised` reads indices from `at`, which holds its own."""

    def __init__(self, rng, disguised):
        self.rng = rng
        self.disguised = disguised
        self.names = 0

    def pick(self, options):
        return options[self.rng.integers(len(options))]

    def index(self, names, depth=0):
        if depth > 1 or self.rng.random() < 0.4:
            return self.pick(names)
        a = self.index(names, depth + 1)
        other = self.pick([*names, "s", "n", "m", "1", "2"])
        return self.pick([
            f"({a} + {other})", f"({a} - {other})", f"({a} * 2)",
            f"({a} * 3)", f"({a} // 2)", f"({a} % 3)", f"({a} ^ s)",
            f"({a} % n)", f"({a} // n)", f"(({a} + s) % n)", f"({a} * n)",
            f"min({a}, {other})", f"max({a}, {other})", f"({a} >> 1)",
            f"({a} & 3)", f"(~{a})", f"(n - 1 - {a})"])

    def place(self, names):
        index = f"{self.index(names)} + {BASE}"
        return f"y[at[{index}]]" if self.disguised else f"y[{index}]"

    def condition(self, names):
        comparison = self.pick(["<", "<=", "==", "!=", ">", ">="])
        one = f"{self.index(names, 1)} {comparison} {self.index(names, 1)}"
        kind = self.rng.random()
        if kind < 0.2:
            return f"{one} and {self.condition(names)}"
        if kind < 0.3:
            return f"{one} or {self.condition(names)}"
        return f"not ({one})" if kind < 0.4 else one

    def block(self, names, indent, depth):
        lines = []
        for _ in range(self.rng.integers(1, 3)):
            kind = self.rng.random()
            if kind < 0.25 and depth < 2:
                lines.append(f"{indent}if {self.condition(names)}:")
                lines += self.block(names, indent + "    ", depth + 1)
            elif kind < 0.4 and depth < 2:
                self.names += 1
                name = f"j{self.names}"
                lines.append(f"{indent}for {name} in " + self.pick([
                    "range(2)", "range(n)", f"range({self.pick(names)})",
                    "range(n, 0, -2)", "range(2 * i, min(2 * i + 2, n))"])
                    + ":")
                lines += self.block([*names, name], indent + "    ", depth + 1)
            elif kind < 0.45 and depth < 2:
                self.names += 1
                name = f"w{self.names}"
                lines += [f"{indent}{name} = 0", f"{indent}while {name} < 2:"]
                lines += self.block([*names, name], indent + "    ", depth + 1)
                lines.append(f"{indent}    {name} += 1")
            elif kind < 0.6:
                lines.append(f"{indent}{self.place(names)} = "
                             f"{self.place(names)} + 1")
            elif kind < 0.65 and not self.disguised:
                lines.append(f"{indent}{self.place(names)} *= 2")
            else:
                lines.append(f"{indent}{self.place(names)} = 1")
        return lines

    def function(self):
        names, loop = self.pick([
            (["i"], "n"), (["i"], "1, n"), (["i"], "0, n, 2"),
            (["i"], "n - 1, -1, -1"), (["i", "k"], "m, n"), (["i"], "m * n")])
        lines = ["gufunc f(inout y: i64[b], at: i64[d], m: dim, n: dim, "
                 "s: i64) -> i64:",
                 f"    for {', '.join(names)} in prange({loop}):"]
        lines += self.block(names, "        ", 0)
        return "\n".join([*lines, "    return n", ""])


class Noted:
    """An array that notes which iteration reads and writes which elements."""

    def __init__(self):
        self.iteration = None
        self.touched = {}
        self.met = False

    def note(self, element, writes):
        for iteration, wrote in self.touched.setdefault(element, []):
            self.met |= iteration != self.iteration and (wrote or writes)
        self.touched[element].append((self.iteration, writes))

    def __getitem__(self, element):
        self.note(element, False)
        return 0

    def __setitem__(self, element, value):
        self.note(element, True)


def meets(source, at, m, n, s):
    """Whether two iterations of a function of Bodies touch one element of
    which one writes it."""
    y = Noted()

    def prange(*bounds):
        if "i, k" in source:
            turns = ((i, k) for i in range(m) for k in range(n))
        else:
            turns = range(*bounds)
        for number, turn in enumerate(turns):
            y.iteration = number
            yield turn

    names = {"prange": prange}
    exec(re.sub(r"^gufunc.*$", "def f(y, at, m, n, s):", source,
                flags=re.M), names)
    names["f"](y, at, m, n, s)
    return y.met
