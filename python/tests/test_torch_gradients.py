"""Gradients of Kern's functions in torch, against torch's own of the same formulas."""

import kern
import pytest

torch = pytest.importorskip("torch")
import kern.torch  # noqa: E402
from for_torch import (  # noqa: E402, F401
    MODULE,
    close,
    device,
    plain_polar,
    plain_wave,
)


def op(name, **gradient):
    return kern.torch.op(getattr(MODULE, name), f"kern_gradients::{name}", **gradient)


GRADIENTS = {
    "partials": {"partials": MODULE.wave_partials},
    "partials in torch": {
        "partials": lambda x, k: (k * torch.cos(k * x), x * torch.cos(k * x))
    },
    "vjp": {"vjp": MODULE.wave_vjp},
    "vjp in torch": {
        "vjp": lambda x, k, g: (g * k * torch.cos(k * x), g * x * torch.cos(k * x))
    },
}
SHAPES = [((), ()), ((5,), ()), ((), (5,)), ((4, 1), (3,)), ((1, 3), (4, 3)), ((0,), ())]


def gradients(function, arguments):
    (function(*arguments) ** 2).sum().backward()
    found = [one.grad for one in arguments if torch.is_tensor(one)]
    for one in arguments:
        if torch.is_tensor(one):
            one.grad = None
    return found


@pytest.mark.parametrize("kind", GRADIENTS)
@pytest.mark.parametrize("shapes", SHAPES, ids=str)
def test_backward(device, kind, shapes):
    wave = op("wave", **GRADIENTS[kind])
    arguments = [torch.rand(one, device=device).requires_grad_() for one in shapes]
    expected = gradients(plain_wave, arguments)
    for one, other in zip(gradients(wave, arguments), expected):
        assert one.shape == other.shape and one.dtype == other.dtype
        close(one, other)
    x = arguments[0]
    close(gradients(wave, (x, 2.0))[0], gradients(plain_wave, (x, 2.0))[0])


@pytest.mark.parametrize("kind", GRADIENTS)
def test_compiled_backward(device, kind):
    wave = op("wave", **GRADIENTS[kind])
    torch._dynamo.reset()
    compiled = torch.compile(lambda x, k: wave(x, k) * 2, fullgraph=True, backend="aot_eager")
    for size in (3, 4, 6):
        arguments = [
            torch.rand(size, 1, device=device).requires_grad_(),
            torch.rand(5, device=device).requires_grad_(),
        ]
        for one, other in zip(
            gradients(compiled, arguments),
            gradients(lambda x, k: plain_wave(x, k) * 2, arguments),
        ):
            close(one, other)


def test_gradcheck(device):
    given = [torch.rand(3, 1, device=device, dtype=torch.float64).requires_grad_(),
             torch.rand(4, device=device, dtype=torch.float64).requires_grad_()]  # fmt: skip
    for kind in GRADIENTS:
        assert torch.autograd.gradcheck(op("wave", **GRADIENTS[kind]), given)
    polar = op("polar", partials=MODULE.polar_partials)
    assert torch.autograd.gradcheck(polar, given)
    scale = op("scale", vjp=MODULE.scale_vjp)
    assert torch.autograd.gradcheck(scale, [given[1].detach().requires_grad_(), given[0]])
    z = torch.rand(3, device=device, dtype=torch.complex128).requires_grad_()
    assert torch.autograd.gradcheck(op("square", partials=MODULE.square_partials), [z])


def test_two_results(device):
    polar = op("polar", partials=MODULE.polar_partials)
    for number in range(2):
        x, y = (torch.rand(3, device=device).requires_grad_() for _ in range(2))
        got = torch.autograd.grad(polar(x, y)[number].sum(), (x, y))
        expected = torch.autograd.grad(plain_polar(x, y)[number].sum(), (x, y))
        for one, other in zip(got, expected):
            close(one, other)


def test_results_that_are_no_floats(device):
    sign = op("sign", partials=lambda x: (torch.ones_like(x), torch.zeros_like(x)))
    x = torch.tensor([1.0, -1], device=device, requires_grad=True)
    same, positive = sign(x)
    assert same.requires_grad and not positive.requires_grad
    assert torch.autograd.grad(same.sum(), x)[0].tolist() == [1, 1]
    sign = op("sign", vjp=lambda x, g, none: g * 3)
    assert torch.autograd.grad(sign(x)[0].sum(), x)[0].tolist() == [3, 3]


