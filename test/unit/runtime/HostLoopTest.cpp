//===- HostLoopTest.cpp - loops around a host kernel ---------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/space/HostLoop.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <gtest/gtest.h>
#include <numeric>
#include <random>

using namespace kern::runtime;

namespace {
constexpr int64_t blockElements = 8;

/// The bytes of a number.
template <size_t size> using Bytes = std::array<uint8_t, size>;

template <size_t size> Bytes<size> mix(Bytes<size> a, Bytes<size> b) {
  for (size_t i = 0; i < size; ++i)
    a[i] = uint8_t(3 * a[i] + 5 * b[i] + i);
  return a;
}

template <size_t size> Bytes<size> load(int64_t address) {
  Bytes<size> value;
  std::memcpy(&value, reinterpret_cast<void *>(address), size);
  return value;
}

/// c = mix(a, b) over blocks, as docs/explanation/kernel-abi.md says.
template <size_t size> void mixBlocks(const int64_t *w) {
  for (int64_t i = 0; i < w[0] * blockElements; ++i) {
    int64_t block = i / blockElements, at = i % blockElements * int64_t(size);
    Bytes<size> value = mix(load<size>(w[1] + block * w[2] + at),
                            load<size>(w[3] + block * w[4] + at));
    std::memcpy(reinterpret_cast<void *>(w[5] + block * w[6] + at), &value,
                size);
  }
}

/// The same one by one, with strides.
template <size_t size> void mixStrided(const int64_t *w) {
  for (int64_t i = 0; i < w[0]; ++i) {
    Bytes<size> value =
        mix(load<size>(w[1] + i * w[2]), load<size>(w[3] + i * w[4]));
    std::memcpy(reinterpret_cast<void *>(w[5] + i * w[6]), &value, size);
  }
}

/// A view of random strides into memory of its own, with a byte of offset.
struct Array {
  std::vector<uint8_t> memory;
  Extents strides; ///< outermost first
  int64_t first = 0;

  Array(std::mt19937 &random, const Extents &shape, size_t size,
        bool mayBroadcast) {
    std::vector<size_t> order(shape.size());
    std::iota(order.rbegin(), order.rend(), size_t(0));
    if (random() % 2)
      std::shuffle(order.begin(), order.end(), random);
    strides.resize(shape.size());
    int64_t stride = int64_t(size) * (random() % 3 ? 1 : 2);
    int64_t low = 0, high = 0;
    for (size_t axis : order) {
      if (mayBroadcast && random() % 5 == 0)
        continue;
      strides[axis] = random() % 6 ? stride : -stride;
      (strides[axis] < 0 ? low : high) += strides[axis] * (shape[axis] - 1);
      stride *= shape[axis];
      if (random() % 4 == 0)
        stride += int64_t(size) * int64_t(random() % 3);
    }
    first = 1 - low;
    memory.resize(size_t(first + high) + size + 1);
    for (uint8_t &byte : memory)
      byte = uint8_t(random());
  }
};

template <size_t size>
void checkRandomLayout(std::mt19937 &random, DType dtype, bool isBlocked) {
  Extents shape(random() % 4);
  for (int64_t &extent : shape)
    extent = 1 + int64_t(random() % (random() % 4 ? 9 : 300));
  if (shape.size() == 3)
    shape[random() % 3] = 2;
  std::vector<Array> arrays;
  std::vector<KernelOperand> operands(3);
  std::vector<Extents> strides;
  for (size_t k = 0; k < 3; ++k) {
    arrays.emplace_back(random, shape, size, k < 2);
    strides.push_back(arrays[k].strides);
    operands[k].dtype = dtype;
    operands[k].isOutput = k == 2;
  }
  operands[0].isScalar = random() % 6 == 0;
  if (operands[0].isScalar) {
    strides[0].assign(shape.size(), 0);
    std::memcpy(operands[0].value.data(), &arrays[0].memory[0], size);
  }
  Layout layout = planLayout(shape, strides);
  for (size_t k = 0; k < 3; ++k) {
    operands[k].data = reinterpret_cast<std::byte *>(arrays[k].memory.data()) +
                       arrays[k].first + layout.offsets[k];
    operands[k].loopStrides = layout.strides[k];
  }

  std::vector<uint8_t> expected = arrays[2].memory;
  Extents index(shape.size());
  for (int64_t n = 0; n < layout.count(); ++n) {
    int64_t at[3];
    for (size_t k = 0; k < 3; ++k) {
      at[k] = operands[k].isScalar ? 0 : arrays[k].first;
      for (size_t d = 0; d < shape.size(); ++d)
        at[k] += index[d] * strides[k][d];
    }
    Bytes<size> a, b;
    std::memcpy(&a, &arrays[0].memory[size_t(at[0])], size);
    std::memcpy(&b, &arrays[1].memory[size_t(at[1])], size);
    Bytes<size> c = mix(a, b);
    std::memcpy(&expected[size_t(at[2])], &c, size);
    for (size_t d = shape.size(); d-- > 0;) {
      if (++index[d] < shape[d])
        break;
      index[d] = 0;
    }
  }

  KernelInfo kernel;
  kernel.form = isBlocked ? Form::Contiguous : Form::Strided;
  kernel.elements = isBlocked ? blockElements : 1;
  std::vector<std::byte *> places;
  for (KernelOperand &operand : operands)
    places.push_back(operand.isScalar ? operand.value.data() : operand.data);
  HostLoop loop(kernel, layout, {}, operands, 1);
  ASSERT_TRUE(
      bool(loop.run(isBlocked ? mixBlocks<size> : mixStrided<size>, places)));
  ASSERT_EQ(arrays[2].memory, expected);
}
} // namespace

