//===- Indices.cpp - indices of methods -----------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/methods/Indices.h"
#include "runtime/device/cuda/CallOrder.h"
#include "runtime/device/cuda/Platform.h"
#include "runtime/space/CudaSpace.h"
#include "runtime/space/HostSpace.h"

#include <cstring>
#include <utility>

using namespace kern::runtime;

Status kern::runtime::onDevice(const StridedView &source, DLDevice device,
                               const kern_call_options &options,
                               const std::function<Status(Space &)> &body) {
  if (isHost(device)) {
    HostSpace space;
    return body(space);
  }
  Expected<std::shared_ptr<cuda::Context>> context =
      cuda::Platform::current()->context(device.device_id);
  if (!context)
    return context.error();
  auto *const stream = static_cast<CUstream>(options.stream);
  cuda::CallOrder order(**context, stream);
  Status status = order.begin();
  if (status && !isHost(source.device))
    status = order.use(source.data, /*isWritten=*/false);
  if (!status)
    return status;
  CudaSpace space(*context, stream);
  return body(space);
}

Expected<std::pair<StridedView, Buffer>>
kern::runtime::packed(const StridedView &view,
                      const kern_call_options &options) {
  std::pair<StridedView, Buffer> out = {view, Buffer()};
  out.first.strides = contiguousStrides(view.shape, itemSize(view.dtype));
  Status status =
      onDevice(view, view.device, options, [&](Space &space) -> Status {
        Expected<Buffer> memory = memoryFor(
            view, [&](size_t bytes) { return space.allocate(bytes); });
        if (!memory)
          return memory.error();
        out.second = std::move(*memory);
        out.first.data = out.second.data();
        return space.copy(out.first, view);
      });
  if (!status)
    return status.error();
  return out;
}

/// A view of numbers on the host.
static StridedView viewOfValues(std::vector<int64_t> &values, Extents shape) {
  StridedView out;
  out.dtype = DType::I64;
  out.data = reinterpret_cast<std::byte *>(values.data());
  out.strides = contiguousStrides(shape, sizeof(int64_t));
  out.shape = std::move(shape);
  return out;
}

Expected<IndexList> IndexList::read(const StridedView &view,
                                    std::string_view what,
                                    const kern_call_options &options) {
  if (!isInteger(view.dtype))
    return Error(ErrorCode::index_type, {what, name(view.dtype)});
  IndexList out;
  out.isUnsigned = kern::runtime::isUnsigned(view.dtype);
  out.values.resize(size_t(view.count()));
  StridedView place = viewOfValues(out.values, view.shape);
  if (Status status =
          onDevice(view, view.device, options,
                   [&](Space &space) { return space.copy(place, view); });
      !status)
    return status.error();
  return out;
}

Status IndexList::check(int64_t low, int64_t extent, size_t axis) const {
  // An unsigned index that is negative here was too large.
  const int64_t at = findOutside(
      reinterpret_cast<const std::byte *>(values.data()), sizeof(int64_t),
      int64_t(values.size()), isUnsigned ? 0 : low, extent);
  if (at < 0)
    return {};
  const int64_t one = values[size_t(at)];
  return Error(
      ErrorCode::index_out_of_bounds,
      {isUnsigned ? std::to_string(uint64_t(one)) : std::to_string(one), axis,
       extent});
}

Expected<StridedView> IndexList::besides(const StridedView &array,
                                         const kern_call_options &options) {
  StridedView here = viewOfValues(values, {int64_t(values.size())});
  if (isHost(array.device))
    return here;
  StridedView there = here;
  Status status =
      onDevice(here, array.device, options, [&](Space &space) -> Status {
        Expected<Buffer> memory =
            space.allocate(values.size() * sizeof(int64_t));
        if (!memory)
          return memory.error();
        onGpu = std::move(*memory);
        there.data = onGpu.data();
        there.device = array.device;
        return space.copy(there, here);
      });
  if (!status)
    return status.error();
  return there;
}

/// The same over one row of T.
template <typename T>
static int64_t findInRow(const std::byte *data, int64_t stride, int64_t count,
                         int64_t low, int64_t high) {
  for (int64_t i = 0; i < count; ++i) {
    T one;
    std::memcpy(&one, data + i * stride, sizeof one);
    if (std::cmp_less(one, low) || std::cmp_greater_equal(one, high))
      return i;
  }
  return -1;
}

int64_t kern::runtime::findOutside(const std::byte *data, int64_t stride,
                                   int64_t count, int64_t low, int64_t high) {
  constexpr int64_t block = 1024;
  int64_t first = 0;
  // Vectorised while all are inside: an index outside makes a difference
  // negative.
  while (stride == sizeof(int64_t) && count - first >= block) {
    uint64_t signs = 0;
    for (int64_t i = first; i < first + block; ++i) {
      uint64_t one = 0;
      std::memcpy(&one, data + i * int64_t(sizeof one), sizeof one);
      signs |= (one - uint64_t(low)) | (uint64_t(high) - 1 - one);
    }
    if (signs >> 63)
      break;
    first += block;
  }
  const int64_t at = findInRow<int64_t>(data + first * stride, stride,
                                        count - first, low, high);
  return at < 0 ? at : first + at;
}

int64_t kern::runtime::findOutside(const StridedView &indices, int64_t low,
                                   int64_t high) {
  const size_t rank = indices.rank();
  const int64_t row = rank ? indices.shape[rank - 1] : 1;
  const int64_t stride = rank ? indices.strides[rank - 1] : 0;
  auto inRow = [&](const std::byte *data) {
    switch (indices.dtype) {
    case DType::I8:
      return findInRow<int8_t>(data, stride, row, low, high);
    case DType::U8:
      return findInRow<uint8_t>(data, stride, row, low, high);
    case DType::I16:
      return findInRow<int16_t>(data, stride, row, low, high);
    case DType::U16:
      return findInRow<uint16_t>(data, stride, row, low, high);
    case DType::I32:
      return findInRow<int32_t>(data, stride, row, low, high);
    case DType::U32:
      return findInRow<uint32_t>(data, stride, row, low, high);
    case DType::U64:
      return findInRow<uint64_t>(data, stride, row, low, high);
    default:
      return findOutside(data, stride, row, low, high);
    }
  };
  const int64_t rows = row ? indices.count() / row : 0;
  for (int64_t r = 0; r < rows; ++r) {
    const std::byte *data = indices.data;
    for (int64_t rest = r, axis = int64_t(rank) - 2; axis >= 0; --axis) {
      data +=
          rest % indices.shape[size_t(axis)] * indices.strides[size_t(axis)];
      rest /= indices.shape[size_t(axis)];
    }
    if (int64_t at = inRow(data); at >= 0)
      return r * row + at;
  }
  return -1;
}
