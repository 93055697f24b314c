"""Functions as users of Numba and CuPy write them, for scalars and for rows.

bodies.kern has the same functions: only the lines from the decorator to the
`def` are another.
"""

import math

import numpy as np

from numba import guvectorize, njit, vectorize


@vectorize(["float64(float64, float64, float64)"])
def gaussian(x, mean, sigma):
    """The density of the normal distribution."""
    return math.exp(-0.5 * ((x - mean) / sigma) ** 2) / (sigma * math.sqrt(2 * math.pi))


@vectorize(["float64(float64, float64)"])
def hypotenuse(x, y):
    x = abs(x)
    y = abs(y)
    if x < y:
        x, y = y, x
    if x == 0:
        return 0.0
    t = y / x
    return x * math.sqrt(1 + t * t)


@vectorize(["float64(float64, float64, float64, float64, float64)"])
def black_scholes_call(S, K, t, r, v):
    """The value of a European call option."""
    d1 = (math.log(S / K) + (r + v * v / 2) * t) / (v * math.sqrt(t))
    d2 = d1 - v * math.sqrt(t)
    n1 = 0.5 * math.erfc(-d1 / math.sqrt(2))
    n2 = 0.5 * math.erfc(-d2 / math.sqrt(2))
    return S * n1 - K * math.exp(-r * t) * n2


@njit
def cnd(d):
    """The normal distribution by a polynomial, as CUDA's sample has it."""
    A1 = 0.31938153
    A2 = -0.356563782
    A3 = 1.781477937
    A4 = -1.821255978
    A5 = 1.330274429
    RSQRT2PI = 0.39894228040143267793994605993438
    K = 1.0 / (1.0 + 0.2316419 * math.fabs(d))
    ret_val = (RSQRT2PI * math.exp(-0.5 * d * d) *
               (K * (A1 + K * (A2 + K * (A3 + K * (A4 + K * A5))))))
    if d > 0:
        ret_val = 1.0 - ret_val
    return ret_val


@vectorize(["float64(float64, float64, float64, float64, float64)"])
def black_scholes_put(S, X, T, R, V):
    sqrtT = math.sqrt(T)
    d1 = (math.log(S / X) + (R + 0.5 * V * V) * T) / (V * sqrtT)
    d2 = d1 - V * sqrtT
    cndd1 = cnd(d1)
    cndd2 = cnd(d2)

    expRT = math.exp((-1. * R) * T)
    return (X * expRT * (1.0 - cndd2) - S * (1.0 - cndd1))


@vectorize(["float64(float64, float64, int64)"])
def logistic_map(r, x, steps):
    for i in range(steps):
        x = r * x * (1 - x)
    return x


@vectorize(["float64(float64)"])
def sinc(x):
    if x == 0.0:
        return 1.0
    else:
        return math.sin(x * math.pi) / (math.pi * x)


@vectorize(["float64(float64, float64, float64, float64)"])
def haversine(lat1, lon1, lat2, lon2):
    """Kilometres between two places given in degrees."""
    R = 6371.0
    phi1, phi2 = math.radians(lat1), math.radians(lat2)
    dphi = math.radians(lat2 - lat1)
    dlmb = math.radians(lon2 - lon1)
    a = math.sin(dphi / 2) ** 2 + math.cos(phi1) * math.cos(phi2) * math.sin(dlmb / 2) ** 2
    return 2 * R * math.asin(min(1.0, math.sqrt(a)))


@vectorize(["float64(float64, float64, float64)"])
def clipped(x, low, high):
    if x < low:
        return low
    elif x > high:
        return high
    return x


@vectorize(["int64(float64, float64, int64)"])
def escape_time(cr, ci, max_iter):
    zr = 0.0
    zi = 0.0
    for n in range(max_iter):
        zr2 = zr * zr
        zi2 = zi * zi
        if zr2 + zi2 > 4.0:
            return n
        zi = 2 * zr * zi + ci
        zr = zr2 - zi2 + cr
    return max_iter


