//===- ArrayTest.cpp - element types, views, conversions against NumPy ----===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/transfer/Array.h"
#include "NumpyTables.h"
#include "runtime/array/Convert.h"
#include "runtime/array/DType.h"
#include "runtime/array/Float16.h"
#include "runtime/array/StridedView.h"
#include "runtime/transfer/HostCopy.h"

#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <new>
#include <thread>

using namespace kern::runtime;
using namespace kern::numpy;

namespace {
std::string pairName(DType a, DType b) {
  return std::string(name(a)) + " to " + std::string(name(b));
}
Value valueOf(const std::string &bytes) {
  Value value = {};
  std::memcpy(value.data(), bytes.data(), bytes.size());
  return value;
}
template <typename To, typename From>
To convertOne(From from, DType source, DType target) {
  Value value = {};
  std::memcpy(value.data(), &from, sizeof from);
  Value result = convertValue(value, source, target);
  To out;
  std::memcpy(&out, result.data(), sizeof out);
  return out;
}
} // namespace

TEST(DType, CastsAsNumpy) {
  for (const CastRow &row : SafeCasts)
    EXPECT_EQ(canCastSafely(row.from, row.to), row.can)
        << pairName(row.from, row.to);
  for (const CastRow &row : SameKindCasts)
    EXPECT_EQ(canCastSameKind(row.from, row.to), row.can)
        << pairName(row.from, row.to);
}

TEST(DType, PromotesAsNumpy) {
  for (const PromotionRow &row : Promotions)
    EXPECT_EQ(resultType(DTypeSet::of(row.a) | DTypeSet::of(row.b) |
                         DTypeSet::of(row.c)),
              row.result)
        << name(row.a) << ' ' << name(row.b) << ' ' << name(row.c);
}

// docs/reference/language.md: bf16 stands where f16 stands, and f16 + bf16 is
// f32.
TEST(DType, BrainFloatStandsWhereHalfStands) {
  for (unsigned i = 0; i < dtypeCount; ++i) {
    DType t = DType(i);
    if (t == DType::F16 || t == DType::BF16)
      continue;
    EXPECT_EQ(canCastSafely(t, DType::BF16), canCastSafely(t, DType::F16));
    EXPECT_EQ(canCastSafely(DType::BF16, t), canCastSafely(DType::F16, t));
    EXPECT_EQ(canCastSameKind(t, DType::BF16), canCastSameKind(t, DType::F16));
  }
  EXPECT_FALSE(canCastSafely(DType::F16, DType::BF16));
  EXPECT_FALSE(canCastSafely(DType::BF16, DType::F16));
  EXPECT_EQ(resultType(DType::F16, DType::BF16), DType::F32);
  EXPECT_EQ(resultType(DType::I8, DType::BF16), DType::BF16);
  EXPECT_EQ(resultType(DType::I16, DType::BF16), DType::F32);
}

TEST(DType, NamesReadBack) {
  for (unsigned i = 0; i < dtypeCount; ++i)
    EXPECT_EQ(parseDType(name(DType(i))), DType(i));
  EXPECT_EQ(parseDType("float32"), DType::F32);
  EXPECT_EQ(parseDType("bfloat16"), DType::BF16);
  EXPECT_EQ(parseDType("complex128"), DType::C128);
  EXPECT_EQ(parseDType("f80"), std::nullopt);
  EXPECT_EQ(name(ArgType::weak(Weakness::Int)), "int");
}

TEST(Convert, AsNumpyWithinRange) {
  for (const ConversionRow &row : Conversions) {
    Value result = convertValue(valueOf(row.source), row.from, row.to);
    EXPECT_EQ(std::memcmp(result.data(), row.result.data(), row.result.size()),
              0)
        << pairName(row.from, row.to);
  }
}

