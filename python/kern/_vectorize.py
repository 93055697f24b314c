"""kern.vectorize and kern.guvectorize, which take Python functions as Numba does."""

from kern._errors import ArgumentError
from kern._gufunc import gufunc_text
from kern._jit import Options, make_function
from kern._names import python_function
from kern._signatures import parse_layout, parse_signature
from kern._source import PythonFunction
from kern._translate import Translation
from kern._ufunc import ufunc_text


def _plain(function, decorator):
    plain = python_function(function)
    if plain is None:
        raise ArgumentError(
            f"{decorator} is for Python functions, not {type(function).__name__}"
        )
    return plain


def _signatures(given):
    if given is None:
        return []
    if isinstance(given, str) or not isinstance(given, (list, set, frozenset, tuple)):
        given = [given]
    elif isinstance(given, tuple) and given and not isinstance(given[0], (str, tuple)):
        # A tuple of types is one signature, one of signatures several.
        from kern._signatures import scalar_type

        if scalar_type(given[0]) is not None or hasattr(given[0], "ndim"):
            given = [given]
    return [parse_signature(one) for one in given]


def vectorize(ftylist_or_function=(), **kws):
    """Makes a ufunc from a Python function of numbers, as numba.vectorize does.

    ftylist_or_function: signatures as texts ("float32(float32, float32)"),
        NumPy's ("ff->f") or type objects (kern.float64(kern.float64), Numba's
        too). Without any, loops are made at calls.
    target: "cpu", "parallel" and "auto" run on the CPU's cores if the arrays
        are in its memory, and on the GPU that they are on; "cuda" runs on a GPU
        whatever the arrays are: host arrays and numbers are copied to the first
        one, and results back, unless a call's `device` or kern.on() says where.
    fastmath: as @fastmath in a source.
    identity: 0 or 1, where reductions begin.
    boundscheck: whether calls check indices.

    nopython, cache and Numba's other keywords are accepted for compatibility: all
    code is compiled and cached.

    Defaults of parameters that are numbers are those of the kern.Function.

    Returns a kern.Function with `py_func`, the Python function; `targetdevice`;
    `is_dynamic`, whether calls make the loops; `inspect_types()`, which prints the
    Kern source, and `inspect_ptx()`. Used bare (`@kern.vectorize`) it has no signatures;
    otherwise it gives a decorator.

    Raises kern.CompileError, a SyntaxError, at the place in the Python file, and
    kern.ArgumentError, a TypeError and ValueError, for signatures and keywords that
    do not exist. Threads: any number at once.

    >>> import kern, numpy as np
    >>> @kern.vectorize(["float32(float32, float32)", "float64(float64, float64)"])
    ... def add(x, y):
    ...     return x + y
    >>> add(np.float32([1, 2]), 3)
    array([4., 5.], dtype=float32)
    """
    if python_function(ftylist_or_function) is not None:
        return _vectorize(ftylist_or_function, [], Options.of(kws, "vectorize"))
    signatures = _signatures(ftylist_or_function)
    options = Options.of(kws, "vectorize")
    return lambda function: _vectorize(function, signatures, options)


def _vectorize(function, signatures, options):
    plain = _plain(function, "vectorize")
    python = PythonFunction(plain)
    python.refuse_header()
    translation = Translation(bool(signatures))
    name = ufunc_text(translation, python, signatures, options)
    return make_function(translation, python, name, signatures, options)


def guvectorize(*args, **kws):
    """Makes a gufunc from a Python function that writes its results into its
    last parameters, as numba.guvectorize does.

    args: signatures ("void(f8[:], f8, f8[:])", "f8[:], f8, f8[:]" or type
        objects) and a layout ("(n),()->(n)"); or the layout alone, for loops
        that are made at calls.
    writable_args: the numbers or names of inputs that the function writes to.

    The other arguments, what it gives and what it raises are as for `vectorize`.
    Core dimensions have the layout's names; their extents are those of a call's
    arrays. Results are arrays of the call's loop dimensions and their core ones.

    >>> import kern, numpy as np
    >>> @kern.guvectorize(["void(f8[:], f8, f8[:])"], "(n),()->(n)")
    ... def scale(x, factor, res):
    ...     for i in range(x.shape[0]):
    ...         res[i] = factor * x[i]
    >>> scale(np.array([1.0, 2.0]), 3)
    array([3., 6.])
    """
    if len(args) not in (1, 2):
        raise TypeError("guvectorize() takes one or two positional arguments")
    signatures = _signatures(args[0]) if len(args) == 2 else []
    layout = parse_layout(args[-1])
    options = Options.of(kws, "guvectorize")
    return lambda function: _guvectorize(function, signatures, layout, options)


def _guvectorize(function, signatures, layout, options):
    plain = _plain(function, "guvectorize")
    python = PythonFunction(plain)
    python.refuse_header()
    translation = Translation(bool(signatures))
    name = gufunc_text(translation, python, signatures, layout, options)
    return make_function(translation, python, name, signatures, options)
