"""Colours."""

import math

import numpy as np
from numba import guvectorize, njit, vectorize


@guvectorize(["float32[:], float32[:]", "float64[:], float64[:]"], "(c)->(c)")
def rgb_to_hsv(rgb, hsv):
    """After Python's colorsys (PSF)."""
    r, g, b = rgb
    maxc = max(r, g, b)
    minc = min(r, g, b)
    rangec = (maxc - minc)
    v = maxc
    if minc == maxc:
        hsv[0] = 0.0
        hsv[1] = 0.0
        hsv[2] = v
        return
    s = rangec / maxc
    rc = (maxc - r) / rangec
    gc = (maxc - g) / rangec
    bc = (maxc - b) / rangec
    if r == maxc:
        h = bc - gc
    elif g == maxc:
        h = 2.0 + rc - bc
    else:
        h = 4.0 + gc - rc
    h = (h / 6.0) % 1.0
    hsv[0] = h
    hsv[1] = s
    hsv[2] = v


@njit
def hsv_parts(h, s, v):
    if s == 0.0:
        return v, v, v
    i = int(h * 6.0)
    f = (h * 6.0) - i
    p = v * (1.0 - s)
    q = v * (1.0 - s * f)
    t = v * (1.0 - s * (1.0 - f))
    i = i % 6
    if i == 0:
        return v, t, p
    if i == 1:
        return q, v, p
    if i == 2:
        return p, v, t
    if i == 3:
        return p, q, v
    if i == 4:
        return t, p, v
    return v, p, q


@guvectorize(["float64[:], float64[:]"], "(c)->(c)")
def hsv_to_rgb(hsv, rgb):
    """After Python's colorsys (PSF)."""
    rgb[0], rgb[1], rgb[2] = hsv_parts(hsv[0], hsv[1], hsv[2])


@vectorize(["float32(float32)", "float64(float64)"])
def srgb_to_linear(v):
    """After scikit-image (BSD-3)."""
    if v > 0.04045:
        return ((v + 0.055) / 1.055) ** 2.4
    else:
        return v / 12.92


@njit
def lab_curve(t):
    if t > 0.008856:
        return np.cbrt(t)
    return 7.787 * t + 16.0 / 116.0


@guvectorize(["float64[:], float64[:]"], "(c)->(c)")
def xyz_to_lab(xyz, lab):
    """For the white of D65. After scikit-image (BSD-3)."""
    x = lab_curve(xyz[0] / 0.95047)
    y = lab_curve(xyz[1])
    z = lab_curve(xyz[2] / 1.08883)
    lab[0] = (116.0 * y) - 16.0
    lab[1] = 500.0 * (x - y)
    lab[2] = 200.0 * (y - z)


@vectorize(["float64(float64, float64, float64, float64, float64, float64)"])
def delta_e_2000(L1, a1, b1, L2, a2, b2):
    """How different two colours look. The formula of CIE, as cuCIM (Apache-2.0) computes it for each pixel."""
    C1 = math.hypot(a1, b1)
    C2 = math.hypot(a2, b2)
    Cbar = 0.5 * (C1 + C2)
    c7 = Cbar ** 7
    G = 0.5 * (1 - math.sqrt(c7 / (c7 + 25.0 ** 7)))
    ap1 = a1 * (1 + G)
    ap2 = a2 * (1 + G)
    Cp1 = math.hypot(ap1, b1)
    Cp2 = math.hypot(ap2, b2)
    h1 = math.atan2(b1, ap1) % (2 * math.pi)
    h2 = math.atan2(b2, ap2) % (2 * math.pi)
    dL = L2 - L1
    dC = Cp2 - Cp1
    dh = h2 - h1
    hsum = h1 + h2
    CC = Cp1 * Cp2
    if CC == 0:
        dh = 0.0
    elif dh > math.pi:
        dh -= 2 * math.pi
    elif dh < -math.pi:
        dh += 2 * math.pi
    dH = 2 * math.sqrt(CC) * math.sin(dh / 2)
    hbar = hsum
    if CC != 0:
        if abs(h1 - h2) > math.pi:
            if hsum < 2 * math.pi:
                hbar += 2 * math.pi
            else:
                hbar -= 2 * math.pi
        hbar /= 2
    Lbar = 0.5 * (L1 + L2)
    Cpbar = 0.5 * (Cp1 + Cp2)
    T = (1 - 0.17 * math.cos(hbar - math.radians(30)) + 0.24 * math.cos(2 * hbar)
         + 0.32 * math.cos(3 * hbar + math.radians(6)) - 0.20 * math.cos(4 * hbar - math.radians(63)))
    SL = 1 + (0.015 * (Lbar - 50) ** 2) / math.sqrt(20 + (Lbar - 50) ** 2)
    SC = 1 + 0.045 * Cpbar
    SH = 1 + 0.015 * Cpbar * T
    c7 = Cpbar ** 7
    RC = 2 * math.sqrt(c7 / (c7 + 25.0 ** 7))
    dtheta = math.radians(30) * math.exp(-((math.degrees(hbar) - 275) / 25) ** 2)
    RT = -math.sin(2 * dtheta) * RC
    dE2 = (dL / SL) ** 2 + (dC / SC) ** 2 + (dH / SH) ** 2 + RT * (dC / SC) * (dH / SH)
    return math.sqrt(max(dE2, 0))


@guvectorize(["float32, float32[:], float32[:]", "float64, float64[:], float64[:]"], "(),(c)->(c)")
def turbo(x, like, rgb):
    """The colour map of that name, by Google's polynomials (Apache-2.0)."""
    x = min(max(x, 0.0), 1.0)
    x2 = x * x
    x3 = x2 * x
    x4 = x2 * x2
    x5 = x4 * x
    rgb[0] = 0.13572138 + 4.61539260 * x - 42.66032258 * x2 + 132.13108234 * x3 - 152.94239396 * x4 + 59.28637943 * x5
    rgb[1] = 0.09140261 + 2.19418839 * x + 4.84296658 * x2 - 14.18503333 * x3 + 4.27729857 * x4 + 2.82956604 * x5
    rgb[2] = 0.10667330 + 12.64194608 * x - 60.58204836 * x2 + 110.36276771 * x3 - 89.90310912 * x4 + 27.34824973 * x5


@njit
def clip_byte(v):
    return min(max(v, 0), 255)


@guvectorize(["uint8, uint8, uint8, uint8[:], uint8[:], uint8[:]"], "(),(),()->(),(),()")
def yuv_to_rgb(y, u, v, r, g, b):
    """In whole numbers, as decoders of video do. After the formulas of BT.601."""
    c = np.int32(y) - 16
    d = np.int32(u) - 128
    e = np.int32(v) - 128
    r[0] = np.uint8(clip_byte((298 * c + 409 * e + 128) >> 8))
    g[0] = np.uint8(clip_byte((298 * c - 100 * d - 208 * e + 128) >> 8))
    b[0] = np.uint8(clip_byte((298 * c + 516 * d + 128) >> 8))
