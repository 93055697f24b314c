//===- CApiExchange.cpp - tensors of DLPack 1 -----------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "kern/exchange.h"
#include "runtime/error/LastError.h"

#include <memory>

using namespace kern::runtime;

/// A container of one kind in `outer`, which holds one of the other kind.
template <typename Outer, typename Inner> static Outer *around(Inner *inner) {
  struct Container {
    Outer outer;
    Inner *inner;
  };
  auto container = std::make_unique<Container>();
  container->inner = inner;
  container->outer.dl_tensor = inner->dl_tensor;
  container->outer.manager_ctx = container.get();
  container->outer.deleter = [](Outer *self) {
    std::unique_ptr<Container> owner(
        static_cast<Container *>(self->manager_ctx));
    if (owner->inner->deleter)
      owner->inner->deleter(owner->inner);
  };
  return &container.release()->outer;
}

extern "C" kern_status
kern_tensor_to_versioned(DLManagedTensor *array, uint64_t flags,
                         DLManagedTensorVersioned **tensor) {
  return guarded([&]() -> Status {
    if (!tensor)
      return Error(ErrorCode::null_pointer, {"the place for the tensor"});
    *tensor = nullptr;
    if (!array)
      return Error(ErrorCode::null_pointer, {"the array"});
    constexpr uint64_t known =
        DLPACK_FLAG_BITMASK_READ_ONLY | DLPACK_FLAG_BITMASK_IS_COPIED;
    if (flags & ~known)
      return Error(ErrorCode::tensor_flags, {flags & ~known});
    DLManagedTensorVersioned *made = around<DLManagedTensorVersioned>(array);
    made->version = {1, 0};
    made->flags = flags;
    *tensor = made;
    return {};
  });
}

extern "C" kern_status
kern_tensor_from_versioned(DLManagedTensorVersioned *tensor, int writable,
                           DLManagedTensor **array) {
  return guarded([&]() -> Status {
    if (!array)
      return Error(ErrorCode::null_pointer, {"the place for the array"});
    *array = nullptr;
    if (!tensor)
      return Error(ErrorCode::null_pointer, {"the tensor"});
    if (tensor->version.major != 1)
      return Error(ErrorCode::tensor_version,
                   {tensor->version.major, tensor->version.minor});
    if (writable && tensor->flags & DLPACK_FLAG_BITMASK_READ_ONLY)
      return Error(ErrorCode::tensor_read_only);
    *array = around<DLManagedTensor>(tensor);
    return {};
  });
}