// Work for several threads: a transposed input, another backwards.
TEST(HostLoop, ThreadsShareTheTiles) {
  constexpr int64_t rows = 700, columns = 900;
  std::vector<Bytes<4>> a(rows * columns), b(a.size()), c(a.size());
  std::mt19937 random(5);
  for (auto *array : {&a, &b})
    for (Bytes<4> &value : *array) {
      uint32_t bits = random();
      std::memcpy(&value, &bits, 4);
    }
  const Extents strides[] = {
      {4, 4 * rows}, {4 * columns, -4}, {4 * columns, 4}};
  Layout layout = planLayout({{rows, columns}}, strides);
  std::byte *places[3];
  std::vector<KernelOperand> operands(3);
  for (size_t k = 0; k < 3; ++k) {
    places[k] = reinterpret_cast<std::byte *>((k == 0   ? a
                                               : k == 1 ? b
                                                        : c)
                                                  .data()) +
                (k == 1 ? 4 * (columns - 1) : 0) + layout.offsets[k];
    operands[k].dtype = DType::U32;
    operands[k].isOutput = k == 2;
    operands[k].loopStrides = layout.strides[k];
  }
  KernelInfo kernel;
  kernel.form = Form::Contiguous;
  kernel.elements = blockElements;
  HostLoop loop(kernel, layout, {}, operands, 1);
  for (int round = 0; round < 3; ++round) {
    std::ranges::fill(c, Bytes<4>());
    ASSERT_TRUE(bool(loop.run(mixBlocks<4>, places)));
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t j = 0; j < columns; ++j)
        ASSERT_EQ(c[size_t(i * columns + j)],
                  mix(a[size_t(j * rows + i)],
                      b[size_t(i * columns + columns - 1 - j)]));
  }
}

namespace {
/// The runs of a streamed kernel.
int longRuns = 0, alignedRuns = 0;

void copyBlocks(const int64_t *w) {
  longRuns += w[0] > 1;
  alignedRuns += w[0] > 1 && w[3] % 64 == 0 && w[4] % 64 == 0;
  for (int64_t i = 0; i < w[0]; ++i)
    std::memcpy(reinterpret_cast<void *>(w[3] + i * w[4]),
                reinterpret_cast<void *>(w[1] + i * w[2]), 128);
}
} // namespace

// Whatever lies before the first cache line of a row goes separately.
TEST(HostLoop, StreamedRunsBeginAtCacheLines) {
  constexpr int64_t rows = 3, columns = 5000, pitch = 5003;
  KernelInfo kernel;
  kernel.form = Form::Streamed;
  kernel.elements = 64; // of two bytes
  for (size_t shift : {0, 2, 30, 62}) {
    std::vector<uint16_t> from(rows * pitch), to(rows * pitch + 64);
    std::iota(from.begin(), from.end(), uint16_t(1));
    std::byte *out = reinterpret_cast<std::byte *>(to.data());
    out += (-reinterpret_cast<uintptr_t>(out) & 63) + shift;
    const Extents strides[] = {{2 * pitch, 2}, {2 * pitch, 2}};
    Layout layout = planLayout({{rows, columns}}, strides);
    std::vector<KernelOperand> operands(2);
    for (size_t k = 0; k < 2; ++k) {
      operands[k].dtype = DType::U16;
      operands[k].isOutput = k == 1;
      operands[k].loopStrides = layout.strides[k];
    }
    longRuns = alignedRuns = 0;
    std::byte *places[] = {reinterpret_cast<std::byte *>(from.data()), out};
    HostLoop loop(kernel, layout, {}, operands, 1);
    ASSERT_TRUE(bool(loop.run(copyBlocks, places)));
    EXPECT_EQ(longRuns, rows);
    EXPECT_EQ(alignedRuns, rows);
    for (int64_t i = 0; i < rows * pitch; ++i) {
      uint16_t value = 0;
      std::memcpy(&value, out + 2 * i, 2);
      ASSERT_EQ(value, i % pitch < columns ? from[size_t(i)] : 0) << i;
    }
  }
}

