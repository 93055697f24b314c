"""A function's information about its loops, as NumPy's ufuncs have it: `types`,
`resolve_dtypes`, `identity`, and `ufunc`, a real numpy.ufunc."""

import functools

import numpy as np

from kern import _kern
from kern._errors import Error, ShapeError
from kern._function import _method

#: Kern's names of NumPy's types, in the order of NumPy's loops.
LETTERS = dict(zip("bool i8 u8 i16 u16 i32 u32 i64 u64".split(), "?bBhHiIlL"))
LETTERS |= dict(zip("f16 f32 f64 c64 c128".split(), "efdFD"))

_WEAK = (int, float, complex)
# The types that are tried to find the identity of a generic function's
# reductions.
_COMMON = ("i64", "f64", "bool", "f32", "i32", "u8", "c128")
# Extents for core dimensions where only types are asked for: a result's extent
# such as n - k + 1 must not be negative.
_EXTENTS = (lambda i: 1, lambda i: 64 >> i, lambda i: 1 << i)


def dtype_of(name):
    """The NumPy dtype of one of Kern's names; bf16 needs ml_dtypes."""
    if name == "bf16":
        import ml_dtypes

        return np.dtype(ml_dtypes.bfloat16)
    return np.dtype(LETTERS[name])


def _is_weak(dtype):
    return any(dtype is one for one in _WEAK)


def _dims(self):
    """Whether each parameter is a `dim`."""
    return [bool(one.get("dim")) for one in self._info["parameters"]]


@_method
@property
def ntypes(self):
    """The number of `types`."""
    return len(self._info["loops"])


@_method
@property
def types(self):
    """The loops that the source lists, in NumPy's letters: a list of str, such as
    ["ff->f", "dd->d"].

    Those of a generic function are made when they are needed: it lists none.
    `dim` parameters are "l", and bf16 is ml_dtypes' "E".
    """
    return [_letters(self, loop) for loop in self._info["loops"]]


def _letters(self, loop):
    inputs = iter(loop["inputs"])
    letters = {**LETTERS, "bf16": "E"}
    given = ["l" if is_dim else letters[next(inputs)] for is_dim in _dims(self)]
    return "".join(given) + "->" + "".join(letters[one] for one in loop["outputs"])


@_method
def resolve_dtypes(self, dtypes, *, signature=None, casting=None, reduction=False):
    """The types of a call's loop, as numpy.ufunc.resolve_dtypes.

    dtypes: a tuple with a dtype, or `int`, `float` or `complex` for a number of
        Python's, for each input; then, or not at all, for each output a dtype
        or None. The entry for a `dim` is ignored.
    signature, casting: as in a call.
    reduction: whether the loop is for `reduce`; the first entry may be None.

    Returns a tuple of dtypes, for each input (`int` for a `dim`) and output.
    Raises TypeError if no loop takes them, or a result does not cast.

    >>> import kern, numpy as np
    >>> m = kern.compile("ufunc add(x, y): return x + y")
    >>> m.add.resolve_dtypes((np.dtype("f4"), float, None))
    (dtype('float32'), dtype('float32'), dtype('float32'))
    """
    if not isinstance(dtypes, tuple) or len(dtypes) not in (self.nin, self.nargs):
        raise TypeError(
            "resolve_dtypes: The dtypes must be a tuple of `ufunc.nargs` length, "
            "or of `ufunc.nin`."
        )
    for one in dtypes:
        if not (one is None or _is_weak(one) or isinstance(one, np.dtype)):
            raise TypeError(
                "Provided dtype must be a valid NumPy dtype, int, float, complex, "
                "or None."
            )
    if reduction:
        return _resolve_reduction(self, dtypes, signature)
    keywords = {"signature": signature}
    if casting is not None:
        keywords["casting"] = casting
    return resolve(self, dtypes, **keywords)


