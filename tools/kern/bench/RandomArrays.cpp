//===- RandomArrays.cpp - arrays to measure with --------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/kern/bench/RandomArrays.h"

#include "runtime/array/Float16.h"
#include "runtime/error/Counted.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <random>

namespace kern::cli {

using runtime::DType;
using runtime::Error;
using runtime::Expected;

static Error refused(std::string message) {
  return {KERN_ERROR_ARGUMENT, std::move(message)};
}

Expected<std::vector<int64_t>> parseShape(std::string_view text) {
  std::vector<int64_t> shape;
  int64_t product = 1;
  const char *at = text.data(), *end = text.data() + text.size();
  while (true) {
    int64_t extent = 0;
    auto [next, error] = std::from_chars(at, end, extent);
    if (error != std::errc() || extent < 1 ||
        extent > (int64_t(1) << 62) / product)
      return refused("'" + std::string(text) +
                     "' is not a shape: write extents such as 1024,1024");
    shape.push_back(extent);
    product *= extent;
    if (next == end)
      return shape;
    if (*next != ',' && *next != 'x')
      return refused("'" + std::string(text) +
                     "' is not a shape: write extents such as 1024,1024");
    at = next + 1;
  }
}

bool looksLikeArray(std::string_view text) {
  return text.ends_with(']') && text.find('[') != std::string_view::npos;
}

Expected<ArrayShape> parseArray(std::string_view text) {
  const size_t open = text.find('[');
  const std::string_view type = text.substr(0, open);
  std::optional<DType> dtype = runtime::parseDType(type);
  if (!dtype)
    return refused("'" + std::string(text) + "': there is no type '" +
                   std::string(type) + "'; an array is f32[1024,1024]");
  Expected<std::vector<int64_t>> shape =
      parseShape(text.substr(open + 1, text.size() - open - 2));
  if (!shape)
    return shape.error();
  return ArrayShape{*dtype, std::move(*shape)};
}

/// Entry `index` of a list with one entry for all or one for each.
template <typename T>
static const T &entry(const std::vector<T> &list, size_t index) {
  return list.size() == 1 ? list[0] : list[index];
}

Expected<std::vector<ArrayShape>>
arraysFor(const runtime::FunctionInfo &function,
          const std::vector<std::vector<int64_t>> &shapes,
          const std::vector<DType> &types) {
  const size_t count = function.parameters.size();
  for (const runtime::OperandInfo &parameter : function.parameters)
    if (parameter.isDim)
      return refused("'" + parameter.name +
                     "' is a number for the whole "
                     "call: give the inputs one by one after the function");
  auto fits = [&](size_t size) { return size == 1 || size == count; };
  const std::string needed = "'" + function.name + "' has " +
                             runtime::counted(count, "input") + ": give one ";
  if (!fits(shapes.size()))
    return refused(needed + "--shape, or one for each");
  if (!types.empty() && !fits(types.size()))
    return refused(needed + "--dtype, or one for each");
  std::vector<ArrayShape> arrays;
  for (size_t i = 0; i < count; ++i) {
    DType dtype = DType::F32;
    if (!types.empty())
      dtype = entry(types, i);
    else if (!function.loops.empty())
      dtype = function.loops[0].inputs[i].carrier();
    arrays.push_back({dtype, entry(shapes, i)});
  }
  return arrays;
}

/// One element of a type from a number in [0, 1).
static void store(unsigned char *to, DType dtype, double random) {
  auto put = [&](auto value, size_t part = 0) {
    std::memcpy(to + part * sizeof value, &value, sizeof value);
  };
  const double real = random + 0.25;
  const auto integer = unsigned(random * 100);
  switch (dtype) {
  case DType::Bool:
    return put(uint8_t(integer & 1));
  case DType::I8:
  case DType::U8:
    return put(uint8_t(integer));
  case DType::I16:
  case DType::U16:
    return put(uint16_t(integer));
  case DType::I32:
  case DType::U32:
    return put(uint32_t(integer));
  case DType::I64:
  case DType::U64:
    return put(uint64_t(integer));
  case DType::F16:
    return put(runtime::toHalf(real));
  case DType::BF16:
    return put(runtime::toBFloat(real));
  case DType::F32:
    return put(float(real));
  case DType::F64:
    return put(real);
  case DType::C64:
    put(float(real));
    return put(float(1.5 - real), 1);
  case DType::C128:
    put(real);
    return put(1.5 - real, 1);
  }
}

Expected<Array> randomArray(const ArrayShape &array, kern_device device) {
  DLManagedTensor *made = nullptr;
  if (kern_status status =
          kern_array_new(kern_dtype(array.dtype), int(array.shape.size()),
                         array.shape.data(), {kDLCPU, 0}, &made);
      status != KERN_OK)
    return Error{status, kern_last_error()};
  Array host(made);
  auto *data = static_cast<unsigned char *>(made->dl_tensor.data) +
               made->dl_tensor.byte_offset;
  const auto total = size_t(bytesOf(made->dl_tensor));
  const size_t size = itemSize(array.dtype);
  // A block of random elements, and the rest from it: quick, and no two
  // neighbours alike.
  const size_t block = std::min(total, (size_t(1) << 16) * size);
  std::mt19937_64 random(1);
  for (size_t at = 0; at < block; at += size)
    store(data + at, array.dtype, double(random() >> 11) * 0x1p-53);
  for (size_t at = block; at < total; at += block)
    std::memcpy(data + at, data, std::min(block, total - at));
  if (device.device_type == kDLCPU)
    return host;
  DLManagedTensor *copy = nullptr;
  if (kern_status status = kern_array_copy(&made->dl_tensor, device, &copy);
      status != KERN_OK)
    return Error{status, kern_last_error()};
  return Array(copy);
}

double bytesOf(const DLTensor &array) {
  double bytes = array.dtype.bits / 8.0;
  for (int i = 0; i < array.ndim; ++i)
    bytes *= double(array.shape[i]);
  return bytes;
}

} // namespace kern::cli
