"""Shared by the bridges to other libraries: a function's parameters, and the
arguments of a call in order."""

import inspect


class Parameters:
    """A function's parameters.

    names: all of them; dims: whether each is a `dim`, an integer that is fixed
    when a program is made; cores: how many core dimensions each has.
    """

    def __init__(self, function):
        info = function._info
        self.function = function
        self.names = [one["name"] for one in info["parameters"]]
        self.dims = [bool(one.get("dim")) for one in info["parameters"]]
        self.cores = [len(one.get("core") or ()) for one in info["parameters"]]
        self.has_optional = bool(info.get("optional"))
        self.signature = inspect.Signature(
            inspect.Parameter(
                name,
                inspect.Parameter.POSITIONAL_OR_KEYWORD,
                default=inspect.Parameter.empty if default is None else default,
            )
            for name, default in zip(self.names, function._defaults)
        )
        for one in info["parameters"]:
            if one.get("inout"):
                raise TypeError(
                    f"`{function.__name__}` writes to its parameter "
                    f"`{one['name']}`; give its result a name of its own: arrays of "
                    "JAX and Dask, and those in torch's graphs, are not written to"
                )

    def bound(self, arguments, named):
        """The arguments of a call, in the order of the parameters."""
        if not named and len(arguments) == len(self.names):
            return list(arguments)
        try:
            taken = self.signature.bind(*arguments, **named)
        except TypeError as error:
            raise TypeError(f"{self.function.__name__}() is {error}") from None
        taken.apply_defaults()
        return list(taken.arguments.values())

    def arrays(self, arguments):
        """The arguments of parameters that are not `dim`s."""
        return [one for one, is_dim in zip(arguments, self.dims) if not is_dim]

    def sizes(self, arguments):
        """The arguments of `dim` parameters."""
        return tuple(one for one, is_dim in zip(arguments, self.dims) if is_dim)

    def together(self, arrays, sizes):
        """All arguments again, from arrays() and sizes()."""
        arrays, sizes = iter(arrays), iter(sizes)
        return [next(sizes if is_dim else arrays) for is_dim in self.dims]


def only_one(**given):
    """The name and value of the one that is not None; (None, None) if none is."""
    chosen = [(name, value) for name, value in given.items() if value is not None]
    if len(chosen) > 1:
        raise TypeError(f"give one of {' and '.join(name for name, _ in chosen)}")
    return chosen[0] if chosen else (None, None)


def check_counts(function, gradient, inputs, outputs, what):
    """Refuses a Kern function that cannot be the gradient function of another."""
    if (gradient.nin, gradient.nout) != (inputs, outputs):
        raise TypeError(
            f"`{gradient.__name__}` has {gradient.nin} parameters and "
            f"{gradient.nout} results; as {what} of `{function.__name__}` it needs "
            f"{inputs} and {outputs}"
        )