def _resolve_reduction(self, dtypes, signature):
    if self.nin != 2 or self.nout != 1:
        raise ValueError("reduction is only defined for 2 input and 1 output ufuncs.")
    first, array, last = (*dtypes, None)[:3]
    if first is not None and last is not None and first != last:
        raise TypeError("If provided, the first and last dtype must match.")
    dtype = None
    if isinstance(signature, tuple) and signature:
        dtype = signature[0]
    value, element = reduction_dtypes(self, array, first or last, dtype)
    return value, element, value


def resolve(self, dtypes, **keywords):
    """The types of the loop for these inputs and, if they are there, outputs."""
    inputs, outputs = dtypes[: self.nin], dtypes[self.nin :]
    if any(one is None and not is_dim for one, is_dim in zip(inputs, _dims(self))):
        raise TypeError("All input dtypes must be provided")
    keywords = {name: value for name, value in keywords.items() if value is not None}
    for extent in _EXTENTS:
        try:
            taken, results = _kern.resolve(
                self, *_forms(self, inputs, outputs, extent), **keywords
            )
        except ShapeError:
            continue
        return (
            *map(
                functools.partial(_taken_as, inputs),
                inputs,
                taken,
                self._info["parameters"],
            ),
            *(dtype for dtype, _ in results),
        )
    raise TypeError("the dtypes do not tell the extents of the results")


def _taken_as(inputs, given, taken, parameter):
    """The type of a loop's input, as NumPy reports it. A Python number for a
    generic parameter has the type of the typed inputs to which it gives way."""
    if taken is None:
        return int
    typed = [one for one in inputs if isinstance(one, np.dtype)]
    if not _is_weak(given) or not typed or not parameter.get("generic"):
        return taken
    try:
        wide = np.result_type(*typed, given(1))
    except TypeError:  # bf16 and others that NumPy does not know
        return taken
    return wide if np.can_cast(wide, taken, "safe") else taken


def _forms(self, inputs, outputs, extent):
    """Arguments for _kern.resolve: arrays with only their core dimensions."""
    names = {name: extent(i) for i, name in enumerate(self._info["dims"])}
    only_out = _only_out(self)

    def shape(operand):
        return tuple(_extent(one, names) for one in operand.get("core") or ())

    arguments = tuple(
        names.get(info["name"], 1)
        if info.get("dim")
        else one
        if _is_weak(one) and not info.get("core")
        else (one if isinstance(one, str) else np.dtype(one), shape(info))
        for one, info in zip(inputs, self._info["parameters"])
    )
    if not outputs and not only_out:
        return arguments, ()
    given = outputs or (None,) * self.nout
    results = []
    for one, info in zip(given, self._info["results"]):
        if one is None and any(only_out & set(part) for part in info.get("core") or ()):
            one = np.dtype("c16")  # to which any result casts
        results.append(one if one is None else (one, shape(info)))
    return arguments, tuple(results)


def _only_out(self):
    """Dimensions that only results name: their extents come from `out`."""
    known = {info["name"] for info in self._info["parameters"]}
    for info in self._info["parameters"]:
        for part in info.get("core") or ():
            known.update(part)
    return set(self._info["dims"]) - known


def _extent(parts, names):
    """The value of an extent, which is written as in reverse Polish notation."""
    stack = []
    for part in parts:
        if part in _OPERATIONS:
            right = stack.pop()
            stack.append(_OPERATIONS[part](stack.pop(), right))
        else:
            stack.append(names[part] if part in names else int(part))
    return max(stack[-1], 0)


_OPERATIONS = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "//": lambda a, b: a // b if b else 0,
    "%": lambda a, b: a % b if b else 0,
    "min": min,
    "max": max,
}


def reduction_dtypes(self, array, out, dtype, method=0):
    """The types of a reduction's result, which is its accumulator's, and of
    elements, as NumPy finds them. `out` and `dtype` may be None, `method` is a
    kern_method."""
    form = (1,), (array.itemsize,)
    found = _kern.resolve_reduction(self, method, array, *form, 0, out, (0,), dtype, False)
    return found[1:3]


