//===- StridedView.cpp - strided views and their memory -------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/array/StridedView.h"
#include "kern/places.h"
#include "runtime/error/LastError.h"

#include <algorithm>
#include <cstdlib>

using namespace kern::runtime;

bool kern::runtime::isHost(DLDevice device) {
  int type = int(rawValue(device.device_type));
  return type == kDLCPU || type == kDLCUDAHost;
}

std::string kern::runtime::text(DLDevice device) {
  if (isHost(device))
    return "cpu";
  if (device.device_id == KERN_AUTO)
    return "auto";
  return "cuda:" + (device.device_id == KERN_ALL_GPUS
                        ? "all"
                        : std::to_string(device.device_id));
}

std::string kern::runtime::text(std::span<const int64_t> shape) {
  std::string out = "(";
  for (size_t i = 0; i < shape.size(); ++i)
    out += (i ? ", " : "") + std::to_string(shape[i]);
  return out + (shape.size() == 1 ? ",)" : ")");
}

int64_t StridedView::count() const {
  uint64_t n = 1; // may wrap, but only if an extent is 0
  for (int64_t extent : shape)
    n *= uint64_t(extent);
  return int64_t(n);
}

bool StridedView::isAligned() const {
  uint64_t bits = reinterpret_cast<uintptr_t>(data);
  for (size_t i = 0; i < rank(); ++i)
    if (shape[i] > 1)
      bits |= uint64_t(strides[i]);
  return bits % itemSize(dtype) == 0;
}

std::optional<int64_t>
kern::runtime::checkedCount(std::span<const int64_t> shape) {
  for (int64_t extent : shape)
    if (extent == 0)
      return 0;
  int64_t n = 1;
  for (int64_t extent : shape)
    if (__builtin_mul_overflow(n, extent, &n))
      return std::nullopt;
  return n;
}

Expected<size_t> kern::runtime::bytesOf(std::span<const int64_t> shape,
                                        DType dtype) {
  const std::optional<int64_t> count = checkedCount(shape);
  int64_t bytes = 0;
  if (!count ||
      __builtin_mul_overflow(*count, int64_t(itemSize(dtype)), &bytes))
    return Error(ErrorCode::array_without_memory, {text(shape), name(dtype)});
  return size_t(bytes);
}

Strides kern::runtime::contiguousStrides(std::span<const int64_t> shape,
                                         size_t itemSize) {
  Strides strides(shape.size());
  uint64_t stride = itemSize; // may wrap, but only if an extent is 0
  for (size_t i = shape.size(); i-- > 0;) {
    strides[i] = int64_t(stride);
    stride *= uint64_t(std::max<int64_t>(shape[i], 1));
  }
  return strides;
}

static bool isContiguous(const StridedView &view, bool fortran) {
  uint64_t expected = itemSize(view.dtype); // wraps as count() does
  for (size_t k = 0; k < view.rank(); ++k) {
    size_t i = fortran ? k : view.rank() - 1 - k;
    if (view.shape[i] != 1 && view.strides[i] != int64_t(expected))
      return view.count() == 0;
    expected *= uint64_t(view.shape[i]);
  }
  return true;
}

bool kern::runtime::isCContiguous(const StridedView &view) {
  return isContiguous(view, false);
}
bool kern::runtime::isFContiguous(const StridedView &view) {
  return isContiguous(view, true);
}

DLDataType kern::runtime::toDL(DType dtype) {
  uint8_t code = kDLFloat;
  switch (kindOf(dtype)) {
  case Kind::Bool:
    code = KERN_DL_BOOL;
    break;
  case Kind::Integer:
    code = isSigned(dtype) ? kDLInt : kDLUInt;
    break;
  case Kind::Float:
    code = dtype == DType::BF16 ? kDLBfloat : kDLFloat;
    break;
  case Kind::Complex:
    code = kDLComplex;
    break;
  }
  return {code, uint8_t(itemSize(dtype) * 8), 1};
}

std::optional<DType> kern::runtime::fromDL(DLDataType type) {
  for (unsigned i = 0; i < dtypeCount; ++i) {
    DLDataType candidate = toDL(DType(i));
    if (type.code == candidate.code && type.bits == candidate.bits &&
        type.lanes == 1)
      return DType(i);
  }
  return std::nullopt;
}

std::string kern::runtime::text(DLDataType type) {
  static constexpr std::string_view codes[] = {
      "int", "uint", "float", "opaque", "bfloat", "complex", "bool"};
  std::string out(type.code < std::size(codes) ? codes[type.code] : "type");
  out += std::to_string(type.bits);
  if (type.lanes != 1)
    out += "x" + std::to_string(type.lanes);
  return out;
}

Expected<StridedView> kern::runtime::viewOf(const DLTensor *tensor,
                                            std::string_view what) {
  if (!tensor)
    return Error(ErrorCode::array_missing, {what});
  if (tensor->ndim < 0 || tensor->ndim > maxDimensions)
    return Error(ErrorCode::array_rank, {what, tensor->ndim, maxDimensions});
  if (tensor->ndim > 0 && !tensor->shape)
    return Error(ErrorCode::array_without_shape, {what});
  std::optional<DType> dtype = fromDL(tensor->dtype);
  if (!dtype)
    return Error(ErrorCode::array_type, {what, text(tensor->dtype)});
  switch (int(rawValue(tensor->device.device_type))) {
  case kDLCPU:
  case kDLCUDA:
  case kDLCUDAHost:
  case kDLCUDAManaged:
    break;
  default:
    return Error(ErrorCode::array_device,
                 {what, int(rawValue(tensor->device.device_type))});
  }

  StridedView view;
  view.dtype = *dtype;
  view.device = tensor->device;
  if (tensor->device.device_type == kDLCUDAManaged)
    view.device.device_type = kDLCUDA;
  if (tensor->device.device_type == kDLCUDAHost)
    view.device = hostDevice();
  view.shape.assign(tensor->shape, tensor->shape + tensor->ndim);
  for (int64_t extent : view.shape)
    if (extent < 0)
      return Error(ErrorCode::array_extent_negative, {what, text(view.shape)});
  int64_t size = int64_t(itemSize(*dtype));
  if (!bytesOf(view.shape, *dtype))
    return Error(ErrorCode::array_too_large, {what, text(view.shape)});
  const int64_t count = view.count();
  if (!tensor->strides || count == 0) {
    view.strides = contiguousStrides(view.shape, size_t(size));
  } else {
    int64_t span = 0;
    view.strides.resize(view.rank());
    for (size_t i = 0; i < view.rank(); ++i) {
      int64_t reach = 0;
      bool overflows =
          __builtin_mul_overflow(tensor->strides[i], size, &view.strides[i]);
      if (view.shape[i] == 1) {
        view.strides[i] = 0; // extent 1: the stride is never used
        continue;
      }
      if (overflows || view.strides[i] == INT64_MIN ||
          __builtin_mul_overflow(std::abs(view.strides[i]), view.shape[i] - 1,
                                 &reach) ||
          __builtin_add_overflow(span, reach, &span))
        return Error(ErrorCode::array_strides_too_large, {what});
    }
  }
  if (!tensor->data && count > 0)
    return Error(ErrorCode::array_without_data, {what});
  view.data = static_cast<std::byte *>(tensor->data);
  if (view.data)
    view.data += tensor->byte_offset;
  return view;
}
