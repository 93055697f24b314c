//===- masked_bodies.cpp - bodies in vectors, by hand ---------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The bodies of masked_bodies.py, as one writes them for vectors of 64 bytes
// with masks. masked_bodies.py compiles them with Clang. Counts are multiples
// of the lanes.
//
//===----------------------------------------------------------------------===//
#include <cstdint>
#include <cstring>

#ifdef __AVX512F__
using Register = double __attribute__((vector_size(64)));
#define LIBMVEC(NAME) _ZGVeN8v_##NAME
#else
using Register = double __attribute__((vector_size(32)));
#define LIBMVEC(NAME) _ZGVdN4v_##NAME
#endif
extern "C" {
Register LIBMVEC(exp)(Register);
Register LIBMVEC(log)(Register);
Register LIBMVEC(sin)(Register);
Register LIBMVEC(cos)(Register);
Register LIBMVEC(asin)(Register);
}

namespace {
using Doubles = double __attribute__((vector_size(64)));
using Floats = float __attribute__((vector_size(64)));
using Longs = int64_t __attribute__((vector_size(64)));
using Ints = int32_t __attribute__((vector_size(64)));
using Bits = uint32_t __attribute__((vector_size(64)));

template <typename V> V load(const void *from) {
  V value;
  std::memcpy(&value, from, sizeof value);
  return value;
}
template <typename V> void store(void *to, V value) {
  std::memcpy(to, &value, sizeof value);
}
template <typename M> bool any(M mask) {
  return __builtin_reduce_or(mask) != 0;
}

/// A function of the C library for all registers of a vector.
template <Register function(Register)> Doubles all(Doubles x) {
  Register parts[sizeof x / sizeof(Register)];
  std::memcpy(parts, &x, sizeof x);
  for (Register &part : parts)
    part = function(part);
  return load<Doubles>(parts);
}

/// The normal distribution.
Doubles normal(Doubles d) {
  Doubles k = 1.0 / (1.0 + 0.2316419 * __builtin_elementwise_abs(d));
  Doubles tail =
      0.39894228040143267793994605993438 * all<LIBMVEC(exp)>(-0.5 * d * d) *
      (k * (0.31938153 +
            k * (-0.356563782 +
                 k * (1.781477937 + k * (-1.821255978 + k * 1.330274429)))));
  return d > 0.0 ? 1.0 - tail : tail;
}

Doubles side(Doubles a, Doubles b, Doubles c, Doubles d, Doubles e) {
  auto square = [](Doubles x) { return x * x; };
  Doubles b0 =
      13.0 / 12.0 * square(a - 2 * b + c) + 0.25 * square(a - 4 * b + 3 * c);
  Doubles b1 = 13.0 / 12.0 * square(b - 2 * c + d) + 0.25 * square(b - d);
  Doubles b2 =
      13.0 / 12.0 * square(c - 2 * d + e) + 0.25 * square(3 * c - 4 * d + e);
  Doubles w0 = 0.1 / square(1e-6 + b0), w1 = 0.6 / square(1e-6 + b1),
          w2 = 0.3 / square(1e-6 + b2);
  Doubles q0 = (2 * a - 7 * b + 11 * c) / 6.0, q1 = (-b + 5 * c + 2 * d) / 6.0,
          q2 = (2 * c + 5 * d - e) / 6.0;
  return (w0 * q0 + w1 * q1 + w2 * q2) / (w0 + w1 + w2);
}

Ints floorOf(Floats x) {
  Ints whole = __builtin_convertvector(x, Ints);
  return whole + (Ints)(__builtin_convertvector(whole, Floats) > x);
}

Bits hash(Ints x, Ints y) {
  Bits h = (Bits)x * 374761393u + (Bits)y * 668265263u;
  h = (h ^ (h >> 13)) * 1274126177u;
  return h ^ (h >> 16);
}

Floats gradient(Bits h, Floats x, Floats y) {
  Floats u = (h & 1) != 0 ? -x : x, v = (h & 2) != 0 ? -y : y;
  return u + v;
}

struct Point {
  Floats x, y, z;
};
Point flow(Point p) {
  return {10.0f * (p.y - p.x), p.x * (28.0f - p.z) - p.y,
          p.x * p.y - 2.6666667f * p.z};
}
Point ahead(Point p, float step, Point slope) {
  return {p.x + step * slope.x, p.y + step * slope.y, p.z + step * slope.z};
}
} // namespace