@_method
@property
def identity(self):
    """What `@associative(identity=…)` says, a Python number; None for other
    functions, and for those of compiled files."""
    if "_identity" not in self.__dict__:
        self._identity = _find_identity(self)
    return self._identity


def _find_identity(self):
    if self.source is None or "identity" not in self._info:
        return None
    loops = [loop["inputs"][0] for loop in self._info["loops"]]
    for name in sorted(loops, key=lambda one: one[0] not in "iu") or _COMMON:
        try:
            value = _empty_reduction(self, name)
        except Error:
            continue
        if not loops and isinstance(value, int):
            try:  # an infinity is none among integers
                other = _empty_reduction(self, "f64")
            except Error:
                return value
            return value if other == value else other
        return value
    return None


def _empty_reduction(self, name):
    return self.reduce(np.zeros(0, dtype_of(name))).item()


@_method
@property
def ufunc(self):
    """A real numpy.ufunc, for libraries that require one; made at first use.

    Its loops run on the CPU under NumPy's iterator. Of a generic function it has
    the loops with one of NumPy's types for all inputs, and those with several
    that NumPy's own ufuncs have. It has a dotted name, since libraries look
    ufuncs up by name and would take their own `add` for this one. Functions with
    `dim` or `inout` parameters have none: that is a TypeError.
    """
    if "_ufunc" not in self.__dict__:
        self._ufunc = _make_ufunc(self)
    return self._ufunc


def _make_ufunc(self):
    for info in self._info["parameters"]:
        for kind in ("dim", "inout"):
            if info.get(kind):
                raise TypeError(
                    f"{self.__name__}() has no ufunc: NumPy's have no parameters "
                    f"like `{info['name']}`, which is `{kind}`"
                )
    loops = _generic_loops(self) if self._info.get("generic") else _listed_loops(self)
    if not loops:
        raise TypeError(f"{self.__name__}() has no loop over NumPy's types")
    name = self._info["name"]
    return _kern.make_ufunc(
        self,
        self.module._handle,
        tuple(loops),
        f"{self.module.name}.{name}",
        self.__doc__,
        _numpy_signature(self),
        self.__dict__.get("_reordering", self.identity),
    )


def _listed_loops(self):
    loops = {}
    for loop in self._info["loops"]:
        try:
            inputs = tuple(map(dtype_of, loop["inputs"]))
            outputs = tuple(map(dtype_of, loop["outputs"]))
        except ImportError:  # bf16 without ml_dtypes
            continue
        loops.setdefault(inputs, inputs + outputs)
    return list(loops.values())


def _generic_loops(self):
    loops = {}

    def add(*inputs):
        try:
            found = resolve(self, inputs)
        except (Error, TypeError):
            return False
        loops.setdefault(found[: self.nin], found)
        return True

    for letter in LETTERS.values():
        dtype = np.dtype(letter)
        if add(*[dtype] * self.nin) or self.nin != 2 or dtype.kind != "f":
            continue
        # As ldexp: a float and an integer.
        for integer in "il":
            add(dtype, np.dtype(integer))
    compares = all(loop[-1] == bool for loop in loops.values() if loop[0].kind in "iu")
    if self.nin == 2 and compares:
        # Integers compare by value: as NumPy's comparisons, `lL->?`.
        signed, unsigned = np.dtype("l"), np.dtype("L")
        if (signed, signed) in loops:
            add(signed, unsigned)
            add(unsigned, signed)
    return list(loops.values())


def _numpy_signature(self):
    """The signature with a name of its own for each extent that is computed,
    since NumPy's signatures have names and numbers alone."""
    if self.signature is None:
        return None
    optional = set(self._info.get("optional", ()))
    computed = {}

    def operand(info):
        names = []
        for part in info.get("core") or ():
            if len(part) > 1:
                names.append(computed.setdefault(tuple(part), f"kern{len(computed)}"))
            else:
                names.append(part[0] + ("?" if part[0] in optional else ""))
        return "(" + ",".join(names) + ")"

    inputs = ",".join(map(operand, self._info["parameters"]))
    return inputs + "->" + ",".join(map(operand, self._info["results"]))
