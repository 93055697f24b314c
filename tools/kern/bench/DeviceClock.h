//===- DeviceClock.h - times on a device ------------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "kern/kern.h"
#include "runtime/error/Expected.h"

#include <functional>
#include <memory>
#include <vector>

namespace kern::cli {

/// Measures times on one device: by events on a GPU, by the clock on the CPU.
class DeviceClock {
public:
  /// A GPU's context becomes current on this thread and stays so.
  /// KERN_ERROR_DEVICE where the driver refuses.
  static runtime::Expected<std::unique_ptr<DeviceClock>>
  make(kern_device device);
  virtual ~DeviceClock() = default;

  /// Milliseconds per call, over `count` successive calls, on the default
  /// stream of a GPU. The first failure of `call` ends the series.
  virtual runtime::Expected<double>
  time(const std::function<runtime::Status()> &call, unsigned count) = 0;

  /// Bytes per millisecond, read and written, of copying within the device's
  /// memory: the median of several copies of more than the caches hold.
  virtual runtime::Expected<double> copyRate() = 0;
};

/// A summary of a series of times.
struct Summary {
  double median = 0, shortest = 0, longest = 0;
  /// The middle half of the times: third minus first quartile, as a share of
  /// the median.
  double spread = 0;
};

/// Quantiles are interpolated between neighbours, as NumPy's. `values` must not
/// be empty.
Summary summarise(std::vector<double> values);

/// How often to repeat a call of `once` milliseconds for a batch of about
/// `wanted` milliseconds: between 1 and `max`.
unsigned repetitions(double once, double wanted, unsigned max);

} // namespace kern::cli
