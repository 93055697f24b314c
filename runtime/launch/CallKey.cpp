//===- CallKey.cpp - what the plan of a call depends on -------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/launch/CallKey.h"
#include "runtime/array/IntegerRange.h"
#include "runtime/array/StridedView.h"
#include "runtime/error/LastError.h"
#include "runtime/launch/DefaultDevice.h"

#include <bit>
#include <cstring>

#define XXH_INLINE_ALL
#include <xxhash.h>

using namespace kern::runtime;

uint8_t kern::runtime::weakIntegerClass(int64_t value) {
  // Integer types hold values with up to 7, 8, 15, … significant bits.
  uint64_t significant = uint64_t(value < 0 ? ~value : value);
  unsigned bits = unsigned(std::bit_width(significant));
  static constexpr uint8_t limits[] = {7, 8, 15, 16, 31, 32, 63};
  uint8_t step = 0;
  while (limits[step] < bits)
    ++step;
  return uint8_t(step << 1 | unsigned(value < 0));
}

bool CallKey::appendTensor(const DLTensor *tensor) {
  if (!tensor || tensor->ndim < 0 || tensor->ndim > maxDimensions ||
      (tensor->ndim > 0 && !tensor->shape) || tensor->device.device_id < 0 ||
      tensor->device.device_id > 0xfff)
    return false;
  DLDataType type = tensor->dtype;
  bool isOnHost = isHost(tensor->device);
  uint64_t address =
      uint64_t(reinterpret_cast<uintptr_t>(tensor->data)) + tensor->byte_offset;
  uint64_t low = address & (isOnHost ? hostAddressMask : deviceAddressMask);
  size_t rank = size_t(tensor->ndim);
  size_t wanted = 2 + rank * (tensor->strides ? 2 : 1);
  if (row.size() - length < wanted)
    return false;
  uint64_t *at = row.data() + length;
  length += wanted;
  *at++ = uint64_t(type.code) | uint64_t(type.bits) << 8 |
          uint64_t(type.lanes) << 16 |
          uint64_t(uint8_t(rawValue(tensor->device.device_type))) << 32 |
          uint64_t(tensor->device.device_id) << 40 | uint64_t(rank) << 52 |
          uint64_t(tensor->strides != nullptr) << 59;
  *at++ = low | uint64_t(tensor->data == nullptr) << 8;
  if (rank == 0)
    return true; // the shape may be NULL
  std::memcpy(at, tensor->shape, rank * sizeof(int64_t));
  if (tensor->strides)
    std::memcpy(at + rank, tensor->strides, rank * sizeof(int64_t));
  return true;
}

bool CallKey::appendValue(const kern_value &value, bool isDim) {
  // Bit 63 is clear for tensors.
  constexpr uint64_t isNumber = uint64_t(1) << 63;
  unsigned kind = rawValue(value.kind);
  if (kind == KERN_VALUE_ARRAY)
    return !isDim && appendTensor(value.as.array);
  uint64_t word = isNumber | kind;
  if (kind == KERN_VALUE_RANGE) {
    const kern_range *range = value.as.range;
    const std::optional<int64_t> length =
        range && range->step && !isDim
            ? rangeLength(range->start, range->stop, range->step)
            : std::nullopt;
    return length && append(word) && append(uint64_t(*length)) &&
           append(uint64_t(range->step));
  }
  if (kind == KERN_VALUE_SCALAR)
    word |= uint64_t(rawValue(value.dtype)) << 8;
  else if (kind == KERN_VALUE_WEAK_INT)
    word |= uint64_t(weakIntegerClass(value.as.integer)) << 8;
  if (!append(word))
    return false;
  if (!isDim)
    return true;
  // A dimension's value decides shapes. A narrow type uses only its own bytes.
  uint64_t bits = 0;
  size_t size = sizeof bits;
  if (kind == KERN_VALUE_SCALAR) {
    if (rawValue(value.dtype) >= dtypeCount)
      return false;
    size = std::min(size, itemSize(DType(value.dtype)));
  }
  std::memcpy(&bits, value.as.bits, size);
  return append(bits);
}

