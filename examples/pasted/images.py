"""Filters of images."""

import math

import numpy as np
from numba import guvectorize


@guvectorize(["float32[:,:], float32[:,:]", "float64[:,:], float64[:,:]"], "(m,n)->(m,n)")
def sobel(image, out):
    """The size of the gradient; edges are repeated. After the CUDA sample SobelFilter (BSD-3)."""
    rows, cols = image.shape
    for i in range(rows):
        up = max(i - 1, 0)
        down = min(i + 1, rows - 1)
        for j in range(cols):
            left = max(j - 1, 0)
            right = min(j + 1, cols - 1)
            gx = (image[up, right] + 2 * image[i, right] + image[down, right]
                  - image[up, left] - 2 * image[i, left] - image[down, left])
            gy = (image[up, left] + 2 * image[up, j] + image[up, right]
                  - image[down, left] - 2 * image[down, j] - image[down, right])
            out[i, j] = math.sqrt(gx * gx + gy * gy)


@guvectorize(["uint8[:,:], uint8[:,:]"], "(m,n)->(m,n)")
def median3(image, out):
    """Of nine pixels, by sorting them as they come. After many lessons of Numba and CUDA."""
    rows, cols = image.shape
    window = np.empty(9, dtype=np.uint8)
    for i in range(rows):
        for j in range(cols):
            k = 0
            for di in range(-1, 2):
                for dj in range(-1, 2):
                    y = min(max(i + di, 0), rows - 1)
                    x = min(max(j + dj, 0), cols - 1)
                    value = image[y, x]
                    p = k
                    while p > 0 and window[p - 1] > value:
                        window[p] = window[p - 1]
                        p -= 1
                    window[p] = value
                    k += 1
            out[i, j] = window[4]


@guvectorize(["float64[:,:], int64, float64, float64, float64[:,:]"], "(m,n),(),(),()->(m,n)")
def bilateral(image, radius, sigma_space, sigma_color, out):
    """Smooth, but not across edges. After the CUDA sample bilateralFilter (BSD-3)."""
    rows, cols = image.shape
    for i in range(rows):
        for j in range(cols):
            center = image[i, j]
            total = 0.0
            weight = 0.0
            for y in range(max(i - radius, 0), min(i + radius + 1, rows)):
                for x in range(max(j - radius, 0), min(j + radius + 1, cols)):
                    d2 = (y - i) ** 2 + (x - j) ** 2
                    c2 = (image[y, x] - center) ** 2
                    w = math.exp(-d2 / (2 * sigma_space ** 2) - c2 / (2 * sigma_color ** 2))
                    total += w * image[y, x]
                    weight += w
            out[i, j] = total / weight


@guvectorize(["float64[:,:], float64[:,:]"], "(m,n)->(m,n)")
def floyd_steinberg(image, out):
    """Black and white, with the error passed on; each pixel needs the ones before it."""
    out[:] = image
    rows, cols = image.shape
    for y in range(rows):
        for x in range(cols):
            old = out[y, x]
            new = 1.0 if old >= 0.5 else 0.0
            out[y, x] = new
            error = old - new
            if x + 1 < cols:
                out[y, x + 1] += error * 7 / 16
            if y + 1 < rows:
                if x > 0:
                    out[y + 1, x - 1] += error * 3 / 16
                out[y + 1, x] += error * 5 / 16
                if x + 1 < cols:
                    out[y + 1, x + 1] += error * 1 / 16


@guvectorize(["uint8[:,:], int64[:,:]"], "(m,n)->(m,n)")
def integral_image(image, out):
    """The sums of all above and to the left. After scikit-image (BSD-3)."""
    for i in range(image.shape[0]):
        row_sum = 0
        for j in range(image.shape[1]):
            row_sum += image[i, j]
            out[i, j] = row_sum
            if i > 0:
                out[i, j] += out[i - 1, j]


@guvectorize(["uint8[:,:], int64[:]"], "(m,n)->()")
def otsu(image, threshold):
    """The grey that parts two classes best. After Otsu; the loops are those of OpenCV's (Apache-2.0)."""
    hist = np.zeros(256, dtype=np.int64)
    for i in range(image.shape[0]):
        for j in range(image.shape[1]):
            hist[image[i, j]] += 1
    mu = 0.0
    scale = 1.0 / image.size
    for i in range(256):
        mu += i * float(hist[i])
    mu *= scale
    mu1 = 0.0
    q1 = 0.0
    max_sigma = 0.0
    max_val = 0
    for i in range(256):
        p_i = hist[i] * scale
        mu1 *= q1
        q1 += p_i
        q2 = 1.0 - q1
        if min(q1, q2) < 1.1920929e-7 or max(q1, q2) > 1.0 - 1.1920929e-7:
            continue
        mu1 = (mu1 + i * p_i) / q1
        mu2 = (mu - q1 * mu1) / q2
        sigma = q1 * q2 * (mu1 - mu2) * (mu1 - mu2)
        if sigma > max_sigma:
            max_sigma = sigma
            max_val = i
    threshold[0] = max_val


@guvectorize(["uint8[:,:], uint8[:,:]"], "(m,n)->(m,n)")
def equalised(image, out):
    """The histogram made flat, by its running sums."""
    hist = np.zeros(256, dtype=np.int64)
    for i in range(image.shape[0]):
        for j in range(image.shape[1]):
            hist[image[i, j]] += 1
    cdf = np.zeros(256, dtype=np.int64)
    total = 0
    for k in range(256):
        total += hist[k]
        cdf[k] = total
    first = 0
    while hist[first] == 0:
        first += 1
    below = cdf[first]
    span = max(image.size - below, 1)
    for i in range(image.shape[0]):
        for j in range(image.shape[1]):
            out[i, j] = np.uint8((cdf[image[i, j]] - hist[first]) * 255 // span)


@guvectorize(["float64[:], float64[:]"], "(n)->(n)")
def distance_transform(f, d):
    """Squared distances by lower envelopes of parabolas. After Felzenszwalb and Huttenlocher."""
    n = len(f)
    v = np.zeros(n, dtype=np.int64)
    z = np.zeros(n + 1)
    k = 0
    z[0] = -np.inf
    z[1] = np.inf
    for q in range(1, n):
        s = ((f[q] + q * q) - (f[v[k]] + v[k] * v[k])) / (2 * q - 2 * v[k])
        while s <= z[k]:
            k -= 1
            s = ((f[q] + q * q) - (f[v[k]] + v[k] * v[k])) / (2 * q - 2 * v[k])
        k += 1
        v[k] = q
        z[k] = s
        z[k + 1] = np.inf
    k = 0
    for q in range(n):
        while z[k + 1] < q:
            k += 1
        d[q] = (q - v[k]) ** 2 + f[v[k]]
