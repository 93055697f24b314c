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

/// The axes that `keepdims` keeps in a result, with extent 1. Does nothing
/// without axes.
class KeptAxes {
public:
  explicit KeptAxes(std::vector<size_t> axes) : axes(std::move(axes)) {}

  /// The array for a result without these axes. KERN_ERROR_SHAPE if it lacks
  /// one, or one has another extent than 1.
  Status removeFrom(StridedView &view) const;
  /// A result with these axes. Takes ownership.
  DLManagedTensor *putInto(DLManagedTensor *result) const;

  /// An allocator that passes the form with these axes to another one.
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
  /// NULL if `allocator` is NULL, or no axis is kept.
  std::unique_ptr<Allocator>
  allocatorFor(const kern_allocator *allocator) const;

private:
  /// The view of a result with these axes.
  StridedView withAxes(const DLTensor &result) const;
  std::vector<size_t> axes;
};

} // namespace kern::runtime
