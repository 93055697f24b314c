"""The trees of generated programs, and their text."""

from dataclasses import dataclass, field


class Choices:
    """What a generator of programs leaves to chance."""

    def __init__(self, random):
        self.random = random

    def chance(self, p):
        return self.random.random() < p

    def pick(self, items):
        return self.random.choice(list(items))


class Node:
    def children(self):
        """(attribute, index or None, node) of everything below."""
        for name in self.__dataclass_fields__:
            value = getattr(self, name)
            if isinstance(value, Node):
                yield name, None, value
            elif isinstance(value, list):
                for i, item in enumerate(value):
                    if isinstance(item, Node):
                        yield name, i, item


class Expr(Node):
    pass


class Stmt(Node):
    pass


@dataclass(eq=False)
class Lit(Expr):
    value: object  # a plain int, float or bool

    def __str__(self):
        text = repr(self.value)
        return f"({text})" if text.startswith("-") else text


@dataclass(eq=False)
class Name(Expr):
    id: str

    def __str__(self):
        return self.id


@dataclass(eq=False)
class Bin(Expr):
    op: str
    a: Expr
    b: Expr

    def __str__(self):
        return f"({self.a} {self.op} {self.b})"


@dataclass(eq=False)
class Un(Expr):
    op: str
    a: Expr

    def __str__(self):
        return f"({self.op} {self.a})"


@dataclass(eq=False)
class Cmp(Expr):
    ops: list
    items: list

    def __str__(self):
        text = str(self.items[0])
        for op, item in zip(self.ops, self.items[1:]):
            text += f" {op} {item}"
        return f"({text})"


@dataclass(eq=False)
class Logic(Expr):
    op: str
    items: list

    def __str__(self):
        return "(" + f" {self.op} ".join(map(str, self.items)) + ")"


@dataclass(eq=False)
class Cond(Expr):
    test: Expr
    a: Expr
    b: Expr

    def __str__(self):
        return f"({self.a} if {self.test} else {self.b})"


@dataclass(eq=False)
class Cast(Expr):
    type: str
    a: Expr

    def __str__(self):
        return f"{self.type}({self.a})"


@dataclass(eq=False)
class Call(Expr):
    name: str
    items: list

    def __str__(self):
        return f"{self.name}({', '.join(map(str, self.items))})"


@dataclass(eq=False)
class Element(Expr):
    array: str
    index: Expr

    def __str__(self):
        return f"{self.array}[{self.index}]"


@dataclass(eq=False)
class Length(Expr):
    array: str

    def __str__(self):
        return f"len({self.array})"


@dataclass(eq=False)
class Reduce(Expr):
    """`kind(value for name in array if test)`, perhaps with an earlier
    `for outer_name in outer_array if outer_test`."""
    kind: str
    value: Expr
    name: str
    array: str
    test: Expr = None
    outer_name: str = None
    outer_array: str = None
    outer_test: Expr = None

    def __str__(self):
        def clause(name, array, test):
            return f" for {name} in {array}" + (f" if {test}" if test else "")
        outer = clause(self.outer_name, self.outer_array,
                       self.outer_test) if self.outer_name else ""
        return (f"{self.kind}({self.value}{outer}"
                f"{clause(self.name, self.array, self.test)})")


def block(statements, indent):
    return "".join(s.text(indent) for s in statements) or indent + "pass\n"


def looped(head, loop, indent):
    """A loop and its `else`."""
    text = headed(head, loop.body, indent)
    return text + headed("else", loop.otherwise, indent) \
        if loop.otherwise else text


def headed(head, body, indent):
    """A line that ends with a colon, and its block."""
    return f"{indent}{head}:\n" + block(body, indent + "    ")


@dataclass(eq=False)
class Assign(Stmt):
    names: list
    values: list

    def text(self, indent):
        return (f"{indent}{', '.join(self.names)} = "
                f"{', '.join(map(str, self.values))}\n")


