//===- request.hpp - the options of one call --------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Part of kern.hpp.
//
//===----------------------------------------------------------------------===//
#ifndef KERN_REQUEST_HPP
#define KERN_REQUEST_HPP

#include "kern/arguments.hpp"
#include "kern/options.h"
#include "kern/places.hpp"

#include <deque>
#include <optional>
#include <vector>

namespace kern {
inline namespace api {
namespace detail {

/// What the options of a call point to. One record, since each is asked for by
/// itself.
struct RequestedOptions {
  std::deque<std::vector<int64_t>> lists;
  std::optional<kern_axes> axis;
  std::optional<std::vector<kern_axes>> axes;
  std::optional<std::vector<int>> signature;
  std::optional<Argument> where, initial;
  std::optional<std::vector<int64_t>> shape;
  std::vector<const char *> names;
  std::deque<Argument> named; ///< for the parameters of these names
  std::optional<Progress> progress;
};

} // namespace detail
} // namespace api
} // namespace kern

#endif