bool CallKey::appendAxes(const kern_axes &axes) {
  constexpr uint64_t all = ~uint64_t(0);
  if (!axes.axes)
    return append(all);
  bool fits = append(axes.count);
  for (size_t i = 0; i < axes.count && fits; ++i)
    fits = append(uint64_t(axes.axes[i]));
  return fits;
}

/// The device that host arrays of this thread's calls go to.
static uint64_t scopeWord() {
  const std::optional<DLDevice> scoped = scopedDevice();
  return scoped ? uint64_t(uint8_t(rawValue(scoped->device_type))) << 8 |
                      uint64_t(uint16_t(scoped->device_id)) << 16
                : 0;
}

bool CallKey::appendOptions(const FunctionInfo &function,
                            const kern_call_request *options) {
  if (!options)
    return append(scopeWord());
  const kern_call_request &o = *options;
  uint64_t word = scopeWord();
  if (o.call.has_device)
    word = 1 | uint64_t(uint8_t(rawValue(o.call.device.device_type))) << 8 |
           uint64_t(uint16_t(o.call.device.device_id)) << 16;
  if (o.call.has_device && (o.call.device.device_id < KERN_AUTO ||
                            o.call.device.device_id >= 0xffff + KERN_AUTO ||
                            rawValue(o.call.device.device_type) > 0xff))
    return false;
  // Most calls set none of these options.
  unsigned order = rawValue(o.order), casting = rawValue(o.casting),
           dtype = o.has_dtype ? rawValue(o.dtype) : 0;
  if (o.explanation || order > 0xff || casting > 0xff || dtype > 0xff)
    return false;
  word |= uint64_t(order) << 32 | uint64_t(casting) << 40 |
          uint64_t(dtype) << 48 | uint64_t(o.has_dtype != 0) << 1 |
          uint64_t(o.keepdims != 0) << 2 | uint64_t(o.axis != nullptr) << 3 |
          uint64_t(o.axes != nullptr) << 4 |
          uint64_t(o.signature != nullptr) << 5 |
          uint64_t(o.where != nullptr) << 6 | uint64_t(o.shape != nullptr) << 7;
  if (!append(word) || (o.axis && !appendAxes(*o.axis)) ||
      (o.axes && !append(o.axes_count)))
    return false;
  for (size_t i = 0; o.axes && i < o.axes_count; ++i)
    if (!appendAxes(o.axes[i]))
      return false;
  size_t operands = function.parameters.size() + function.results.size();
  for (size_t i = 0; o.signature && i < operands; ++i)
    if (!append(uint64_t(uint32_t(o.signature[i]))))
      return false;
  if (o.where && !appendTensor(o.where))
    return false;
  if (!o.shape)
    return true;
  bool fits = o.shape_ndim >= 0 && append(uint64_t(o.shape_ndim));
  for (int i = 0; i < o.shape_ndim && fits; ++i)
    fits = append(uint64_t(o.shape[i]));
  return fits;
}

bool CallKey::build(const FunctionInfo &function,
                    std::span<const kern_value> inputs,
                    const DLTensor *const *outputs,
                    const kern_call_request *options, uint64_t platform,
                    unsigned threads) {
  constexpr uint64_t noOutput = ~uint64_t(0);
  length = 0;
  if (inputs.size() != function.parameters.size() || !append(platform) ||
      !append(threads) || !appendOptions(function, options))
    return false;
  for (size_t i = 0; i < inputs.size(); ++i)
    if (!appendValue(inputs[i], function.parameters[i].isDim))
      return false;
  for (size_t i = 0; i < function.results.size(); ++i) {
    const DLTensor *output = outputs ? outputs[i] : nullptr;
    if (!(output ? appendTensor(output) : append(noOutput)))
      return false;
  }
  return true;
}

uint64_t CallKey::hash() const {
  return XXH3_64bits(row.data(), length * sizeof row[0]);
}
