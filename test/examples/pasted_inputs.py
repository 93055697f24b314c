"""What the functions of examples/pasted are called with.

    inputs = INPUTS["gaussian"](Inputs(rows=20, n=17))

Inputs are such that Python's own functions raise no error.
"""

import numpy as np

# Loop elements, and the elements of a row.
SIZES = ((1, 4), (6, 9), (25, 33))


class Inputs:
    """Random arrays, the same on every run: of `rows` numbers or rows, where a
    row has `n` elements and a grid n rows of m = n + 1."""

    def __init__(self, rows, n):
        self.rng = np.random.default_rng(rows * 1000 + n)
        self.loops, self.n = rows, n

    def real(self, low, high):
        return self.rng.uniform(low, high, self.loops)

    def reals(self, low, high, count):
        return [self.real(low, high) for _ in range(count)]

    def whole(self, low, high, dtype="i8"):
        return self.rng.integers(low, high, self.loops, dtype, endpoint=True)

    def row(self, low, high, n=None):
        return self.rng.uniform(low, high, (self.loops, n or self.n))

    def numbers(self, low, high, n=None, dtype="i8"):
        """Rows of integers."""
        return self.rng.integers(
            low, high, (self.loops, n or self.n), dtype, endpoint=True)

    def normal(self, n=None):
        return self.rng.normal(0, 2, (self.loops, n or self.n))

    def walk(self, n=None):
        return np.cumsum(self.normal(n), -1)

    def grid(self, low, high, *shape):
        shape = shape or (self.n, self.n + 1)
        return self.rng.uniform(low, high, (self.loops, *shape))

    def pixels(self, dtype="u1", high=255):
        return self.rng.integers(
            0, high, (self.loops, self.n, self.n + 1), dtype, endpoint=True)

    def with_nan(self, values):
        return np.where(self.rng.random(values.shape) < 0.2, np.nan, values)

    def constant(self, value):
        return np.array(value)


def option(g):
    return [g.real(10, 50), g.real(10, 50), g.real(0.2, 3), g.real(0, 0.1),
            g.real(0.1, 0.6)]


FIRST = {
    "gaussian": lambda g: g.reals(-2, 2, 2) + [g.real(0.5, 3)],
    "hypotenuse": lambda g: [np.append(a, 0.0) for a in g.reals(-5, 5, 2)],
    "black_scholes_call": option,
    "black_scholes_put": option,
    "logistic_map": lambda g: [g.real(1, 3), g.real(0, 1), g.whole(0, 40)],
    "sinc": lambda g: [np.append(g.real(-5, 5), 0.0)],
    "haversine": lambda g: [g.real(-90, 90), g.real(-180, 180)] * 2,
    "clipped": lambda g: [g.real(-3, 3), g.real(-2, 0), g.real(0, 2)],
    "escape_time": lambda g: [g.real(-2, 1), g.real(-1, 1), g.whole(1, 80)],
    "gelu": lambda g: [g.real(-5, 5)],
    "sigmoid": lambda g: [g.real(-700, 700)],
    "softplus": lambda g: [g.real(-50, 50)],
    "huber": lambda g: [g.real(-3, 3), g.real(0.5, 2)],
    "collatz": lambda g: [g.whole(1, 100000)],
    "euclid": lambda g: [g.whole(-10000, 10000), g.whole(-10000, 10000)],
    "is_prime": lambda g: [g.whole(-5, 20000)],
    "kepler": lambda g: [g.real(0, 3), g.real(0, 0.9)],
    "polar_distance": lambda g: g.reals(0.5, 3, 4),
    "lennard_jones": lambda g: [g.real(0.8, 4), g.real(0.9, 1.1)],
    "blend": lambda g: [g.whole(0, 255, "u1"), g.whole(0, 255, "u1"),
                        g.real(0, 1)],
    "angle_difference": lambda g: g.reals(-9, 9, 2),
    "smoothstep": lambda g: [g.real(-1, 2)],
    "running_norm": lambda g: [g.normal()],
    "moving_average": lambda g: [g.normal(), g.row(0.1, 1, 5)],
    "softmax": lambda g: [g.normal()],
    "exponential_smoothing": lambda g: [g.normal(), g.real(0, 1)],
}

DISTANCES = {
    "bray_curtis": lambda g: [g.normal(), g.normal()],
    "canberra": lambda g: [g.normal(), g.normal()],
    "jaccard": lambda g: [g.numbers(0, 1, dtype="u1")
                          for _ in range(2)],
    "yule": lambda g: [g.numbers(0, 2).astype("f8") for _ in range(2)],
    "correlation": lambda g: [g.normal(), g.normal()],
    "hellinger": lambda g: [g.row(0, 1), g.row(0, 1)],
    "poincare": lambda g: [g.row(-0.1, 0.1), g.row(-0.1, 0.1)],
    "wasserstein_1d": lambda g: [g.row(0, 1), g.row(0, 1), g.whole(1, 3) / 1.0],
    "mahalanobis": lambda g: [
        g.normal(), g.normal(),
        np.eye(g.n) + 0.5 / g.n * (lambda a: a + a.T)(
            g.rng.random((g.n, g.n)))],
}

