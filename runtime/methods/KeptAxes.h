//===- KeptAxes.h - reduced axes that stay ----------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "kern/options.h"
#include "runtime/array/StridedView.h"

#include <memory>

namespace kern::runtime {

/// The axes that `keepdims` keeps, with extent 1, in a result. Without axes
/// nothing is done.
class KeptAxes {
public:
  explicit KeptAxes(std::vector<size_t> axes) : axes(std::move(axes)) {}

  /// The array for a result without them. KERN_ERROR_SHAPE if it has them not,
  /// or with another extent.
  Status removeFrom(StridedView &view) const;
  /// A result with them. Takes ownership.
  DLManagedTensor *putInto(DLManagedTensor *result) const;

  /// An allocator that tells another one the form with them.
  class Allocator {
  public:
    Allocator(const KeptAxes &kept, const kern_allocator &other)
        : kept(kept), other(other) {}
    kern_allocator get();

  private:
    static void *allocate(void *self, size_t result, const DLTensor *form);
    const KeptAxes &kept;
    const kern_allocator &other;
  };
  /// NULL if `allocator` is, or nothing is kept.
  std::unique_ptr<Allocator>
  allocatorFor(const kern_allocator *allocator) const;

private:
  /// The view of a result with them.
  StridedView withAxes(const DLTensor &result) const;
  std::vector<size_t> axes;
};

} // namespace kern::runtime
