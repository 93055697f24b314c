//===- Array.h - owning arrays ----------------------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An owning array is a DLManagedTensor: memory, shape and strides that live
// until its deleter is called.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/array/StridedView.h"

#include <memory>

namespace kern::runtime {

struct ManagedDeleter {
  void operator()(DLManagedTensor *tensor) const {
    if (tensor && tensor->deleter)
      tensor->deleter(tensor);
  }
};
using ManagedArray = std::unique_ptr<DLManagedTensor, ManagedDeleter>;

/// An array in the form of `view`, whose memory lives as long as `owner`. The
/// strides of `view` must be multiples of the element's size. `data` is where
/// the element at index 0, 0, … lies.
ManagedArray manage(const StridedView &view, std::byte *data, Buffer owner);
inline ManagedArray manage(const StridedView &view, Buffer owner) {
  return manage(view, view.data, std::move(owner));
}

/// A new host array with undefined contents. `strides` in bytes must describe
/// a dense array: any order of dimensions without holes.
Expected<ManagedArray> newHostArray(DType dtype, std::span<const int64_t> shape,
                                    std::span<const int64_t> strides);

} // namespace kern::runtime
