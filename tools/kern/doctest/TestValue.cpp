//===- TestValue.cpp - what an expression of a test gives -----------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/kern/doctest/TestValue.h"

#include "runtime/array/DType.h"
#include "tools/kern/ArrayText.h"

#include <algorithm>
#include <cstring>

namespace kern::cli {
namespace {

std::shared_ptr<DLManagedTensor> share(DLManagedTensor *array) {
  return {array, [](DLManagedTensor *dead) {
            if (dead && dead->deleter)
              dead->deleter(dead);
          }};
}

/// The type of a number in an array.
kern_dtype elementType(const kern_value &value) {
  switch (value.kind) {
  case KERN_VALUE_WEAK_INT:
    return KERN_I64;
  case KERN_VALUE_WEAK_FLOAT:
    return KERN_F64;
  case KERN_VALUE_WEAK_COMPLEX:
    return KERN_C128;
  default:
    return value.dtype;
  }
}

/// Writes a number as an element of `type`, which is its own or, for bool and
/// plain numbers, one of i64, f64 and c128 that holds it.
void store(const kern_value &value, kern_dtype type, std::byte *place) {
  if (elementType(value) == type && value.kind != KERN_VALUE_SCALAR) {
    const size_t size = itemSize(DType(type));
    std::memcpy(place, value.as.bits, size);
    return;
  }
  if (value.kind == KERN_VALUE_SCALAR && value.dtype == type) {
    std::memcpy(place, value.as.bits, itemSize(DType(type)));
    return;
  }
  double parts[2] = {0, 0};
  int64_t integer = 0;
  if (value.kind == KERN_VALUE_SCALAR)
    integer = value.as.bits[0];
  else if (value.kind == KERN_VALUE_WEAK_INT)
    integer = value.as.integer;
  parts[0] =
      value.kind == KERN_VALUE_WEAK_FLOAT ? value.as.real : double(integer);
  if (type == KERN_I64)
    std::memcpy(place, &integer, sizeof integer);
  else
    std::memcpy(place, parts, itemSize(DType(type)));
}

bool isPlain(const kern_value &value) {
  return value.kind != KERN_VALUE_SCALAR || value.dtype == KERN_BOOL;
}

Error tooWide(const TestValue &value) {
  return {KERN_ERROR_ARGUMENT, value.wide + " does not fit into i64"};
}

Expected<std::shared_ptr<DLManagedTensor>>
newArray(kern_dtype type, const std::vector<int64_t> &shape) {
  DLManagedTensor *array = nullptr;
  const kern_status status = kern_array_new(type, int(shape.size()),
                                            shape.data(), {kDLCPU, 0}, &array);
  if (status != KERN_OK)
    return Error{status, kern_last_error()};
  return share(array);
}

} // namespace

TestValue toTestValue(DLManagedTensor *array) {
  TestValue result;
  result.owner = share(array);
  const DLTensor &tensor = array->dl_tensor;
  kern_dtype type = KERN_BOOL;
  if (tensor.ndim == 0 && kern_dtype_from_dl(tensor.dtype, &type) == KERN_OK) {
    result.value.kind = KERN_VALUE_SCALAR;
    result.value.dtype = type;
    std::memcpy(result.value.as.bits,
                static_cast<const std::byte *>(tensor.data) +
                    tensor.byte_offset,
                itemSize(DType(type)));
    result.owner = nullptr;
    return result;
  }
  result.value.kind = KERN_VALUE_ARRAY;
  result.value.as.array = &tensor;
  return result;
}

Expected<TestValue> makeArray(const std::vector<int64_t> &shape,
                              const std::vector<TestValue> &leaves) {
  kern_dtype type = leaves.empty() ? KERN_F64 : elementType(leaves[0].value);
  for (const TestValue &leaf : leaves) {
    if (leaf.isTuple || leaf.isArray())
      return Error{KERN_ERROR_ARGUMENT, "a list holds numbers and lists"};
    if (leaf.isWide())
      return tooWide(leaf);
    const kern_dtype other = elementType(leaf.value);
    const bool bothPlain = isPlain(leaves[0].value) && isPlain(leaf.value);
    if (other != type && !bothPlain)
      return Error{KERN_ERROR_ARGUMENT,
                   "the numbers of a list have one type: put it around the "
                   "list, as in f32([1, 2])"};
    // bool < i64 < f64 < c128, in the order of kern_dtype.
    type = std::max(type, other);
  }
  auto array = newArray(type, shape);
  if (!array)
    return array.error();
  auto *place = static_cast<std::byte *>((*array)->dl_tensor.data);
  for (const TestValue &leaf : leaves) {
    store(leaf.value, type, place);
    place += itemSize(DType(type));
  }
  TestValue result;
  result.owner = *array;
  result.value.kind = KERN_VALUE_ARRAY;
  result.value.as.array = &(*array)->dl_tensor;
  return result;
}

Expected<std::shared_ptr<DLManagedTensor>> toArray(const TestValue &value) {
  if (value.isArray())
    return value.owner;
  if (value.isWide())
    return tooWide(value);
  auto array = newArray(elementType(value.value), {});
  if (array)
    store(value.value, elementType(value.value),
          static_cast<std::byte *>((*array)->dl_tensor.data));
  return array;
}

std::string valueText(const TestValue &value) {
  if (value.isTuple) {
    std::string all;
    for (const TestValue &part : value.tuple)
      all += (all.empty() ? "" : ", ") + valueText(part);
    return "(" + all + ")";
  }
  if (value.isWide())
    return value.wide;
  Expected<std::shared_ptr<DLManagedTensor>> array = toArray(value);
  if (!array)
    return array.error().message;
  Expected<std::string> shown = arrayText((*array)->dl_tensor);
  return shown ? *shown : shown.error().message;
}

} // namespace kern::cli
