"""What the names of arrays mean after loops that bind them again, against NumPy."""

import numpy as np

from groups.loop_arrays import HEADER, agree

BODIES = [
    ("kept after a loop", """
    v = b + 1
    for i in range(4):
        before = v
        v = v[::-1] * 2 - before
        if s > 0 and i == 2:
            break
    z[:] = before
    w = b * 2
    k = 0
    while True:
        old = w
        pair = (w, k)
        w = w - s if k % 2 else w + b
        k += 1
        if k > 3:
            break
    y[:] = a + old
    y[0] = w - pair[0]
    r = before[0] - v[0]
"""),
    ("left at once", """
    v = b + 1
    w = b * 2
    for i in (1, 3, 4):
        v = v.copy()
        if 0 < 9:
            break
    if s > 0:
        v, w = w, v
    v[0] += 1
    z[:] = v - w
    for i in (1, 3, 4):
        w = w + i
        if 0 > 9:
            break
    if s > 1:
        w = v
    y[:] = a + w
    r = w[0]
"""),
    ("names of one array", """
    v = b + 1
    w = v
    for i in range(len(a)):
        w = w * 2
        w[0] = i
    v[0] = 3
    z[:] = v
    for i in range(3):
        v = v + 1
        w = v
        w[0] += 1
    y[:] = a + v
    r = w[0]
"""),
    ("swapped between pranges", """
    p = b + 1
    q = b + 2
    for k in range(3):
        for i in prange(len(b)):
            q[i] = p[len(b) - 1 - i] + k
        if s > k - 1:
            p, q = q, p
    z[:] = p - q
    y[:] = a
    r = p[0]
"""),
    ("rows of one array", """
    y[:] = a
    for i in range(len(b)):
        for j in range(i + 1, len(a)):
            y[j, i:] = y[j, i:] - y[i, i:]
        for j in range(len(a)):
            y[j, i:] += y[len(a) - 1 - j, i:]
    z[:] = b
    r = s
"""),
    ("a statement that reads before it stores", """
    w = b * 1
    d = w
    k = 2 if s > 0 else 0
    for i in range(k):
        d = d + 1
    w -= d
    z[:] = w
    y[:] = a
    r = w[0]
"""),
    ("what a loop runs over", """
    t = a * 1
    z[:] = 0
    for row in t:
        t = t + row
        z += row
    v = b * 2
    w = b + 1
    for i, (p, q) in enumerate(zip(v, w)):
        v, w = v + q, v
        z += v * p - i
    for k in range(2):
        for u in (w, v):
            v = v + 1
            z -= u
    y[:] = t
    r = v[0] + w[0]
"""),
    ("parts that are taken in different ways", """
    v = b
    w = b * 2
    z[:] = 0
    for i in range(4):
        v = v[::-1]
        z += v
        w = a[i % len(a)]
        z -= w
        if s > i:
            w = w[::-1]
            z += w * 3
    y[:] = a
    t = (a + c).T
    u = t.copy()
    for i in range(2):
        u = t if s > 0 else t[:, :]
        t = u + 1
    y += u.T
    r = v[0] + w[0] + t[0, 0]
"""),
    ("a local array or a result", """
    z[:] = b + 2
    y[:] = a
    v = b.copy()
    w = b + 1
    for i in range(3):
        if s > i:
            v = z
        v[0] += 1
        if i > 0:
            w = z
        y += w
    r = v[0] + w[0]
"""),
]


def cases(ctx):
    shapes = [(2, 2), (3, 4), (2, 1), (5, 40)]
    for name, body in BODIES:
        for t, dtype in (("i64", np.int64), ("f64", np.float64)):
            yield f"{name} {t}", agree(
                ctx, HEADER.format(t=t) + body, body, dtype, shapes)