extern "C" {

void mandelbrot(int64_t count, const double *cx, const double *cy,
                int64_t *out) {
  for (int64_t i = 0; i < count; i += 8) {
    auto x = load<Doubles>(cx + i), y = load<Doubles>(cy + i);
    Doubles re = {}, im = {};
    Longs steps = {}, active = ~Longs{};
    for (int step = 0; step < 256; ++step) {
      Doubles a = re * re, b = im * im;
      active &= ~(a + b > 4.0);
      if (!any(active))
        break;
      im = active ? 2 * re * im + y : im;
      re = active ? a - b + x : re;
      steps -= active;
    }
    store(out + i, steps);
  }
}

void newton(int64_t count, const double *x, double *out) {
  for (int64_t i = 0; i < count; i += 8) {
    auto a = load<Doubles>(x + i), z = a;
    Longs active = ~Longs{};
    for (int step = 0; step < 50; ++step) {
      Doubles d = (z * z * z - a) / (3.0 * z * z);
      z = active ? z - d : z;
      active &= ~(__builtin_elementwise_abs(d) < 1e-12);
      if (!any(active))
        break;
    }
    store(out + i, z);
  }
}

void logistic(int64_t count, const float *rates, const float *starts,
              float *out) {
  for (int64_t i = 0; i < count; i += 16) {
    auto r = load<Floats>(rates + i), x = load<Floats>(starts + i);
    Ints active = ~Ints{};
    for (int step = 0; step < 200; ++step) {
      Floats next = r * x * (1.0f - x), d = next - x;
      x = active ? next : x;
      active &= ~(__builtin_elementwise_abs(d) < 1e-6f);
      if (!any(active))
        break;
    }
    store(out + i, x);
  }
}

void lorenz(int64_t count, const float *x, const float *y, const float *z,
            float *out) {
  const float dt = 0.01f, half = dt * 0.5f;
  for (int64_t i = 0; i < count; i += 16) {
    Point p = {load<Floats>(x + i), load<Floats>(y + i), load<Floats>(z + i)};
    for (int step = 0; step < 200; ++step) {
      Point a = flow(p), b = flow(ahead(p, half, a)),
            c = flow(ahead(p, half, b)), d = flow(ahead(p, dt, c));
      p.x += dt / 6.0f * (a.x + 2.0f * b.x + 2.0f * c.x + d.x);
      p.y += dt / 6.0f * (a.y + 2.0f * b.y + 2.0f * c.y + d.y);
      p.z += dt / 6.0f * (a.z + 2.0f * b.z + 2.0f * c.z + d.z);
    }
    store(out + i, p.x + p.y + p.z);
  }
}

void perlin(int64_t count, const float *xs, const float *ys, float *out) {
  auto fade = [](Floats t) {
    return t * t * t * (t * (t * 6.0f - 15.0f) + 10.0f);
  };
  for (int64_t i = 0; i < count; i += 16) {
    auto x = load<Floats>(xs + i), y = load<Floats>(ys + i);
    Ints column = floorOf(x), row = floorOf(y);
    x -= __builtin_convertvector(column, Floats);
    y -= __builtin_convertvector(row, Floats);
    Floats u = fade(x), v = fade(y);
    Floats a = gradient(hash(column, row), x, y),
           b = gradient(hash(column + 1, row), x - 1.0f, y),
           c = gradient(hash(column, row + 1), x, y - 1.0f),
           d = gradient(hash(column + 1, row + 1), x - 1.0f, y - 1.0f);
    Floats p = a + u * (b - a), q = c + u * (d - c);
    store(out + i, p + v * (q - p));
  }
}

void black_scholes(int64_t count, const double *prices, const double *strikes,
                   const double *years, const double *rates,
                   const double *volatilities, double *out) {
  for (int64_t i = 0; i < count; i += 8) {
    auto s = load<Doubles>(prices + i), x = load<Doubles>(strikes + i),
         t = load<Doubles>(years + i), r = load<Doubles>(rates + i),
         v = load<Doubles>(volatilities + i);
    Doubles root = __builtin_elementwise_sqrt(t);
    Doubles d1 =
        (all<LIBMVEC(log)>(s / x) + (r + 0.5 * v * v) * t) / (v * root);
    Doubles d2 = d1 - v * root, n1 = normal(d1), n2 = normal(d2);
    store(out + i, x * all<LIBMVEC(exp)>(-r * t) * (1.0 - n2) - s * (1.0 - n1));
  }
}

void haversine(int64_t count, const double *lat1, const double *lon1,
               const double *lat2, const double *lon2, double *out) {
  const double radians = 3.14159265358979323846 / 180.0;
  for (int64_t i = 0; i < count; i += 8) {
    auto p = load<Doubles>(lat1 + i), q = load<Doubles>(lat2 + i);
    Doubles y = all<LIBMVEC(sin)>((q - p) * radians / 2.0),
            x = all<LIBMVEC(sin)>(
                (load<Doubles>(lon2 + i) - load<Doubles>(lon1 + i)) * radians /
                2.0);
    Doubles a = y * y + all<LIBMVEC(cos)>(p * radians) *
                            all<LIBMVEC(cos)>(q * radians) * x * x;
    Doubles root = __builtin_elementwise_sqrt(a);
    store(out + i, 2.0 * 6371.0 *
                       all<LIBMVEC(asin)>(root < 1.0 ? root : Doubles{} + 1.0));
  }
}

void weno(int64_t count, const double *a, const double *b, const double *c,
          const double *d, const double *e, const double *speeds, double *out) {
  for (int64_t i = 0; i < count; i += 8) {
    auto v = load<Doubles>(a + i), w = load<Doubles>(b + i),
         x = load<Doubles>(c + i), y = load<Doubles>(d + i),
         z = load<Doubles>(e + i);
    Longs rises = load<Doubles>(speeds + i) > 0.0;
    Doubles flux = {};
    if (any(rises))
      flux = side(v, w, x, y, z);
    if (any(~rises))
      flux = rises ? flux : side(z, y, x, w, v);
    store(out + i, flux);
  }
}
}