@vectorize(["float64(float64)"])
def gelu(x):
    return 0.5 * x * (1 + math.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))


@vectorize(["float64(float64)"])
def sigmoid(x):
    # Neither branch overflows.
    if x >= 0:
        return 1 / (1 + math.exp(-x))
    z = math.exp(x)
    return z / (1 + z)


@vectorize(["float64(float64)"])
def softplus(x):
    return np.log1p(np.exp(-np.abs(x))) + np.maximum(x, 0)


@vectorize(["float64(float64, float64)"])
def huber(error, delta):
    a = abs(error)
    return 0.5 * error * error if a <= delta else delta * (a - 0.5 * delta)


@vectorize(["int64(int64)"])
def collatz(n):
    steps = 0
    while n > 1:
        if n % 2 == 0:
            n //= 2
        else:
            n = 3 * n + 1
        steps += 1
    return steps


@vectorize(["int64(int64, int64)"])
def euclid(a, b):
    while b != 0:
        a, b = b, a % b
    return abs(a)


@vectorize(["bool_(int64)"])
def is_prime(n):
    if n < 2:
        return False
    if n % 2 == 0:
        return n == 2
    i = 3
    while i * i <= n:
        if n % i == 0:
            return False
        i += 2
    return True


@vectorize(["float64(float64, float64)"])
def kepler(M, ecc):
    """The eccentric anomaly, by Newton's method."""
    E = M if ecc < 0.8 else math.pi
    for _ in range(50):
        dE = (E - ecc * math.sin(E) - M) / (1 - ecc * math.cos(E))
        E -= dE
        if abs(dE) < 1e-12:
            break
    return E


@vectorize(["float64(float64, float64, float64, float64)"])
def polar_distance(rho1, theta1, rho2, theta2):
    x1 = rho1 * math.cos(theta1)
    y1 = rho1 * math.sin(theta1)
    x2 = rho2 * math.cos(theta2)
    y2 = rho2 * math.sin(theta2)
    return ((x1 - x2)**2 + (y1 - y2)**2)**0.5


@vectorize(["float64(float64, float64)"])
def lennard_jones(r, sigma):
    if r > 3 * sigma:
        return 0.0
    s6 = (sigma / r) ** 6
    return 4.0 * (s6 ** 2 - s6)


@vectorize(["uint8(uint8, uint8, float64)"])
def blend(a, b, alpha):
    return np.uint8(a * (1 - alpha) + b * alpha + 0.5)


@vectorize(["float64(float64, float64)"])
def angle_difference(a, b):
    d = (a - b) % (2 * np.pi)
    return d - 2 * np.pi if d > np.pi else d


@vectorize(["float64(float64)"])
def smoothstep(x):
    t = min(max(x, 0.0), 1.0)
    return t * t * (3 - 2 * t)


@guvectorize(["float64[:], float64[:]"], "(n)->(n)")
def running_norm(x, res):
    total = 0.0
    for i in range(x.shape[0]):
        total += x[i] ** 2
        res[i] = math.sqrt(total)


@guvectorize(["float64[:], float64[:], float64[:]"], "(n),(k)->(n)")
def moving_average(a, w, out):
    half = len(w) // 2
    for i in range(len(a)):
        asum = 0.0
        weight = 0.0
        for j in range(len(w)):
            k = i + j - half
            if k >= 0 and k < len(a):
                asum += a[k] * w[j]
                weight += w[j]
        out[i] = asum / weight


@guvectorize(["float64[:], float64[:]"], "(n)->(n)")
def softmax(x, out):
    top = x[0]
    for i in range(len(x)):
        if x[i] > top:
            top = x[i]
    total = 0.0
    for i in range(len(x)):
        out[i] = math.exp(x[i] - top)
        total += out[i]
    for i in range(len(x)):
        out[i] /= total


@guvectorize(["float64[:], float64, float64[:]"], "(n),()->(n)")
def exponential_smoothing(x, alpha, y):
    y[0] = x[0]
    for i in range(1, len(x)):
        y[i] = alpha * x[i] + (1 - alpha) * y[i - 1]
