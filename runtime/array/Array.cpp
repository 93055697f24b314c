//===- Array.cpp - owning arrays ------------------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/array/Array.h"
#include "runtime/device/host/Memory.h"

#include <utility>

using namespace kern;

namespace {
struct Holder {
  DLManagedTensor tensor = {};
  Extents shape, strides;
  std::shared_ptr<void> owner;
};

void releaseHolder(DLManagedTensor *tensor) {
  std::unique_ptr<Holder> holder(static_cast<Holder *>(tensor->manager_ctx));
}
} // namespace

ManagedArray kern::manage(const StridedView &view,
                          std::shared_ptr<void> owner) {
  auto holder = std::make_unique<Holder>();
  int64_t size = int64_t(itemSize(view.dtype));
  holder->shape = view.shape;
  for (int64_t stride : view.strides)
    holder->strides.push_back(stride / size);
  holder->owner = std::move(owner);
  DLTensor &tensor = holder->tensor.dl_tensor;
  tensor.data = view.data;
  tensor.device = view.device;
  tensor.ndim = int(view.rank());
  tensor.dtype = toDL(view.dtype);
  tensor.shape = holder->shape.data();
  tensor.strides = holder->strides.data();
  tensor.byte_offset = 0;
  holder->tensor.manager_ctx = holder.get();
  holder->tensor.deleter = releaseHolder;
  return ManagedArray(&holder.release()->tensor);
}

Expected<ManagedArray> kern::newHostArray(DType dtype,
                                          std::span<const int64_t> shape,
                                          std::span<const int64_t> strides) {
  StridedView view;
  view.dtype = dtype;
  view.shape.assign(shape.begin(), shape.end());
  view.strides.assign(strides.begin(), strides.end());
  Expected<std::shared_ptr<void>> memory =
      host::allocate(size_t(view.count()) * itemSize(dtype));
  if (!memory)
    return memory.error();
  view.data = static_cast<std::byte *>(memory->get());
  return manage(view, std::move(*memory));
}