SLIDING = {
    "move_nanmean": lambda g: [g.with_nan(g.normal()), g.whole(1, 5)],
    "ewm_nanmean": lambda g: [g.with_nan(g.normal()), g.real(0.5, 5)],
    "forward_fill": lambda g: [g.with_nan(g.normal()), g.whole(1, 3)],
    "move_variance": lambda g: [g.normal(), g.whole(2, 5), g.whole(0, 1)],
    "move_max": lambda g: [g.normal(), g.whole(1, 6)],
    "group_mean": lambda g: [
        g.with_nan(g.normal()), np.arange(g.n - 2),
        np.arange(g.n - 2) + g.rng.integers(0, 3, g.n - 2), g.whole(1, 2)],
    "cusum": lambda g: [g.walk(), g.real(2, 4), g.real(0, 0.3)],
}

STENCILS = {
    "jacobi_step": lambda g: [g.grid(-1, 1)],
    "correlate1d": lambda g: [g.normal(), g.normal(7), g.whole(0, 4),
                              g.real(-1, 1)],
    "wave_step": lambda g: [
        a.astype("f4") for a in (
            *(g.grid(-1, 1, g.n, g.n + 1, g.n + 2) for _ in range(2)),
            g.grid(0, 0.1, g.n, g.n + 1, g.n + 2),
            np.array([-0.5, 0.1, -0.01, 0.001]))],
    "gray_scott": lambda g: [g.grid(0, 1), g.grid(0, 1), g.real(0.1, 0.2),
                             g.real(0.05, 0.1), g.real(0.02, 0.06),
                             g.real(0.05, 0.07)],
    "slope": lambda g: [g.grid(0, 100).astype("f4"), g.real(10, 30),
                        g.real(10, 30)],
    "life_step": lambda g: [g.pixels(high=1)],
}


def knots(g):
    """Places in order, and values there."""
    return [np.cumsum(g.row(0.1, 1), -1), g.normal()]


def resampled(g):
    """A signal, times in it, and a windowed sinc with its differences."""
    places = np.arange(3 * 16 + 1) / 16
    window = np.sinc(places) * np.cos(np.pi / 2 * places / 3)
    return [g.normal(), np.sort(g.row(0, g.n - 1), -1), window,
            np.append(np.diff(window), 0), g.constant(16),
            g.real(0.5, 1)]


INTERPOLATION = {
    "interp": lambda g: [*knots(g), g.row(-1, g.n / 2)],
    "bilinear": lambda g: [g.grid(0, 1), g.real(-1, g.n), g.real(-1, g.n + 1)],
    "bicubic": lambda g: [g.grid(0, 1), g.real(-1, g.n + 1), g.real(-1, g.n)],
    "resample": resampled,
    "natural_spline": knots,
    "density": lambda g: [
        g.grid(0, 1, g.n, g.n + 1, g.n + 2).astype("f4"),
        g.row(-1, g.n + 1, 3).astype("f4")],
    "lanczos": lambda g: [np.append(g.real(-4, 4), 0.0), g.constant(3)],
}

COLOUR = {
    "rgb_to_hsv": lambda g: [np.round(g.row(0, 1, 3), 1)],
    "hsv_to_rgb": lambda g: [np.round(g.row(0, 1, 3), 1)],
    "srgb_to_linear": lambda g: [g.real(0, 1) ** 3],
    "xyz_to_lab": lambda g: [g.row(0, 1, 3) ** 4],
    "delta_e_2000": lambda g: [g.real(0, 100), *g.reals(-90, 90, 2),
                               g.real(0, 100), *g.reals(-90, 90, 2)],
    "turbo": lambda g: [g.real(-0.1, 1.1), g.row(0, 1, 3)],
    "yuv_to_rgb": lambda g: [g.whole(0, 255, "u1") for _ in range(3)],
}


def words(bits, *shape):
    return lambda g: [g.rng.integers(
        0, 1 << bits, (g.loops, *shape), f"u{bits // 8}")]


def text(g):
    return [g.numbers(0, 255, dtype="u1")]


