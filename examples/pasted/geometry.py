"""Points, lines and rays."""

import math

import numpy as np
from numba import guvectorize, njit, vectorize


@guvectorize(["float64, float64, float64[:,:], boolean[:]"], "(),(),(n,c)->()")
def inside_polygon(px, py, polygon, out):
    """By crossings. After Franklin's `pnpoly` (BSD-style)."""
    inside = False
    n = polygon.shape[0]
    j = n - 1
    for i in range(n):
        xi, yi = polygon[i]
        xj, yj = polygon[j]
        if (yi > py) != (yj > py) and px < (xj - xi) * (py - yi) / (yj - yi) + xi:
            inside = not inside
        j = i
    out[0] = inside


@guvectorize(["float64[:,:], float64[:], float64[:], float64[:]"], "(n,c)->(),(),()")
def area_and_centroid(points, area, cx, cy):
    """Of a polygon, by the shoelace formula."""
    a = 0.0
    sx = 0.0
    sy = 0.0
    for i in range(len(points)):
        x0, y0 = points[i - 1]
        x1, y1 = points[i]
        cross = x0 * y1 - x1 * y0
        a += cross
        sx += (x0 + x1) * cross
        sy += (y0 + y1) * cross
    area[0] = 0.5 * a
    cx[0] = sx / (3.0 * a)
    cy[0] = sy / (3.0 * a)


@vectorize(["float64(float64, float64, float64, float64, float64, float64)"])
def segment_distance(px, py, ax, ay, bx, by):
    """From a point to a line between two others."""
    dx = bx - ax
    dy = by - ay
    length2 = dx * dx + dy * dy
    if length2 == 0:
        return math.hypot(px - ax, py - ay)
    t = ((px - ax) * dx + (py - ay) * dy) / length2
    t = max(0.0, min(1.0, t))
    return math.hypot(px - (ax + t * dx), py - (ay + t * dy))


@njit
def dot3(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@njit
def cross3(a, b):
    return (a[1] * b[2] - a[2] * b[1],
            a[2] * b[0] - a[0] * b[2],
            a[0] * b[1] - a[1] * b[0])


@njit
def sub3(a, b):
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


@guvectorize(["float64[:], float64[:], float64[:], float64, float64[:]"], "(c),(c),(c),()->()")
def ray_sphere(org, direction, center, radius, t_out):
    """Where a ray meets a sphere, or 1e17. After ISPC's example `aobench` (BSD-3)."""
    rs = sub3(org, center)
    B = dot3(rs, direction)
    C = dot3(rs, rs) - radius * radius
    D = B * B - C
    t_out[0] = 1.0e+17
    if D > 0.0:
        t = -B - math.sqrt(D)
        if t > 0.0:
            t_out[0] = t


@guvectorize(["float64[:], float64[:], float64[:], float64[:], float64[:], float64[:]"],
             "(c),(c),(c),(c),(c)->()")
def ray_triangle(org, direction, v0, v1, v2, t_out):
    """Where a ray meets a triangle, or NaN; the test of Möller and Trumbore."""
    t_out[0] = np.nan
    edge1 = sub3(v1, v0)
    edge2 = sub3(v2, v0)
    h = cross3(direction, edge2)
    a = dot3(edge1, h)
    if abs(a) < 1e-12:
        return
    f = 1.0 / a
    s = sub3(org, v0)
    u = f * dot3(s, h)
    if u < 0.0 or u > 1.0:
        return
    q = cross3(s, edge1)
    v = f * dot3(direction, q)
    if v < 0.0 or u + v > 1.0:
        return
    t = f * dot3(edge2, q)
    if t > 1e-12:
        t_out[0] = t


@guvectorize(["float32[:], float32[:], float32[:]", "float64[:], float64[:], float64[:]"], "(q),(c)->(c)")
def rotate(q, v, out):
    """A vector by a quaternion. After `quaternion` (MIT)."""
    w, x, y, z = q
    m = w * w + x * x + y * y + z * z
    sx = y * v[2] - z * v[1] + w * v[0]
    sy = z * v[0] - x * v[2] + w * v[1]
    sz = x * v[1] - y * v[0] + w * v[2]
    out[0] = v[0] + 2 * (y * sz - z * sy) / m
    out[1] = v[1] + 2 * (z * sx - x * sz) / m
    out[2] = v[2] + 2 * (x * sy - y * sx) / m


@guvectorize(["float64, float64, float64, float64[:], float64[:], float64[:]"], "(),(),()->(),(),()")
def ecef_to_geodetic(x, y, z, lat, lon, alt):
    """From the Earth's centre to latitude, longitude and height, by iteration. After pymap3d (BSD-2)."""
    a = 6378137.0
    f = 1 / 298.257223563
    b = a * (1 - f)
    e2 = 1 - (b / a) ** 2
    p = math.hypot(x, y)
    lon[0] = math.atan2(y, x)
    phi = math.atan2(z, p * (1 - e2))
    height = 0.0
    for _ in range(10):
        n = a / math.sqrt(1 - e2 * math.sin(phi) ** 2)
        height = p / math.cos(phi) - n
        previous = phi
        phi = math.atan2(z, p * (1 - e2 * n / (n + height)))
        if abs(phi - previous) < 1e-14:
            break
    lat[0] = phi
    alt[0] = height


@guvectorize(["float64[:,:], float64[:,:], float64[:]"], "(m,c),(n,c)->()")
def hausdorff(xa, xb, out):
    """How far two sets of points are apart at most, with early ends. After SciPy's `directed_hausdorff` (BSD-3)."""
    cmax = 0.0
    for i in range(xa.shape[0]):
        cmin = np.inf
        for j in range(xb.shape[0]):
            d = 0.0
            for k in range(xa.shape[1]):
                d += (xa[i, k] - xb[j, k]) ** 2
            if d < cmax:
                cmin = 0.0
                break
            if d < cmin:
                cmin = d
        if cmin >= cmax and cmin != np.inf:
            cmax = cmin
    out[0] = math.sqrt(cmax)


@guvectorize(["float64, float64, int64, uint64[:]"], "(),(),()->()")
def geohash(lat, lon, bits, out):
    """The number of a place's cell, by halves in turn. After the public definition of geohash."""
    south, north = -90.0, 90.0
    west, east = -180.0, 180.0
    code = 0
    for bit in range(bits):
        code <<= 1
        if bit % 2 == 0:
            mid = (west + east) / 2
            if lon >= mid:
                code |= 1
                west = mid
            else:
                east = mid
        else:
            mid = (south + north) / 2
            if lat >= mid:
                code |= 1
                south = mid
            else:
                north = mid
    out[0] = code
