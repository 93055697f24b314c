//===- TestValue.cpp - what an expression of a test gives -----------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/kern/doctest/TestValue.h"

#include "runtime/array/DType.h"
#include "tools/kern/values/ArrayText.h"
#include "tools/kern/values/NumberList.h"

#include <cstring>

namespace kern::cli {

using runtime::Error;
using runtime::Expected;

namespace {

std::shared_ptr<DLManagedTensor> share(DLManagedTensor *array) {
  return {array, [](DLManagedTensor *dead) {
            if (dead && dead->deleter)
              dead->deleter(dead);
          }};
}

Error tooWide(const TestValue &value) {
  return {KERN_ERROR_ARGUMENT, value.wide + " does not fit into i64"};
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
                itemSize(runtime::DType(type)));
    result.owner = nullptr;
    return result;
  }
  result.value.kind = KERN_VALUE_ARRAY;
  result.value.as.array = &tensor;
  return result;
}

Expected<TestValue> makeArray(const std::vector<int64_t> &shape,
                              const std::vector<TestValue> &leaves) {
  std::vector<kern_value> numbers;
  for (const TestValue &leaf : leaves) {
    if (leaf.isTuple || leaf.isArray())
      return Error{KERN_ERROR_ARGUMENT, "a list holds numbers and lists"};
    if (leaf.isWide())
      return tooWide(leaf);
    numbers.push_back(leaf.value);
  }
  Expected<Array> array = arrayOf(shape, numbers);
  if (!array)
    return array.error();
  TestValue result;
  result.owner = share(array->release());
  result.value.kind = KERN_VALUE_ARRAY;
  result.value.as.array = &result.owner->dl_tensor;
  return result;
}

Expected<std::shared_ptr<DLManagedTensor>> toArray(const TestValue &value) {
  if (value.isArray())
    return value.owner;
  if (value.isWide())
    return tooWide(value);
  Expected<Array> array = arrayOf({}, {&value.value, 1});
  if (!array)
    return array.error();
  return share(array->release());
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
