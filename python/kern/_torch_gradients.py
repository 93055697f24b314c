"""Gradients of the operators that kern.torch.op registers.

There are two ways to a gradient. The dispatcher comes to an operator with its
Autograd key; torch.compile's graphs take that way. torch.func's transforms, which
the dispatcher cannot lead through an operator, are met before it.
"""

import torch


def in_torch_func():
    """Whether a transform of torch.func is at work."""
    return torch._C._are_functorch_transforms_active()


class Gradients:
    """Of one operator. `gradient` is a function of the operator's arguments, by
    its kind partials or a vjp; None if there is none."""

    def __init__(self, operator, kind, gradient):
        self.operator = operator
        self.parameters = operator.parameters
        self.kind = kind
        self.gradient = gradient
        names = [
            one.name for one in operator.overload._schema.arguments if one.kwarg_only
        ]
        self.number_names = names
        count = len(self.parameters.names)

        def split(arguments):
            numbers = dict(zip(names, arguments[count:]))
            return arguments[:count], {
                name: one for name, one in numbers.items() if one is not None
            }

        class Kept(torch.autograd.Function):
            @staticmethod
            def setup_context(ctx, inputs, output):
                self._keep(ctx, *split(inputs))

            @staticmethod
            def backward(ctx, *grads):
                found = self._backward(ctx, grads)
                return (*found, *(None for _ in names))

        class Dispatched(Kept):
            @staticmethod
            def forward(*arguments):
                positional, numbers = split(arguments)
                with torch._C._AutoDispatchBelowAutograd():
                    return operator.overload(*positional, **numbers)

        class Transformed(Kept):
            @staticmethod
            def forward(*arguments):
                return self.routed(*split(arguments))

            @staticmethod
            def vmap(info, in_dims, *arguments):
                positional, numbers = split(arguments)
                return operator.vmap(info, in_dims[:count], *positional, **numbers)

        self._dispatched, self._transformed = Dispatched, Transformed

    def dispatched(self, *positional, **numbers):
        """The operator under the dispatcher's Autograd key."""
        if _is_plain(positional):
            with torch._C._AutoDispatchBelowAutograd():
                return self.operator.overload(*positional, **numbers)
        return self._dispatched.apply(*positional, *map(numbers.get, self.number_names))

    def routed(self, positional, numbers):
        """The operator, under as many transforms of torch.func as there are."""
        if in_torch_func():
            return self._transformed.apply(
                *positional, *map(numbers.get, self.number_names)
            )
        return self.operator.overload(*positional, **numbers)

    @staticmethod
    def _keep(ctx, positional, numbers):
        is_tensor = [isinstance(one, torch.Tensor) for one in positional]
        ctx.save_for_backward(
            *(one for one, given in zip(positional, is_tensor) if given)
        )
        ctx.is_tensor = is_tensor
        ctx.rest = [
            None if given else one for one, given in zip(positional, is_tensor)
        ]
        ctx.numbers = numbers

    def _backward(self, ctx, grads):
        """A gradient or None for each positional argument."""
        name = self.operator.function.__name__
        if self.gradient is None:
            raise RuntimeError(
                f"`{name}` has no gradient: give kern.torch.op its partials or its "
                "vjp, or call it on tensors without requires_grad"
            )
        saved = iter(ctx.saved_tensors)
        positional = [
            next(saved) if given else one
            for one, given in zip(ctx.rest, ctx.is_tensor)
        ]
        arguments = self.operator.together(positional, ctx.numbers)
        arrays = self.parameters.arrays(range(len(positional)))
        found = [None] * len(positional)
        of = self._by_partials if self.kind == "partials" else self._by_vjp
        for i, grad in zip(arrays, of(name, arrays, arguments, grads)):
            if ctx.needs_input_grad[i] and grad is not None:
                found[i] = _fit(grad, positional[i])
        return found

    def _by_partials(self, name, arrays, arguments, grads):
        parts = _as_tuple(self.gradient(*arguments))
        if len(parts) != len(arrays) * len(grads):
            raise TypeError(
                f"partials of `{name}` gave {len(parts)} results for {len(grads)} of "
                f"{len(arrays)} parameters"
            )
        for number in range(len(arrays)):
            yield sum(
                grad * _conjugate(part)
                for grad, part in zip(grads, parts[number :: len(arrays)])
            )

    def _by_vjp(self, name, arrays, arguments, grads):
        got = _as_tuple(self.gradient(*arguments, *grads))
        if len(got) != len(arrays):
            raise TypeError(
                f"vjp of `{name}` gave {len(got)} gradients for {len(arrays)} parameters"
            )
        return got


def _is_plain(arguments):
    """Whether nothing is differentiated, neither backward nor forward."""
    return torch.autograd.forward_ad._current_level < 0 and not (
        torch.is_grad_enabled()
        and any(isinstance(one, torch.Tensor) and one.requires_grad for one in arguments)
    )


def _as_tuple(got):
    return tuple(got) if isinstance(got, (tuple, list)) else (got,)


def _conjugate(part):
    is_complex = isinstance(part, torch.Tensor) and part.is_complex()
    return part.conj() if is_complex else part


def _fit(grad, tensor):
    """A gradient of the tensor's shape and type: summed over what broadcast."""
    if grad.is_complex() and not tensor.is_complex():
        grad = grad.real
    shape = torch.broadcast_shapes(grad.shape, tensor.shape)
    return grad.expand(shape).sum_to_size(tensor.shape).to(tensor.dtype)
