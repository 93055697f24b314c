"""Kern's functions as operators of torch, against torch's own of the same
formulas."""

import inspect

import kern
import numpy as np
import pytest

torch = pytest.importorskip("torch")
import kern.torch  # noqa: E402
from for_torch import MODULE, close, device, plain_wave  # noqa: E402, F401

CHECKS = ("test_schema", "test_autograd_registration", "test_faketensor")


def op(name, **gradient):
    return kern.torch.op(getattr(MODULE, name), f"kern_test::{name}", **gradient)


DTYPES = [
    torch.bool, torch.int8, torch.uint8, torch.int16, torch.int32, torch.int64,
    torch.float16, torch.bfloat16, torch.float32, torch.float64, torch.complex64,
    torch.complex128,
]  # fmt: skip


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_every_type(device, dtype):
    x = torch.tensor([[0, 1, 2], [3, 1, 5]], device=device).to(dtype)
    got = op("add")(x, x)
    assert got.dtype == dtype and got.device == x.device
    expected = x | x if dtype == torch.bool else x + x
    assert torch.equal(got, expected)


def test_what_it_is():
    wave = op("wave")
    assert wave.__name__ == "wave" and wave.__doc__ == "A wave."
    assert list(inspect.signature(wave).parameters) == ["x", "k"]
    assert wave.function is MODULE.wave
    assert wave.overload is torch.ops.kern_test.wave.default
    x = torch.ones(3)
    assert torch.equal(wave(k=x, x=x), torch.ops.kern_test.wave(x, x))
    assert torch.equal(wave(x, 2.0), torch.ops.kern_test.wave(x, None, k_number=2.0))
    assert kern.torch.op(MODULE.wave) is kern.torch.op(MODULE.wave)
    assert kern.torch.op(MODULE.wave).overload is torch.ops.kern.wave.default


def test_numbers_are_weak(device):
    add = op("add")
    for dtype in (torch.float16, torch.bfloat16, torch.float32):
        x = torch.arange(4, device=device, dtype=dtype)
        for number in (2, 0.5, True, np.int8(2)):
            got = add(x, number)
            assert got.dtype == dtype
            close(got.float(), (x + number).float())
    assert add(x, 1j).dtype == torch.complex64
    assert add(torch.arange(3, dtype=torch.int16), 0.5).dtype == torch.float64
    assert add(x, torch.tensor(2.0, device=device, dtype=torch.float64)).dtype == (
        torch.float64
    )
    assert float(add(1.0, 2)) == 3 and add(1, 2).dtype == torch.int64


def test_layouts(device):
    x = torch.rand(2, 3, 4, device=device)
    wave = op("wave")
    for y in (x.permute(2, 0, 1), x[:, ::2], x[0, 0], x[:, :, :0], x.mT, x.sum()):
        got = wave(y, 2.0)
        assert got.is_contiguous() and got.shape == y.shape
        close(got, torch.sin(2 * y))
    z = torch.ones(3, dtype=torch.complex64, device=device) * (1 + 2j)
    assert torch.equal(op("add")(z.conj(), 1), z.conj() + 1)
    assert torch.equal(op("add")(z.conj().imag, 1), z.conj().imag + 1)


def test_gufuncs(device):
    x = torch.arange(12.0, device=device).reshape(3, 4)
    close(op("total")(x), x.sum(-1))
    close(op("scale")(x, 2), 2 * x)
    close(op("conv")(x, torch.tensor([1.0, -1], device=device)), -x.diff())
    close(op("grid")(0.0, x[0], 3), torch.stack([0 * x[0], x[0] / 2, x[0]], -1))
    r, phi = op("polar")(x + 1, 2.0)
    close(r, torch.hypot(x + 1, torch.tensor(2.0)))
    matmul = op("matmul")
    for a, b in [((2, 3), (3, 4)), ((3,), (3, 4)), ((2, 3), (3,)), ((3,), (3,)), ((5, 2, 3), (3, 2))]:
        a, b = torch.rand(a, device=device), torch.rand(b, device=device)
        close(matmul(a, b), a @ b)


SAMPLES = {
    "wave": [((3, 1), (4,)), ((3,), 2.0), (0.5, (0,)), ((), ())],
    "polar": [((3, 1), (4,)), ((2,), 1)],
    "sign": [((3,),)],
    "total": [((2, 3),), ((4,),)],
    "matmul": [((2, 3), (3, 4)), ((3,), (3,)), ((5, 2, 3), (3,))],
    "scale": [((2, 3), (2,)), ((3,), 2.0)],
    "conv": [((2, 5), (3,))],
    "odd": [((3,), (3,)), ((3,), 1.0)],
}
GRADIENTS = {
    "wave": {"partials": MODULE.wave_partials},
    "polar": {"partials": MODULE.polar_partials},
    "scale": {"vjp": MODULE.scale_vjp},
}


def arguments(shapes, device):
    return [
        torch.rand(one, device=device).requires_grad_() if isinstance(one, tuple)
        else one
        for one in shapes
    ]  # fmt: skip


