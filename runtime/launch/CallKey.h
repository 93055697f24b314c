//===- CallKey.h - what the plan of a call depends on -----------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Everything that decides how a call runs, except how its arrays overlap:
// element types, shapes, strides, devices, the low bits of addresses, the kinds
// of numbers, the options and the number of threads, as a sequence of words.
// Two calls of one function with equal keys differ only in addresses, the
// values of numbers and the stream. They are checked, resolved, planned and
// launched alike.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "kern/options.h"
#include "runtime/artefact/Manifest.h"

#include <array>
#include <span>

namespace kern::runtime {

/// The low bits of an address that a plan depends on: enough for the widest
/// access on a GPU and for an element's alignment on the host.
inline constexpr uint64_t deviceAddressMask = 63;
inline constexpr uint64_t hostAddressMask = 15;

/// Weak integers of the same class fit the same element types.
uint8_t weakIntegerClass(int64_t value);

class CallKey {
public:
  /// False if the call has no key: it is malformed, takes a `dim` from an
  /// array, or has too many operands and dimensions. `outputs` is NULL or has
  /// an entry for each result. `platform` is cuda::Platform::generation(),
  /// `threads` the most threads of a call on the CPU.
  bool build(const FunctionInfo &function, std::span<const kern_value> inputs,
             const DLTensor *const *outputs, const kern_call_request *options,
             uint64_t platform, unsigned threads);

  std::span<const uint64_t> words() const { return {row.data(), length}; }
  /// Of words(), not empty.
  uint64_t hash() const;

private:
  bool append(uint64_t word) {
    if (length == row.size())
      return false;
    row[length++] = word;
    return true;
  }
  bool appendTensor(const DLTensor *tensor);
  bool appendValue(const kern_value &value, bool isDim);
  bool appendOptions(const FunctionInfo &function,
                     const kern_call_request *options);
  bool appendAxes(const kern_axes &axes);

  std::array<uint64_t, 160> row;
  size_t length = 0;
};

} // namespace kern::runtime
