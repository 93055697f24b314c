//===- Obstacle.h - what keeps a gufunc from a mapping ----------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/Loop/Loop.h"

#include <optional>
#include <string>

namespace kern::ir::loop {

/// Why the loops of a gufunc lack a mapping.
struct Obstacle {
  /// A predicate in the words of the language. `{0}` stands for the name that
  /// is written at `where`.
  std::string why;
  mlir::Location where;
};

/// A result, or the obstacle to it. Neither if the question does not arise, as
/// for a loop that is not there.
template <typename T> class Found {
public:
  Found() = default;
  Found(T value) : value(std::move(value)) {}
  Found(Obstacle obstacle) : missing(std::move(obstacle)) {}
  explicit operator bool() const { return value.has_value(); }
  T &operator*() { return *value; }
  const T &operator*() const { return *value; }
  T *operator->() { return &*value; }
  const std::optional<Obstacle> &obstacle() const { return missing; }

private:
  std::optional<T> value;
  std::optional<Obstacle> missing;
};

/// A mapping that a gufunc lacks: "not flat", "no tiles".
struct MissingMapping {
  llvm::StringRef mapping;
  Obstacle obstacle;
};

/// The mappings that a gufunc would have if it were written differently. Empty
/// for a ufunc or a kernel with checks.
llvm::SmallVector<MissingMapping> missingMappings(KernelOp kernel);

} // namespace kern::ir::loop
