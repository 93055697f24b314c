//===- handwritten_host.cpp - plain loops for the CPU ---------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What one writes in C++ for the machine at hand: loops that the compiler
// vectorises with the C library's vector functions, shared out to threads.
// host.py compiles it in the run in which it is measured.
//
//===----------------------------------------------------------------------===//
#include <cmath>
#include <cstdint>
#include <thread>
#include <vector>

template <typename Loop>
static void share(int64_t count, int64_t threads, Loop loop) {
  std::vector<std::thread> others;
  for (int64_t t = 1; t < threads; ++t)
    others.emplace_back(loop, count * t / threads, count * (t + 1) / threads);
  loop(0, count / threads);
  for (std::thread &other : others)
    other.join();
}

extern "C" {

void add(const float *__restrict a, const float *__restrict b,
         float *__restrict out, int64_t count, int64_t threads) {
  share(count, threads, [=](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i)
      out[i] = a[i] + b[i];
  });
}

void gaussian_pdf(const float *__restrict x, float mean, float sigma,
                  float *__restrict out, int64_t count, int64_t threads) {
  constexpr float sqrt2Pi = 2.5066282746310002f;
  share(count, threads, [=](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      float z = (x[i] - mean) / sigma;
      out[i] = expf(-0.5f * (z * z)) / (sigma * sqrt2Pi);
    }
  });
}

void polar_distance(const float *__restrict rho1,
                    const float *__restrict theta1,
                    const float *__restrict rho2,
                    const float *__restrict theta2, float *__restrict out,
                    int64_t count, int64_t threads) {
  share(count, threads, [=](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      float x = rho1[i] * cosf(theta1[i]) - rho2[i] * cosf(theta2[i]);
      float y = rho1[i] * sinf(theta1[i]) - rho2[i] * sinf(theta2[i]);
      out[i] = sqrtf(x * x + y * y);
    }
  });
}

} // extern "C"