// docs/reference/language.md: truncates, saturates at the bounds, NaN gives 0.
TEST(Convert, FloatToIntegerSaturates) {
  double nan = std::numeric_limits<double>::quiet_NaN();
  double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(convertOne<int8_t>(-1e9, DType::F64, DType::I8), -128);
  EXPECT_EQ(convertOne<int8_t>(127.9, DType::F64, DType::I8), 127);
  EXPECT_EQ(convertOne<uint8_t>(-0.5, DType::F64, DType::U8), 0);
  EXPECT_EQ(convertOne<uint8_t>(-7.0, DType::F64, DType::U8), 0);
  EXPECT_EQ(convertOne<uint8_t>(256.0, DType::F64, DType::U8), 255);
  EXPECT_EQ(convertOne<int64_t>(infinity, DType::F64, DType::I64), INT64_MAX);
  EXPECT_EQ(convertOne<int64_t>(9223372036854775808.0, DType::F64, DType::I64),
            INT64_MAX);
  EXPECT_EQ(convertOne<int64_t>(-infinity, DType::F64, DType::I64), INT64_MIN);
  EXPECT_EQ(convertOne<uint64_t>(2e19, DType::F64, DType::U64), UINT64_MAX);
  EXPECT_EQ(convertOne<int32_t>(nan, DType::F64, DType::I32), 0);
  EXPECT_EQ(convertOne<uint64_t>(float(nan), DType::F32, DType::U64), 0u);
  EXPECT_EQ(convertOne<int32_t>(2147483648.0f, DType::F32, DType::I32),
            INT32_MAX);
  EXPECT_EQ(convertOne<uint8_t>(nan, DType::F64, DType::Bool), 1);
}

// Every 16-bit pattern survives the conversion to f32 and f64 and back.
TEST(Convert, SixteenBitFloatsReadBack) {
  for (unsigned bits = 0; bits < 65536; ++bits) {
    Half half = {uint16_t(bits)};
    BFloat brain = {uint16_t(bits)};
    bool halfNaN = (bits & 0x7fff) > 0x7c00,
         brainNaN = (bits & 0x7fff) > 0x7f80;
    if (!halfNaN) {
      EXPECT_EQ(toHalf(toFloat(half)).bits, bits);
      EXPECT_EQ(toHalf(double(toFloat(half))).bits, bits);
      // The format's definition: sign, exponent biased by 15, 10 bits.
      int exponent = bits >> 10 & 31, fraction = bits & 1023;
      double magnitude = exponent == 31
                             ? std::numeric_limits<double>::infinity()
                         : exponent ? std::ldexp(1024 + fraction, exponent - 25)
                                    : std::ldexp(fraction, -24);
      EXPECT_EQ(double(toFloat(half)), bits >> 15 ? -magnitude : magnitude);
    } else {
      EXPECT_TRUE(std::isnan(toFloat(half)));
      EXPECT_TRUE(std::isnan(toFloat(toHalf(toFloat(half)))));
    }
    if (!brainNaN)
      EXPECT_EQ(toBFloat(toFloat(brain)).bits, bits);
    else
      EXPECT_TRUE(std::isnan(toFloat(toBFloat(toFloat(brain)))));
  }
}

// A value just above a tie: rounding twice would give the even neighbour.
TEST(Convert, DoubleRoundsOnce) {
  double aboveTie = 1 + std::ldexp(1, -8) + std::ldexp(1, -40);
  EXPECT_EQ(toBFloat(aboveTie).bits, 0x3f81);
  EXPECT_EQ(toBFloat(1 + std::ldexp(1, -8)).bits, 0x3f80);
  double belowTie = 1 + 3 * std::ldexp(1, -8) - std::ldexp(1, -40);
  EXPECT_EQ(toBFloat(belowTie).bits, 0x3f81);
  EXPECT_EQ(toHalf(1 + std::ldexp(1, -11) + std::ldexp(1, -40)).bits, 0x3c01);
  EXPECT_EQ(toBFloat(-std::ldexp(1, -1060)).bits, 0x8000);
  EXPECT_EQ(toHalf(1e300).bits, 0x7c00);
}

