"""Evaluates Kern functions as Python on NumPy scalars.

Bodies are valid Python, so only the headers are rewritten. A body runs once for
each element, with NumPy 2's scalars (whose promotion is the language's) and
Python's numbers (which are weak). This is the oracle for statements and
expressions; it shares no code with Kern.

Only one-line headers are understood.
"""

import itertools
import math
import re

import numpy as np

HEADER = re.compile(
    r"^(?P<kind>ufunc|gufunc|def)\s+(?P<name>\w+)\((?P<params>.*?)\)\s*"
    r"(?:->\s*(?P<results>\(.*?\)|[\w\[\], +\-*/?%()]+?))?\s*"
    r"(?:where\s+(?P<where>.*))?:\s*$")
ANNOTATED = re.compile(r"^(\s+)(\w+)\s*:\s*(\w+)\s*=\s*(.*)$")


class Type:
    """An element type, called to convert as Kern does."""

    def __init__(self, dtype):
        self.dtype = np.dtype(dtype)

    def __call__(self, value):
        return convert(value, self.dtype)

    def __eq__(self, other):
        return isinstance(other, Type) and self.dtype == other.dtype

    def __hash__(self):
        return hash(self.dtype)


def convert(value, dtype):
    """Float to integer truncates, saturates and takes NaN to 0; integers
    wrap; the rest is NumPy's."""
    array = np.asarray(value)
    if dtype.kind in "iu" and array.dtype.kind == "f":
        info = np.iinfo(dtype)

        def one(x):
            if np.isnan(x):
                return 0
            if np.isinf(x):
                return info.max if x > 0 else info.min
            return min(max(int(x), info.min), info.max)

        if array.ndim == 0:
            return dtype.type(one(array[()]))
        flat = [one(x) for x in array.ravel()]
        return np.array(flat, dtype).reshape(array.shape)
    if array.ndim == 0 and dtype.kind in "iu" and type(value) is int:
        return np.asarray(value).astype(dtype)[()]
    with np.errstate(all="ignore"):
        return array.astype(dtype)[()]


def plain(value):
    return type(value) in (int, float, bool)


def function(ufunc):
    """A NumPy function that keeps plain numbers plain (weak)."""
    def call(*values):
        result = ufunc(*values)
        if all(plain(v) for v in values) and not isinstance(result, tuple):
            return result.item()
        return result
    return call


def accumulated(values):
    """What a sum or product of the values starts from: integers are 64-bit."""
    if values and isinstance(values[0], (np.bool_, np.integer)):
        unsigned = isinstance(values[0], np.unsignedinteger)
        return np.uint64 if unsigned else np.int64
    return lambda x: x


def kern_sum(values):
    values = list(values)
    widen = accumulated(values)
    total = widen(0) if values and widen in (np.int64, np.uint64) else 0
    for value in values:
        total = total + widen(value)
    return total


def kern_prod(values):
    values = list(values)
    widen = accumulated(values)
    total = widen(1) if values and widen in (np.int64, np.uint64) else 1
    for value in values:
        total = total * widen(value)
    return total


def extreme(ufunc):
    def call(*values):
        if len(values) == 1:
            values = list(values[0])
        result = values[0]
        for value in values[1:]:
            result = function(ufunc)(result, value)
        return result
    return call


def prange(*extents):
    if len(extents) == 1:
        return range(extents[0])
    return itertools.product(*(
        range(*extent) if isinstance(extent, tuple) else range(extent)
        for extent in extents))


def mean(values):
    values = list(values)
    return kern_sum(values) / len(values)


