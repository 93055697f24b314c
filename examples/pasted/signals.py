"""Filters and features of signals."""

import math

import numpy as np
from numba import guvectorize, njit, vectorize


@guvectorize(["float32[:], float32[:], float32[:], float32[:]", "float64[:], float64[:], float64[:], float64[:]"],
             "(n),(c),(c)->(n)")
def biquad(x, b, a, y):
    """A recursive filter of the second order, transposed. After SciPy's lfilter (BSD-3)."""
    z0 = 0.0
    z1 = 0.0
    for i in range(len(x)):
        xi = x[i]
        yi = b[0] * xi + z0
        z0 = b[1] * xi - a[1] * yi + z1
        z1 = b[2] * xi - a[2] * yi
        y[i] = yi


@guvectorize(["float64[:], int64, int64, int64, int64, float64, int64, boolean[:]"], "(n),(),(),(),(),(),()->(n)")
def peak_pick(x, pre_max, post_max, pre_avg, post_avg, delta, wait, peaks):
    """Onsets of notes: maxima well above the mean. After librosa (ISC)."""
    peaks[:] = False
    peaks[0] = x[0] >= np.max(x[:min(post_max, x.shape[0])])
    peaks[0] &= x[0] >= np.mean(x[:min(post_avg, x.shape[0])]) + delta
    if peaks[0]:
        n = wait + 1
    else:
        n = 1
    while n < x.shape[0]:
        maxn = np.max(x[max(0, n - pre_max):min(n + post_max, x.shape[0])])
        peaks[n] = (x[n] == maxn)
        if not peaks[n]:
            n += 1
            continue
        avgn = np.mean(x[max(0, n - pre_avg):min(n + post_avg, x.shape[0])])
        peaks[n] &= x[n] >= avgn + delta
        if not peaks[n]:
            n += 1
            continue
        n += wait + 1


@guvectorize(["float64[:], float64, float64[:]"], "(n),()->()")
def goertzel(x, frequency, power):
    """The power at one frequency."""
    w = 2.0 * math.pi * frequency
    coeff = 2.0 * math.cos(w)
    s_prev = 0.0
    s_prev2 = 0.0
    for sample in x:
        s = sample + coeff * s_prev - s_prev2
        s_prev2 = s_prev
        s_prev = s
    power[0] = s_prev2 ** 2 + s_prev ** 2 - coeff * s_prev * s_prev2


@vectorize(["float32(float32)", "float64(float64)"])
def cubic_bspline(x):
    """After cuSignal's elementwise kernel (Apache-2.0)."""
    ax = abs(x)
    if ax < 1:
        return 2.0 / 3 - 1.0 / 2 * ax * ax * (2 - ax)
    elif not (ax < 1) and ax < 2:
        return 1.0 / 6 * (2 - ax) * (2 - ax) * (2 - ax)
    else:
        return 0.0


@vectorize(["float32(float32, float32)", "float64(float64, float64)"])
def sawtooth(t, w):
    """A wave that rises for a part of its period. After cuSignal's elementwise kernel (Apache-2.0)."""
    out = 0.0
    mask1 = (w > 1) or (w < 0)
    if mask1:
        out = np.nan
    tmod = np.fmod(t, 2.0 * math.pi)
    mask2 = (not mask1) and tmod < (w * 2.0 * math.pi)
    if mask2:
        out = tmod / (math.pi * w) - 1
    mask3 = (not mask1) and (not mask2)
    if mask3:
        out = (math.pi * (w + 1) - tmod) / (math.pi * (1 - w))
    return out


@guvectorize(["float64, float64, float64, float64[:], float64[:], float64[:]"], "(),(),()->(),(),()")
def gausspulse(t, a, fc, yI, yQ, yenv):
    """A pulse in phase, in quadrature, and its envelope. After cuSignal (Apache-2.0)."""
    yenv[0] = math.exp(-a * t * t)
    yI[0] = yenv[0] * math.cos(2 * math.pi * fc * t)
    yQ[0] = yenv[0] * math.sin(2 * math.pi * fc * t)


@guvectorize(["float64[:], float64[:], float64, float64[:]"], "(n),(n),()->()")
def lombscargle(t, y, freq, pgram):
    """The power of samples at uneven times. After cuSignal's Numba kernel (Apache-2.0)."""
    xc = 0.0
    xs = 0.0
    cc = 0.0
    ss = 0.0
    cs = 0.0
    for j in range(t.shape[0]):
        c = math.cos(freq * t[j])
        s = math.sin(freq * t[j])
        xc += y[j] * c
        xs += y[j] * s
        cc += c * c
        ss += s * s
        cs += c * s
    tau = math.atan2(2.0 * cs, cc - ss) / (2.0 * freq)
    c_tau = math.cos(freq * tau)
    s_tau = math.sin(freq * tau)
    c_tau2 = c_tau * c_tau
    s_tau2 = s_tau * s_tau
    cs_tau = 2.0 * c_tau * s_tau
    pgram[0] = 0.5 * (((c_tau * xc + s_tau * xs) ** 2 / (c_tau2 * cc + cs_tau * cs + s_tau2 * ss))
                      + ((c_tau * xs - s_tau * xc) ** 2 / (c_tau2 * ss - cs_tau * cs + s_tau2 * cc)))


@guvectorize(["float64[:], float64[:]"], "(n)->(n)")
def unwrap(p, up):
    """Phases without jumps. After NumPy (BSD-3), as a loop."""
    up[0] = p[0]
    correction = 0.0
    for i in range(1, len(p)):
        dd = p[i] - p[i - 1]
        ddmod = (dd + np.pi) % (2 * np.pi) - np.pi
        if ddmod == -np.pi and dd > 0:
            ddmod = np.pi
        if abs(dd) >= np.pi:
            correction += ddmod - dd
        up[i] = p[i] + correction


@guvectorize(["float64[:], float64[:], float64[:]"], "(n),(k)->(k)")
def levinson_durbin(r, like, a):
    """The linear predictor of an autocorrelation."""
    order = len(a) - 1
    a[:] = 0.0
    a[0] = 1.0
    error = r[0]
    previous = np.zeros(len(a))
    for i in range(1, order + 1):
        acc = r[i]
        for j in range(1, i):
            acc += a[j] * r[i - j]
        k = -acc / error
        for j in range(i):
            previous[j] = a[j]
        for j in range(1, i):
            a[j] = previous[j] + k * previous[i - j]
        a[i] = k
        error *= 1.0 - k * k


@guvectorize(["float32[:], float32[:]", "float64[:], float64[:]"], "(n)->(n)")
def haar(x, out):
    """All steps of the wavelet transform of a row whose length is a power of two."""
    n = x.shape[0]
    temp = x.copy()
    out[:] = x
    while n > 1:
        half = n // 2
        for i in range(half):
            out[i] = (temp[2 * i] + temp[2 * i + 1]) / math.sqrt(2.0)
            out[half + i] = (temp[2 * i] - temp[2 * i + 1]) / math.sqrt(2.0)
        for i in range(half):
            temp[i] = out[i]
        n = half


@njit
def zero_crossings(x, threshold):
    """How often a signal changes its sign. After librosa (ISC)."""
    count = 0
    before = False
    for i in range(len(x)):
        value = 0.0 if abs(x[i]) <= threshold else x[i]
        negative = np.signbit(value)
        if i > 0 and negative != before:
            count += 1
        before = negative
    return count