def test_second_derivatives(device):
    m = kern.compile(
        """
        ufunc cube(x: T) -> T where T in (f32, f64): return x ** 3
        ufunc cube_partials(x: T) -> T where T in (f32, f64): return 3 * x * x
        ufunc cube_second(x: T) -> T where T in (f32, f64): return 6 * x
        """
    )
    first = kern.torch.op(
        m.cube_partials, "kern_gradients::first", partials=m.cube_second
    )
    cube = kern.torch.op(m.cube, "kern_gradients::cube", partials=first)
    x = torch.tensor(2.0, device=device, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradgradcheck(cube, [x])
    once = kern.torch.op(m.cube, "kern_gradients::once", partials=m.cube_partials)
    (slope,) = torch.autograd.grad(once(x), x, create_graph=True)
    assert float(slope) == 12
    with pytest.raises(RuntimeError, match="`cube_partials` has no gradient"):
        slope.backward()


def test_no_gradient_is_an_error(device):
    wave = op("wave")
    x = torch.rand(3, device=device, requires_grad=True)
    got = wave(x, 2.0)
    assert got.requires_grad
    with pytest.raises(RuntimeError, match="`wave` has no gradient: give kern.torch.op"):
        got.sum().backward()
    torch._dynamo.reset()
    with pytest.raises(Exception, match="`wave` has no gradient"):
        torch.compile(lambda x: wave(x, 2.0), backend="aot_eager")(x).sum().backward()
    with torch.no_grad():
        close(wave(x, 2.0), torch.sin(2 * x))
    for function in (wave, op("wave", vjp=MODULE.wave_vjp)):
        with pytest.raises((RuntimeError, NotImplementedError)):
            torch.func.jvp(function, (x, x), (x, x))
        with torch.autograd.forward_ad.dual_level():
            dual = torch.autograd.forward_ad.make_dual(x.detach(), x.detach())
            with pytest.raises((RuntimeError, NotImplementedError)):
                function(dual, 2.0)
    with pytest.raises(TypeError, match="gave 1 results for 1 of 2"):
        op("wave", partials=lambda x, k: x)(x, x).sum().backward()
    with pytest.raises(TypeError, match="gave 1 gradients for 2"):
        op("wave", vjp=lambda x, k, g: x)(x, x).sum().backward()


def test_vmap(device):
    wave, scale = op("wave"), op("scale")
    x, k = torch.rand(5, 3, device=device), torch.rand(5, 4, 3, device=device)
    close(torch.vmap(wave)(x, k), torch.sin(x[:, None] * k))
    close(torch.vmap(wave, (0, None))(x, k[0]), torch.sin(x[:, None] * k[0]))
    close(torch.vmap(lambda x: wave(x, 2.0), 1)(x), torch.sin(2 * x.T))
    close(torch.vmap(scale)(x, k[:, 0, 0]), x * k[:, 0, :1])
    nested = torch.vmap(torch.vmap(wave, (0, None)), (None, 0))
    close(nested(x[0], k[:, 0, 0]), torch.sin(x[0] * k[:, 0, :1]))
    r, phi = torch.vmap(op("polar"))(x, k)
    close(r, torch.hypot(x[:, None], k))
    with pytest.raises(NotImplementedError, match="optional core dimension"):
        torch.vmap(op("matmul"))(k, k.mT)


def test_torch_func(device):
    wave = op("wave", partials=MODULE.wave_partials)
    x = torch.rand(5, device=device)
    slope = torch.func.grad(lambda x: wave(x, 2.0))
    close(torch.vmap(slope)(x), 2 * torch.cos(2 * x))
    close(torch.func.jacrev(lambda x: wave(x, x))(x), torch.diag(2 * x * torch.cos(x * x)))
    close(torch.func.vjp(wave, x, x)[1](x)[0], x * x * torch.cos(x * x))
    first = kern.torch.op(MODULE.wave_partials, "kern_gradients::first_of_wave",
                          partials=lambda x, k: (-k * k * torch.sin(k * x), torch.cos(k * x) - k * x * torch.sin(k * x)) * 2)  # fmt: skip
    wave = op("wave", partials=first)
    twice = torch.func.grad(torch.func.grad(lambda x: wave(x, 2.0)))
    close(torch.vmap(twice)(x), -4 * torch.sin(2 * x))
    # One around another, and torch's own around that.
    x.requires_grad_()
    (outer,) = torch.autograd.grad(torch.func.grad(lambda x: wave(x, 2.0).sum())(x).sum(), x)
    close(outer, -4 * torch.sin(2 * x))
    none = op("polar")
    with pytest.raises(RuntimeError, match="no gradient"):
        torch.func.grad(lambda x: none(x, 2.0)[0].sum())(x)


def test_training(device):
    """A parameter is found again through a compiled loss."""
    wave = op("wave", partials=MODULE.wave_partials)
    x = torch.linspace(0, 1, 50, device=device)
    wanted = torch.sin(2.5 * x)
    k = torch.tensor(2.0, device=device, requires_grad=True)
    optimizer = torch.optim.Adam([k], 0.1)
    loss = torch.compile(lambda k: ((wave(x, k) - wanted) ** 2).mean(), backend="aot_eager")
    for _ in range(150):
        optimizer.zero_grad()
        loss(k).backward()
        optimizer.step()
    assert abs(float(k) - 2.5) < 0.01
