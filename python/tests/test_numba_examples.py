"""Examples of Numba's documentation, and of the course "Fundamentals of
Accelerated Computing with CUDA Python", through Numba and through Kern."""

import functools
import math

import numpy as np
import pytest

import kern
from test_guvectorize import matmulcore

numba = pytest.importorskip("numba")
from numba import cuda, njit  # noqa: E402

SQRT_2PI = np.float32((2 * math.pi) ** 0.5)
RNG = np.random.default_rng(7)
EXAMPLES = {}


def example(kind, *args, inputs, **options):
    """Notes a function with what its decorator is given, and its inputs."""

    def note(function):
        EXAMPLES[function.__name__] = (kind, args, options, function, inputs)
        return function

    return note


def floats(*shape, low=0.0, high=1.0, dtype="f8"):
    return RNG.uniform(low, high, shape).astype(dtype)


# Numba's documentation: "Creating NumPy universal functions"


@example(
    "vectorize",
    ["int32(int32, int32)", "int64(int64, int64)", "float32(float32, float32)",
     "float64(float64, float64)"],
    inputs=(np.arange(6, dtype="i4"), np.arange(6, dtype="i4")),
)  # fmt: skip
def f(x, y):
    return x + y


@example(
    "guvectorize",
    [(numba.int64[:], numba.int64, numba.int64[:])],
    "(n),()->(n)",
    inputs=(np.arange(6).reshape(2, 3), np.array([10, 20])),
)
def g(x, y, res):
    for i in range(x.shape[0]):
        res[i] = x[i] + y


@example("guvectorize", "(n),()->(n)", inputs=(np.arange(5), 10, np.zeros(5, int)))
def dynamic_g(x, y, res):
    for i in range(x.shape[0]):
        res[i] = x[i] + y


@example("vectorize", inputs=(np.arange(1, 7), np.arange(1, 7)))
def dynamic_f(x, y):
    return x * y


@example(
    "vectorize",
    ["float32(float32, float32)", "float64(float64, float64)"],
    inputs=(floats(50), floats(50, low=1)),
)
def rel_diff(x, y):
    return 2 * (x - y) / (x + y)


@example("vectorize", inputs=(np.arange(6.0), np.arange(6.0)))
def ufunc_with_trig(a, b):
    return np.sin(a) ** 2 + np.cos(b) ** 2


@example(
    "vectorize",
    ["float32(float32, float32, float32)", "float64(float64, float64, float64)"],
    inputs=(floats(100, low=0.1), floats(100, low=5, high=9), floats(100, low=0.1)),
)
def cu_discriminant(a, b, c):
    return math.sqrt(b**2 - 4 * a * c)


@example(
    "guvectorize",
    ["void(int32[:,:], int32[:,:], int32[:,:])",
     "void(float32[:,:], float32[:,:], float32[:,:])"],
    "(x, y),(x, y)->(x, y)",
    inputs=(np.arange(12, dtype="i4").reshape(3, 4), np.ones((3, 4), "i4")),
)  # fmt: skip
def add_2d_array(a, b, c):
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            c[i, j] = a[i, j] + b[i, j]


example(
    "guvectorize",
    ["void(float32[:,:], float32[:,:], float32[:,:])"],
    "(m,n),(n,p)->(m,p)",
    inputs=(floats(7, 2, 4, dtype="f4"), floats(7, 4, 5, dtype="f4")),
)(matmulcore)


@example(
    "guvectorize",
    ["void(float64[:], intp[:], float64[:])"],
    "(n),()->(n)",
    inputs=(np.arange(20, dtype=np.float64).reshape(2, 10), 3),
)
def move_mean(a, window_arr, out):
    window_width = window_arr[0]
    asum = 0.0
    count = 0
    for i in range(window_width):
        asum += a[i]
        count += 1
        out[i] = asum / count
    for i in range(window_width, len(a)):
        asum += a[i] - a[i - window_width]
        out[i] = asum / count


@njit
def mandel(x, y, max_iters):
    """Numba's Mandelbrot example."""
    c = complex(x, y)
    z = 0.0j
    for i in range(max_iters):
        z = z * z + c
        if (z.real * z.real + z.imag * z.imag) >= 4:
            return i
    return 255


@example(
    "vectorize",
    ["uint8(float64, float64, uint32)"],
    inputs=(np.linspace(-2, 1, 40), np.linspace(-1, 1, 30)[:, None], np.uint32(20)),
)
def create_fractal(real, imag, iters):
    return mandel(real, imag, iters)


# The course


@example("vectorize", ["int64(int64)"], inputs=(np.arange(10),))
def add_ten(num):
    return num + 10


@example(
    "vectorize",
    ["int64(int64, int64)"],
    inputs=(np.array([1, 2, 3, 4]), np.arange(16).reshape(4, 4)),
)
def add_ufunc(x, y):
    return x + y


@example(
    "vectorize",
    ["float32(float32, float32, float32)"],
    inputs=(floats(100, low=-3, high=3, dtype="f4"), np.float32(0), np.float32(1)),
)
def gaussian_pdf(x, mean, sigma):
    """Compute the value of a Gaussian probability density function at x."""
    return math.exp(-0.5 * ((x - mean) / sigma)**2) / (sigma * SQRT_2PI)


