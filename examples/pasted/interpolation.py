"""Values between samples."""

import math

import numpy as np
from numba import guvectorize, njit, vectorize


@guvectorize(["float64[:], float64[:], float64[:], float64[:]"], "(n),(n),(m)->(m)")
def interp(x, y, points, out):
    """Straight lines, found by bisection. After interpolation.py (BSD-2)."""
    n = x.shape[0]
    for k in range(points.shape[0]):
        u = points[k]
        if u <= x[0]:
            out[k] = y[0]
        elif u >= x[n - 1]:
            out[k] = y[n - 1]
        else:
            low = 0
            high = n - 1
            while high - low > 1:
                middle = (low + high) >> 1
                if x[middle] <= u:
                    low = middle
                else:
                    high = middle
            t = (u - x[low]) / (x[low + 1] - x[low])
            out[k] = (1 - t) * y[low] + t * y[low + 1]


@guvectorize(["float32[:,:], float64, float64, float32[:]", "float64[:,:], float64, float64, float64[:]"],
             "(m,n),(),()->()")
def bilinear(image, r, c, out):
    """One pixel of a warped image; outside is 0. After scikit-image (BSD-3)."""
    rows = image.shape[0]
    cols = image.shape[1]
    minr = int(math.floor(r))
    minc = int(math.floor(c))
    maxr = int(math.ceil(r))
    maxc = int(math.ceil(c))
    dr = r - minr
    dc = c - minc
    top = 0.0
    bottom = 0.0
    if 0 <= minr < rows:
        if 0 <= minc < cols:
            top += (1 - dc) * image[minr, minc]
        if 0 <= maxc < cols:
            top += dc * image[minr, maxc]
    if 0 <= maxr < rows:
        if 0 <= minc < cols:
            bottom += (1 - dc) * image[maxr, minc]
        if 0 <= maxc < cols:
            bottom += dc * image[maxr, maxc]
    out[0] = (1 - dr) * top + dr * bottom


@njit
def w0(a):
    return (1.0 / 6.0) * (a * (a * (-a + 3.0) - 3.0) + 1.0)


@njit
def w1(a):
    return (1.0 / 6.0) * (a * a * (3.0 * a - 6.0) + 4.0)


@njit
def w2(a):
    return (1.0 / 6.0) * (a * (a * (-3.0 * a + 3.0) + 3.0) + 1.0)


@njit
def w3(a):
    return (1.0 / 6.0) * (a * a * a)


@njit
def cubic_filter(x, c0, c1, c2, c3):
    r = c0 * w0(x)
    r += c1 * w1(x)
    r += c2 * w2(x)
    r += c3 * w3(x)
    return r


@guvectorize(["float64[:,:], float64, float64, float64[:]"], "(m,n),(),()->()")
def bicubic(tex, x, y, out):
    """A cubic B-spline; edges are repeated. After CUDA's sample bicubicTexture (BSD-3)."""
    h, w = tex.shape
    px = math.floor(x)
    py = math.floor(y)
    fx = x - px
    fy = y - py
    rows = np.zeros(4)
    for k in range(4):
        j = min(max(int(py) + k - 1, 0), h - 1)
        i0 = min(max(int(px) - 1, 0), w - 1)
        i1 = min(max(int(px), 0), w - 1)
        i2 = min(max(int(px) + 1, 0), w - 1)
        i3 = min(max(int(px) + 2, 0), w - 1)
        rows[k] = cubic_filter(fx, tex[j, i0], tex[j, i1], tex[j, i2], tex[j, i3])
    out[0] = cubic_filter(fy, rows[0], rows[1], rows[2], rows[3])


@guvectorize(["float64[:], float64[:], float64[:], float64[:], int64, float64, float64[:]"],
             "(n),(m),(w),(w),(),()->(m)")
def resample(x, t_out, interp_win, interp_delta, num_table, scale, y):
    """By a windowed sinc from a table, a left and a right wing for each time. After resampy (ISC)."""
    index_step = int(scale * num_table)
    nwin = interp_win.shape[0]
    n_orig = x.shape[0]
    for t in range(t_out.shape[0]):
        time_register = t_out[t]
        n = int(time_register)
        frac = scale * (time_register - n)
        index_frac = frac * num_table
        offset = int(index_frac)
        eta = index_frac - offset
        total = 0.0
        i_max = min(n + 1, (nwin - offset) // index_step)
        for i in range(i_max):
            weight = (interp_win[offset + i * index_step] + eta * interp_delta[offset + i * index_step])
            total += weight * x[n - i]
        frac = scale - frac
        index_frac = frac * num_table
        offset = int(index_frac)
        eta = index_frac - offset
        k_max = min(n_orig - n - 1, (nwin - offset) // index_step)
        for k in range(k_max):
            weight = (interp_win[offset + k * index_step] + eta * interp_delta[offset + k * index_step])
            total += weight * x[n + k + 1]
        y[t] = total


@guvectorize(["float64[:], float64[:], float64[:]"], "(n),(n)->(n)")
def natural_spline(x, y, second):
    """Second derivatives at the knots, by the tridiagonal system. After the textbook's `spline`."""
    n = len(x)
    u = np.zeros(n)
    second[0] = 0.0
    for i in range(1, n - 1):
        sig = (x[i] - x[i - 1]) / (x[i + 1] - x[i - 1])
        p = sig * second[i - 1] + 2.0
        second[i] = (sig - 1.0) / p
        u[i] = (y[i + 1] - y[i]) / (x[i + 1] - x[i]) - (y[i] - y[i - 1]) / (x[i] - x[i - 1])
        u[i] = (6.0 * u[i] / (x[i + 1] - x[i - 1]) - sig * u[i - 1]) / p
    second[n - 1] = 0.0
    for k in range(n - 2, -1, -1):
        second[k] = second[k] * second[k + 1] + u[k]


@njit
def clamped(i, n):
    return min(max(i, 0), n - 1)


@njit
def lerp(t, a, b):
    return (1.0 - t) * a + t * b


@guvectorize(["float32[:,:,:], float32[:], float32[:]"], "(l,m,n),(p)->()")
def density(volume, at, out):
    """A volume between its voxels, in all three directions. After ISPC's example `volume` (BSD-3)."""
    nz, ny, nx = volume.shape
    vx = math.floor(at[0])
    vy = math.floor(at[1])
    vz = math.floor(at[2])
    dx = at[0] - vx
    dy = at[1] - vy
    dz = at[2] - vz
    x0 = clamped(int(vx), nx)
    x1 = clamped(int(vx) + 1, nx)
    y0 = clamped(int(vy), ny)
    y1 = clamped(int(vy) + 1, ny)
    z0 = clamped(int(vz), nz)
    z1 = clamped(int(vz) + 1, nz)
    d00 = lerp(dx, volume[z0, y0, x0], volume[z0, y0, x1])
    d10 = lerp(dx, volume[z0, y1, x0], volume[z0, y1, x1])
    d01 = lerp(dx, volume[z1, y0, x0], volume[z1, y0, x1])
    d11 = lerp(dx, volume[z1, y1, x0], volume[z1, y1, x1])
    d0 = lerp(dy, d00, d10)
    d1 = lerp(dy, d01, d11)
    out[0] = lerp(dz, d0, d1)


@vectorize(["float32(float32, int64)", "float64(float64, int64)"])
def lanczos(x, a):
    """The windowed sinc with which images are resized. After Pillow (HPND)."""
    if x == 0.0:
        return 1.0
    if x <= -a or x >= a:
        return 0.0
    px = np.pi * x
    return a * np.sin(px) * np.sin(px / a) / (px * px)