def base_environment():
    names = {"pi": math.pi, "e": math.e, "tau": math.tau, "inf": math.inf,
             "nan": math.nan}
    for name in (
            "sqrt exp exp2 expm1 log log2 log10 log1p sin cos tan arcsin "
            "arccos arctan arctan2 sinh cosh tanh arcsinh arccosh arctanh "
            "floor ceil trunc rint hypot cbrt fmod copysign nextafter isnan "
            "isinf isfinite signbit sign maximum minimum fmax fmin gcd lcm "
            "absolute square deg2rad rad2deg where remainder power "
            "bitwise_count logical_xor reciprocal heaviside").split():
        names[name] = function(getattr(np, name))
    names["abs"] = function(np.absolute)
    names["clip"] = lambda x, lo, hi: names["minimum"](
        names["maximum"](x, lo), hi)
    names.update(
        asin=names["arcsin"], acos=names["arccos"], atan=names["arctan"],
        atan2=names["arctan2"], fabs=names["abs"], pow=names["power"])
    names.update(
        sum=kern_sum, prod=kern_prod, min=extreme(np.minimum),
        max=extreme(np.maximum), mean=mean, prange=prange,
        any=lambda values: np.bool_(any(values)),
        all=lambda values: np.bool_(all(values)),
        argmin=lambda values: np.argmin(np.array(list(values))),
        argmax=lambda values: np.argmax(np.array(list(values))))
    types = {
        "bool": np.bool_, "i8": np.int8, "u8": np.uint8, "i16": np.int16,
        "u16": np.uint16, "i32": np.int32, "u32": np.uint32, "i64": np.int64,
        "u64": np.uint64, "f32": np.float32, "f64": np.float64,
        "int": np.int64, "float": np.float64,
    }
    names.update({name: Type(t) for name, t in types.items()})
    names["zeros"] = lambda shape, t: np.zeros(shape, t.dtype)
    names["empty"] = names["zeros"]
    return names


def split_top(text):
    """Splits at the commas outside brackets."""
    parts, depth, current = [], 0, ""
    for character in text:
        depth += character in "([" and 1 or 0
        depth -= character in ")]" and 1 or 0
        if character == "," and depth == 0:
            parts.append(current)
            current = ""
        else:
            current += character
    parts.append(current)
    return [p.strip() for p in parts if p.strip()]


class Operand:
    """`name: T[m, k]` taken apart; dims is None for a scalar."""

    def __init__(self, text):
        name, colon, annotation = text.partition(":")
        self.inout = name.startswith("inout ")
        self.name = name.removeprefix("inout ").strip()
        annotation = annotation.strip()
        self.element, bracket, rest = annotation.partition("[")
        self.element = self.element.strip()
        self.dims = split_top(rest.rstrip("]")) if bracket else None


def result_operands(text):
    if not text:
        return []
    text = text.strip()
    if text.startswith("("):
        return [Operand(p) for p in split_top(text[1:-1])]
    return [Operand("_: " + text)]


class Header:
    def __init__(self, match):
        self.kind = match["kind"]
        self.name = match["name"]
        self.params = [Operand(p) for p in split_top(match["params"])]
        self.results = result_operands(match["results"])


def translate(source):
    """Python text and the headers of a Kern source."""
    lines, headers = [], {}
    for line in source.splitlines():
        match = HEADER.match(line)
        if match:
            header = Header(match)
            headers[header.name] = header
            names = [p.name for p in header.params]
            if header.kind == "gufunc":
                names += [r.name for r in header.results if r.dims is not None]
                names.append("**_dims_")
                lines.append(f"def {header.name}({', '.join(names)}):")
                continue
            if header.kind == "def":  # with default values
                names = [match["params"]]
            lines.append(f"def {header.name}({', '.join(names)}):")
        elif line.startswith("const "):
            constant = re.match(r"const (\w+)\s*(?::\s*(\w+))?\s*=\s*(.*)", line)
            value = constant[3]
            if constant[2]:
                value = f"{constant[2]}({value})"
            lines.append(f"{constant[1]} = {value}")
        elif line.startswith("@"):
            continue
        else:
            line = ANNOTATED.sub(r"\1\2 = \3(\4)", line)
            lines.append(line)
    return "\n".join(lines) + "\n", headers


