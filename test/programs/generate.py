"""Random well-typed functions.

`Generator(random.Random(seed)).function(name)` gives a Function and the types
of its parameters. Every statement and operator of the language comes up. What
the tree alone does not decide is left out: the order of float sums, weak values
that a narrow type may not hold, functions of the library (library_functions.py).
"""

import elements
from elements import (EXACT, TYPES, IllTyped, is_bool, is_float, is_integer,
                      is_weak)
from environments import held, merge
from infer import Types, storable
from scalar_language import newer
from tree import (Assign, Aug, Bin, Call, Cast, Choices, Cmp, Cond, Each,
                  Element, For, Function, If, Jump, Length, Lit, Logic, Name,
                  Parameter, PRange, Reduce, Return, Store, Un, While)

COMPARISONS = ["<", "<=", ">", ">=", "==", "!="]
INTEGERS = [0, 1, 2, 3, 5, 7, 10, 31, 63, 100]
REALS = [0.0, 0.5, 1.0, 1.5, 0.25, 0.1, 3.75, 10.0, 1e3]
HALVES = ["f16", "bf16"]  # one has more digits, the other more range


class Generator(Choices):
    def __init__(self, random, among=None):
        """`among`: the names of the types that parameters have."""
        super().__init__(random)
        self.among = sorted(among or TYPES)

    # A whole function.

    def function(self, name):
        while True:
            try:
                function, types = self.attempt(name)
                Types(function, types)
                return function, types
            except IllTyped:
                continue

    def attempt(self, name):
        self.palette = self.random.sample(
            self.among, min(len(self.among), self.pick([1, 1, 2, 2, 3])))
        if set(HALVES) <= set(self.among) and self.chance(0.08):
            self.palette = HALVES + self.palette[:1]
        self.fresh, self.indices, self.loops = 0, {}, []
        gufunc = self.chance(0.4)
        parameters, types = [], []
        for k in range(self.pick([1, 2, 2, 3, 4])):
            t = self.pick(self.palette)
            is_array = gufunc and (k == 0 or self.chance(0.4))
            parameters.append(
                Parameter(("v" if is_array else "x") + str(k), t, is_array,
                          self.chance(0.3)))
            types.append(TYPES[t])
        writes = gufunc and self.chance(0.4)
        function = Function(
            name, parameters, None, self.pick(self.palette) if writes else None)
        self.types = Types.__new__(Types)
        self.types.of, self.types.work = {}, {}
        self.types.constants, self.types.sets = {}, {}
        self.types.arrays = {p.name: t for p, t in zip(parameters, types)
                             if p.is_array}
        self.outer = {p.name: t for p, t in zip(parameters, types)
                      if not p.is_array}
        env = dict(self.outer)
        self.budget = self.pick([3, 5, 8, 12])
        function.body = self.block(env, 0)
        env = self.env
        if env is None:
            raise IllTyped("a jump at the top")
        if writes:
            self.types.arrays["y"] = TYPES[function.array]
            function.body.append(self.writing(env, parameters[0].name))
            return function, types
        count = self.pick([1, 1, 1, 2])
        values = [self.expr(env, 2) for _ in range(count)]
        function.body.append(Return(values))
        if self.chance(0.5):
            function.results = [self.declared(v, env) for v in values]
        for statement in function.body:
            self.fill_returns(statement, count)
        return function, types

    def fill_returns(self, statement, count):
        """Early returns have as many values as the last."""
        if isinstance(statement, Return):
            while len(statement.values) < count:
                statement.values.append(statement.values[0])
            del statement.values[count:]
        for inner in (*getattr(statement, "body", []),
                      *(getattr(statement, "otherwise", None) or [])):
            self.fill_returns(inner, count)
        for body in getattr(statement, "bodies", []):
            for inner in body:
                self.fill_returns(inner, count)

    def declared(self, value, env):
        t = elements.carrier(self.types.expr(value, env))
        if is_float(t) and self.chance(0.3):
            return self.pick(["f32", "f64", *(h for h in HALVES if h in TYPES)])
        if is_integer(t) and self.chance(0.3):
            return self.pick(["i64", "i16", "f64", "f32"])
        return elements.NAME_OF[t]

    def writing(self, env, array):
        name = self.name("j")
        inside = {**env, name: "ix"}
        self.indices[name] = True
        body = []
        if self.chance(0.5):
            local = self.name("p")
            value = self.expr(inside, 2)
            inside[local] = self.types.expr(value, inside)
            body.append(Assign([local], [value]))
        body.append(Store("y", Name(name), self.storable(inside)))
        if self.chance(0.5):
            return PRange(name, array, body)
        return For(name, Lit(0), Length(array), 1, body)

    def storable(self, env):
        for _ in range(20):
            value = self.expr(env, 2)
            if storable(self.types.expr(value, env), self.types.arrays["y"]):
                return value
        return Cast(elements.NAME_OF[self.types.arrays["y"]], value)

    def name(self, stem):
        self.fresh += 1
        return stem + str(self.fresh)

    # Statements. `self.env` is the environment after the block, or None.

    def block(self, env, depth):
        body, env = [], dict(env)
        for _ in range(self.pick([1, 2, 3])):
            if self.budget <= 0 or env is None:
                break
            self.budget -= 1
            body += self.statement(env, depth)
            env = self.env
        self.env = env
        return body

    def statement(self, env, depth):
        kinds = ["assign"] * 5 + ["aug"] * 3 + ["swap"]
        if depth < 3:
            kinds += ["if"] * 4 + ["for"] * 3 + ["while"] * 2
            if self.types.arrays:
                kinds += ["each"] * 4
        if depth > 0:
            kinds += ["return"]
        if self.loops:
            kinds += ["jump"] * 2
        for _ in range(20):
            try:
                return getattr(self, "s_" + self.pick(kinds))(env, depth)
            except IllTyped:
                continue
        self.env = env
        return [Jump("pass")]

    def variables(self, env):
        return [n for n in env if n not in self.indices]

    def s_assign(self, env, depth):
        value = self.expr(env, self.pick([1, 2, 3]))
        t = self.types.expr(value, env)
        names = self.variables(env)
        if names and self.chance(0.45):
            name = self.pick(names)
            if self.loops and not self.chance(0.3) and t != env[name] and \
                    not is_weak(env[name]):
                value = Cast(elements.NAME_OF[env[name]], value)
                t = env[name]
        else:
            name = self.name("a")
        self.env = {**env, name: t}
        return [Assign([name], [value])]

    def s_aug(self, env, depth):
        names = self.variables(env)
        if not names:
            raise IllTyped("nothing to change")
        name = self.pick(names)
        s = Aug(name, self.operator(env[name]), self.expr(env, 1))
        self.env = self.types.aug(s, env)
        return [s]

    def s_swap(self, env, depth):
        names = self.variables(env)
        if len(names) < 2:
            raise IllTyped("nothing to swap")
        a, b = self.random.sample(names, 2)
        self.env = {**env, a: env[b], b: env[a]}
        return [Assign([a, b], [Name(b), Name(a)])]

    def s_if(self, env, depth):
        count = self.pick([1, 1, 2])
        tests = [self.condition(env) for _ in range(count)]
        bodies, ends = [], []
        for _ in range(count + self.pick([0, 1])):
            bodies.append(self.block(env, depth + 1) or [Jump("pass")])
            ends.append(self.env)
        if len(bodies) == count:
            ends.append(env)
        self.env = held(merge(ends))
        return [If(tests, bodies)]

    def looped(self, env, inside, depth):
        self.loops.append(True)
        saved = dict(self.indices)
        body = self.block(inside, depth + 1) or [Jump("pass")]
        self.indices = saved
        self.loops.pop()
        end = self.env or env
        self.env = held(merge([env, {n: end[n] for n in env if n in end}]))
        otherwise, after = [], self.env
        if self.chance(0.2):
            otherwise = self.block(after, depth + 1)
            end = self.env or after
            self.env = held(merge([after, {n: end[n] for n in after}]))
        return body, otherwise

    def s_for(self, env, depth):
        name = self.name("j")
        indexed = bool(self.types.arrays) and self.chance(0.5)
        if indexed:
            lo, hi, step = Lit(0), Length(self.pick(self.types.arrays)), 1
        else:
            lo, hi = Lit(self.pick([0, 0, 1, 2])), Lit(self.pick([1, 3, 5]))
            step = self.pick([1, 1, 2])
            if self.chance(0.25):
                lo, hi, step = hi, Lit(0), -1
            elif self.chance(0.4):
                bound = self.expr(env, 1)
                t = self.types.expr(bound, env)
                if is_integer(t) and not is_weak(t):
                    hi = Bin("%", Cast("i64", bound), Lit(6))
        saved = dict(self.indices)
        self.indices[name] = indexed
        body, otherwise = self.looped(env, {**env, name: "ix"}, depth)
        self.indices = saved
        return [For(name, lo, hi, step, body, otherwise)]

    def s_each(self, env, depth):
        form = self.pick(["plain", "plain", "reversed", "enumerate", "zip"])
        arrays = [self.pick(self.types.arrays)]
        if form == "zip":
            arrays.append(self.pick(self.types.arrays))
        types = [self.types.arrays[a] for a in arrays]
        names = [self.name("e") for _ in arrays]
        saved = dict(self.indices)
        for n in names:
            self.indices[n] = False
        if form == "enumerate":
            names = [self.name("j")] + names
            types = ["ix"] + types
            self.indices[names[0]] = True
        body, otherwise = self.looped(env, {**env, **dict(zip(names, types))}, depth)
        self.indices = saved
        return [Each(form, names, arrays, body, otherwise)]

    def s_while(self, env, depth):
        counter = self.name("k")
        inside = {**env, counter: "wi"}
        saved = dict(self.indices)
        self.indices[counter] = False
        test = Logic("and", [Cmp(["<"], [Name(counter), Lit(self.pick([2, 6]))]),
                             self.condition(inside)])
        body, otherwise = self.looped(inside, inside, depth)
        self.indices = saved
        # First, so that no `continue` can pass it by.
        body.insert(0, Aug(counter, "+", Lit(1)))
        self.env = {n: t for n, t in self.env.items() if n != counter}
        return [Assign([counter], [Lit(0)]), While(test, body, otherwise)]

    def s_jump(self, env, depth):
        word = self.pick(["break", "continue"])
        self.env = dict(env)
        return [If([self.condition(env)], [[Jump(word)]])]

    def s_return(self, env, depth):
        if "y" in self.types.arrays:
            raise IllTyped("an array result is not returned")
        self.env = dict(env)
        return [If([self.condition(env)], [[Return([self.expr(env, 1)])]])]

    # Expressions.

    def expr(self, env, depth):
        for _ in range(60):
            try:
                e = self.candidate(env, depth)
                self.types.expr(e, env)
                return e
            except IllTyped:
                continue
        return Lit(1)

    def typed(self, env, depth):
        for _ in range(30):
            e = self.expr(env, depth)
            if not is_weak(self.types.expr(e, env)):
                return e
        raise IllTyped("no typed value")

    def condition(self, env):
        e = self.expr(env, 1)
        if self.chance(0.8):
            e = Cmp([self.pick(COMPARISONS)], [e, self.expr(env, 1)])
            if self.chance(0.1):
                e.ops.append(self.pick(COMPARISONS))
                e.items.append(self.expr(env, 0))
        if self.chance(0.15):
            e = Logic(self.pick(["and", "or"]), [e, self.expr(env, 1)])
        if self.chance(0.1):
            e = Un("not", e)
        self.types.expr(e, env)
        return e

    def leaf(self, env):
        options = []
        if env:
            options += [Name(self.pick(env)) for _ in range(6)]
        for array in self.types.arrays:
            if array == "y":
                continue
            within = [n for n, ok in self.indices.items() if ok and n in env]
            index = Name(self.pick(within)) if within else Lit(
                self.pick([0, 0, -1]))
            options += [Element(array, index)] * 2
        options.append(Lit(self.pick(INTEGERS)))
        options.append(Lit(self.pick(REALS)))
        if self.chance(0.1):
            options.append(Lit(self.chance(0.5)))
        if self.types.arrays and self.chance(0.2):
            options.append(Length(self.pick(
                a for a in self.types.arrays if a != "y")))
        return self.pick(options)

    def operator(self, t):
        if is_bool(t):
            return self.pick(["+", "*", "&", "|", "^"])
        if is_integer(t):
            return self.pick(["+", "-", "*", "//", "%", "&", "|", "^", "<<",
                              ">>", "/"])
        return self.pick(["+", "-", "*", "/", "+", "-", "*", "//", "%"])

    def candidate(self, env, depth):
        if depth <= 0 or self.chance(0.1):
            return self.leaf(env)
        kind = self.random.random()
        if kind < 0.55:
            a, b = self.expr(env, depth - 1), self.expr(env, depth - 1)
            if self.chance(0.06):
                return Bin("**", a, Lit(self.pick([2, 3, 2, 3, 0, 1, 5, 8, 12])))
            if self.chance(0.1):
                return newer(self, a, self.types.expr(a, env))
            return Bin(self.operator(self.types.expr(a, env)), a, b)
        if kind < 0.63:
            return Un(self.pick(["-", "~", "+"]), self.expr(env, depth - 1))
        if kind < 0.68:
            return Cmp([self.pick(COMPARISONS)],
                       [self.expr(env, depth - 1), self.expr(env, depth - 1)])
        if kind < 0.74:
            return Cond(self.condition(env), self.expr(env, depth - 1),
                        self.expr(env, depth - 1))
        if kind < 0.84:
            return Cast(self.pick(self.palette if self.chance(0.7) else TYPES),
                        self.typed(env, depth - 1))
        if kind < 0.94 or not self.types.arrays:
            name = self.pick(EXACT)
            return Call(name, [self.expr(env, depth - 1)
                               for _ in range(EXACT[name])])
        arrays = [a for a in self.types.arrays if a != "y"]
        kind = self.pick(["sum", "prod", "min", "max", "any", "all", "argmin",
                          "argmax"])
        may_leave_out = kind not in ("min", "max")
        reduce = Reduce(kind, None, self.name("g"), self.pick(arrays))
        inside = dict(env)
        if self.chance(0.25):
            reduce.outer_name = self.name("g")
            reduce.outer_array = self.pick(arrays)
            inside[reduce.outer_name] = self.types.arrays[reduce.outer_array]
            if may_leave_out and self.chance(0.3):
                reduce.outer_test = self.condition(inside)
        inside[reduce.name] = self.types.arrays[reduce.array]
        if may_leave_out and self.chance(0.3):
            reduce.test = self.condition(inside)
        saved = dict(self.indices)
        self.indices = {n: ok for n, ok in saved.items()}
        reduce.value = self.expr(inside, 1)
        self.indices = saved
        return reduce
