"""The methods of kern.Function that need no speed."""

import functools

from kern import _kern
from kern._kern import Function

Function.__doc__ = """A function of a Kern module, which is called over arrays by NumPy's rules.

    f(*arguments, out=None, where=True, dtype=None, signature=None,
      casting="same_kind", order="K", subok=True, device=None, stream=None,
      threads=None, shape=None)

A gufunc has `axis=-1`, `axes=None` and `keepdims=False` in place of `where`.

arguments: arrays, numbers and lists, by position or by the parameters' names; those
    whose parameters have defaults may be left out. Their shapes broadcast; core dimensions are the last ones, unless `axis` or `axes` say
    otherwise. Numbers of Python's are weak: beside an array of float32, 0.1 is a
    float32. A `dim` parameter is an integer. A range is an array of int64 that takes
    no memory: a ufunc computes its numbers.
out: an array, or a tuple with an array or None for each result, of any type to which
    the results cast. The arguments broadcast to its loop dimensions, and so does
    `where`. It may overlap with arguments: results are as if all were read first.
where: an array of bool that broadcasts to the result. Elsewhere `out` keeps what it
    has; a new result is 0.
dtype, signature, casting, order, subok: as those of numpy.ufunc. Types may have
    Kern's names: "f32", "bf16".
axis, axes, keepdims: as those of NumPy's gufuncs; `axis` may be a tuple, or None for
    all, if no result has the dimension.
device: "cpu", "cuda", "cuda:1", "cuda:all" (all GPUs share the call), "auto" (whichever
    of CPU and GPU is expected to be faster) or a kern.Device: where a call with host
    arrays alone runs; KERN_DEVICE, else the CPU, by default. They are copied there,
    and results back; Ctrl-C ends a large call after a piece.
stream: where a call on a GPU runs: an object of CuPy's, torch's or Numba's, or the
    address of a CUstream. By default the current one of the arrays' library.
threads: the most threads of a call on the CPU, from 1 to 1024, and no more than
    kern.get_num_threads() says, which is how many there may be by default.

shape: that of the first result, an int or a tuple: the arguments broadcast to it. So
    functions without arrays make results of any shape.

Returns an array of the arguments' library, in its memory; a tuple for several
results; a NumPy scalar for host arguments where there are no dimensions. The caller
owns it. Calls on host arrays are done when they return. Calls on a GPU's arrays are
enqueued: what fails on the GPU surfaces at a later call or at kern.synchronize().

Raises kern.ShapeError, a ValueError, for shapes that do not fit; kern.DTypeError, a
TypeError, for types without a loop and casts that are not allowed; kern.RangeError,
an OverflowError too, for an integer of Python's that does not fit its loop;
TypeError for host and GPU arrays in one call, for a tensor that requires grad, and
for wrong arguments.

Threads: any number at once, also those of a free-threaded Python; Python's lock is
released while arrays are computed. A loop that many need at once is compiled once.
Functions compare by identity, are hashable, and pickle by their source.

    >>> import kern, numpy as np
    >>> f = kern.compile("ufunc hypot(x, y): return sqrt(x * x + y * y)").hypot
    >>> f(np.float32([3, 6]), y=8)
    array([ 8.5440035, 10.       ], dtype=float32)
"""


# Parameters of these names are given by position.
_OPTIONS = frozenset(
    "out where axis axes keepdims dtype casting order signature device stream".split()
)


def _method(function):
    """Adds a method or a property to Function."""
    name = function.fget.__name__ if isinstance(function, property) else None
    setattr(Function, name or function.__name__, function)
    return function


@_method
def __repr__(self):
    return f"<kern {self._info['kind']} '{self.__name__}'>"


@_method
def __reduce__(self):
    origin = self.__dict__.get("_origin")
    return _function_of, (self.module, self._info["name"], self.device, origin)


def _function_of(module, name, device=None, origin=None):
    function = module[name] if device is None else bound_to(module[name], device)
    return function if origin is None else origin.dress(function)


def bound_to(function, device):
    """The function with a device for calls on host arrays and numbers that name
    none; so have its methods."""
    bound = _kern.bound_to(function, device)
    for name in ("reduce", "accumulate", "reduceat", "outer", "at"):
        bound.__dict__[name] = _there(getattr(bound, name), device)
    return bound


class _Scope:
    """What `with kern.on(...)` is; the device may be a default."""

    def __init__(self, device=None, stream=None, threads=None, is_default=False):
        self._asked = device, stream, threads, is_default

    def __enter__(self):
        self._token = _kern.enter_scope(*self._asked)

    def __exit__(self, *error):
        _kern.leave_scope(self._token)


def _there(method, device):
    @functools.wraps(method)
    def run(*args, **keywords):
        with _Scope(device, is_default=True):
            return method(*args, **keywords)

    return run


@_method
def __dask_tokenize__(self):
    """The same in every process, so that Dask knows equal work by its name."""
    place = () if self.device is None else (self.device,)
    return "kern.Function", self.module.hash, self._info["name"], *place


@_method
@property
def source(self):
    """The text of its module's source, a str; None of a compiled file."""
    return self.module.source


@_method
@property
def __signature__(self):
    import inspect

    # A parameter with the name of an option is given by position, and in a
    # signature those before one are too.
    last = max(
        (i for i, name in enumerate(self._parameters) if name in _OPTIONS), default=-1
    )
    parameters = [
        inspect.Parameter(
            name,
            inspect.Parameter.POSITIONAL_ONLY
            if i <= last
            else inspect.Parameter.POSITIONAL_OR_KEYWORD,
            default=inspect.Parameter.empty if default is None else default,
        )
        for i, (name, default) in enumerate(zip(self._parameters, self._defaults))
    ]
    keywords = [("out", None), ("where", True), ("casting", "same_kind")]
    keywords += [("order", "K"), ("dtype", None), ("subok", True)]
    keywords += [("signature", None), ("device", None), ("stream", None)]
    keywords += [("threads", None), ("shape", None)]
    if self.signature:
        keywords[2:2] = [("axis", -1), ("axes", None), ("keepdims", False)]
        keywords.remove(("where", True))
    taken = set(self._parameters)
    parameters += [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default)
        for name, default in keywords
        if name not in taken
    ]
    return inspect.Signature(parameters)
