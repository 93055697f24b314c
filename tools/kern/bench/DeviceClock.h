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

/// Takes times on one device: by events on a GPU, by the clock on the CPU.
class DeviceClock {
public:
  /// For a GPU its context becomes current for this thread, and stays so.
  /// KERN_ERROR_DEVICE where the driver refuses.
  static runtime::Expected<std::unique_ptr<DeviceClock>>
  make(kern_device device);
  virtual ~DeviceClock() = default;

  /// Milliseconds for one of `count` calls one after the other, on the default
  /// stream of a GPU. The first failure of `call` ends the series.
  virtual runtime::Expected<double>
  time(const std::function<runtime::Status()> &call, unsigned count) = 0;

  /// Bytes per millisecond, read and written, of copying within the device's
  /// memory: the median of some copies of what no cache holds.
  virtual runtime::Expected<double> copyRate() = 0;
};

/// What a series of times says.
struct Summary {
  double median = 0, least = 0, most = 0;
  /// The middle half of the times: third minus first quartile, as a share of
  /// the median.
  double spread = 0;
};

/// Quantiles are interpolated between neighbours, as NumPy's. `values` has at
/// least one.
Summary summarise(std::vector<double> values);

/// How often to repeat what takes `once` milliseconds so that a batch takes
/// about `wanted`: between 1 and `most`.
unsigned repetitions(double once, double wanted, unsigned most);

} // namespace kern::cli
