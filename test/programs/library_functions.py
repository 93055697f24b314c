"""Random functions that call the library."""

from elements import F32, F64, LIBRARY, TYPES, IllTyped
from generate import REALS
from infer import Types
from tree import Assign, Bin, Call, Function, Lit, Name, Parameter, Return


def library_function(generator, name):
    """A function without branches and loops, and its parameters' types."""
    kind = generator.pick(["f32", "f64"])
    t = TYPES[kind]
    assert t in (F32, F64)
    parameters = [Parameter(f"x{k}", kind, False, False)
                  for k in range(generator.pick([1, 2, 3]))]
    names, body = [p.name for p in parameters], []

    def value(depth):
        if depth == 0:
            return Name(generator.pick(names)) if generator.chance(0.85) else Lit(
                generator.pick(REALS[1:]))
        if generator.chance(0.5):
            return Bin(generator.pick(["+", "-", "*", "/"]), value(depth - 1),
                       value(depth - 1))
        function = generator.pick(LIBRARY)
        return Call(function, [value(depth - 1)
                               for _ in range(LIBRARY[function])])
    for k in range(generator.pick([1, 2, 3])):
        body.append(Assign([f"a{k}"], [value(2)]))
        names.append(f"a{k}")
    body.append(Return([Bin("+", value(2), Name(generator.pick(names)))]))
    function = Function(name, parameters, [kind], None, body)
    try:
        Types(function, [t] * len(parameters))
    except IllTyped:
        return library_function(generator, name)
    return function, [t] * len(parameters)