@dataclass(eq=False)
class Aug(Stmt):
    name: str
    op: str
    value: Expr

    def text(self, indent):
        return f"{indent}{self.name} {self.op}= {self.value}\n"


@dataclass(eq=False)
class If(Stmt):
    tests: list
    bodies: list  # of lists; one more than tests where there is an else

    def children(self):
        for i, test in enumerate(self.tests):
            yield "tests", i, test
        for body in self.bodies:
            for statement in body:
                yield None, None, statement

    def text(self, indent):
        text = ""
        for i, body in enumerate(self.bodies):
            word = "if" if i == 0 else "elif"
            head = f"{word} {self.tests[i]}" if i < len(self.tests) else "else"
            text += headed(head, body, indent)
        return text


@dataclass(eq=False)
class For(Stmt):
    """Over range(lo, hi, step)."""
    name: str
    lo: Expr
    hi: Expr
    step: int
    body: list
    otherwise: list = field(default_factory=list)

    def text(self, indent):
        head = f"for {self.name} in range({self.lo}, {self.hi}, {self.step})"
        return looped(head, self, indent)


@dataclass(eq=False)
class Each(Stmt):
    """Over arrays: `form` is plain, reversed, enumerate or zip."""
    form: str
    names: list
    arrays: list
    body: list
    otherwise: list = field(default_factory=list)

    def text(self, indent):
        over = ", ".join(self.arrays)
        if self.form != "plain":
            over = f"{self.form}({over})"
        head = f"for {', '.join(self.names)} in {over}"
        return looped(head, self, indent)


@dataclass(eq=False)
class While(Stmt):
    test: Expr
    body: list
    otherwise: list = field(default_factory=list)

    def text(self, indent):
        return looped(f"while {self.test}", self, indent)


@dataclass(eq=False)
class PRange(Stmt):
    name: str
    array: str  # as many iterations as it has elements
    body: list

    def text(self, indent):
        head = f"for {self.name} in prange(len({self.array}))"
        return headed(head, self.body, indent)


@dataclass(eq=False)
class Store(Stmt):
    array: str
    index: Expr
    value: Expr

    def text(self, indent):
        return f"{indent}{self.array}[{self.index}] = {self.value}\n"


@dataclass(eq=False)
class Jump(Stmt):
    word: str  # break, continue, pass

    def text(self, indent):
        return f"{indent}{self.word}\n"


@dataclass(eq=False)
class Return(Stmt):
    values: list

    def text(self, indent):
        return f"{indent}return {', '.join(map(str, self.values))}\n"


@dataclass(eq=False)
class Parameter:
    name: str
    type: str
    is_array: bool = False
    is_generic: bool = False


@dataclass(eq=False)
class Function(Node):
    """A ufunc, or a gufunc over `n` elements if a parameter is an array.

    `results` are the declared types of returned values, or None; `array` is
    the type of the array result `y`, or None.
    """
    name: str
    parameters: list
    results: list
    array: str
    body: list = field(default_factory=list)

    @property
    def is_gufunc(self):
        return any(p.is_array for p in self.parameters)

    def text(self):
        def declared(p):
            if p.is_generic:
                return f"{p.name}: [n]" if p.is_array else p.name
            return f"{p.name}: {p.type}" + ("[n]" if p.is_array else "")
        head = f"{'gufunc' if self.is_gufunc else 'ufunc'} {self.name}("
        head += ", ".join(map(declared, self.parameters)) + ")"
        if self.array:
            head += f" -> (y: {self.array}[n])"
        elif self.results and len(self.results) == 1:
            head += f" -> {self.results[0]}"
        elif self.results:
            named = [f"r{i}: {t}" for i, t in enumerate(self.results)]
            head += f" -> ({', '.join(named)})"
        return headed(head, self.body, "")


def walk(node):
    yield node
    for _, _, child in node.children():
        yield from walk(child)
