//===- ArrayTextTest.cpp - arrays print as NumPy prints them --------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/kern/values/ArrayText.h"

#include "runtime/array/Float16.h"
#include "runtime/array/StridedView.h"

#include <gtest/gtest.h>

#include <complex>
#include <cstring>

namespace kern::cli {

using namespace runtime;

namespace {

struct Print {
  DType type;
  std::vector<int64_t> shape;
  std::string_view hex; ///< the elements' bytes, in C order
  bool isRamp;          ///< elements are ramp() instead
  std::string_view text;
};
const Print prints[] = {
#include "NumpyPrints.inc"
};

std::string bytesOf(std::string_view hex) {
  std::string bytes;
  for (size_t i = 0; i < hex.size(); i += 2)
    bytes += char(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16));
  return bytes;
}

template <typename T> void append(std::string &bytes, T value) {
  bytes.append(reinterpret_cast<const char *>(&value), sizeof value);
}

/// As ramp() of make_numpy_prints.py.
std::string ramp(DType type, int64_t count) {
  std::string bytes;
  for (int64_t i = 0; i < count; ++i) {
    const int64_t value = i * 7 % 251;
    const double quarter = double(value) / 4;
    switch (type) {
    case DType::Bool:
      append(bytes, char(value % 2));
      break;
    case DType::F16:
      append(bytes, toHalf(quarter));
      break;
    case DType::F32:
      append(bytes, float(quarter));
      break;
    case DType::F64:
      append(bytes, quarter);
      break;
    case DType::C128:
      append(bytes, std::complex<double>(quarter));
      break;
    default:
      bytes.append(reinterpret_cast<const char *>(&value), itemSize(type));
    }
  }
  return bytes;
}

TEST(ArrayText, IsWhatNumpyPrints) {
  for (const Print &print : prints) {
    std::vector<int64_t> shape = print.shape;
    DLTensor tensor{};
    int64_t count = 1;
    for (int64_t extent : shape)
      count *= extent;
    std::string bytes =
        print.isRamp ? ramp(print.type, count) : bytesOf(print.hex);
    ASSERT_EQ(bytes.size(), size_t(count) * itemSize(print.type));
    tensor.data = bytes.data();
    tensor.device = {kDLCPU, 0};
    tensor.ndim = int(shape.size());
    tensor.dtype = toDL(print.type);
    tensor.shape = shape.data();
    Expected<std::string> text = arrayText(tensor);
    ASSERT_TRUE(text) << text.error().message;
    EXPECT_EQ(*text, print.text) << name(print.type) << " " << print.hex;
  }
}

TEST(ArrayText, FollowsStridesAndOffset) {
  float values[] = {9, 1, 2, 3, 4, 5, 6};
  int64_t shape[] = {3, 2}, strides[] = {1, 3};
  DLTensor tensor{};
  tensor.data = values;
  tensor.byte_offset = sizeof(float);
  tensor.device = {kDLCPU, 0};
  tensor.ndim = 2;
  tensor.dtype = toDL(DType::F32);
  tensor.shape = shape;
  tensor.strides = strides;
  Expected<std::string> text = arrayText(tensor);
  ASSERT_TRUE(text);
  // numpy.array([1, 2, 3, 4, 5, 6], "f4").reshape(2, 3).T
  EXPECT_EQ(*text, "[[1. 4.]\n [2. 5.]\n [3. 6.]]");
}

TEST(ArrayText, RefusesUnknownTypes) {
  int64_t shape[] = {1};
  char data[8] = {};
  DLTensor tensor{};
  tensor.data = data;
  tensor.device = {kDLCPU, 0};
  tensor.ndim = 1;
  tensor.dtype = {kDLInt, 4, 1};
  tensor.shape = shape;
  Expected<std::string> text = arrayText(tensor);
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().status, KERN_ERROR_TYPE);
}

} // namespace
} // namespace kern::cli
