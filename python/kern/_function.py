"""The methods of kern.Function that need no speed."""

from kern._kern import Function


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
    return _function_of, (self.module, self._info["name"])


def _function_of(module, name):
    return module[name]


@_method
def __dask_tokenize__(self):
    """The same in every process, so that Dask knows equal work by its name."""
    return "kern.Function", self.module.hash, self._info["name"]


@_method
@property
def source(self):
    """The text of its module's source; None of a compiled file."""
    return self.module.source


@_method
@property
def __signature__(self):
    import inspect

    parameters = [
        inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD)
        for name in self._parameters
    ]
    keywords = [("out", None), ("where", True), ("casting", "same_kind")]
    keywords += [("order", "K"), ("dtype", None), ("subok", True)]
    keywords += [("signature", None), ("device", None), ("stream", None)]
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
