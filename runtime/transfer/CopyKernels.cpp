//===- CopyKernels.cpp - strided copies on the device ---------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/transfer/CopyKernels.h"
#include "runtime/device/cuda/Launch.h"
#include "runtime/plan/Layout.h"
#include "runtime/transfer/CopyPtx.h"

#include <algorithm>

using namespace kern::runtime;
using namespace kern::runtime::cuda;

/// Copies without conversion need only one kernel per element size.
static DType bitsOf(DType dtype) {
  switch (itemSize(dtype)) {
  case 1:
    return DType::U8;
  case 2:
    return DType::U16;
  case 4:
    return DType::U32;
  case 8:
    return DType::U64;
  default:
    return DType::C128;
  }
}

Expected<CUfunction> CopyKernels::kernel(const CopyKind &kind) {
  std::string symbol = copySymbol(kind);
  std::lock_guard lock(mutex);
  if (auto at = kernels.find(symbol); at != kernels.end())
    return at->second.function;
  std::string ptx = copyPtxHeader() + copyPtxKernel(kind);
  Expected<ModuleHandle> module = ModuleHandle::load(context, ptx.c_str());
  if (!module)
    return module.error();
  Expected<CUfunction> function = module->function(symbol);
  if (!function)
    return function.error();
  return kernels.try_emplace(symbol, Loaded{std::move(*module), *function})
      .first->second.function;
}

/// An array's elements as bytes, along one more dimension.
static StridedView asBytes(StridedView view, size_t size, int64_t stride) {
  view.dtype = DType::U8;
  view.shape.push_back(int64_t(size));
  view.strides.push_back(stride);
  return view;
}

Status CopyKernels::copy(const StridedView &destination,
                         const StridedView &source, const StridedView *mask,
                         CUstream stream) {
  // No instruction loads an unaligned element, so copy bytes.
  size_t bytes = itemSize(source.dtype);
  if (source.dtype == destination.dtype && bytes > 1 &&
      !(source.isAligned() && destination.isAligned())) {
    std::optional<StridedView> truths;
    if (mask)
      truths = asBytes(*mask, bytes, 0);
    return copy(asBytes(destination, bytes, 1), asBytes(source, bytes, 1),
                truths ? &*truths : nullptr, stream);
  }
  const Driver &driver = context.driver();
  std::vector<Strides> strides = {destination.strides, source.strides};
  if (mask)
    strides.push_back(mask->strides);
  Layout layout = planLayout(destination.shape, strides);
  if (layout.isEmpty)
    return {};
  DType from = source.dtype, to = destination.dtype;
  if (isComplex(from) && !isComplex(to))
    return Error(ErrorCode::complex_to_real_on_gpu, {name(to)});
  std::byte *target = destination.data + layout.offsets[0];
  const std::byte *origin = source.data + layout.offsets[1];
  int64_t size = int64_t(itemSize(to));
  bool isPlain = !mask && from == to &&
                 (layout.rank() == 0 ||
                  (layout.rank() == 1 && layout.strides[0][0] == size &&
                   layout.strides[1][0] == size));
  if (isPlain)
    return context.attribute(
        check(driver,
              driver.cuMemcpyDtoDAsync(CUdeviceptr(target), CUdeviceptr(origin),
                                       size_t(layout.count() * size), stream),
              "cuMemcpyDtoDAsync"));
  if (from == to)
    from = to = bitsOf(from);

  size_t dims = std::clamp<size_t>(layout.rank(), 1, maxCopyDims);
  int64_t count = 1;
  for (size_t d = 0; d < dims && d < layout.rank(); ++d)
    count *= layout.extents[d];
  bool wide = count > INT32_MAX;
  Expected<CUfunction> function =
      kernel({from, to, unsigned(dims), wide, mask != nullptr});
  if (!function)
    return function.error();

  static constexpr unsigned block = 256;
  int64_t blocks = std::min<int64_t>((count + block - 1) / block,
                                     int64_t(context.multiprocessors()) * 32);
  size_t outer = std::min(dims, layout.rank());
  Odometer position(layout, outer, 0);
  for (int64_t i = 0, n = layout.outerCount(outer); i < n; ++i) {
    auto extentOf = [&](size_t d) {
      return d < layout.rank() ? layout.extents[d] : 1;
    };
    auto strideOf = [&](size_t operand, size_t d) {
      return d < layout.rank() ? layout.strides[operand][d] : 0;
    };
    std::vector<int64_t> words = {count};
    for (size_t d = 0; d < dims; ++d)
      words.push_back(extentOf(d));
    words.push_back(int64_t(CUdeviceptr(origin + position.offset(1))));
    for (size_t d = 0; d < dims; ++d)
      words.push_back(strideOf(1, d));
    words.push_back(int64_t(CUdeviceptr(target + position.offset(0))));
    for (size_t d = 0; d < dims; ++d)
      words.push_back(strideOf(0, d));
    if (mask) {
      words.push_back(int64_t(
          CUdeviceptr(mask->data + layout.offsets[2] + position.offset(2))));
      for (size_t d = 0; d < dims; ++d)
        words.push_back(strideOf(2, d));
    }
    if (Status status = launchWords(
            context, *function, {unsigned(blocks), block, 1}, words, stream);
        !status)
      return status;
    position.advance();
  }
  return {};
}
