//===- KeptAxes.cpp - reduced axes that stay ------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/methods/KeptAxes.h"
#include "runtime/transfer/Array.h"

using namespace kern::runtime;

Status KeptAxes::removeFrom(StridedView &view) const {
  for (size_t i = axes.size(); i-- > 0;) {
    const size_t axis = axes[i];
    if (axis >= view.rank() || view.shape[axis] != 1)
      return Error(ErrorCode::kept_axis_extent, {1, text(view.shape), axis});
    view.shape.erase(view.shape.begin() + long(axis));
    view.strides.erase(view.strides.begin() + long(axis));
  }
  return {};
}

StridedView KeptAxes::withAxes(const DLTensor &result) const {
  StridedView view;
  view.dtype = *fromDL(result.dtype);
  view.device = result.device;
  view.data = static_cast<std::byte *>(result.data);
  const auto size = int64_t(itemSize(view.dtype));
  view.shape.assign(result.shape, result.shape + result.ndim);
  view.strides = contiguousStrides(view.shape, size_t(size));
  for (int i = 0; result.strides && i < result.ndim; ++i)
    view.strides[size_t(i)] = result.strides[i] * size;
  for (size_t axis : axes) {
    view.shape.insert(view.shape.begin() + long(axis), 1);
    view.strides.insert(view.strides.begin() + long(axis), size);
  }
  return view;
}

DLManagedTensor *KeptAxes::putInto(DLManagedTensor *result) const {
  if (axes.empty())
    return result;
  std::shared_ptr<DLManagedTensor> owner(result, ManagedDeleter());
  StridedView view = withAxes(result->dl_tensor);
  return manage(view, Buffer(std::shared_ptr<std::byte>(owner, view.data)))
      .release();
}

void *KeptAxes::Allocator::allocate(void *self, size_t result,
                                    const DLTensor *form) {
  const auto *allocator = static_cast<const Allocator *>(self);
  StridedView view = allocator->kept.withAxes(*form);
  ManagedArray tensor = manage(view, Buffer());
  return allocator->other.allocate(allocator->other.context, result,
                                   &tensor->dl_tensor);
}

kern_allocator KeptAxes::Allocator::get() { return {this, allocate}; }

std::unique_ptr<KeptAxes::Allocator>
KeptAxes::allocatorFor(const kern_allocator *allocator) const {
  if (!allocator || !allocator->allocate || axes.empty())
    return nullptr;
  return std::make_unique<Allocator>(*this, *allocator);
}
