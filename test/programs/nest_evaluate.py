"""Runs a generated gufunc by its tree, on all loop elements at once.

A value has an axis for the loop elements, and one for each index in scope, with
extent 1 where it does not depend on that index. So each operation is NumPy's,
and the iterations of a `prange`, or of a generator, go through a statement
together. What some of them do not reach, a mask says.
"""

import numpy as np

from elements import I64, TYPES

WORK = 600_000  # elements that a value may have
TURNS = 1500  # iterations of loops in order

ADD = {"+": np.add, "|": np.bitwise_or, "&": np.bitwise_and,
       "^": np.bitwise_xor}
BINARY = {**ADD, "-": np.subtract, "*": np.multiply, "/": np.true_divide,
          "//": np.floor_divide, "%": np.remainder,
          "<": np.less, "<=": np.less_equal, ">": np.greater,
          ">=": np.greater_equal, "==": np.equal, "!=": np.not_equal}
CALLS = {"max": np.maximum, "min": np.minimum, "abs": np.abs,
         "sqrt": np.sqrt, "floor": np.floor}


class Undefined(Exception):
    """These shapes and values have no defined result: an index out of range, the
    maximum of nothing, an element that is read before it is written."""


class TooLong(Exception):
    """These shapes take too long."""


class Storage:
    """An array of each loop element, or of each iteration that made it."""

    def __init__(self, values, own, written):
        self.values, self.own, self.written = values, own, written


