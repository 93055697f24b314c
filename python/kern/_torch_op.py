"""What kern.torch.op registers: the operator, its fake, vmap and gradients."""

import atexit
import keyword

import numpy as np
import torch

from kern import _kern
from kern._arguments import Parameters, check_counts, only_one
from kern._shapes import Shapes, result_types
from kern._torch_gradients import Gradients

_NUMBERS = (bool, int, float, complex, torch.SymInt, torch.SymFloat, torch.SymBool)
_NAMES = {
    torch.bool: np.dtype("?"),
    torch.int8: np.dtype("i1"),
    torch.uint8: np.dtype("u1"),
    torch.int16: np.dtype("i2"),
    torch.uint16: np.dtype("u2"),
    torch.int32: np.dtype("i4"),
    torch.uint32: np.dtype("u4"),
    torch.int64: np.dtype("i8"),
    torch.uint64: np.dtype("u8"),
    torch.float16: np.dtype("f2"),
    torch.bfloat16: "bf16",
    torch.float32: np.dtype("f4"),
    torch.float64: np.dtype("f8"),
    torch.complex64: np.dtype("c8"),
    torch.complex128: np.dtype("c16"),
}
_OF_NAMES = {
    "bool": torch.bool,
    "i8": torch.int8,
    "u8": torch.uint8,
    "i16": torch.int16,
    "u16": torch.uint16,
    "i32": torch.int32,
    "u32": torch.uint32,
    "i64": torch.int64,
    "u64": torch.uint64,
    "f16": torch.float16,
    "bf16": torch.bfloat16,
    "f32": torch.float32,
    "f64": torch.float64,
    "c64": torch.complex64,
    "c128": torch.complex128,
}
# Words that a schema of torch does not take for the name of an argument.
_TAKEN = {"self", "out", "Tensor", "Scalar", "SymInt", "int", "float", "bool", "str"}

_made = {}


def op(function, name=None, *, partials=None, vjp=None):
    if not isinstance(function, _kern.Function):
        raise TypeError(
            f"kern.torch.op takes a kern.Function, not {type(function).__name__}"
        )
    name = name or f"kern::{function.__name__}"
    space, separator, plain = name.partition("::")
    if not (separator and space.isidentifier() and plain.isidentifier()):
        raise ValueError(f"name must be 'namespace::name', not {name!r}")
    kind, gradient = only_one(partials=partials, vjp=vjp)
    key = (function, kind, gradient)
    known = _made.get(name)
    if known is not None:
        if known.key == key:
            return known.call
        known.library._destroy()
    if not _made:
        atexit.register(_forget)
    operator = _made[name] = Operator(function, space, plain, kind, gradient)
    operator.key = key
    return operator.call


def _forget():
    """At Python's end: torch's libraries would hold the functions beyond it."""
    for operator in _made.values():
        operator.library._destroy()
    _made.clear()
    result_types.cache_clear()


def _held(name, method):
    """A method of the operator with a name, for torch, which keeps what it is given
    for ever."""

    def call(*arguments, **keywords):
        return getattr(_made[name], method)(*arguments, **keywords)

    return call


