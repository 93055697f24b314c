//===- Measure.h - calls, timed and checked ---------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <kern/kern.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <functional>

/// Seconds of one run of `work` on `device`: the median of seven batches, each
/// long enough for the clock, after one run that compiles what is needed.
inline double secondsOf(kern::Device device,
                        const std::function<void()> &work) {
  using Clock = std::chrono::steady_clock;
  auto batch = [&](int count) {
    kern::synchronize(device);
    Clock::time_point begin = Clock::now();
    for (int i = 0; i < count; ++i)
      work();
    kern::synchronize(device);
    return std::chrono::duration<double>(Clock::now() - begin).count() / count;
  };
  work();
  double once = batch(1);
  int count = std::clamp(int(0.02 / std::max(once, 1e-7)), 1, 200);
  std::vector<double> times;
  for (int i = 0; i < 7; ++i)
    times.push_back(batch(count));
  std::nth_element(times.begin(), times.begin() + 3, times.end());
  return times[3];
}

/// The bandwidth of a copy of `bytes` bytes within `device`, in GB/s, each
/// byte counted as read and as written.
inline double copyBandwidth(kern::Device device, int64_t bytes) {
  kern::Array from = kern::Array::empty<uint8_t>({bytes}, device);
  kern::Array to = kern::Array::empty<uint8_t>({bytes}, device);
  from.assign(to);
  return 2e-9 * double(bytes) / secondsOf(device, [&] { to.assign(from); });
}

/// One line of the demonstration: a function on real input.
struct Work {
  std::string name;
  std::string input; ///< for people: "2^26 f32"
  double bytes;      ///< each input read once, each output written once
  /// Runs it; writes what it did.
  std::function<void(kern::Report &)> run;
  /// The largest error found, in units of the tolerance.
  std::function<double()> error;
};

/// The largest |actual - expected| over a sample of the elements, divided by
/// `tolerance * (1 + |expected|)`. A NaN counts as infinite.
template <kern::Element T>
double largestError(const kern::Array &array, double tolerance,
                    const std::function<double(int64_t)> &expected) {
  kern::Array here = array.to(kern::cpu());
  std::span<T> values = here.span<T>();
  int64_t count = int64_t(values.size());
  // A step that is prime meets every row and column.
  int64_t step = count > 200000 ? 997 : 1;
  double largest = 0;
  auto look = [&](int64_t i) {
    double want = expected(i);
    double off = std::abs(double(values[size_t(i)]) - want) /
                 (tolerance * (1 + std::abs(want)));
    largest = std::max(largest, std::isnan(off) ? INFINITY : off);
  };
  for (int64_t i = 0; i < count; i += step)
    look(i);
  for (int64_t i = std::max<int64_t>(0, count - 70); i < count; ++i)
    look(i);
  return largest;
}