@njit
def polar_to_cartesian(rho, theta):
    x = rho * math.cos(theta)
    y = rho * math.sin(theta)
    return x, y  # This is Python, so let's return a tuple


@example(
    "vectorize",
    ["float32(float32, float32, float32, float32)"],
    inputs=tuple(floats(100, high=h, dtype="f4") for h in (1.5, 6.28, 1.5, 6.28)),
)
def polar_distance(rho1, theta1, rho2, theta2):
    x1, y1 = polar_to_cartesian(rho1, theta1)
    x2, y2 = polar_to_cartesian(rho2, theta2)

    return ((x1 - x2)**2 + (y1 - y2)**2)**0.5


@example(
    "vectorize",
    ["int16(int16, int16)"],
    inputs=(RNG.integers(-50, 150, 200).astype("i2"), np.int16(15)),
)
def zero_suppress(waveform_value, threshold):
    if waveform_value < threshold:
        result = 0
    else:
        result = waveform_value
    return result


@example(
    "vectorize",
    ["float32(int32, float32, float32)"],
    inputs=(np.arange(1000, dtype="i4"), np.float32(37), np.float32(100)),
)
def make_pulses(i, period, amplitude):
    return max(math.sin(i / period) - 0.3, 0.0) * amplitude


@example("vectorize", ["float32(float32)"], inputs=(floats(50, high=255, dtype="f4"),))
def normalize(grayscales):
    return grayscales / 255


@example(
    "vectorize",
    ["float32(float32, float32)"],
    inputs=(floats(50, dtype="f4"), floats(50, dtype="f4")),
)
def weigh(values, weights):
    return values * weights


@example("vectorize", ["float32(float32)"], inputs=(floats(50, low=-1, dtype="f4"),))
def activate(values):
    return ( math.exp(values) - math.exp(-values) ) / \
        ( math.exp(values) + math.exp(-values) )


@example(
    "guvectorize",
    ["(float32[:], float32[:])"],
    "(i)->()",
    inputs=(floats(6, 4, dtype="f4"),),
)
def l2_norm(vec, out):
    acc = 0.0
    for value in vec:
        acc += value**2
    out[0] = math.sqrt(acc)


@functools.cache
def through_numba(name):
    kind, args, options, function, inputs = EXAMPLES[name]
    with np.errstate(all="ignore"):
        return getattr(numba, kind)(*args, **options)(function)(*inputs)


@pytest.mark.parametrize("target", ["cpu", "parallel"])
@pytest.mark.parametrize("name", EXAMPLES)
def test_example(name, target):
    kind, args, options, function, inputs = EXAMPLES[name]
    want = through_numba(name)
    f = getattr(kern, kind)(*args, target=target, **options)(function)
    assert f.targetdevice == target and f.py_func is function
    got = f(*inputs)
    if want is None:  # Numba gives nothing where `out` was given
        want = got
    assert np.shape(got) == np.shape(want)
    assert got.dtype == want.dtype
    if got.dtype.kind in "biu":
        np.testing.assert_array_equal(got, want)
    else:
        # Literals are weak in Kern: f32 is computed in f32.
        rtol, atol = (2e-6, 1e-6) if got.dtype == "f4" else (1e-13, 1e-15)
        scale = np.max(np.abs(want))
        np.testing.assert_allclose(got, want, rtol=rtol, atol=atol * scale)


@pytest.mark.parametrize(
    "name",
    [name for name, row in EXAMPLES.items() if row[1] and isinstance(row[1][0], list)],
)
def test_example_on_a_gpu(gpu, name):
    """Host arrays, and CuPy's where it is installed."""
    kind, args, options, function, inputs = EXAMPLES[name]
    want = through_numba(name)
    f = getattr(kern, kind)(*args, target="cuda", **options)(function)
    assert f.targetdevice == "cuda"
    results = [f(*inputs)]
    try:
        import cupy
    except ImportError:
        pass
    else:
        there = [cupy.asarray(one) for one in inputs]
        results.append(f(*there))
        assert isinstance(results[1], cupy.ndarray)
        results[1] = results[1].get()
    for got in results:
        assert got.dtype == want.dtype
        single = got.dtype in ("f4", "c8")
        scale = np.max(np.abs(want))
        np.testing.assert_allclose(
            got, want, 4e-6 if single else 1e-12, (2e-6 if single else 1e-14) * scale
        )


def test_hidden_layer():
    """The course's neural network, its three ufuncs after one another."""
    greyscales = np.floor(floats(1000, high=256)).astype("f4")
    weights = RNG.normal(0.5, 0.1, 1000).astype("f4")

    def layer(of):
        one, two, three = (
            of.vectorize(*EXAMPLES[name][1])(EXAMPLES[name][3])
            for name in ("normalize", "weigh", "activate")
        )
        return three(two(one(greyscales), weights))

    np.testing.assert_allclose(layer(kern), layer(numba), rtol=2e-6, atol=2e-7)


def test_device_functions_of_numba_cuda():
    @cuda.jit(device=True)
    def twice(x):
        return 2 * x

    @kern.vectorize(["float32(float32)"])
    def f(x):
        return twice(x) + 1

    assert f(np.float32([3]))[0] == 7
