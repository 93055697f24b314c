//===- Array.cpp - owning arrays ------------------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/transfer/Array.h"
#include "runtime/device/host/Memory.h"

#include <array>
#include <utility>
#include <vector>

using namespace kern::runtime;

namespace {
/// One allocation for a tensor with few dimensions.
struct Holder {
  static constexpr size_t few = 6;
  DLManagedTensor tensor = {};
  Buffer owner;
  std::array<int64_t, 2 * few> small; ///< the shape, then the strides
  std::vector<int64_t> large;         ///< for more dimensions
};

void releaseHolder(DLManagedTensor *tensor) {
  std::unique_ptr<Holder> holder(static_cast<Holder *>(tensor->manager_ctx));
}
} // namespace

ManagedArray kern::runtime::manage(const StridedView &view, std::byte *data,
                                   Buffer owner) {
  auto holder = std::make_unique<Holder>();
  int64_t size = int64_t(itemSize(view.dtype));
  size_t rank = view.rank();
  int64_t *extents = holder->small.data();
  if (rank > Holder::few) {
    holder->large.resize(2 * rank);
    extents = holder->large.data();
  }
  for (size_t i = 0; i < rank; ++i) {
    extents[i] = view.shape[i];
    extents[rank + i] = view.strides[i] / size;
  }
  holder->owner = std::move(owner);
  DLTensor &tensor = holder->tensor.dl_tensor;
  tensor.data = data;
  tensor.device = view.device;
  tensor.ndim = int(rank);
  tensor.dtype = toDL(view.dtype);
  tensor.shape = extents;
  tensor.strides = extents + rank;
  tensor.byte_offset = 0;
  holder->tensor.manager_ctx = holder.get();
  holder->tensor.deleter = releaseHolder;
  return ManagedArray(&holder.release()->tensor);
}

Expected<ManagedArray>
kern::runtime::newHostArray(DType dtype, std::span<const int64_t> shape,
                            std::span<const int64_t> strides) {
  StridedView view;
  view.dtype = dtype;
  view.shape.assign(shape.begin(), shape.end());
  view.strides.assign(strides.begin(), strides.end());
  Expected<Buffer> memory = memoryFor(view, host::allocate);
  if (!memory)
    return memory.error();
  view.data = memory->data();
  return manage(view, std::move(*memory));
}
