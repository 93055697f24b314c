"""Numba's types, and its signatures and layouts, read without `eval`.

Numba's and NumPy's short names count bytes: `i8` here is Kern's `i64`. Nothing
in this file reads Kern's own names, and nothing else reads Numba's.

    >>> from kern._signatures import parse_signature
    >>> parse_signature("f4(f4, i8)")
    float32(float32, int64)
    >>> parse_signature("f4(f4, i8)").args[1].kern
    'i64'
"""

import re
from dataclasses import dataclass

from kern._errors import ArgumentError


@dataclass(frozen=True)
class Scalar:
    """A type of numbers. Called with types it makes a signature, called with a
    number it converts it, indexed with `[:]` it makes a type of arrays."""

    name: str  #: Numba's: "float32"
    kind: str  #: "b", "i", "u", "f" or "c"; "V" for void
    bits: int

    def __call__(self, *args):
        if len(args) == 1 and not isinstance(args[0], (Scalar, ArrayType)):
            return self.dtype.type(args[0])
        return Signature(tuple(args), self)

    def __getitem__(self, key):
        keys = key if isinstance(key, tuple) else (key,)
        if not all(isinstance(one, slice) for one in keys):
            raise ArgumentError(f"write {self.name}[:, :] for a type of arrays")
        return ArrayType(self, len(keys))

    def __repr__(self):
        return self.name

    @property
    def dtype(self):
        """NumPy's."""
        import numpy

        return numpy.dtype("?" if self.kind == "b" else f"{self.kind}{self.bits // 8}")

    @property
    def kern(self):
        """Kern's name."""
        if self.kind == "b":
            return "bool"
        return f"{self.kind}{self.bits}"

    @property
    def is_integer(self):
        return self.kind in "iu"


@dataclass(frozen=True)
class ArrayType:
    """A type of arrays. Kern ignores their memory layout."""

    element: Scalar
    ndim: int

    def __repr__(self):
        return f"{self.element}[{', '.join([':'] * self.ndim)}]"


@dataclass(frozen=True)
class Signature:
    """Types of the parameters and of the result, None if it is not given."""

    args: tuple
    result: object = None

    def __repr__(self):
        args = ", ".join(map(repr, self.args))
        return f"({args})" if self.result is None else f"{self.result!r}({args})"


void = Scalar("void", "V", 0)


def _number_types():
    yield Scalar("bool", "b", 8)
    for bits in (8, 16, 32, 64):
        yield Scalar(f"int{bits}", "i", bits)
        yield Scalar(f"uint{bits}", "u", bits)
    for bits in (16, 32, 64):
        yield Scalar(f"float{bits}", "f", bits)
    for bits in (64, 128):
        yield Scalar(f"complex{bits}", "c", bits)


_canonical = {one.name: one for one in _number_types()}

# Every name that Numba has for a type.
NAMES = {name: one for name, one in _canonical.items() if name != "bool"}
NAMES.update(
    {
        f"{one.kind}{one.bits // 8}": one
        for one in _canonical.values()
        if one.kind != "b"
    }
)
_ALIASES = {
    "bool": "boolean bool_ b1",
    "int8": "char",
    "uint8": "byte uchar",
    "int16": "short",
    "uint16": "ushort",
    "int32": "intc",
    "uint32": "uintc",
    "int64": "intp int_ long_ longlong ssize_t",
    "uint64": "uintp uint ulong ulonglong size_t",
    "float32": "single",
    "float64": "double",
}
for _name, _others in _ALIASES.items():
    NAMES.update(dict.fromkeys(_others.split(), _canonical[_name]))
NAMES["void"] = NAMES["none"] = void


def scalar_type(value):
    """The Scalar of a type object of Kern, Numba or NumPy, or of a dtype; None
    if it is something else."""
    if isinstance(value, Scalar):
        return value
    if _is_numba(value):
        return NAMES.get(getattr(value, "name", None) or "") or _canonical.get(
            getattr(value, "name", None)
        )
    import numpy

    if isinstance(value, numpy.dtype) or (
        isinstance(value, type) and issubclass(value, numpy.generic)
    ):
        try:
            return _canonical.get(numpy.dtype(value).name)
        except TypeError:
            return None
    return None


def type_of(value):
    """The Scalar of a NumPy scalar, or None."""
    import numpy

    return scalar_type(value.dtype) if isinstance(value, numpy.generic) else None


def is_of_numpy(value):
    """Whether it is a function of NumPy, or a class."""
    module = getattr(value, "__module__", None) or ""
    named = callable(value) and hasattr(value, "__name__")
    return named and module.partition(".")[0] == "numpy"


def _is_numba(value):
    return type(value).__module__.partition(".")[0] in ("numba", "numba_cuda")


def _type(value, of):
    """A type of a signature that was given as objects."""
    if isinstance(value, (Scalar, ArrayType)):
        return value
    if _is_numba(value) and hasattr(value, "ndim") and hasattr(value, "dtype"):
        return ArrayType(_type(value.dtype, of), value.ndim)
    if isinstance(value, str):
        return _Parser(value).only_type()
    found = scalar_type(value)
    if found is None:
        raise ArgumentError(f"{value!r} in the signature {of!r} is not a type")
    return found


