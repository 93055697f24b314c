"""Stencils, with what they do at the edges."""


import numpy as np
from numba import guvectorize, njit


@guvectorize(["float32[:,:], float32[:,:]", "float64[:,:], float64[:,:]"], "(m,n)->(m,n)")
def jacobi_step(A, Anew):
    """Of Laplace's equation, with fixed edges. After Numba's laplace2d example (BSD-2)."""
    n = A.shape[0]
    m = A.shape[1]
    for j in range(n):
        for i in range(m):
            Anew[j, i] = A[j, i]
    for j in range(1, n - 1):
        for i in range(1, m - 1):
            Anew[j, i] = 0.25 * (A[j, i + 1] + A[j, i - 1] + A[j - 1, i] + A[j + 1, i])


@njit
def boundary(i, n, mode):
    """The place that an index outside means: 0 constant, 1 nearest, 2 wrap, 3 reflect, 4 mirror."""
    if mode == 0:
        if i < 0 or i >= n:
            i = -1
    elif mode == 1:
        i = min(max(i, 0), n - 1)
    elif mode == 2:
        i %= n
    elif mode == 3:
        if i < 0:
            i = -1 - i
        i %= n * 2
        i = min(i, 2 * n - 1 - i)
    else:
        if n == 1:
            i = 0
        else:
            if i < 0:
                i = -i
            i = 1 + (i - 1) % ((n - 1) * 2)
            i = min(i, 2 * n - 2 - i)
    return i


@guvectorize(["float64[:], float64[:], int64, float64, float64[:]"], "(n),(k),(),()->(n)")
def correlate1d(x, w, mode, cval, y):
    """scipy.ndimage's, with the boundary modes of CuPy's generated kernels (MIT)."""
    half = w.shape[0] // 2
    for i in range(x.shape[0]):
        total = 0.0
        for j in range(w.shape[0]):
            k = boundary(i + j - half, x.shape[0], mode)
            value = cval
            if k >= 0:
                value = x[k]
            total += w[j] * value
        y[i] = total


@guvectorize(["float32[:,:,:], float32[:,:,:], float32[:,:,:], float32[:], float32[:,:,:]"],
             "(l,m,n),(l,m,n),(l,m,n),(c)->(l,m,n)")
def wave_step(Ain, Aprev, vsq, coef, Aout):
    """A wave in three dimensions, of the eighth order. After ISPC's example `stencil` (BSD-3)."""
    Nz, Ny, Nx = Ain.shape
    for z in range(Nz):
        for y in range(Ny):
            for x in range(Nx):
                if z < 3 or z >= Nz - 3 or y < 3 or y >= Ny - 3 or x < 3 or x >= Nx - 3:
                    Aout[z, y, x] = Aprev[z, y, x]
                else:
                    div = coef[0] * Ain[z, y, x]
                    for k in range(1, 4):
                        div += coef[k] * (Ain[z, y, x + k] + Ain[z, y, x - k] +
                                          Ain[z, y + k, x] + Ain[z, y - k, x] +
                                          Ain[z + k, y, x] + Ain[z - k, y, x])
                    Aout[z, y, x] = 2 * Ain[z, y, x] - Aprev[z, y, x] + vsq[z, y, x] * div


@guvectorize(["float64[:,:], float64[:,:], float64, float64, float64, float64, float64[:,:], float64[:,:]"],
             "(m,n),(m,n),(),(),(),()->(m,n),(m,n)")
def gray_scott(u, v, Du, Dv, f, k, u_new, v_new):
    """Two substances that react and diffuse on a torus. After py-pde's periodic grids (MIT)."""
    m, n = u.shape
    for i in range(m):
        up = (i - 1) % m
        down = (i + 1) % m
        for j in range(n):
            left = (j - 1) % n
            right = (j + 1) % n
            lap_u = u[up, j] + u[down, j] + u[i, left] + u[i, right] - 4 * u[i, j]
            lap_v = v[up, j] + v[down, j] + v[i, left] + v[i, right] - 4 * v[i, j]
            uvv = u[i, j] * v[i, j] * v[i, j]
            u_new[i, j] = u[i, j] + Du * lap_u - uvv + f * (1 - u[i, j])
            v_new[i, j] = v[i, j] + Dv * lap_v + uvv - (f + k) * v[i, j]


@guvectorize(["float32[:,:], float64, float64, float32[:,:]"], "(m,n),(),()->(m,n)")
def slope(data, cellsize_x, cellsize_y, out):
    """Of a terrain, in degrees, by Horn's differences; NaN at the edges. After xarray-spatial (MIT)."""
    out[:] = np.nan
    rows, cols = data.shape
    for y in range(1, rows - 1):
        for x in range(1, cols - 1):
            a = data[y + 1, x - 1]
            b = data[y + 1, x]
            c = data[y + 1, x + 1]
            d = data[y, x - 1]
            f = data[y, x + 1]
            g = data[y - 1, x - 1]
            h = data[y - 1, x]
            i = data[y - 1, x + 1]
            dz_dx = ((c + 2 * f + i) - (a + 2 * d + g)) / (8 * cellsize_x)
            dz_dy = ((g + 2 * h + i) - (a + 2 * b + c)) / (8 * cellsize_y)
            p = (dz_dx * dz_dx + dz_dy * dz_dy) ** .5
            out[y, x] = np.arctan(p) * 57.29578


@njit
def wrap(k, max_k):
    if k == -1:
        return max_k - 1
    elif k == max_k:
        return 0
    else:
        return k


@njit
def increment_neighbors(i, j, neighbors):
    ni, nj = neighbors.shape
    for delta_i in (-1, 0, 1):
        neighbor_i = wrap(i + delta_i, ni)
        for delta_j in (-1, 0, 1):
            if delta_i != 0 or delta_j != 0:
                neighbor_j = wrap(j + delta_j, nj)
                neighbors[neighbor_i, neighbor_j] += 1


@guvectorize(["uint8[:,:], uint8[:,:]"], "(m,n)->(m,n)")
def life_step(X, Y):
    """Conway's game on a torus. After numba-benchmark (BSD-2)."""
    neighbors = np.zeros(X.shape, dtype=np.int8)
    for i in range(X.shape[0]):
        for j in range(X.shape[1]):
            if X[i, j]:
                increment_neighbors(i, j, neighbors)
    for i in range(X.shape[0]):
        for j in range(X.shape[1]):
            Y[i, j] = neighbors[i, j] == 3 or (X[i, j] and neighbors[i, j] == 2)