HASHING = {
    "fmix32": words(32), "splitmix64": words(64), "pcg_hash": words(32),
    "xoroshiro128p_next": words(64, 2),
    "fnv1a": text, "crc32": text, "adler32": text,
    "tau_rand_int": lambda g: [g.numbers(2, 1 << 31, 3)],
    "halton": lambda g: [g.whole(0, 1 << 40), g.whole(2, 11)],
    "part1by1": words(32),
    "hilbert_distance": lambda g: [
        g.constant(1 << 16), g.whole(0, 65535), g.whole(0, 65535)],
    "unit_float64": words(64),
    "radix_key": lambda g: [g.real(-9, 9).astype("f4")],
    "fast_inverse_sqrt": lambda g: [g.real(0.1, 9).astype("f4")],
    "luhn": lambda g: [g.numbers(0, 9, dtype="u1")],
}

DATES = {
    "days_from_civil": lambda g: [g.whole(-3000, 3000), g.whole(1, 12),
                                  g.whole(1, 28)],
    "civil_from_days": lambda g: [g.whole(-2000000, 2000000)],
    "easter": lambda g: [g.whole(1583, 4000)],
    "julian_day": lambda g: [np.floor(g.real(1600, 2100)),
                             np.floor(g.real(1, 13)),
                             np.floor(g.real(1, 29)), g.real(0, 24)],
    "equation_of_time": lambda g: [g.real(1, 366)],
    "solar_zenith": lambda g: [g.real(-1.5, 1.5), g.real(-0.4, 0.4),
                               g.real(-3, 3)],
}

ODES = {
    "lorenz": lambda g: [g.row(-10, 10, 3), g.constant(0.005), g.whole(0, 60)],
    "sir": lambda g: [g.real(0.1, 0.5), g.real(0.05, 0.2), g.real(0.001, 0.1),
                      g.constant(0.5), g.whole(0, 200)],
    "van_der_pol": lambda g: [g.real(-2, 2), g.real(-1, 1), g.real(0.1, 2),
                              g.constant(2.0), g.constant(1e-4)],
    "izhikevich": lambda g: [
        g.row(0, 20), g.constant(0.02), g.constant(0.2),
        g.constant(-65.0), g.constant(8.0), g.constant(0.5)],
    "leapfrog": lambda g: [g.row(0.8, 1.2, 2), g.row(-0.6, 0.6, 2),
                           g.constant(0.01), g.whole(0, 100)],
    "stumpff_c2": lambda g: [g.real(-3, 3)],
}


def few(g, n=0):
    """A text of four letters."""
    return g.numbers(97, 100, g.n + n, "u1")


DYNAMIC = {
    "dtw": lambda g: [g.grid(0, 1, g.n, 3), g.grid(0, 1, g.n + 2, 3)],
    "msm": lambda g: [g.walk(), g.walk(g.n + 3), g.real(0.1, 1)],
    "lcs_length": lambda g: [few(g), few(g, 2)],
    "smith_waterman": lambda g: [few(g), few(g, 2), g.constant(3),
                                 g.constant(-2), g.constant(-2)],
    "viterbi": lambda g: [np.log(g.grid(0.01, 1, g.n, 5)),
                          np.log(g.grid(0.01, 1, 5, 5)),
                          np.log(g.row(0.01, 1, 5))],
    "floyd_warshall": lambda g: [g.grid(0, 9, g.n, g.n)],
    "knapsack": lambda g: [g.numbers(1, 20), g.numbers(1, 50), 50],
    "longest_increasing": lambda g: [g.normal()],
}

GEOMETRY = {
    "inside_polygon": lambda g: [g.real(-1, 1), g.real(-1, 1),
                                 g.grid(-1, 1, g.n, 2)],
    "area_and_centroid": lambda g: [np.stack([
        np.cos(np.arange(g.n) * 2 * np.pi / g.n),
        np.sin(np.arange(g.n) * 2 * np.pi / g.n)], -1)
        * g.grid(1, 2, g.n, 1)],
    "segment_distance": lambda g: g.reals(-1, 1, 6),
    "ray_sphere": lambda g: [g.row(-3, 3, 3), g.row(-0.5, 0.5, 3),
                             g.row(-1, 1, 3), g.real(0.5, 3)],
    "ray_triangle": lambda g: [
        g.row(-0.5, 0.5, 3) - [0, 0, 3], g.row(-0.2, 0.2, 3) + [0, 0, 1],
        *(g.row(-2, 2, 3) * [1, 1, 0.1] for _ in range(3))],
    "rotate": lambda g: [g.normal(4), g.normal(3)],
    "ecef_to_geodetic": lambda g: [g.real(3e6, 5e6), *g.reals(-5e6, 5e6, 2)],
    "hausdorff": lambda g: [g.grid(0, 1, g.n, 3), g.grid(0, 1, g.n + 2, 3)],
    "geohash": lambda g: [g.real(-90, 90), g.real(-180, 180), g.whole(1, 50)],
}

