"""Calls with objects of libraries that know NumPy's functions alone: Dask's
arrays, and what JAX traces with."""


def ask(operand, function, method, *inputs, **keywords):
    """As the `__array_ufunc__` of an operand: a result or NotImplemented."""
    if type(operand).__module__.partition(".")[0] == "jax":
        from kern import _jax_wrap as bridge
    else:
        from kern import _dask_array as bridge
    own = function.module[function._info["name"]]  # it comes under another name
    return bridge.ask(operand, function, own, method, inputs, keywords)
