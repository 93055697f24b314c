//===- Indices.h - indices of methods -----------------------------*- C++
//-*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/methods/Operand.h"
#include "runtime/space/Space.h"

#include <functional>

namespace kern::runtime {

/// Runs `body(Space &)` where arrays of a device are, after other streams'
/// writes of `source`, which may be on the host.
Status onDevice(const StridedView &source, DLDevice device,
                const kern_call_options &options,
                const std::function<Status(Space &)> &body);

/// A C-contiguous copy of an array, where it is, in the call's order.
Expected<std::pair<StridedView, Buffer>>
packed(const StridedView &view, const kern_call_options &options);

/// Indices along one axis, as i64, in one dimension.
class IndexList {
public:
  /// Reads an array of integers of any shape, in C order, and waits for the
  /// stream if it is on a GPU. `what` names it in messages. KERN_ERROR_TYPE for
  /// others than integers.
  static Expected<IndexList> read(const StridedView &view,
                                  std::string_view what,
                                  const kern_call_options &options);

  /// KERN_ERROR_ARGUMENT for the first index that is less than `low` or not
  /// less than `extent`, which is that of `axis`.
  Status check(int64_t low, int64_t extent, size_t axis) const;
  /// As an array on the device of another one. Valid as long as this.
  Expected<StridedView> besides(const StridedView &array,
                                const kern_call_options &options);

private:
  std::vector<int64_t> values;
  bool isUnsigned = false;
  Buffer onGpu;
};

/// kern_find_outside() of a checked array.
int64_t findOutside(const StridedView &indices, int64_t low, int64_t high);
/// The same of one row of i64; `stride` in bytes.
int64_t findOutside(const std::byte *data, int64_t stride, int64_t count,
                    int64_t low, int64_t high);

} // namespace kern::runtime