class Program:
    def __init__(self, source):
        self.text, self.headers = translate(source)
        self.code = compile(self.text, "<kern>", "exec")

    def environment(self, types, dims=None):
        names = base_environment()
        names.update({k: Type(t) for k, t in types.items()})
        names.update(dims or {})
        exec(self.code, names)
        return names

    def call(self, name, *arguments, types=None, result=None):
        """The function over broadcast arguments. `types` binds the type
        variables; `result` gives the result's type (or types) where the
        header does not."""
        types = types or {}
        header = self.headers[name]
        with np.errstate(all="ignore"):
            if header.kind == "gufunc":
                return self._gufunc(header, arguments, types, result)
            return self._ufunc(header, arguments, types, result)

    def _result_type(self, operand, types, index, result):
        if result is not None:
            many = isinstance(result, (tuple, list))
            return np.dtype(result[index] if many else result)
        element = operand.element
        if element in types:
            return np.dtype(types[element])
        return base_environment()[element].dtype

    def _typed(self, operand, value, types):
        """The argument as the loop sees it."""
        if operand.element and operand.element != "dim":
            dtype = (np.dtype(types[operand.element])
                     if operand.element in types
                     else base_environment()[operand.element].dtype)
            return np.asarray(value).astype(dtype)
        return value if plain(value) else np.asarray(value)

    def _ufunc(self, header, arguments, types, result):
        body = self.environment(types)[header.name]
        arguments = [self._typed(p, a, types)
                     for p, a in zip(header.params, arguments)]
        shape = np.broadcast_shapes(
            *[np.shape(a) for a in arguments])
        wide = [a if plain(a) else np.broadcast_to(a, shape)
                for a in arguments]
        answers = []
        for index in np.ndindex(shape):
            answer = body(*[a if plain(a) else a[index] for a in wide])
            answers.append(
                answer if isinstance(answer, tuple) else (answer,))
        count = len(answers[0]) if answers else max(1, len(header.results))
        out = []
        for k in range(count):
            operand = header.results[k] if header.results else None
            dtype = None
            if result is not None or (operand and operand.element):
                dtype = self._result_type(operand, types, k, result)
            values = [answer[k] for answer in answers]
            if dtype is None:
                dtype = np.result_type(*[
                    v for v in values]) if values else np.dtype(np.float64)
            array = np.empty(len(values), dtype)
            for i, v in enumerate(values):
                array[i] = np.asarray(v).astype(dtype)
            out.append(array.reshape(shape))
        return out[0] if count == 1 else tuple(out)

    def _gufunc(self, header, arguments, types, result):
        arguments = [self._typed(p, a, types)
                     for p, a in zip(header.params, arguments)]
        dims, loops = {}, []
        for operand, value in zip(header.params, arguments):
            core = operand.dims or []
            if operand.element == "dim":
                dims[operand.name] = int(value)
                loops.append(None)
                continue
            shape = np.shape(value)
            loops.append(shape[:len(shape) - len(core)])
            for dim, count in zip(core, shape[len(shape) - len(core):]):
                if not dim.isdigit():
                    dims[dim] = count
        loop = np.broadcast_shapes(*[s for s in loops if s is not None])
        body = self.environment(types, dims)[header.name]
        scalars = [r for r in header.results if r.dims is None]
        outs = []
        for k, operand in enumerate(header.results):
            core = tuple(
                int(eval(d, {"min": min, "max": max}, dims))
                for d in operand.dims or [])
            outs.append(np.zeros(
                loop + core, self._result_type(operand, types, k, result)))
        if not header.results:  # a generic scalar result
            outs.append(None)
        wide = []
        for operand, value in zip(header.params, arguments):
            if operand.element == "dim" or plain(value):
                wide.append(value)
                continue
            core = np.shape(value)[np.ndim(value) - len(operand.dims or []):]
            wide.append(np.broadcast_to(value, loop + core))
        inferred = []
        for index in np.ndindex(loop):
            values = []
            for operand, value in zip(header.params, wide):
                if operand.element == "dim" or plain(value):
                    values.append(value)
                else:
                    values.append(value[index])
            arrays = [out[index] for out, r in zip(outs, header.results)
                      if r.dims is not None]
            answer = body(*values, *arrays)
            if answer is None:
                continue
            if not isinstance(answer, tuple):
                answer = (answer,)
            if not header.results:
                inferred.append(answer[0])
                continue
            position = 0
            for out, operand in zip(outs, header.results):
                if operand.dims is None:
                    out[index] = np.asarray(answer[position]).astype(out.dtype)
                    position += 1
        if not header.results:
            dtype = result or np.result_type(*inferred)
            return np.array(inferred, dtype).reshape(loop)
        assert scalars or outs
        return outs[0] if len(outs) == 1 else tuple(outs)
