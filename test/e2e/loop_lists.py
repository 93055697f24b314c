"""NumPy ufuncs with any list of loops, and the same lists in Kern.

NumPy makes a ufunc of a list of types by PyUFunc_FromFuncAndData. The ones made
here compute nothing: the type of the result tells which loop NumPy chose.
"""

import ctypes as C

import numpy as np

import kernapi
from agreement import TYPES

NP = kernapi.NUMPY_TYPE
NATIVE = [kind for kind in TYPES if kind != "bf16"]
WEAK = (1, 1000, 1.5, 1j)
_LOOP = C.CFUNCTYPE(None, *[C.c_void_p] * 4)
_kept = []  # NumPy keeps only addresses


@_LOOP
def _nothing(arguments, extents, strides, data):
    pass


def _maker():
    capsule = np._core._multiarray_umath._UFUNC_API
    pointer = C.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = C.c_void_p, [C.py_object, C.c_char_p]
    table = C.cast(pointer(capsule, None), C.POINTER(C.c_void_p))
    made = C.PYFUNCTYPE(C.py_object, *[C.c_void_p] * 3, *[C.c_int] * 4,
                        *[C.c_char_p] * 2, C.c_int)
    return made(table[1])


def numpy_ufunc(loops):
    """A ufunc of NumPy's with these loops, each the names of the types of its
    inputs and of its one result."""
    count, inputs = len(loops), len(loops[0]) - 1
    functions = (C.c_void_p * count)(
        *[C.cast(_nothing, C.c_void_p).value] * count)
    types = bytes(np.dtype(NP[kind]).num for loop in loops for kind in loop)
    types = C.create_string_buffer(types, len(types))
    data = (C.c_void_p * count)()
    _kept.append((functions, types, data))
    return _maker()(functions, data, types, count, inputs, 1, -1, b"f", b"", 0)


def random_list(rng):
    """Loops whose results have types of their own, so that the result tells
    the loop."""
    inputs = int(rng.integers(1, 4))
    results = list(rng.permutation(NATIVE))
    loops, seen = [], set()
    for result in results[:int(rng.integers(1, 6))]:
        if rng.random() < 0.6:
            kinds = (str(rng.choice(NATIVE)),) * inputs
        else:
            kinds = tuple(map(str, rng.choice(NATIVE, inputs)))
        if kinds not in seen:
            seen.add(kinds)
            loops.append((*kinds, str(result)))
    if rng.random() < 0.5:  # as lists are usually written
        loops.sort(key=lambda loop: [NATIVE.index(kind) for kind in loop])
    return loops


def random_arguments(rng, inputs, count):
    """Arrays of ones and weak numbers, at least one of each if there are several
    operands."""
    for _ in range(count):
        arguments = []
        for _ in range(inputs):
            if rng.random() < 0.5:
                arguments.append(WEAK[rng.integers(len(WEAK))])
            else:
                arguments.append(np.ones(2, NP[str(rng.choice(NATIVE))]))
        if not any(isinstance(a, np.ndarray) for a in arguments):
            arguments[0] = np.ones(2, NP[str(rng.choice(NATIVE))])
        yield arguments


def gives_way(weak, kind):
    """Whether a loop of this type takes a weak number whose value fits it."""
    if isinstance(weak, int):
        return kind != "bool"
    return kind[0] == "c" or (isinstance(weak, float) and "f" in kind)


def expected(function, loops, arguments):
    """The result's type, or None where the call is refused: NumPy's, but that
    a loop of the typed arguments' own types is taken before wider ones that are
    listed first (differences.py)."""
    kinds = [kernapi.KERN_NAME[a.dtype] if isinstance(a, np.ndarray) else None
             for a in arguments]
    try:
        with np.errstate(all="ignore"):
            chosen = kernapi.KERN_NAME[function(*arguments).dtype]
    except (TypeError, OverflowError):
        chosen = None
    ranks = {"bool": 0, "i": 1, "u": 1}
    rank = max(ranks.get(k, ranks.get(k[0], 2)) for k in kinds if k)
    weak = max((1 if isinstance(a, int) else 2 for a, k in zip(
        arguments, kinds) if not k), default=0)
    if weak <= rank:
        for loop in loops:
            if all(k == to if k else gives_way(a, to) and (
                    to in kinds or len({other[i] for other in loops}) == 1)
                   for i, (a, k, to) in enumerate(
                       zip(arguments, kinds, loop))):
                fits = all(k or not isinstance(a, int) or to[0] not in "iu" or
                           a <= np.iinfo(NP[to]).max
                           for a, k, to in zip(arguments, kinds, loop))
                return loop[-1] if fits else None
    return chosen


def describe(loops):
    return ", ".join("(" + " ".join(loop[:-1]) + ")" for loop in loops)


def name(argument):
    if isinstance(argument, np.ndarray):
        return kernapi.KERN_NAME[argument.dtype]
    return repr(argument)


def kern_source(loops):
    inputs = len(loops[0]) - 1
    variables = [f"T{i}" for i in range(inputs)] + ["R"]
    parameters = ", ".join(f"x{i}: T{i}" for i in range(inputs))
    rows = ", ".join("(" + ", ".join(loop) + ")" for loop in loops)
    if len(loops) == 1:
        rows += ","
    return (f"ufunc f({parameters}) -> R where ({', '.join(variables)}) in "
            f"({rows}):\n    return R(1)\n")


def body_call(text, arguments):
    """A function `g` of the arrays that calls `f` with the weak numbers
    written out, and its arguments."""
    names = [f"x{i}" for i in range(len(arguments))]
    arrays = [(n, a) for n, a in zip(names, arguments)
              if isinstance(a, np.ndarray)]
    passed = ", ".join(n if isinstance(a, np.ndarray) else repr(a)
                       for n, a in zip(names, arguments))
    return (text + f"\nufunc g({', '.join(n for n, _ in arrays)}):\n"
            f"    return f({passed})\n", [a for _, a in arrays])