// Every element from the right inputs, and no byte beside them.
TEST(HostLoop, AnyLayout) {
  std::mt19937 random(11);
  for (int round = 0; round < 600; ++round) {
    SCOPED_TRACE(round);
    for (bool isBlocked : {true, false}) {
      checkRandomLayout<1>(random, DType::U8, isBlocked);
      checkRandomLayout<2>(random, DType::U16, isBlocked);
      checkRandomLayout<4>(random, DType::U32, isBlocked);
      checkRandomLayout<8>(random, DType::U64, isBlocked);
      checkRandomLayout<16>(random, DType::C128, isBlocked);
    }
    if (testing::Test::HasFatalFailure())
      return;
  }
}

namespace {
/// In how many calls a kernel was asked for how many blocks.
std::vector<int64_t> runsOfAdding;

/// c = a + b, blocks of eight.
void addBlocks(const int64_t *w) {
  runsOfAdding.push_back(w[0]);
  for (int64_t i = 0; i < w[0] * blockElements; ++i) {
    int64_t block = i / blockElements, at = i % blockElements * 8;
    double a, b;
    std::memcpy(&a, reinterpret_cast<void *>(w[1] + block * w[2] + at), 8);
    std::memcpy(&b, reinterpret_cast<void *>(w[3] + block * w[4] + at), 8);
    a += b;
    std::memcpy(reinterpret_cast<void *>(w[5] + block * w[6] + at), &a, 8);
  }
}
} // namespace

// Few contiguous elements: at most two calls of the kernel, whether operands
// are arrays, one element for all, or the result itself.
TEST(HostLoop, ShortRuns) {
  for (int64_t count = 1; count <= 3 * blockElements + 1; ++count)
    for (bool isInPlace : {false, true})
      for (int kindOfB = 0; kindOfB < 3; ++kindOfB) {
        SCOPED_TRACE(testing::Message()
                     << count << " " << isInPlace << " " << kindOfB);
        std::vector<double> a(size_t(count) + 2), b(a.size()), c(a.size());
        std::iota(a.begin(), a.end(), 1);
        std::iota(b.begin(), b.end(), 100);
        std::vector<double> &out = isInPlace ? a : c;
        std::vector<double> expected = out;
        for (size_t i = 1; i <= size_t(count); ++i)
          expected[i] = a[i] + b[kindOfB ? 1 : i];
        const Extents strides[] = {{8}, {kindOfB ? 0 : 8}, {8}};
        Layout layout = planLayout({{count}}, strides);
        std::vector<KernelOperand> operands(3);
        for (size_t k = 0; k < 3; ++k) {
          operands[k].dtype = DType::F64;
          operands[k].isOutput = k == 2;
          operands[k].loopStrides = layout.strides[k];
        }
        operands[1].isScalar = kindOfB == 1;
        KernelInfo kernel;
        kernel.form = Form::Contiguous;
        kernel.elements = blockElements;
        std::byte *places[] = {reinterpret_cast<std::byte *>(&a[1]),
                               reinterpret_cast<std::byte *>(&b[1]),
                               reinterpret_cast<std::byte *>(&out[1])};
        HostLoop loop(kernel, layout, {}, operands, 1);
        runsOfAdding.clear();
        ASSERT_TRUE(bool(loop.run(addBlocks, places)));
        EXPECT_EQ(out, expected);
        std::vector<int64_t> runs;
        if (count >= blockElements)
          runs.push_back(count / blockElements);
        if (count % blockElements)
          runs.push_back(1);
        EXPECT_EQ(runsOfAdding, runs);
      }
}
