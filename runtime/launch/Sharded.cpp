//===- Sharded.cpp - arrays dealt over several GPUs -----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/launch/Sharded.h"

#include "runtime/device/cuda/Memory.h"
#include "runtime/device/cuda/Platform.h"
#include "runtime/error/LastError.h"
#include "runtime/plan/Shards.h"
#include "runtime/transfer/Copy.h"

#include <algorithm>
#include <exception>
#include <system_error>
#include <thread>

using namespace kern::runtime;

Expected<Gpus> Sharded::gpusOf(std::span<const DLDevice> devices) {
  const std::shared_ptr<cuda::Platform> platform = cuda::Platform::current();
  if (devices.empty())
    return platform->all();
  Gpus out;
  for (const DLDevice &device : devices) {
    if (int(rawValue(device.device_type)) != kDLCUDA)
      return isHost(device) ? Error(ErrorCode::dealt_over_host)
                            : Error(ErrorCode::no_devices_of_type,
                                    {int(rawValue(device.device_type))});
    Expected<std::shared_ptr<cuda::Context>> gpu =
        platform->context(device.device_id);
    if (!gpu)
      return gpu.error();
    if (std::ranges::find(out, *gpu) != out.end())
      return Error(ErrorCode::dealt_twice, {text(device)});
    out.push_back(std::move(*gpu));
  }
  return out;
}

Expected<const DLTensor *>
kern::runtime::bringTo(const std::shared_ptr<cuda::Context> &gpu,
                       const DLTensor *array, std::string_view label,
                       std::vector<ManagedArray> &copies) {
  Expected<StridedView> source = viewOf(array, label);
  if (!source)
    return source.error();
  if (sameDevice(source->device, gpu->device()))
    return array;
  StridedView copy = *source;
  copy.device = gpu->device();
  copy.strides = contiguousStrides(copy.shape, itemSize(copy.dtype));
  Expected<Buffer> memory = memoryFor(copy, [&](size_t bytes) {
    return cuda::allocateOrdered(gpu, bytes, nullptr);
  });
  if (!memory)
    return memory.error();
  copy.data = memory->data();
  copies.push_back(manage(copy, std::move(*memory)));
  if (Status status = isHost(source->device)
                          ? copyWithDevice(gpu, nullptr, copy, *source)
                          : copyAnywhere(copy, *source);
      !status)
    return status.error();
  return &copies.back()->dl_tensor;
}

Sharded::Sharded(DType dtype, Extents shape, bool isReplicated,
                 std::vector<Part> parts)
    : type(dtype), extents(std::move(shape)), isWhole(isReplicated),
      all(std::move(parts)) {
  described.device = hostDevice();
  described.ndim = int(extents.size());
  described.dtype = toDL(type);
  described.shape = extents.data();
}

Expected<std::unique_ptr<Sharded>> Sharded::make(DType dtype,
                                                 const Extents &shape,
                                                 const Gpus &gpus,
                                                 bool isReplicated) {
  if (shape.empty() && !isReplicated)
    return Error(ErrorCode::nothing_to_deal);
  const Extents begins =
      isReplicated ? Extents(gpus.size() + 1, 0) : deal(shape[0], gpus.size());
  std::vector<Part> parts;
  for (size_t i = 0; i < gpus.size(); ++i) {
    StridedView view = {dtype, nullptr, gpus[i]->device(), shape, {}};
    if (!isReplicated)
      view.shape[0] = begins[i + 1] - begins[i];
    view.strides = contiguousStrides(view.shape, itemSize(dtype));
    Expected<Buffer> memory = memoryFor(
        view, [&](size_t bytes) { return cuda::allocate(gpus[i], bytes); });
    if (!memory)
      return memory.error();
    view.data = memory->data();
    parts.push_back({gpus[i], begins[i], manage(view, std::move(*memory))});
  }
  return std::make_unique<Sharded>(dtype, shape, isReplicated,
                                   std::move(parts));
}

/// Runs body(0), body(1), … at once and gives the first failure.
template <typename Body> static Status atOnce(size_t count, Body body) {
  std::vector<Status> said(count);
  std::vector<std::exception_ptr> thrown(count);
  auto run = [&](size_t i) noexcept {
    try {
      said[i] = body(i);
    } catch (...) {
      thrown[i] = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> threads;
    threads.reserve(count);
    for (size_t i = 1; i < count; ++i)
      try {
        threads.emplace_back(run, i);
      } catch (const std::system_error &) { // there are too many
        run(i);
      }
    if (count)
      run(0);
  }
  for (size_t i = 0; i < count; ++i) {
    if (thrown[i])
      std::rethrow_exception(thrown[i]);
    if (!said[i])
      return said[i];
  }
  return {};
}

Status Sharded::checkForm(const StridedView &other, bool isSource) const {
  if (other.dtype != type)
    return Error(ErrorCode::assigned_types_differ,
                 {name(isSource ? other.dtype : type),
                  name(isSource ? type : other.dtype)});
  if (other.shape != extents)
    return Error(ErrorCode::assigned_shapes_differ,
                 {text(isSource ? other.shape : extents),
                  text(isSource ? extents : other.shape)});
  return {};
}

StridedView Sharded::sliceOf(const StridedView &whole, const Part &part) const {
  StridedView out = whole;
  if (isWhole)
    return out;
  out.shape[0] = part.array->dl_tensor.shape[0];
  if (out.data)
    out.data += part.begin * whole.strides[0];
  return out;
}

/// The view of a part's array, which is well formed.
static Expected<StridedView> viewOf(const Sharded::Part &part) {
  return kern::runtime::viewOf(&part.array->dl_tensor, "the part");
}

Status Sharded::fill(const StridedView &source) {
  if (Status status = checkForm(source, /*isSource=*/true); !status)
    return status;
  return atOnce(all.size(), [&](size_t i) -> Status {
    Expected<StridedView> there = ::viewOf(all[i]);
    if (!there)
      return there.error();
    // Its readers come first.
    if (Status status = all[i].gpu->synchronize(); !status)
      return status;
    return copyAnywhere(*there, sliceOf(source, all[i]));
  });
}

Status Sharded::gather(const StridedView &destination) const {
  if (Status status = checkForm(destination, /*isSource=*/false); !status)
    return status;
  if (!isHost(destination.device)) { // its readers come first
    auto to = cuda::Platform::current()->context(destination.device.device_id);
    if (!to)
      return to.error();
    if (Status status = (*to)->synchronize(); !status)
      return status;
  }
  return atOnce(isWhole ? 1 : all.size(), [&](size_t i) -> Status {
    Expected<StridedView> there = ::viewOf(all[i]);
    if (!there)
      return there.error();
    return copyAnywhere(sliceOf(destination, all[i]), *there);
  });
}

Status Sharded::synchronize() const {
  for (const Part &part : all)
    if (Status status = part.gpu->synchronize(); !status)
      return status;
  return {};
}

Gpus Sharded::gpus() const {
  Gpus out;
  for (const Part &part : all)
    out.push_back(part.gpu);
  return out;
}

bool Sharded::isOn(const Gpus &gpus) const {
  return std::ranges::equal(all, gpus, {}, &Part::gpu);
}