TEST(StridedView, ChecksTensors) {
  float data[6] = {};
  int64_t shape[2] = {2, 3}, strides[2] = {1, 2};
  DLTensor tensor = {data,  {kDLCPU, 0}, 2, {kDLFloat, 32, 1},
                     shape, strides,     0};
  auto view = viewOf(&tensor, "x");
  ASSERT_TRUE(view);
  EXPECT_EQ(view->strides, (Extents{4, 8}));
  EXPECT_TRUE(isFContiguous(*view));
  EXPECT_FALSE(isCContiguous(*view));
  tensor.strides = nullptr;
  tensor.byte_offset = 4;
  view = viewOf(&tensor, "x");
  ASSERT_TRUE(view);
  EXPECT_EQ(view->strides, (Extents{12, 4}));
  EXPECT_EQ(view->data, reinterpret_cast<std::byte *>(data + 1));

  auto refused = [&](DLTensor changed, kern_status status, const char *what) {
    auto result = viewOf(&changed, "x");
    ASSERT_FALSE(result) << what;
    EXPECT_EQ(result.error().status, status) << what;
    EXPECT_NE(result.error().message.find(what), std::string::npos)
        << result.error().message;
  };
  DLTensor bad = tensor;
  bad.dtype.lanes = 4;
  refused(bad, KERN_ERROR_TYPE, "float32x4");
  bad = tensor;
  bad.data = nullptr;
  refused(bad, KERN_ERROR_ARGUMENT, "no data");
  bad = tensor;
  bad.shape = nullptr;
  refused(bad, KERN_ERROR_ARGUMENT, "no shape");
  bad = tensor;
  bad.ndim = 65;
  refused(bad, KERN_ERROR_ARGUMENT, "65 dimensions");
  bad = tensor;
  bad.device.device_type = kDLVulkan;
  refused(bad, KERN_ERROR_ARGUMENT, "DLPack type 7");
  int64_t negative[2] = {2, -1}, huge[2] = {int64_t(1) << 40, int64_t(1) << 40};
  bad = tensor;
  bad.shape = negative;
  refused(bad, KERN_ERROR_ARGUMENT, "negative");
  bad.shape = huge;
  refused(bad, KERN_ERROR_ARGUMENT, "too large");
  EXPECT_FALSE(viewOf(nullptr, "x"));
  // Nothing of an empty array is read: neither data nor strides matter.
  int64_t empty[2] = {0, int64_t(1) << 62};
  bad = tensor;
  bad.shape = empty;
  bad.data = nullptr;
  EXPECT_TRUE(viewOf(&bad, "x"));
}

TEST(StridedView, BytesThatNoMemoryHas) {
  constexpr int64_t large = int64_t(1) << 31, larger = int64_t(1) << 60;
  struct Row {
    Extents shape;
    DType dtype;
    std::optional<size_t> bytes; ///< nothing: too many
  };
  const Row rows[] = {
      {{}, DType::F64, 8},
      {{3, 4}, DType::C128, 192},
      {{large, large}, DType::U8, size_t(1) << 62},
      {{large, large}, DType::F16, std::nullopt}, // 2^63
      {{large, large}, DType::F32, std::nullopt}, // 2^64, which is 0
      {{larger}, DType::C128, std::nullopt},
      {{larger, larger}, DType::U8, std::nullopt},
      {{larger, larger, 0}, DType::F64, 0},
  };
  for (const Row &row : rows) {
    const Expected<size_t> bytes = bytesOf(row.shape, row.dtype);
    EXPECT_EQ(bool(bytes), row.bytes.has_value()) << text(row.shape);
    if (bytes)
      EXPECT_EQ(*bytes, *row.bytes) << text(row.shape);
    else
      EXPECT_EQ(bytes.error().status, KERN_ERROR_MEMORY);
  }
  const int64_t shape[] = {larger}, strides[] = {16};
  const auto array = newHostArray(DType::C128, shape, strides);
  ASSERT_FALSE(array);
  EXPECT_EQ(array.error().message, "an array of shape (" +
                                       std::to_string(larger) +
                                       ",) and type c128 is too large");
}

