//===- ResultMemory.cpp - new results in the caller's memory --------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/launch/ResultMemory.h"
#include "runtime/launch/CallKey.h"

#include <array>

using namespace kern::runtime;

Expected<std::byte *>
kern::runtime::allocateResult(const kern_allocator &allocator,
                              const std::string &function, size_t index,
                              const StridedView &view) {
  auto refuse = [&](ErrorCode code,
                    std::initializer_list<TextArgument> arguments = {}) {
    return Error(code, arguments)
        .in(function)
        .add(Addition::for_operand,
             {"result " + std::to_string(index + 1), text(view.shape)});
  };
  if (!allocator.allocate)
    return refuse(ErrorCode::allocator_without_function);
  std::array<int64_t, maxDimensions> shape, strides;
  int64_t size = int64_t(itemSize(view.dtype));
  for (size_t i = 0; i < view.rank(); ++i) {
    shape[i] = view.shape[i];
    strides[i] = view.strides[i] / size;
  }
  DLTensor form = {};
  form.device = view.device;
  form.ndim = int32_t(view.rank());
  form.dtype = toDL(view.dtype);
  form.shape = shape.data();
  form.strides = strides.data();
  void *data = allocator.allocate(allocator.context, index, &form);
  if (!data)
    return refuse(ErrorCode::allocator_failed);
  uint64_t mask = isHost(view.device) ? hostAddressMask : deviceAddressMask;
  if (view.count() > 0 && uint64_t(reinterpret_cast<uintptr_t>(data)) & mask)
    return refuse(ErrorCode::allocator_misaligned, {mask + 1});
  return static_cast<std::byte *>(data);
}
