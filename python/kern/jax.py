"""Kern's functions in JAX's programs: under jit, vmap and grad.

    >>> import jax, kern, kern.jax
    >>> m = kern.compile('''
    ... ufunc wave(x: T, k: T) -> T where T in (f32, f64):
    ...     return sin(k * x)
    ... ufunc wave_partials(x: T, k: T) -> (T, T) where T in (f32, f64):
    ...     return k * cos(k * x), x * cos(k * x)
    ... ''')
    >>> wave = kern.jax.wrap(m.wave, partials=m.wave_partials)
    >>> float(jax.jit(jax.grad(wave))(0.0, 2.0))
    2.0

XLA calls the function itself, on its own threads or its GPU's stream and on its
own memory. Nothing is copied, and Python takes no part.
"""


def wrap(function, *, partials=None, vjp=None, jvp=None):
    """A function of JAX arrays that calls a Kern function.

    It takes JAX's arrays, tracers, NumPy's arrays and numbers, and gives one
    array, or a tuple of them if the function has several results. `dim`
    parameters are integers of Python's. vmap broadcasts.

    function: a kern.Function.
    partials: its partial derivatives, if it is a ufunc: with its parameters, and
        a result for each parameter, first all those of the first result. They
        serve forward and reverse mode.
    vjp: for reverse mode: with the function's parameters, then the cotangent of
        each result; it gives the cotangent of each parameter that is not a `dim`.
    jvp: for forward mode: with the function's parameters, then the tangent of
        each that is not a `dim`; it gives the tangent of each result. Written in
        JAX and linear in the tangents, it serves reverse mode too.

    One of the three is given at most: a Kern function, what wrap() gave for one,
    or a function of JAX arrays. Without one, a derivative is a TypeError.

    Raises TypeError for anything but a kern.Function, for partials of a gufunc and for
    gradients with wrong numbers of parameters. Shapes and types that do not fit are
    errors when JAX traces. Threads: any number at once.

    Results have JAX's types: without `jax_enable_x64`, float32 where Kern
    computes in float64.
    """
    from kern import _jax_wrap

    return _jax_wrap.wrap(function, partials=partials, vjp=vjp, jvp=jvp)