class Evaluation:
    def __init__(self, function, dims, count, arguments):
        """`arguments` are the inputs by name, of shape (count, …)."""
        self.env = {name: np.full(1, extent, np.int64)
                    for name, extent in dims.items()}
        self.axes, self.mask, self.turns = [count], np.ones(1, bool), 0
        self.arrays, self.results = {}, []
        for a in function.arrays:
            if a.role == "out":
                shape = [count] + [self.extent(e) for e in a.extents]
                self.arrays[a.name] = Storage(
                    np.zeros(shape, TYPES[a.type]), 1, np.zeros(shape, bool))
            elif a.extents:
                held = arguments[a.name]
                if a.role == "inout":
                    held = held.copy()
                self.arrays[a.name] = Storage(held, 1, None)
            else:
                self.env[a.name] = arguments[a.name]
        self.types = function.results
        with np.errstate(all="ignore"):
            self.block(function.body)

    def result(self, name):
        """The values of an array, and which of them are written."""
        held = self.arrays[name]
        return held.values, held.written

    def extent(self, e):
        """The extent that all of a loop's iterations have."""
        found = self.value(e)
        if found.size == 0:
            return 0
        if found.min() < 0 and found.size == 1:
            raise Undefined("a negative extent")
        return max(int(found.max()), 0)

    # Axes.

    def lifted(self, value, ndim=None):
        ndim = ndim or len(self.axes)
        return value.reshape(value.shape + (1,) * (ndim - value.ndim))

    def whole(self, value):
        return np.broadcast_to(self.lifted(value), self.axes)

    def enter(self, names, extents):
        """Adds an axis for each index, and masks iterations beyond extents that
        depend on other indices."""
        saved = (dict(self.env), list(self.axes), self.mask)
        for name, e in zip(names, extents):
            extent = self.value(e)
            size = self.extent(e)
            self.axes.append(size)
            if np.prod(self.axes, dtype=object) > WORK:
                raise TooLong()
            index = np.arange(size, dtype=np.int64).reshape(
                (1,) * (len(self.axes) - 1) + (size,))
            self.env[name] = index
            self.mask = self.lifted(self.mask)
            if extent.size > 1:
                self.mask = self.mask & (index < self.lifted(extent))
        return saved

    def leave(self, saved):
        self.env, self.axes, self.mask = saved

    # Statements.

    def block(self, body):
        for s in body:
            if hasattr(s, "executed"):
                s.executed(self)
            else:
                getattr(self, "s_" + type(s).__name__.lower())(s)

    def bind(self, name, value):
        old = self.env.get(name)
        if old is None or self.mask.all():
            self.env[name] = value
            return
        old = self.lifted(old)
        self.env[name] = np.where(self.mask, self.lifted(value), old)

    def s_assign(self, s):
        for name, value in zip(s.names, [self.value(v) for v in s.values]):
            self.bind(name, value)

    def s_aug(self, s):
        old = self.env[s.name]
        new = BINARY[s.op](self.lifted(old), self.lifted(self.value(s.value)))
        self.bind(s.name, new.astype(old.dtype))

    def s_if(self, s):
        before, broken = self.mask, self.broken()
        rest = before
        for k, body in enumerate(s.bodies):
            taken = rest
            if k < len(s.tests):
                self.mask = rest
                test = self.lifted(self.value(s.tests[k]))
                taken, rest = rest & test, rest & ~test
            self.mask = taken
            known = set(self.env)
            self.block(body)
            self.env = {n: v for n, v in self.env.items() if n in known}
        after = self.broken()
        self.mask = before if after is broken else before & ~self.lifted(after)

    loops = None

    def broken(self):
        return self.loops[-1] if self.loops else None

    def s_jump(self, s):
        if s.word == "break":
            self.loops[-1] = self.lifted(self.loops[-1]) | self.mask

    def s_for(self, s):
        lo, hi = self.lifted(self.value(s.lo)), self.lifted(self.value(s.hi))
        saved = (dict(self.env), self.mask)
        self.loops = (self.loops or []) + [
            np.zeros((1,) * len(self.axes), bool)]
        first, last = (int(lo.min()), int(hi.max())) if s.step > 0 else \
            (int(lo.max()), int(hi.min()))
        for j in range(first, last, s.step):
            self.turns += 1
            if self.turns > TURNS:
                raise TooLong()
            runs = (lo <= j) & (j < hi) if s.step > 0 else (lo >= j) & (j > hi)
            self.mask = saved[1] & runs & ~self.lifted(self.broken())
            if not self.mask.any():
                continue
            self.env[s.name] = np.full(1, j, np.int64)
            self.block(s.body)
            self.env = {n: self.env[n] for n in saved[0]}
        self.mask = saved[1] & ~self.lifted(self.loops.pop())
        if s.otherwise:
            self.block(s.otherwise)
        self.mask = saved[1]

    def s_nest(self, s):
        saved = self.enter(s.names, s.extents)
        if 0 not in self.axes:
            self.block(s.body)
        self.leave(saved)

    def s_local(self, s):
        shape = self.axes + [self.extent(e) for e in s.extents]
        if np.prod(shape, dtype=object) > WORK:
            raise TooLong()
        self.arrays[s.name] = Storage(np.zeros(shape, TYPES[s.type]),
                                      len(self.axes), None)

    def places(self, held, indices):
        """The indices of an access as arrays, one for each dimension of the
        array's storage, clipped; it is Undefined to leave the array."""
        ndim = len(self.axes)
        places = [np.arange(self.axes[k], dtype=np.int64).reshape(
            (1,) * k + (-1,) + (1,) * (ndim - k - 1)) for k in range(held.own)]
        for index, extent in zip(indices, held.values.shape[held.own:]):
            at = self.lifted(self.value(index).astype(np.int64))
            if (self.mask & ((at < 0) | (at >= extent))).any():
                raise Undefined("an index out of range")
            places.append(np.clip(at, 0, max(extent - 1, 0)))
        return places

    def s_put(self, s):
        held = self.arrays[s.array]
        places = [self.whole(p) for p in self.places(held, s.indices)]
        reached = self.whole(self.mask)
        places = tuple(p[reached] for p in places)
        value = self.whole(self.value(s.value))[reached]
        if s.op:
            ADD[s.op].at(held.values, places, value)
            return
        if len(set(map(tuple, np.stack(places, 1).tolist()))) < len(value):
            raise Undefined("iterations meet")
        held.values[places] = value
        if held.written is not None:
            held.written[places] = True

    def s_return(self, s):
        for value, t in zip(s.values, self.types):
            found = np.broadcast_to(self.value(value), self.axes)
            self.results.append(found.astype(TYPES[t]))

    # Expressions: arrays of at most as many axes as there are.

    def value(self, e):
        if hasattr(e, "evaluated"):
            return np.asarray(e.evaluated(self))
        return getattr(self, "e_" + type(e).__name__.lower())(e)

    def e_lit(self, e):
        return np.full(1, e.value)

    def e_name(self, e):
        return self.env[e.id]

    def e_at(self, e):
        held = self.arrays[e.array]
        places = tuple(self.places(held, e.indices))
        if 0 in held.values.shape:
            if self.whole(self.mask).any():
                raise Undefined("an element of nothing")
            return np.zeros((1,) * len(self.axes), held.values.dtype)
        if held.written is not None and \
                (self.mask & ~held.written[places]).any():
            raise Undefined("an element that is not written")
        return held.values[places]

    def pair(self, op, ea, eb):
        """A literal takes the other's type, as in NumPy and in Kern."""
        a, b = self.lifted(self.value(ea)), self.lifted(self.value(eb))
        if type(ea).__name__ == "Lit":
            a = ea.value
        elif type(eb).__name__ == "Lit":
            b = eb.value
        return BINARY[op](a, b)

    def e_bin(self, e):
        return np.asarray(self.pair(e.op, e.a, e.b))

    def e_cmp(self, e):
        return np.asarray(self.pair(e.ops[0], *e.items))

    def e_un(self, e):
        a = self.value(e.a)
        return ~a if e.op in ("~", "not") else -a

    def e_logic(self, e):
        a, b = (self.lifted(self.value(item)) for item in e.items)
        return a & b if e.op == "and" else a | b

    def e_cond(self, e):
        test = self.lifted(self.value(e.test))
        before = self.mask
        self.mask = before & test
        a = self.lifted(self.value(e.a))
        self.mask = before & ~test
        b = self.lifted(self.value(e.b))
        self.mask = before
        return np.where(test, a, b)

    def e_cast(self, e):
        return self.value(e.a).astype(TYPES[e.type])

    def e_call(self, e):
        items = [self.lifted(self.value(item)) for item in e.items]
        return CALLS[e.name](*items)

    def e_gen(self, e):
        before, outside = len(self.axes), self.mask
        saved = self.enter(e.names, e.extents)
        sizes = self.axes[before:]
        shape = np.broadcast_shapes(self.mask.shape, (1,) * before +
                                    tuple(sizes))
        runs = self.mask
        if e.test is not None:
            self.mask = self.mask & self.lifted(self.value(e.test))
        value, taken = self.lifted(self.value(e.value)), self.mask
        self.leave(saved)
        shape = np.broadcast_shapes(shape, value.shape, taken.shape)
        flat = shape[:before] + (int(np.prod(shape[before:])),)
        value, taken, runs = (np.broadcast_to(x, shape).reshape(flat)
                              for x in (value, taken, runs))
        init = None if e.init is None else self.value(e.init)
        empty = self.lifted(outside) & ~runs.any(-1)
        if init is None and e.kind not in ("sum", "prod", "any", "all") and \
                empty.any():
            raise Undefined("the extreme of nothing")
        return reduced(e.kind, value, taken, init, runs)


