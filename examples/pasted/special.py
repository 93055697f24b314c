"""Special functions."""

import math

import numpy as np
from numba import njit, vectorize


@vectorize(["float64(float64)"])
def digamma(x):
    """By the recurrence and the asymptotic series. After Cephes (MIT, as in SciPy)."""
    y = 0.0
    if x <= 0.0:
        if math.floor(x) == x:
            return math.nan
        y = -math.pi / math.tan(math.pi * x)
        x = 1.0 - x
    while x < 10.0:
        y -= 1.0 / x
        x += 1.0
    z = 1.0 / (x * x)
    series = z * (1 / 12 - z * (1 / 120 - z * (1 / 252 - z * (1 / 240 - z * (1 / 132 - z * 691 / 32760)))))
    return y + math.log(x) - 0.5 / x - series


@vectorize(["float32(float32)", "float64(float64)"])
def erfinv(x):
    """In single precision. After Giles's article on CUDA."""
    w = -math.log((1.0 - x) * (1.0 + x))
    if w < 5.0:
        w = w - 2.5
        p = 2.81022636e-08
        p = 3.43273939e-07 + p * w
        p = -3.5233877e-06 + p * w
        p = -4.39150654e-06 + p * w
        p = 0.00021858087 + p * w
        p = -0.00125372503 + p * w
        p = -0.00417768164 + p * w
        p = 0.246640727 + p * w
        p = 1.50140941 + p * w
    else:
        w = math.sqrt(w) - 3.0
        p = -0.000200214257
        p = 0.000100950558 + p * w
        p = 0.00134934322 + p * w
        p = -0.00367342844 + p * w
        p = 0.00573950773 + p * w
        p = -0.0076224613 + p * w
        p = 0.00943887047 + p * w
        p = 1.00167406 + p * w
        p = 2.83297682 + p * w
    return p * x


@vectorize(["float64(float64)"])
def lambertw(x):
    """The principal branch, by Halley's method. After pvlib's and SciPy's `lambertw` (BSD-3)."""
    if x < -1 / math.e:
        return math.nan
    if x < 1:
        w = x * (1 - x * (1 - 1.5 * x)) if abs(x) < 0.2 else math.sqrt(2 * (1 + math.e * x)) - 1
    else:
        w = math.log(x + 1) * 0.75
    for _ in range(40):
        e = math.exp(w)
        f = w * e - x
        if w == -1:
            break
        step = f / (e * (w + 1) - (w + 2) * f / (2 * w + 2))
        w -= step
        if abs(step) <= 1e-15 * (1 + abs(w)):
            break
    return w


@vectorize(["float64(float64, float64)"])
def gammainc(a, x):
    """The incomplete gamma function, by its series or its continued fraction. After the textbooks' `gammp`."""
    if x <= 0:
        return 0.0
    if x < a + 1:
        ap = a
        total = 1.0 / a
        term = total
        for _ in range(500):
            ap += 1
            term *= x / ap
            total += term
            if abs(term) < abs(total) * 1e-16:
                break
        return total * math.exp(-x + a * math.log(x) - math.lgamma(a))
    tiny = 1e-300
    b = x + 1 - a
    c = 1 / tiny
    d = 1 / b
    h = d
    for i in range(1, 500):
        an = -i * (i - a)
        b += 2
        d = an * d + b
        if abs(d) < tiny:
            d = tiny
        c = b + an / c
        if abs(c) < tiny:
            c = tiny
        d = 1 / d
        delta = d * c
        h *= delta
        if abs(delta - 1) < 1e-16:
            break
    return 1 - math.exp(-x + a * math.log(x) - math.lgamma(a)) * h


@vectorize(["float64(float64)"])
def ellipk(m):
    """The complete elliptic integral, by means of means."""
    a = 1.0
    b = math.sqrt(1.0 - m)
    while abs(a - b) > 1e-15 * a:
        a, b = (a + b) / 2, math.sqrt(a * b)
    return math.pi / (a + b)


@vectorize(["float64(int64, float64)"])
def legendre(n, x):
    """The polynomial of degree n, by Bonnet's recurrence."""
    p0 = 1.0
    p1 = x
    if n == 0:
        return p0
    for k in range(1, n):
        p0, p1 = p1, ((2 * k + 1) * x * p1 - k * p0) / (k + 1)
    return p1


@njit
def evaluated(coefficients, x):
    total = 0.0
    for c in coefficients:
        total = total * x + c
    return total


@vectorize(["float64(float64)"])
def norm_ppf(p):
    """The quantile of the normal distribution. After Acklam, with his tables."""
    a = (-3.969683028665376e+01, 2.209460984245205e+02, -2.759285104469687e+02,
         1.383577518672690e+02, -3.066479806614716e+01, 2.506628277459239e+00)
    b = (-5.447609879822406e+01, 1.615858368580409e+02, -1.556989798598866e+02,
         6.680131188771972e+01, -1.328068155288572e+01, 1.0)
    c = (-7.784894002430293e-03, -3.223964580411365e-01, -2.400758277161838e+00,
         -2.549732539343734e+00, 4.374664141464968e+00, 2.938163982698783e+00)
    d = (7.784695709041462e-03, 3.224671290700398e-01, 2.445134137142996e+00,
         3.754408661907416e+00, 1.0)
    if p < 0.02425:
        q = math.sqrt(-2 * math.log(p))
        return evaluated(c, q) / evaluated(d, q)
    if p > 1 - 0.02425:
        q = math.sqrt(-2 * math.log(1 - p))
        return -evaluated(c, q) / evaluated(d, q)
    q = p - 0.5
    r = q * q
    return evaluated(a, r) * q / evaluated(b, r)


@vectorize(["complex128(complex128)"])
def gamma(z):
    """Of complex numbers, by Lanczos' approximation, right of the imaginary axis."""
    p = (676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
         12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7)
    z = z - 1
    x = 0.99999999999980993 + 0j
    for i, value in enumerate(p):
        x += value / (z + i + 1)
    t = z + len(p) - 0.5
    return np.sqrt(2 * np.pi) * t ** (z + 0.5) * np.exp(-t) * x
