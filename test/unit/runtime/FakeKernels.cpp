//===- FakeKernels.cpp - the GPU kernels of FakeCode ----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FakeDriver.h"

#include <algorithm>
#include <cstring>

using namespace kern::test;

namespace {
/// Of a thread of the contiguous form, as FakeCode.cpp has it.
constexpr int64_t elements = 4;

template <typename T> T scalarOf(int64_t word) {
  T value;
  std::memcpy(&value, &word, sizeof value);
  return value;
}

// n, flags, a: pointer value, b: pointer value, c.
template <typename T> void gpuAddContiguous(const FakeLaunch &launch) {
  const std::vector<int64_t> &w = launch.words;
  auto *a = w[1] & 1 ? nullptr : launch.driver->at<const T>(w[2]);
  auto *b = w[1] & 2 ? nullptr : launch.driver->at<const T>(w[4]);
  auto *c = launch.driver->at<T>(w[6]);
  for (int64_t t = 0; t < int64_t(launch.grid) * launch.blockX; ++t)
    for (int64_t i = t * elements; i < std::min(w[0], (t + 1) * elements); ++i)
      c[i] = (w[1] & 1 ? scalarOf<T>(w[3]) : a[i]) +
             (w[1] & 2 ? scalarOf<T>(w[5]) : b[i]);
}

// n0…n5 rank count, divisors of n0…n4, flags, a: pointer value s0…s5,
// b: likewise, c: pointer s0…
template <typename T> void gpuAddStrided(const FakeLaunch &launch) {
  const std::vector<int64_t> &w = launch.words;
  int64_t threads = int64_t(launch.grid) * launch.blockX;
  for (int64_t i = 0; i < std::min(w[7], threads); ++i) {
    int64_t a = w[14], b = w[22], c = w[30];
    auto rest = uint64_t(i);
    for (size_t d = 0; d < size_t(w[6]); ++d) {
      auto divisor = uint64_t(d < 5 ? w[8 + d] : 0);
      uint64_t outer = d < 5 ? (rest + (rest * (divisor & 0xffffffff) >> 32)) >>
                                   (divisor >> 32)
                             : 0;
      auto index = int64_t(rest - outer * uint64_t(w[d]));
      rest = outer;
      a += index * w[16 + d];
      b += index * w[24 + d];
      c += index * w[31 + d];
    }
    T x = w[13] & 1 ? scalarOf<T>(w[15]) : *launch.driver->at<const T>(a);
    T y = w[13] & 2 ? scalarOf<T>(w[23]) : *launch.driver->at<const T>(b);
    *launch.driver->at<T>(c) = x + y;
  }
}

// count n0…n5 group flags n, [initial: pointer value s0…s5,] x: pointer s0…s5
// core, [where: likewise,] y: pointer s0…s5.
template <bool begins, bool isMasked> void gpuTotal(const FakeLaunch &launch) {
  const std::vector<int64_t> &w = launch.words;
  constexpr size_t initialAt = 10, xAt = initialAt + (begins ? 8 : 0),
                   whereAt = xAt + 8, yAt = whereAt + (isMasked ? 8 : 0);
  for (int64_t t = 0; t < int64_t(launch.grid) * launch.blockX; t += w[7]) {
    int64_t e = t / w[7];
    if (e >= w[0])
      continue;
    auto addressOf = [&](size_t pointer, size_t strides) {
      int64_t address = w[pointer], rest = e;
      for (size_t d = 0; d < 6; ++d) {
        address += rest % w[1 + d] * w[strides + d];
        rest /= w[1 + d];
      }
      return address;
    };
    const int64_t x = addressOf(xAt, xAt + 1);
    double sum = 0;
    if constexpr (begins)
      sum = w[8] & 1 ? scalarOf<double>(w[initialAt + 1])
                     : *launch.driver->at<const double>(
                           addressOf(initialAt, initialAt + 2));
    for (int64_t k = 0; k < w[9]; ++k) {
      if constexpr (isMasked)
        if (!*launch.driver->at<const uint8_t>(addressOf(whereAt, whereAt + 1) +
                                               k * w[whereAt + 7]))
          continue;
      sum += *launch.driver->at<const double>(x + k * w[xAt + 7]);
    }
    *launch.driver->at<double>(addressOf(yAt, yAt + 1)) = sum;
  }
}

// count n0…n5 group flags n, x: pointer value s0…s5, y: pointer s0…s5 core.
void gpuTile(const FakeLaunch &launch) {
  const std::vector<int64_t> &w = launch.words;
  for (int64_t t = 0; t < int64_t(launch.grid) * launch.blockX; t += w[7]) {
    int64_t x = w[10], y = w[18], rest = t / w[7];
    if (rest >= w[0])
      continue;
    for (size_t d = 0; d < 6; ++d) {
      x += rest % w[1 + d] * w[12 + d];
      y += rest % w[1 + d] * w[19 + d];
      rest /= w[1 + d];
    }
    const double value = w[8] & 1 ? scalarOf<double>(w[11])
                                  : *launch.driver->at<const double>(x);
    for (int64_t k = 0; k < w[9]; ++k)
      *launch.driver->at<double>(y + k * w[25]) = value;
  }
}

// Of one loop element: as gpuTotal, with launch slices blocks behind n, and at
// the end memory for the sums of slices.
void gpuLongTotal(const FakeLaunch &launch) {
  const std::vector<int64_t> &w = launch.words;
  int64_t n = w[9], slices = w[11];
  auto *sums = launch.driver->at<double>(w[28]);
  if (w[10] == 0) {
    for (int64_t s = 0; s < slices; ++s) {
      sums[s] = 0;
      for (int64_t k = n * s / slices; k < n * (s + 1) / slices; ++k)
        sums[s] += *launch.driver->at<const double>(w[13] + k * w[20]);
    }
    return;
  }
  double sum = 0;
  for (int64_t s = 0; s < slices; ++s)
    sum += sums[s];
  *launch.driver->at<double>(w[21]) = sum;
}
} // namespace

const std::map<std::string, FakeKernel> &kern::test::fakeKernels() {
  static const std::map<std::string, FakeKernel> kernels = {
      {"add_f32_contiguous", gpuAddContiguous<float>},
      {"add_f32_strided", gpuAddStrided<float>},
      {"heavy_f32_strided", gpuAddStrided<float>},
      {"wide_f32_contiguous", gpuAddContiguous<float>},
      {"wide_f32_strided", gpuAddStrided<float>},
      {"add_f64_contiguous", gpuAddContiguous<double>},
      {"add_f64_strided", gpuAddStrided<double>},
      {"total_f64_general", gpuTotal<false, false>},
      {"total_from_f64_general", gpuTotal<true, false>},
      {"total_where_f64_general", gpuTotal<false, true>},
      {"total_from_where_f64_general", gpuTotal<true, true>},
      {"tile_f64_general", gpuTile},
      {"tile_whole_f64_general", gpuTile},
      {"long_total_f64_general", gpuLongTotal},
  };
  return kernels;
}