@pytest.mark.parametrize("name", SAMPLES)
def test_opcheck(device, name):
    """torch's own test of operators: schema, fake, gradients, compiled."""
    function = op(name, **GRADIENTS.get(name, {}))
    checks = CHECKS
    if name in GRADIENTS:
        checks += ("test_aot_dispatch_dynamic", "test_aot_dispatch_static")
    for shapes in SAMPLES[name]:
        given = arguments(shapes, device)
        if name not in GRADIENTS:
            given = [one.detach() if torch.is_tensor(one) else one for one in given]
        names = list(inspect.signature(function).parameters)
        keys = [one.name for one in function.overload._schema.arguments]
        positional = [one if torch.is_tensor(one) else None for one in given]
        numbers = {
            keys[i] + "_number": one
            for i, one in enumerate(given)
            if not torch.is_tensor(one)
        }
        assert len(names) == len(positional)
        torch.library.opcheck(function.overload, positional, numbers, test_utils=checks)


def test_opcheck_of_sizes(device):
    grid = op("grid")
    low, high = torch.zeros(3, device=device), torch.ones((2, 1), device=device)
    torch.library.opcheck(grid.overload, (low, high, 5), test_utils=CHECKS)
    torch.library.opcheck(
        grid.overload, (low, None, 3), {"high_number": 2.0}, test_utils=CHECKS
    )


def test_fakes(device):
    """Types and shapes without a GPU and without data."""
    from torch._subclasses.fake_tensor import FakeTensorMode

    with FakeTensorMode():
        x = torch.empty(5, 3, device="cuda" if device == "cuda" else "cpu")
        assert op("matmul")(x, x.mT).shape == (5, 5)
        assert op("add")(x.bfloat16(), 1).dtype == torch.bfloat16
    meta = torch.empty(4, 3, device="meta")
    assert op("total")(meta).device.type == "meta" and op("total")(meta).shape == (4,)
    with pytest.raises(kern.ShapeError, match="`k` is 3, and 4 in `b`"):
        op("matmul")(meta, meta)
    with pytest.raises(kern.DTypeError):
        op("total")(meta.to(torch.complex64))


# Compiled.


def test_compile_without_a_break(device):
    wave, polar = op("wave"), op("polar")
    total, scale = op("total"), op("scale")

    def program(x, k):
        r, phi = polar(wave(x, 2.0) + 1, k)
        return total(scale(r * 2, 0.5)) + phi.sum(-1)

    def plain(x, k):
        a = plain_wave(x, 2.0) + 1
        r, phi = torch.hypot(a, k), torch.atan2(k, a)
        return r.sum(-1) + phi.sum(-1)

    for backend in ("aot_eager", "inductor"):
        torch._dynamo.reset()
        compiled = torch.compile(program, fullgraph=True, backend=backend)
        for size in (3, 5, 8):  # the last two with symbols for extents
            x, k = torch.rand(size, 4, device=device), torch.rand(4, device=device)
            close(compiled(x, k), plain(x, k))


def test_compile_counts_graphs(device):
    wave = op("wave", **GRADIENTS["wave"])
    explained = torch._dynamo.explain(lambda x: wave(x * 2, k=3.0) + 1)(
        torch.rand(3, device=device)
    )
    assert explained.graph_count == 1 and explained.graph_break_count == 0


def test_compile_with_sizes(device):
    """A function with a computed extent, compiled for any size."""
    conv, grid = op("conv"), op("grid")

    @torch.compile(fullgraph=True, dynamic=True, backend="aot_eager")
    def program(x, k):
        return conv(x, k) + grid(0.0, k.sum(), x.shape[0] - k.shape[0] + 1)

    for size in (5, 9):
        x, k = torch.rand(size, device=device), torch.rand(3, device=device)
        n = size - 2
        steps = k.sum() * torch.arange(n, device=device) / (n - 1)
        close(program(x, k), x.unfold(0, 3, 1) @ k + steps)


def test_export():
    class Wave(torch.nn.Module):
        def forward(self, x):
            return op("wave")(x, 2.0)

    x = torch.rand(4)
    exported = torch.export.export(Wave(), (x,))
    assert "kern_test.wave" in str(exported.graph)
    close(exported.module()(x), torch.sin(2 * x))


# Refused.


def test_what_is_refused():
    with pytest.raises(TypeError, match="kern.Function, not function"):
        kern.torch.op(lambda x: x)
    with pytest.raises(ValueError, match="'namespace::name', not 'wave'"):
        kern.torch.op(MODULE.wave, "wave")
    with pytest.raises(TypeError, match="one of partials and vjp"):
        op("wave", partials=MODULE.wave_partials, vjp=MODULE.wave_vjp)
    with pytest.raises(TypeError, match="`wave_vjp` has 3 parameters.*needs 2 and 2"):
        op("wave", partials=MODULE.wave_vjp)
    with pytest.raises(TypeError, match="gufunc.*give vjp"):
        op("scale", partials=MODULE.wave_partials)
    with pytest.raises(TypeError, match="writes to its parameter `v`"):
        op("twice")
    with pytest.raises(TypeError, match="missing a required argument: 'k'"):
        op("wave")(torch.ones(2))
    with pytest.raises(TypeError, match="float8"):
        op("add")(torch.ones(2, device="meta", dtype=torch.float8_e4m3fn), 1)


def test_another_function_takes_a_name_over():
    first = kern.compile("ufunc f(x): return x + 1").f
    second = kern.compile("ufunc f(x, y): return x * y").f
    x = torch.ones(2)
    assert kern.torch.op(first, "kern_test::again")(x).tolist() == [2, 2]
    assert kern.torch.op(second, "kern_test::again")(x, 5).tolist() == [5, 5]
    assert torch.ops.kern_test.again(x, x).tolist() == [1, 1]
