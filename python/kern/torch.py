"""Kern's functions as operators of torch: under torch.compile and autograd.

A call of a kern.Function on tensors runs at once and records no gradient. An
operator is known to torch's dispatcher: torch.compile takes it into its graphs,
torch.export into its programs, and autograd differentiates it by the gradient
function that it is given.
"""


def op(function, name=None, *, partials=None, vjp=None):
    """Registers a Kern function as an operator; returns what calls it.

    It is called with tensors and numbers, by position or by the parameters'
    names, and gives a tensor, or a tuple of them if the function has several
    results. The same function under the same name is registered once; another
    one takes the name over.

    function: a kern.Function.
    name: "namespace::name"; "kern::" and the function's name if it is not given.
        The operator is torch.ops.namespace.name, whose tensors are positional
        and whose numbers have keywords: x=None, x_number=2.
    partials: its partial derivatives, if it is a ufunc: with its parameters, and
        a result for each parameter, first all those of the first result.
    vjp: with the function's parameters, then the gradient of each result; it
        gives the gradient of each parameter that is not a `dim`.

    Raises TypeError for anything but a kern.Function, for partials of a gufunc and for
    gradients with wrong numbers of parameters, ValueError for a name of another form.
    Threads: calls any number at once; register from one.

    At most one of the two is given: a Kern function, what op() gave for one, or
    a function of tensors. Without one, backward() is a RuntimeError; nothing
    loses a gradient silently. What op() gave may have derivatives of its own.
    """
    from kern import _torch_op

    return _torch_op.op(function, name, partials=partials, vjp=vjp)