class Operator:
    """One operator of torch."""

    def __init__(self, function, space, name, kind, gradient):
        self.function = function
        self.parameters = Parameters(function)
        self.shapes = Shapes(function)
        gradient = self._gradient_function(kind, gradient, f"{space}::{name}")
        self.keys = [_key(one, i) for i, one in enumerate(self.parameters.names)]
        self.library = torch.library.Library(space, "FRAGMENT")
        tags = [torch.Tag.pt2_compliant_tag]
        if hasattr(torch.Tag, "flexible_layout"):
            tags.append(torch.Tag.flexible_layout)
        self.library.define(name + self._schema(), tags=tuple(tags))
        whole = f"{space}::{name}"
        given = {"lib": self.library}
        self.library.impl(name, _held(whole, "run"), "CompositeExplicitAutograd")
        self.library.impl(name, _held(whole, "autograd"), "Autograd")
        torch.library.register_fake(whole, _held(whole, "fake"), **given)
        torch.library.register_vmap(whole, _held(whole, "vmap"), **given)
        self.overload = getattr(getattr(torch.ops, space), name).default
        self.gradients = Gradients(self, kind, gradient)
        self.autograd = self.gradients.dispatched
        self.call = self._caller()

    def _schema(self):
        tensors, numbers = [], []
        for key, is_dim, core in zip(
            self.keys, self.parameters.dims, self.parameters.cores
        ):
            if is_dim:
                tensors.append(f"SymInt {key}")
            elif core:
                tensors.append(f"Tensor {key}")
            else:
                tensors.append(f"Tensor? {key}")
                numbers.append(f"Scalar? {key}_number=None")
        if numbers:
            numbers.insert(0, "*")
        count = self.function.nout
        results = "Tensor" if count == 1 else f"({', '.join(['Tensor'] * count)})"
        return f"({', '.join(tensors + numbers)}) -> {results}"

    def _gradient_function(self, kind, given, name):
        if kind is None:
            return None
        function = self.function
        if kind == "partials" and function.signature is not None:
            raise TypeError(
                f"`{function.__name__}` is a gufunc, and partials are those of a "
                "ufunc; give vjp"
            )
        if isinstance(given, _kern.Function):
            arrays = len(self.parameters.arrays(self.parameters.names))
            counts = {
                "partials": (function.nin, function.nout * arrays),
                "vjp": (function.nin + function.nout, arrays),
            }
            check_counts(function, given, *counts[kind], kind)
            return op(given, f"{name}_{kind}")
        if not callable(given):
            raise TypeError(f"{kind} must be a function, not {type(given).__name__}")
        return given

    # Calls.

    def _caller(self):
        """A plain function, which torch.compile looks through."""
        parameters, overload = self.parameters, self.overload
        routed = self.gradients.routed
        slots = list(zip(self.keys, parameters.dims, parameters.cores))

        def call(*arguments, **named):
            if named or len(arguments) != len(slots):
                arguments = parameters.bound(arguments, named)
            positional, numbers = [], {}
            for (key, is_dim, core), value in zip(slots, arguments):
                if is_dim or isinstance(value, torch.Tensor):
                    positional.append(value)
                elif core or not isinstance(value, _NUMBERS):
                    positional.append(torch.as_tensor(value))
                else:
                    positional.append(None)
                    numbers[key + "_number"] = value
            if len(numbers) == len(slots) and slots:
                # The dispatcher needs a tensor: the first number becomes one.
                first, key = positional.index(None), slots[0][0] + "_number"
                positional[first] = torch.as_tensor(numbers.pop(key))
            if torch.compiler.is_compiling():
                return overload(*positional, **numbers)
            return routed(positional, numbers)

        call.__name__ = call.__qualname__ = self.function.__name__
        call.__doc__ = self.function.__doc__
        call.__signature__ = parameters.signature
        call.function = self.function
        call.overload = overload
        return call

    def together(self, positional, numbers):
        """The function's arguments, of an operator's."""
        return [
            numbers.get(key + "_number") if value is None else value
            for key, value in zip(self.keys, positional)
        ]

    def run(self, *positional, **numbers):
        return self.function(*self.together(positional, numbers), order="C")

    def fake(self, *positional, **numbers):
        """Results without elements."""
        arguments = self.together(positional, numbers)
        types = result_types(self.function, tuple(map(_type_of, arguments)))
        shapes = self.shapes.of_results(
            [
                one if is_dim else getattr(one, "shape", ())
                for one, is_dim in zip(arguments, self.parameters.dims)
            ],
            torch.broadcast_shapes,
        )
        device = _device(arguments)
        results = tuple(
            torch.empty(shape, dtype=_OF_NAMES[name], device=device)
            for name, shape in zip(types, shapes)
        )
        return results[0] if len(results) == 1 else results

    def vmap(self, info, in_dims, *positional, **numbers):
        if self.parameters.has_optional:
            raise NotImplementedError(
                f"vmap of `{self.function.__name__}`: an axis that vmap adds would be "
                "taken for its optional core dimension; call it on the whole array"
            )
        loops = [
            one.dim() - core - (at is not None) if isinstance(one, torch.Tensor) else 0
            for one, at, core in zip(positional, in_dims, self.parameters.cores)
        ]
        most = max(loops)
        moved = [
            one if at is None
            else one.movedim(at, 0)[(slice(None),) + (None,) * (most - loop)]
            for one, at, loop in zip(positional, in_dims, loops)
        ]  # fmt: skip
        count = self.function.nout
        results = self.gradients.routed(moved, numbers)
        return results, 0 if count == 1 else (0,) * count


def _key(name, number):
    """What a parameter is called in torch's schema."""
    if name in _TAKEN or keyword.iskeyword(name) or not name.isascii():
        return f"argument_{number}"
    return name


def _type_of(value):
    """For result_types: a dtype, or the type of a number."""
    if isinstance(value, torch.Tensor):
        known = _NAMES.get(value.dtype)
        if known is None:
            raise TypeError(f"Kern has no element type for {value.dtype}")
        return known
    if isinstance(value, complex):
        return complex
    if isinstance(value, (bool, torch.SymBool)):
        return np.dtype("?")
    return int if isinstance(value, (int, torch.SymInt)) else float


def _device(arguments):
    """That of the results: a GPU's, if one argument is there."""
    device = None
    for one in arguments:
        if isinstance(one, torch.Tensor) and (device is None or device.type == "cpu"):
            device = one.device
    return device
