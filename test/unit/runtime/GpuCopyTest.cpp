//===- GpuCopyTest.cpp - generated copy kernels ---------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the driver's double cannot show: that the generated copy kernels
// compute. Skipped without a GPU.
//
//===----------------------------------------------------------------------===//
#include "RealGpu.h"
#include "runtime/device/cuda/Memory.h"
#include "runtime/transfer/Copy.h"
#include "runtime/transfer/HostCopy.h"

#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

using namespace kern::runtime;
using namespace kern::test;

namespace {
class GpuCopy : public RealGpu {
protected:
  StridedView onDevice(DType dtype, Extents shape, Extents strides,
                       size_t bytes, Buffer &owner) {
    auto memory = cuda::allocateOrdered(context, bytes, nullptr);
    EXPECT_TRUE(memory);
    owner = *memory;
    return {dtype, owner.data(), context->device(), std::move(shape),
            std::move(strides)};
  }
};

/// Values around every limit of every type, and random bits.
std::vector<double> specialNumbers() {
  std::vector<double> out = {0.0,
                             -0.0,
                             0.5,
                             -0.5,
                             1,
                             -1,
                             1.5,
                             2.5,
                             1e-30,
                             1e-45,
                             65504,
                             65519.99,
                             65520,
                             1e300,
                             -1e300,
                             std::numeric_limits<double>::infinity(),
                             -std::numeric_limits<double>::infinity(),
                             std::numeric_limits<double>::quiet_NaN()};
  for (int bits : {7, 8, 15, 16, 31, 32, 63, 64})
    for (double delta : {-1.0, -0.5, 0.0, 0.5, 1.0})
      for (double sign : {1.0, -1.0})
        out.push_back(sign * (std::ldexp(1, bits) + delta));
  std::mt19937_64 random(6);
  for (int i = 0; i < 2000; ++i) {
    out.push_back(std::bit_cast<double>(random()));
    out.push_back(double(std::bit_cast<float>(uint32_t(random()))));
    out.push_back(std::ldexp(double(random() >> 11), int(random() % 40) - 70));
  }
  return out;
}

bool isNaN(const Value &value, DType type) {
  Value wide = convertValue(value, type, DType::F64);
  double number;
  std::memcpy(&number, wide.data(), sizeof number);
  return isFloat(type) && std::isnan(number);
}
} // namespace

// Bit for bit what the host's conversion gives (NaN's payload aside).
TEST_F(GpuCopy, ConvertsAsTheHost) {
  std::vector<double> numbers = specialNumbers();
  int64_t n = int64_t(numbers.size());
  StridedView wide = {DType::F64,
                      reinterpret_cast<std::byte *>(numbers.data()),
                      hostDevice(),
                      {n},
                      {8}};
  for (unsigned f = 0; f < dtypeCount; ++f)
    for (unsigned t = 0; t < dtypeCount; ++t) {
      DType from = DType(f), to = DType(t);
      if (isComplex(from) && !isComplex(to))
        continue;
      int64_t sizeFrom = int64_t(itemSize(from)),
              sizeTo = int64_t(itemSize(to));
      std::vector<std::byte> source(size_t(n * sizeFrom)),
          expected(size_t(n * sizeTo)), got(expected.size());
      StridedView host = {from, source.data(), hostDevice(), {n}, {sizeFrom}};
      copyOnHost(host, wide);
      StridedView want = {to, expected.data(), hostDevice(), {n}, {sizeTo}};
      copyOnHost(want, host);
      Buffer ownerA, ownerB;
      StridedView a = onDevice(from, {n}, {sizeFrom}, source.size(), ownerA);
      StridedView b = onDevice(to, {n}, {sizeTo}, expected.size(), ownerB);
      StridedView back = want;
      back.data = got.data();
      ASSERT_TRUE(copyWithDevice(context, nullptr, a, host));
      Status status = copyWithDevice(context, nullptr, b, a);
      ASSERT_TRUE(status) << status.error().message;
      status = copyWithDevice(context, nullptr, back, b);
      ASSERT_TRUE(status) << status.error().message;
      int wrong = 0;
      for (int64_t i = 0; i < n; ++i) {
        Value x = {}, y = {};
        std::memcpy(x.data(), &expected[size_t(i * sizeTo)], size_t(sizeTo));
        std::memcpy(y.data(), &got[size_t(i * sizeTo)], size_t(sizeTo));
        DType part = to == DType::C64    ? DType::F32
                     : to == DType::C128 ? DType::F64
                                         : to;
        if (x != y && !(isNaN(x, part) && isNaN(y, part)) && ++wrong < 4)
          ADD_FAILURE() << name(from) << " to " << name(to) << " of "
                        << numbers[size_t(i)];
      }
      EXPECT_EQ(wrong, 0) << name(from) << " to " << name(to);
    }
}

TEST_F(GpuCopy, StridedCopies) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    Extents shape(1 + random() % 8);
    for (int64_t &extent : shape)
      extent = 1 + int64_t(random() % 5);
    std::vector<unsigned> axes(shape.size());
    std::iota(axes.begin(), axes.end(), 0u);
    auto anyStrides = [&](size_t size) {
      std::shuffle(axes.begin(), axes.end(), random);
      Extents strides = packedStrides(shape, axes, size * (1 + random() % 3));
      return strides;
    };
    static constexpr DType types[] = {DType::U8, DType::I16, DType::F32,
                                      DType::F64, DType::C128};
    DType type = types[random() % 5];
    size_t size = itemSize(type);
    Extents sa = anyStrides(size), sb = anyStrides(size);
    auto bytesOf = [&](const Extents &strides) {
      size_t bytes = size;
      for (size_t d = 0; d < shape.size(); ++d)
        bytes += size_t((shape[d] - 1) * strides[d]);
      return bytes;
    };
    std::vector<std::byte> source(bytesOf(sa)), target(bytesOf(sb)),
        back(bytesOf(sa));
    for (std::byte &b : source)
      b = std::byte(random());
    Buffer ownerA, ownerB;
    StridedView a = onDevice(type, shape, sa, source.size(), ownerA);
    StridedView b = onDevice(type, shape, sb, target.size(), ownerB);
    StridedView hostA = {type, source.data(), hostDevice(), shape, sa};
    StridedView hostB = {type, back.data(), hostDevice(), shape, sa};
    ASSERT_TRUE(copyWithDevice(context, nullptr, a, hostA));
    ASSERT_TRUE(copyWithDevice(context, nullptr, b, a));
    ASSERT_TRUE(copyWithDevice(context, nullptr, hostB, b));
    auto x = copyOnHost(hostA), y = copyOnHost(hostB);
    ASSERT_TRUE(x && y);
    ASSERT_EQ(std::memcmp((*x)->dl_tensor.data, (*y)->dl_tensor.data,
                          size_t(hostA.count()) * size),
              0);
  }
}
