//===- KnownCalls.h - calls that a function has had before ------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program calls a function again and again with arrays of the same types,
// shapes and strides. Such a call is prepared once (kern_prepare) and
// recognised by comparing the arrays' own structs; then only addresses and
// numbers are passed. Other calls (with masks, subclasses, keywords beyond
// `out` and `dtype`) take the slow path (Call.h).
//
//===----------------------------------------------------------------------===//
#pragma once

#include "KnownCall.h"
#include "Pins.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace kern::python {

/// The calls that a function recognises. Thread-safe.
class KnownCalls {
public:
  KnownCalls() = default;
  KnownCalls(const KnownCalls &) = delete;
  KnownCalls &operator=(const KnownCalls &) = delete;
  ~KnownCalls();
  int traverse(visitproc visit, void *arg) const;
  /// The number of known calls.
  size_t count() const {
    return size_t(std::ranges::count_if(
        calls, [](const auto &call) { return call.load() != nullptr; }));
  }

  /// Makes a vectorcall if it is known: `result` is then its result, or NULL
  /// with an exception. False if it is not known.
  bool make(const FunctionObject &function, PyObject *const *arguments,
            size_t count, PyObject *keywords, PyObject *&result);

  /// Whether an unknown call of this layout is worth preparing: it has come
  /// before, and not too many are prepared.
  bool wants(uint64_t layout);
  /// Prepares the call and keeps it; `call` is complete except for `prepared`.
  /// A call that cannot be prepared is dropped.
  void learn(std::unique_ptr<KnownCall> call, kern_function *function,
             std::span<const kern_value> inputs,
             std::span<const DLTensor *const> outputs,
             const kern_call_options &options);

private:
  static constexpr size_t capacity = 8;
  /// The number of unknown calls to ignore: after all places are taken, and
  /// after one that cannot be prepared, longer each time.
  static constexpr uint32_t replacementPause = 64, longestPause = 1 << 16;

  std::array<std::atomic<const KnownCall *>, capacity> calls = {};
  std::atomic<uint32_t> latest = 0; ///< where the last call was found
  std::array<std::atomic<uint64_t>, 64> seen = {}; ///< layouts
  std::atomic<uint32_t> pause = 0;
  Pins pins;

  std::mutex mutex; ///< of what follows
  size_t next = 0;  ///< the place to fill
  uint32_t failurePause = replacementPause;
  /// Replaced while a reader was pinned.
  std::vector<std::unique_ptr<const KnownCall>> retired;
};

} // namespace kern::python