IMAGES = {
    "sobel": lambda g: [g.grid(0, 1)],
    "median3": lambda g: [g.pixels()],
    "bilateral": lambda g: [g.grid(0, 1), g.whole(1, 2), g.real(1, 2),
                            g.real(0.1, 0.5)],
    "floyd_steinberg": lambda g: [g.grid(0, 1)],
    "integral_image": lambda g: [g.pixels()],
    "otsu": lambda g: [g.pixels()],
    "equalised": lambda g: [g.pixels(high=99)],
    "distance_transform": lambda g: [np.where(
        g.rng.random((g.loops, g.n)) < 0.3, 0.0, 1e6)],
}

FINANCE = {
    "binomial_put": option,
    "implied_volatility": lambda g: [
        g.real(3, 6), g.real(19, 21), g.real(19, 21), g.real(0.8, 1),
        g.real(0, 0.05)],
    "garch_recursion": lambda g: [
        np.array([0.1, 0.2, 0.05, 0.3, 0.1]), g.normal(), g.constant(2),
        g.constant(2), g.real(0.5, 1),
        np.broadcast_to([0.5, 6.0], (g.n, 2))],
    "npv": lambda g: [g.real(0, 0.1), g.normal()],
    "irr": lambda g: [np.concatenate(
        [g.row(-9, -5, 1), g.row(1, 3)], -1), g.constant(0.1)],
    "max_drawdown": lambda g: [np.exp(0.1 * g.walk())],
    "rsi": lambda g: [g.walk(), g.whole(2, 6)],
    "heston": lambda g: [
        g.real(-20, 20) + 0j, g.real(0.5, 2), g.real(0.01, 0.1),
        g.real(1, 3), g.real(0.02, 0.1), g.real(0.1, 0.5),
        g.real(-0.8, 0.2)],
}

SIGNALS = {
    "biquad": lambda g: [g.normal(), g.row(0, 1, 3),
                         g.row(-0.2, 0.2, 3)],
    "peak_pick": lambda g: [g.normal(), *(
        g.whole(1, 3) for _ in range(4)), g.real(0, 0.5), g.whole(0, 3)],
    "goertzel": lambda g: [g.normal(), g.real(0.05, 0.45)],
    "cubic_bspline": lambda g: [g.real(-3, 3)],
    "sawtooth": lambda g: [g.real(0, 30), g.real(-0.1, 1.1)],
    "gausspulse": lambda g: [g.real(-1, 1), g.real(0.5, 3), g.real(1, 5)],
    "lombscargle": lambda g: [np.sort(g.row(0, 30)), g.normal(),
                              g.real(0.2, 2)],
    "unwrap": lambda g: [g.walk()],
    "levinson_durbin": lambda g: [
        [9.0] + [0.0] * (g.n - 1) + g.row(-1, 1), g.row(0, 1, g.n // 2)],
    "haar": lambda g: [g.normal(1 << g.n.bit_length())],
    "zero_crossings": lambda g: [g.normal(), g.real(0, 1)],
}

SPECIAL = {
    "digamma": lambda g: [g.real(-5, 20)],
    "erfinv": lambda g: [g.real(-0.999, 0.999)],
    "lambertw": lambda g: [g.real(-0.3, 50)],
    "gammainc": lambda g: [g.real(0.5, 20), g.real(0, 30)],
    "ellipk": lambda g: [g.real(0, 0.99)],
    "legendre": lambda g: [g.whole(0, 20), g.real(-1, 1)],
    "norm_ppf": lambda g: [g.real(0.0001, 0.9999)],
    "gamma": lambda g: [g.real(0.5, 8) + 1j * g.real(-5, 5)],
}

PHYSICS = {
    "blackbody": lambda g: [g.real(1e-7, 5e-6), g.real(300, 6000)],
    "wet_bulb": lambda g: [g.real(-10, 40), g.real(0.1, 1),
                           g.real(90000, 105000)],
    "heat_index": lambda g: [g.real(60, 115), g.real(5, 100)],
    "air_mass": lambda g: [g.real(0, 100)],
    "diode_current": lambda g: [
        g.real(0, 0.6), g.real(5, 9), g.constant(1e-9), g.real(0.001, 0.01),
        g.real(50, 300), g.constant(0.0257)],
    "sea_water_density": lambda g: [g.real(0, 40), g.real(0, 30)],
    "accelerations": lambda g: [g.grid(-1, 1, g.n, 3), g.row(0, 1),
                                g.constant(0.05)],
    "ising_energy": lambda g: [g.pixels(high=1).astype("i1") * 2 - 1],
    "klein_nishina": lambda g: [g.real(0.1, 5), g.real(0, 3.1)],
}

INPUTS = (FIRST | DISTANCES | SLIDING | STENCILS | INTERPOLATION | COLOUR
          | HASHING | DATES | ODES | DYNAMIC | GEOMETRY | IMAGES | FINANCE
          | SIGNALS | SPECIAL | PHYSICS)
