//===- places.hpp - where calls over host arrays run ------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Part of kern.hpp.
//
//===----------------------------------------------------------------------===//
#ifndef KERN_PLACES_HPP
#define KERN_PLACES_HPP

#include "kern/diagnostics.hpp"
#include "kern/elements.hpp"
#include "kern/places.h"

#include <exception>
#include <functional>
#include <string>

namespace kern {
inline namespace api {

/// For Call::on(), of calls over host arrays: their pieces are shared by all
/// GPUs.
inline Device allGpus() { return {kDLCUDA, KERN_ALL_GPUS}; }
/// The same: the CPU or the first GPU, whichever is expected to be faster.
inline Device automatic() { return {kDLCUDA, KERN_AUTO}; }
/// "cpu", "cuda", "cuda:1", "cuda:all" or "auto"; throws for another name.
inline Device device(const std::string &name) {
  Device named = {};
  detail::check(kern_device_named(name.c_str(), &named));
  return named;
}
/// What automatic() reckons with. Measures it, if that was not done yet on this
/// machine.
inline kern_rates ratesOf(Device gpu) {
  kern_rates rates = {};
  rates.size = sizeof rates;
  detail::check(kern_device_rates(gpu, 1, &rates));
  return rates;
}

namespace detail {
/// A function that is told how far a call is, as the C interface takes it.
class Progress {
public:
  using Step = std::function<bool(uint64_t done, uint64_t total)>;
  explicit Progress(Step told) : step(std::move(told)) {}
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;

  const kern_progress *get() const { return &raw; }
  /// Throws again what the function threw, which ended the call.
  void rethrow() const {
    if (thrown)
      std::rethrow_exception(thrown);
  }

private:
  static int tell(void *context, uint64_t done, uint64_t total) {
    auto &self = *static_cast<Progress *>(context);
    try {
      return self.step(done, total) ? 0 : 1;
    } catch (...) {
      self.thrown = std::current_exception();
      return 1;
    }
  }

  Step step;
  std::exception_ptr thrown;
  kern_progress raw = {this, tell};
};
} // namespace detail

} // namespace api
} // namespace kern

#endif
