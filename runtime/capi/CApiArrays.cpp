//===- CApiArrays.cpp - arrays --------------------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/device/cuda/Memory.h"
#include "runtime/device/cuda/Platform.h"
#include "runtime/error/LastError.h"
#include "runtime/plan/Overlap.h"
#include "runtime/transfer/Array.h"
#include "runtime/transfer/Copy.h"
#include "runtime/transfer/HostCopy.h"
#include "runtime/transfer/Npy.h"

using namespace kern::runtime;

static_assert(KERN_BOOL == int(DType::Bool) && KERN_U64 == int(DType::U64) &&
              KERN_BF16 == int(DType::BF16) && KERN_C128 == int(DType::C128));

static Error missing(const char *what) {
  return Error(ErrorCode::null_pointer, {what});
}

extern "C" DLDataType kern_dtype_to_dl(kern_dtype dtype) {
  if (rawValue(dtype) >= dtypeCount)
    return {kDLOpaqueHandle, 0, 0};
  return toDL(DType(dtype));
}

extern "C" kern_status kern_dtype_from_dl(DLDataType type, kern_dtype *dtype) {
  return guarded([&]() -> Status {
    std::optional<DType> known = fromDL(type);
    if (!known)
      return Error(ErrorCode::unsupported_dtype, {text(type)});
    if (!dtype)
      return missing("the place for the type");
    *dtype = kern_dtype(*known);
    return {};
  });
}

/// In page-locked memory, which all GPUs of the process know.
static Expected<ManagedArray> newPinnedArray(StridedView view) {
  Expected<std::shared_ptr<cuda::Context>> context =
      cuda::Platform::current()->context(view.device.device_id);
  if (!context)
    return context.error();
  Expected<Buffer> memory = memoryFor(view, [&](size_t bytes) {
    return (*context)->pinned().allocate(*context, bytes);
  });
  if (!memory)
    return memory.error();
  view.data = memory->data();
  return manage(view, std::move(*memory));
}

/// A C-contiguous array of a validated shape.
static Expected<ManagedArray> newArray(DType dtype, const Extents &shape,
                                       DLDevice device) {
  Strides strides = contiguousStrides(shape, itemSize(dtype));
  if (int(rawValue(device.device_type)) == kDLCUDAHost)
    return newPinnedArray({dtype, nullptr, device, shape, strides});
  if (isHost(device))
    return newHostArray(dtype, shape, strides);
  if (int(rawValue(device.device_type)) != kDLCUDA)
    return Error(ErrorCode::no_devices_of_type,
                 {int(rawValue(device.device_type))});
  Expected<std::shared_ptr<cuda::Context>> context =
      cuda::Platform::current()->context(device.device_id);
  if (!context)
    return context.error();
  StridedView view = {dtype, nullptr, device, shape, strides};
  Expected<Buffer> memory = memoryFor(
      view, [&](size_t bytes) { return cuda::allocate(*context, bytes); });
  if (!memory)
    return memory.error();
  view.data = memory->data();
  return manage(view, std::move(*memory));
}

extern "C" kern_status kern_array_new(kern_dtype dtype, int ndim,
                                      const int64_t *shape, kern_device device,
                                      DLManagedTensor **array) {
  return guarded([&]() -> Status {
    if (!array)
      return missing("the place for the array");
    *array = nullptr;
    if (rawValue(dtype) >= dtypeCount)
      return Error(ErrorCode::unknown_dtype, {rawValue(dtype)});
    // The same checks as for any array; the data is never accessed.
    DLTensor tensor = {};
    char anything = 0;
    tensor.data = &anything;
    tensor.device = hostDevice();
    tensor.ndim = ndim;
    tensor.dtype = toDL(DType(dtype));
    tensor.shape = const_cast<int64_t *>(shape);
    Expected<StridedView> view = viewOf(&tensor, "the new array");
    if (!view)
      return view.error();
    Expected<ManagedArray> made = newArray(DType(dtype), view->shape, device);
    if (!made)
      return made.error();
    *array = made->release();
    return {};
  });
}

static Expected<ManagedArray> copyOf(const DLTensor *source, DLDevice device) {
  Expected<StridedView> from = viewOf(source, "the source");
  if (!from)
    return from.error();
  Expected<ManagedArray> made = newArray(from->dtype, from->shape, device);
  if (!made)
    return made.error();
  Expected<StridedView> to = viewOf(&(*made)->dl_tensor, "the copy");
  if (!to)
    return to.error();
  if (Status status = copyAnywhere(*to, *from); !status)
    return status.error();
  return made;
}

extern "C" kern_status kern_array_copy(const DLTensor *source,
                                       kern_device device,
                                       DLManagedTensor **array) {
  return guarded([&]() -> Status {
    if (!array)
      return missing("the place for the array");
    *array = nullptr;
    Expected<ManagedArray> copy = copyOf(source, device);
    if (!copy)
      return copy.error();
    *array = copy->release();
    return {};
  });
}

/// Waits for calls that still read an array on a GPU.
static Status waitForReaders(DLDevice device) {
  if (isHost(device))
    return {};
  Expected<std::shared_ptr<cuda::Context>> context =
      cuda::Platform::current()->context(device.device_id);
  return context ? (*context)->synchronize() : Status(context.error());
}

extern "C" kern_status kern_array_assign(const DLTensor *destination,
                                         const DLTensor *source) {
  return guarded([&]() -> Status {
    Expected<StridedView> to = viewOf(destination, "the destination");
    if (!to)
      return to.error();
    Expected<StridedView> from = viewOf(source, "the source");
    if (!from)
      return from.error();
    if (to->dtype != from->dtype)
      return Error(ErrorCode::assigned_types_differ,
                   {name(from->dtype), name(to->dtype)});
    if (to->shape != from->shape)
      return Error(ErrorCode::assigned_shapes_differ,
                   {text(from->shape), text(to->shape)});
    if (overlapsItself(*to))
      return Error(ErrorCode::destination_overlaps_itself);
    if (Status status = waitForReaders(to->device); !status)
      return status;
    switch (overlapOf(*to, *from)) {
    case Overlap::None:
      return copyAnywhere(*to, *from);
    case Overlap::Exact:
      return {};
    case Overlap::Some:
      break;
    }
    Expected<ManagedArray> copy = copyOf(source, from->device);
    if (!copy)
      return copy.error();
    from = viewOf(&(*copy)->dl_tensor, "the copy");
    if (!from)
      return from.error();
    return copyAnywhere(*to, *from);
  });
}

extern "C" kern_status kern_npy_read(const char *path,
                                     DLManagedTensor **array) {
  return guarded([&]() -> Status {
    if (!array)
      return missing("the place for the array");
    *array = nullptr;
    if (!path)
      return missing("the path");
    Expected<DLManagedTensor *> read = readNpy(path);
    if (!read)
      return read.error();
    *array = *read;
    return {};
  });
}

extern "C" kern_status kern_npy_write(const char *path, const DLTensor *array) {
  return guarded([&]() -> Status {
    if (!path)
      return missing("the path");
    Expected<StridedView> view = viewOf(array, "the array");
    if (!view)
      return view.error();
    if (isHost(view->device))
      return writeNpy(path, *view);
    Expected<ManagedArray> copy = copyOf(array, hostDevice());
    if (!copy)
      return copy.error();
    view = viewOf(&(*copy)->dl_tensor, "the copy");
    if (!view)
      return view.error();
    return writeNpy(path, *view);
  });
}