// Without elements no extent is too large.
TEST(StridedView, EmptyArrays) {
  StridedView view;
  view.shape = {int64_t(1) << 40, int64_t(1) << 40, 0};
  view.strides = contiguousStrides(view.shape, 8);
  EXPECT_EQ(view.count(), 0);
  EXPECT_TRUE(isCContiguous(view));
  EXPECT_TRUE(isFContiguous(view));
}

TEST(HostCopy, AnyStrides) {
  std::vector<int32_t> data(1000);
  for (size_t i = 0; i < data.size(); ++i)
    data[i] = int32_t(i);
  // data.reshape(10, 10, 10)[::-1, 1::3, :].transpose(2, 0, 1)
  StridedView view = {DType::I32,
                      reinterpret_cast<std::byte *>(&data[910]),
                      hostDevice(),
                      {10, 10, 3},
                      {4, -400, 120}};
  auto copy = copyOnHost(view);
  ASSERT_TRUE(copy);
  auto *values = static_cast<int32_t *>((*copy)->dl_tensor.data);
  for (int i = 0; i < 10; ++i)
    for (int j = 0; j < 10; ++j)
      for (int k = 0; k < 3; ++k)
        EXPECT_EQ(values[(i * 10 + j) * 3 + k],
                  (9 - j) * 100 + (1 + 3 * k) * 10 + i);
}

TEST(HostCopy, LargeCopiesOnSeveralThreads) {
  int64_t rows = 700, columns = 900;
  std::vector<float> data(size_t(rows * columns));
  for (size_t i = 0; i < data.size(); ++i)
    data[i] = float(i);
  StridedView transposed = {DType::F32,
                            reinterpret_cast<std::byte *>(&data[0]),
                            hostDevice(),
                            {columns, rows},
                            {4, 4 * columns}};
  std::vector<double> target(data.size());
  StridedView out = {DType::F64,
                     reinterpret_cast<std::byte *>(&target[0]),
                     hostDevice(),
                     {columns, rows},
                     {8 * rows, 8}};
  copyOnHost(out, transposed);
  for (int64_t i = 0; i < columns; ++i)
    for (int64_t j = 0; j < rows; ++j)
      ASSERT_EQ(target[size_t(i * rows + j)], double(j * columns + i));
}

// The calling thread does something else first, once, and also beside no copies
// at all. What it throws comes when all is copied.
TEST(HostCopy, OfSeveralArraysAtOnce) {
  const std::thread::id self = std::this_thread::get_id();
  for (const int64_t n : {0, 5, 1 << 20}) {
    const auto count = size_t(n);
    std::vector<float> from(count, 3), to(count);
    auto view = [&](std::vector<float> &memory) {
      return StridedView{DType::F32,
                         reinterpret_cast<std::byte *>(memory.data()),
                         hostDevice(),
                         {n},
                         {4}};
    };
    const HostCopy copy = {view(to), view(from)};
    int times = 0;
    copyTogether({&copy, 1}, [&] {
      ++times;
      EXPECT_EQ(std::this_thread::get_id(), self);
    });
    EXPECT_EQ(times, 1);
    EXPECT_EQ(to, from);
    to.assign(count, 0);
    EXPECT_THROW(copyTogether({&copy, 1}, [] { throw std::bad_alloc(); }),
                 std::bad_alloc);
    EXPECT_EQ(to, from);
  }
  int times = 0;
  copyTogether({}, [&] { ++times; });
  EXPECT_EQ(times, 1);
}
