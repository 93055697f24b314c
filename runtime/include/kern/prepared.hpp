//===- prepared.hpp - prepared calls ----------------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prepared calls, and what calls report. Included by calls.hpp.
//
//===----------------------------------------------------------------------===//
#ifndef KERN_PREPARED_HPP
#define KERN_PREPARED_HPP

#include "kern/streams.hpp"

#include <memory>
#include <span>

namespace kern {
inline namespace api {

/// What a call did: kernel, form, device, launch.
using Report = kern_call_report;

/// A call with everything fixed but pointers, scalars and stream. Copies share
/// it; several threads may launch it at once.
class Prepared {
public:
  /// Takes ownership of what kern_prepare() returned.
  explicit Prepared(kern_prepared *made)
      : handle(made, kern_prepared_release) {}
  /// Runs the call: a pointer for each argument and each result, to an array on
  /// the device that was prepared, or to a number on the host
  /// (kern_prepared_launch()).
  void launch(std::span<const void *const> inputs,
              std::span<void *const> outputs, void *stream = nullptr) const {
    detail::check(kern_prepared_launch(handle.get(), inputs.data(),
                                       inputs.size(), outputs.data(),
                                       outputs.size(), stream));
  }
  void launch(std::span<const void *const> inputs,
              std::span<void *const> outputs, const Stream &stream) const {
    launch(inputs, outputs, stream.handle());
  }

private:
  std::shared_ptr<kern_prepared> handle;
};

} // namespace api
} // namespace kern

#endif
