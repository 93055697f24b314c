"""Differential equations."""

import math

import numpy as np
from numba import guvectorize, njit, vectorize


@njit
def lorenz_rhs(s, sigma, rho, beta):
    x, y, z = s
    return sigma * (y - x), x * (rho - z) - y, x * y - beta * z


@njit
def ahead(s, k, h):
    return s[0] + h * k[0], s[1] + h * k[1], s[2] + h * k[2]


@guvectorize(["float64[:], float64, int64, float64[:]"], "(c),(),()->(c)")
def lorenz(state, dt, steps, out):
    """Lorenz' attractor by the classical method of Runge and Kutta, as tutorials of Numba have it."""
    s = (state[0], state[1], state[2])
    for _ in range(steps):
        k1 = lorenz_rhs(s, 10.0, 28.0, 8.0 / 3.0)
        k2 = lorenz_rhs(ahead(s, k1, dt / 2), 10.0, 28.0, 8.0 / 3.0)
        k3 = lorenz_rhs(ahead(s, k2, dt / 2), 10.0, 28.0, 8.0 / 3.0)
        k4 = lorenz_rhs(ahead(s, k3, dt), 10.0, 28.0, 8.0 / 3.0)
        s = (s[0] + dt / 6 * (k1[0] + 2 * k2[0] + 2 * k3[0] + k4[0]),
             s[1] + dt / 6 * (k1[1] + 2 * k2[1] + 2 * k3[1] + k4[1]),
             s[2] + dt / 6 * (k1[2] + 2 * k2[2] + 2 * k3[2] + k4[2]))
    out[0], out[1], out[2] = s


@guvectorize(["float64, float64, float64, float64, int64, float64[:], float64[:], float64[:]"],
             "(),(),(),(),()->(),(),()")
def sir(beta, gamma, i0, dt, steps, s_out, i_out, r_out):
    """Who can fall ill, is ill, and was, by Euler's method. After Kermack and McKendrick's model in SciPy's cookbooks."""
    s = 1.0 - i0
    i = i0
    r = 0.0
    for _ in range(steps):
        infected = beta * s * i * dt
        recovered = gamma * i * dt
        s -= infected
        i += infected - recovered
        r += recovered
    s_out[0] = s
    i_out[0] = i
    r_out[0] = r


@njit
def van_der_pol_rhs(y, v, mu):
    return v, mu * (1 - y * y) * v - y


@guvectorize(["float64, float64, float64, float64, float64, float64[:], int64[:]"], "(),(),(),(),()->(),()")
def van_der_pol(y0, v0, mu, t_end, tol, y_end, taken):
    """With steps that adapt, by the pair of Bogacki and Shampine as SciPy's RK23 (BSD-3) has it."""
    t = 0.0
    h = 0.01
    y = y0
    v = v0
    count = 0
    while t < t_end and count < 10000:
        if t + h > t_end:
            h = t_end - t
        k1y, k1v = van_der_pol_rhs(y, v, mu)
        k2y, k2v = van_der_pol_rhs(y + h * k1y / 2, v + h * k1v / 2, mu)
        k3y, k3v = van_der_pol_rhs(y + h * 3 * k2y / 4, v + h * 3 * k2v / 4, mu)
        yn = y + h * (2 * k1y + 3 * k2y + 4 * k3y) / 9
        vn = v + h * (2 * k1v + 3 * k2v + 4 * k3v) / 9
        k4y, k4v = van_der_pol_rhs(yn, vn, mu)
        ey = h * (-5 * k1y / 72 + k2y / 12 + k3y / 9 - k4y / 8)
        ev = h * (-5 * k1v / 72 + k2v / 12 + k3v / 9 - k4v / 8)
        error = max(abs(ey), abs(ev)) / tol
        if error < 1:
            t += h
            y = yn
            v = vn
            count += 1
        if error == 0:
            factor = 10.0
        else:
            factor = min(10.0, max(0.2, 0.9 * error ** (-1 / 3)))
        h *= factor
    y_end[0] = y
    taken[0] = count


@guvectorize(["float64[:], float64, float64, float64, float64, float64, int64[:], float64[:]"],
             "(n),(),(),(),(),()->(),(n)")
def izhikevich(I, a, b, c, d, dt, spikes, trace):
    """A neuron that spikes. After Izhikevich's published program."""
    v = -65.0
    u = b * v
    count = 0
    for t in range(len(I)):
        if v >= 30:
            v = c
            u += d
            count += 1
        v += dt * (0.04 * v ** 2 + 5 * v + 140 - u + I[t])
        u += dt * a * (b * v - u)
        trace[t] = min(v, 30.0)
    spikes[0] = count


@guvectorize(["float64[:], float64[:], float64, int64, float64[:], float64[:]"], "(c),(c),(),()->(c),(c)")
def leapfrog(r0, v0, dt, steps, r, v):
    """An orbit that keeps its energy; whole vectors at once, as NumPy's users write it."""
    r[:] = r0
    v[:] = v0
    for _ in range(steps):
        v -= 0.5 * dt * r / np.sum(r * r) ** 1.5
        r += dt * v
        v -= 0.5 * dt * r / np.sum(r * r) ** 1.5


@vectorize(["float64(float64)"])
def stumpff_c2(psi):
    """Of orbits in universal variables. After poliastro (MIT)."""
    eps = 1.0
    if psi > eps:
        res = (1 - np.cos(np.sqrt(psi))) / psi
    elif psi < -eps:
        res = (np.cosh(np.sqrt(-psi)) - 1) / (-psi)
    else:
        res = 1.0 / 2.0
        delta = (-psi) / math.gamma(2 + 2 + 1)
        k = 1
        while res + delta != res:
            res = res + delta
            k += 1
            delta = (-psi) ** k / math.gamma(2 * k + 2 + 1)
    return res
