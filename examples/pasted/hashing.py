"""Hashes, random numbers that follow from counters, and orders of bits."""

import numpy as np
from numba import guvectorize, njit, vectorize


@vectorize(["uint32(uint32)"])
def fmix32(h):
    """How MurmurHash3 ends (public domain)."""
    h = np.uint32(h ^ (h >> np.uint32(16)))
    h = np.uint32(h * np.uint32(0x85ebca6b))
    h = np.uint32(h ^ (h >> np.uint32(13)))
    h = np.uint32(h * np.uint32(0xc2b2ae35))
    return np.uint32(h ^ (h >> np.uint32(16)))


@vectorize(["uint64(uint64)"])
def splitmix64(z):
    """Seeds of Numba's own generators on GPUs. After Vigna (CC0)."""
    z = z + np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@vectorize(["uint32(uint32)"])
def pcg_hash(v):
    """As shaders have it. After Jarzynski and Olano, by O'Neill's PCG (Apache-2.0)."""
    state = np.uint32(v * np.uint32(747796405) + np.uint32(2891336453))
    word = np.uint32(((state >> ((state >> np.uint32(28)) + np.uint32(4))) ^ state) * np.uint32(277803737))
    return np.uint32((word >> np.uint32(22)) ^ word)


@njit
def rotl(x, k):
    return (x << k) | (x >> np.uint64(64 - k))


@guvectorize(["uint64[:], uint64[:], uint64[:]"], "(s)->(s),()")
def xoroshiro128p_next(states, new, result):
    """A step of the generator of numba.cuda.random (BSD-2)."""
    s0 = states[0]
    s1 = states[1]
    result[0] = s0 + s1
    s1 ^= s0
    new[0] = rotl(s0, np.uint64(55)) ^ s1 ^ (s1 << np.uint64(14))
    new[1] = rotl(s1, np.uint64(36))


@guvectorize(["uint8[:], uint32[:]"], "(n)->()")
def fnv1a(data, out):
    """By Fowler, Noll and Vo (public domain)."""
    h = np.uint32(2166136261)
    for byte in data:
        h = np.uint32((h ^ np.uint32(byte)) * np.uint32(16777619))
    out[0] = h


@guvectorize(["uint8[:], uint32[:]"], "(n)->()")
def crc32(data, out):
    """zlib's, bit by bit."""
    crc = np.uint32(0xffffffff)
    for byte in data:
        crc ^= np.uint32(byte)
        for _ in range(8):
            if crc & np.uint32(1):
                crc = np.uint32((crc >> np.uint32(1)) ^ np.uint32(0xedb88320))
            else:
                crc = np.uint32(crc >> np.uint32(1))
    out[0] = np.uint32(~crc)


@guvectorize(["uint8[:], uint32[:]"], "(n)->()")
def adler32(data, out):
    """zlib's other checksum."""
    a = 1
    b = 0
    for i in range(len(data)):
        a = (a + data[i]) % 65521
        b = (b + a) % 65521
    out[0] = (b << 16) | a


@guvectorize(["int64[:], int64[:], int32[:]"], "(s)->(s),()")
def tau_rand_int(state, new, out):
    """Tausworthe's generator as UMAP (BSD-3) draws its samples, in 64 bits of which 32 count."""
    new[0] = (((state[0] & 4294967294) << 12) & 0xffffffff) ^ (
        (((state[0] << 13) & 0xffffffff) ^ state[0]) >> 19
    )
    new[1] = (((state[1] & 4294967288) << 4) & 0xffffffff) ^ (
        (((state[1] << 2) & 0xffffffff) ^ state[1]) >> 25
    )
    new[2] = (((state[2] & 4294967280) << 17) & 0xffffffff) ^ (
        (((state[2] << 3) & 0xffffffff) ^ state[2]) >> 11
    )
    out[0] = np.int32(new[0] ^ new[1] ^ new[2])


@vectorize(["float64(int64, int64)"])
def halton(index, base):
    """Digits turned round the point. After Halton's sequence in the textbooks."""
    f = 1.0
    r = 0.0
    while index > 0:
        f = f / base
        r = r + f * (index % base)
        index = index // base
    return r


@vectorize(["uint32(uint32)"])
def part1by1(n):
    """Room for the other coordinate's bits, in Morton's order. After Giesen's notes (public domain)."""
    n = n & np.uint32(0x0000ffff)
    n = (n ^ (n << np.uint32(8))) & np.uint32(0x00ff00ff)
    n = (n ^ (n << np.uint32(4))) & np.uint32(0x0f0f0f0f)
    n = (n ^ (n << np.uint32(2))) & np.uint32(0x33333333)
    n = (n ^ (n << np.uint32(1))) & np.uint32(0x55555555)
    return n


@vectorize(["int64(int64, int64, int64)"])
def hilbert_distance(n, x, y):
    """How far along Hilbert's curve a cell is. After spatialpandas' and Wikipedia's `xy2d`."""
    d = 0
    s = n // 2
    while s > 0:
        rx = 1 if (x & s) > 0 else 0
        ry = 1 if (y & s) > 0 else 0
        d += s * s * ((3 * rx) ^ ry)
        if ry == 0:
            if rx == 1:
                x = n - 1 - x
                y = n - 1 - y
            x, y = y, x
        s //= 2
    return d


@guvectorize(["uint8[:], boolean[:]"], "(n)->()")
def luhn(digits, out):
    """Whether the number of a card checks."""
    total = 0
    for i in range(len(digits)):
        d = int(digits[len(digits) - 1 - i])
        if i % 2 == 1:
            d *= 2
            if d > 9:
                d -= 9
        total += d
    out[0] = total % 10 == 0


@vectorize(["float64(uint64)"])
def unit_float64(x):
    """A random number below 1 from 64 random bits. After numba.cuda.random (BSD-2)."""
    return (x >> np.uint64(11)) * (1.0 / (1 << 53))


@vectorize(["uint32(float32)"])
def radix_key(x):
    """Bits whose order is that of the numbers. After CUB's radix sort (BSD-3)."""
    key = np.float32(x).view(np.uint32)
    mask = np.uint32(0xffffffff) if key >> np.uint32(31) else np.uint32(0x80000000)
    return np.uint32(key ^ mask)


@vectorize(["float32(float32)"])
def fast_inverse_sqrt(x):
    """By the bits of a float, as programs of games and their retellings have it."""
    i = np.float32(x).view(np.int32)
    i = np.int32(np.int32(0x5f3759df) - (i >> np.int32(1)))
    y = i.view(np.float32)
    return y * (np.float32(1.5) - np.float32(0.5) * x * y * y)
