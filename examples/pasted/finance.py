"""Options, returns and prices."""

import math

import numpy as np
from numba import guvectorize, njit, vectorize

STEPS = 64


@vectorize(["float32(float32, float32, float32, float32, float32)", "float64(float64, float64, float64, float64, float64)"])
def binomial_put(S, X, T, r, v):
    """A put by a binomial tree. After ISPC's example `options` (BSD-3)."""
    V = np.zeros(STEPS)
    dt = T / STEPS
    u = math.exp(v * math.sqrt(dt))
    d = 1.0 / u
    disc = math.exp(r * dt)
    Pu = (disc - d) / (u - d)
    for j in range(STEPS):
        upow = u ** (2 * j - STEPS)
        V[j] = max(0.0, X - S * upow)
    for j in range(STEPS - 1, -1, -1):
        for k in range(j):
            V[k] = ((1 - Pu) * V[k] + Pu * V[k + 1]) / disc
    return V[0]


@njit
def normal_cdf(x):
    return 0.5 * math.erfc(-x / math.sqrt(2.0))


@vectorize(["float64(float64, float64, float64, float64, float64)"])
def implied_volatility(price, S, K, t, r):
    """Of a call, by Newton's method on its vega. After py_vollib's users."""
    sigma = 0.3
    for _ in range(50):
        d1 = (math.log(S / K) + (r + 0.5 * sigma ** 2) * t) / (sigma * math.sqrt(t))
        d2 = d1 - sigma * math.sqrt(t)
        value = S * normal_cdf(d1) - K * math.exp(-r * t) * normal_cdf(d2)
        vega = S * math.sqrt(t) * math.exp(-0.5 * d1 * d1) / math.sqrt(2 * math.pi)
        diff = value - price
        if abs(diff) < 1e-12 or vega < 1e-12:
            break
        sigma -= diff / vega
        sigma = max(sigma, 0.001)
    return sigma


@njit
def bounds_check(sigma2, var_bounds):
    if sigma2 < var_bounds[0]:
        sigma2 = var_bounds[0]
    elif sigma2 > var_bounds[1]:
        if not np.isinf(sigma2):
            sigma2 = var_bounds[1] + np.log(sigma2 / var_bounds[1])
        else:
            sigma2 = var_bounds[1] + 1000
    return sigma2


@guvectorize(["float64[:], float64[:], int64, int64, float64, float64[:,:], float64[:]"],
             "(k),(n),(),(),(),(n,b)->(n)")
def garch_recursion(parameters, resids, p, q, backcast, var_bounds, sigma2):
    """Conditional variances. After arch (NCSA)."""
    for t in range(resids.shape[0]):
        loc = 0
        sigma2[t] = parameters[loc]
        loc += 1
        for j in range(p):
            if (t - 1 - j) < 0:
                sigma2[t] += parameters[loc] * backcast
            else:
                sigma2[t] += parameters[loc] * resids[t - 1 - j] ** 2
            loc += 1
        for j in range(q):
            if (t - 1 - j) < 0:
                sigma2[t] += parameters[loc] * backcast
            else:
                sigma2[t] += parameters[loc] * sigma2[t - 1 - j]
            loc += 1
        sigma2[t] = bounds_check(sigma2[t], var_bounds[t])


@njit
def npv(rate, values):
    """Net present value. After numpy-financial (BSD-3)."""
    total = 0.0
    for i in range(len(values)):
        total += values[i] / (1.0 + rate) ** i
    return total


@guvectorize(["float64[:], float64, float64[:]"], "(n),()->()")
def irr(values, guess, out):
    """The internal rate of return by Newton's method, or NaN. After numpy-financial (BSD-3)."""
    rate = guess
    for _ in range(100):
        f = 0.0
        slope = 0.0
        for i in range(len(values)):
            f += values[i] / (1.0 + rate) ** i
            slope -= i * values[i] / (1.0 + rate) ** (i + 1)
        step = f / slope
        rate -= step
        if abs(step) < 1e-12:
            break
    else:
        rate = np.nan
    out[0] = rate


@njit
def max_drawdown(prices):
    """The deepest fall from a peak. After quantstats' definition (Apache-2.0)."""
    peak = prices[0]
    worst = 0.0
    for price in prices:
        if price > peak:
            peak = price
        fall = (peak - price) / peak
        if fall > worst:
            worst = fall
    return worst


@guvectorize(["float64[:], int64, float64[:]"], "(n),()->(n)")
def rsi(close, window, out):
    """Relative strength, smoothed as Wilder does. After vectorbt's users (Apache-2.0)."""
    up = 0.0
    down = 0.0
    out[0] = np.nan
    for i in range(1, len(close)):
        change = close[i] - close[i - 1]
        gain = max(change, 0.0)
        loss = max(-change, 0.0)
        if i <= window:
            up += gain / window
            down += loss / window
        else:
            up = (up * (window - 1) + gain) / window
            down = (down * (window - 1) + loss) / window
        if i < window:
            out[i] = np.nan
        elif down == 0:
            out[i] = 100.0
        else:
            out[i] = 100.0 - 100.0 / (1.0 + up / down)


@vectorize(["complex128(complex128, float64, float64, float64, float64, float64, float64)"])
def heston(u, t, v0, kappa, theta, sigma, rho):
    """The characteristic function of Heston's model, in the form of Albrecher and others."""
    iu = 1j * u
    d = np.sqrt((rho * sigma * iu - kappa) ** 2 + sigma ** 2 * (iu + u * u))
    b = kappa - rho * sigma * iu
    g = (b - d) / (b + d)
    e = np.exp(-d * t)
    C = kappa * theta / sigma ** 2 * ((b - d) * t - 2 * np.log((1 - g * e) / (1 - g)))
    D = (b - d) / sigma ** 2 * (1 - e) / (1 - g * e)
    return np.exp(C + D * v0)