def reduced(kind, value, taken, init, runs):
    t = value.dtype
    if kind in ("any", "all"):
        return (value & taken).any(-1) if kind == "any" else \
            (value | ~taken).all(-1)
    if kind in ("sum", "prod"):
        held = t if t.kind == "f" else \
            TYPES["u64"] if t.kind == "u" else I64
        work = np.where(taken, value.astype(held), held.type(kind == "prod"))
        return (work.sum if kind == "sum" else work.prod)(-1, dtype=held)
    if kind in ("greater", "last_set"):
        return folded(kind, value, taken, init)
    largest = kind in ("max", "argmax")
    if t.kind == "f":
        least = t.type(-np.inf if largest else np.inf)
    else:
        info = np.iinfo(t)
        least = t.type(info.min if largest else info.max)
    work = np.where(taken, value, least)
    if work.shape[-1] == 0:
        return np.zeros(work.shape[:-1], t if kind in ("min", "max") else I64)
    if kind in ("min", "max"):
        return work.max(-1) if largest else work.min(-1)
    best = work.max(-1, keepdims=True) if largest else \
        work.min(-1, keepdims=True)
    is_best = taken & (work == best)
    # Positions count the iterations that run, taken or not.
    number = np.cumsum(runs, -1) - 1
    at = np.argmax(is_best, -1)
    found = np.take_along_axis(number, at[..., None], -1)[..., 0]
    return np.where(is_best.any(-1), found, -1).astype(np.int64)


def folded(kind, value, taken, init):
    first = init.reshape(init.shape + (1,) * (value.ndim - 1 - init.ndim))
    if value.shape[-1] == 0:
        return first
    if kind == "greater":
        return np.maximum(np.where(taken, value, first[..., None]).max(-1),
                          first)
    set_ = taken & (value != 0)
    last = value.shape[-1] - 1 - np.argmax(set_[..., ::-1], -1)
    found = np.take_along_axis(value, last[..., None], -1)[..., 0]
    return np.where(set_.any(-1), found, first)