def parse_signature(given):
    """The Signature of a text, of type objects (`float64(float64)`) or a tuple.

    Raises kern.ArgumentError, a TypeError and ValueError.

    >>> parse_signature("void(f8[:], intp, f8[:,::1])")
    void(float64[:], int64, float64[:, :])
    >>> parse_signature("ff->f")
    float32(float32, float32)
    """
    if isinstance(given, Signature):
        return given
    if isinstance(given, str):
        return _Parser(given).signature()
    if isinstance(given, (tuple, list)):
        return Signature(tuple(_type(one, given) for one in given))
    if _is_numba(given) and hasattr(given, "return_type"):
        args = tuple(_type(one, given) for one in given.args)
        result = given.return_type
        return Signature(args, None if result is None else _type(result, given))
    raise ArgumentError(
        f"a signature is a str, a tuple of types or a call of a type, not {given!r}"
    )


class _Parser:
    """A parser for the few forms of Numba's texts."""

    def __init__(self, text):
        self.text = text
        self.tokens = re.findall(r"\w[\w.]*|->|::|[^\s]", text)
        self.at = 0

    def fail(self, said):
        raise ArgumentError(f"signature {self.text!r}: {said}")

    def peek(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self, token):
        if self.peek() != token:
            return False
        self.at += 1
        return True

    def expect(self, token):
        if not self.take(token):
            found = self.peek()
            self.fail(
                f"expected `{token}`, found {f'`{found}`' if found else 'its end'}"
            )

    def end(self):
        if self.peek():
            self.fail(f"unexpected `{self.peek()}`")

    def signature(self):
        if "->" in self.tokens:
            return self.letters()
        if self.take("("):
            args = self.types(")")
            self.expect(")")
            self.end()
            return Signature(args)
        first = self.type()
        if self.take("("):
            args = self.types(")")
            self.expect(")")
            self.end()
            return Signature(args, first)
        if not self.take(","):
            if isinstance(first, Scalar):
                self.end()
                self.fail("it has no parameters: write `f8(f8)`")
            return Signature((first,))
        args = (first, *self.types(""))
        self.end()
        return Signature(args)

    def letters(self):
        """NumPy's `ff->f`."""
        inputs, _, output = self.text.replace(" ", "").partition("->")
        if len(output) != 1:
            self.fail("it has more than one result")
        return Signature(tuple(self.letter(one) for one in inputs), self.letter(output))

    def letter(self, letter):
        import numpy

        try:
            found = scalar_type(numpy.dtype(letter))
        except TypeError:
            found = None
        if found is None:
            self.fail(f"`{letter}` is not a type")
        return found

    def types(self, end):
        types = []
        while self.peek() != end:
            types.append(self.type())
            if not self.take(","):
                break
        return tuple(types)

    def only_type(self):
        found = self.type()
        self.end()
        return found

    def type(self):
        name = self.peek()
        if not re.match(r"\w", name):
            self.expect("a type")
        found = NAMES.get(name) or _canonical.get(name)
        if found is None:
            import difflib

            near = difflib.get_close_matches(name, NAMES, 1)
            advice = f"; did you mean `{near[0]}`?" if near else ""
            if re.fullmatch(r"[iuf](16|32|64)", name):
                advice = f"; Numba's names count bytes: `{name[0]}{int(name[1:]) // 8}`"
            self.fail(f"`{name}` is not a type{advice}")
        self.at += 1
        if not self.take("["):
            return found
        ndim = 0
        while True:
            if self.take("::"):
                self.expect("1")
            else:
                self.expect(":")
            ndim += 1
            if not self.take(","):
                break
        self.expect("]")
        return ArrayType(found, ndim)


@dataclass(frozen=True)
class Layout:
    """The core dimensions of a gufunc's operands, as texts."""

    inputs: tuple
    outputs: tuple


def parse_layout(text):
    """The Layout of `(m,n),(n)->(m)`. Dimensions are names, with `?` behind
    where they may be missing, or sizes. Without `->` there are no results.

    >>> parse_layout("(n),()->(n)")
    Layout(inputs=(('n',), ()), outputs=(('n',),))
    """
    if not isinstance(text, str):
        raise ArgumentError(f"a layout is a str like '(n),()->(n)', not {text!r}")
    inputs, _, outputs = "".join(text.split()).partition("->")
    operand = r"\((?:(?:[^\W\d]\w*\??|\d+)(?:,(?:[^\W\d]\w*\??|\d+))*,?)?\)"
    if not all(
        re.fullmatch(rf"(?:{operand}(?:,{operand})*,?)?", side)
        for side in (inputs, outputs)
    ):
        raise ArgumentError(f"layout {text!r} is not of the form '(m,n),(n)->(m)'")

    def side(of):
        return tuple(
            tuple(one for one in group.split(",") if one)
            for group in re.findall(r"\(([^)]*)\)", of)
        )

    layout = Layout(side(inputs), side(outputs))
    known = {name.rstrip("?") for group in layout.inputs for name in group}
    for group in layout.outputs:
        for name in group:
            if not name.isdigit() and name.rstrip("?") not in known:
                raise ArgumentError(
                    f"layout {text!r}: no input has the dimension {name!r}; give "
                    "the function an array of that size"
                )
    return layout
