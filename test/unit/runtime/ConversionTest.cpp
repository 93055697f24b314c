//===- ConversionTest.cpp - arrays of other types on the host -------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A ufunc's launch on the host converts elements on the way, tile by tile,
// takes them from unaligned memory and writes results where a mask says.
//
//===----------------------------------------------------------------------===//
#include "AllocationCount.h"
#include "Arrays.h"

#include <algorithm>
#include <bit>
#include <random>

using namespace kern::runtime;
using namespace kern::test;

namespace {
class Conversion : public testing::Test, public Caller {
protected:
  Conversion() { options = onTheHost(); }
  std::mt19937 random{3};
};

/// An array of small integers in any memory order, broadcast and backwards
/// dimensions and gaps included, perhaps a byte beside its alignment.
template <typename T> struct AnyArray {
  std::vector<std::byte> memory;
  std::byte *first = nullptr;
  Tensor<T> tensor{nullptr, {}};

  AnyArray(std::mt19937 &random, const Extents &shape, bool isOutput) {
    std::vector<size_t> order(shape.size());
    std::iota(order.rbegin(), order.rend(), size_t(0));
    if (random() % 2)
      std::shuffle(order.begin(), order.end(), random);
    Extents strides(shape.size());
    int64_t stride = random() % 4 ? 1 : 2, low = 0, high = 0;
    for (size_t axis : order) {
      if (!isOutput && random() % 5 == 0)
        continue;
      strides[axis] = random() % 4 ? stride : -stride;
      (strides[axis] < 0 ? low : high) += strides[axis] * (shape[axis] - 1);
      stride *= shape[axis];
    }
    memory.resize(size_t(high - low + 1) * sizeof(T) + 1, std::byte(0x55));
    first = memory.data() + random() % 2 - low * int64_t(sizeof(T));
    for (int64_t i = low; i <= high; ++i)
      set(first + i * int64_t(sizeof(T)), T(random() % 100));
    tensor.shape = shape;
    tensor.strides = strides;
    tensor.dl = {first,   {kDLCPU, 0}, 0, toDL(dtypeOf<T>()),
                 nullptr, nullptr,     0};
    if (shape.empty())
      tensor.strides.clear();
  }
  static void set(std::byte *at, T value) {
    std::memcpy(at, &value, sizeof value);
  }
  T operator[](const Extents &index) const {
    const std::byte *at = first;
    for (size_t d = 0; d < index.size(); ++d)
      at += index[d] * tensor.strides[d] * int64_t(sizeof(T));
    T value;
    std::memcpy(&value, at, sizeof value);
    return value;
  }
};

Extents anyShape(std::mt19937 &random) {
  Extents shape(random() % 4);
  for (int64_t &extent : shape)
    extent = 1 + int64_t(random() % (random() % 4 ? 7 : 150));
  return shape;
}

/// Calls `visit` with every index.
template <typename Visit> void forIndices(const Extents &shape, Visit visit) {
  Extents index(shape.size());
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  for (int64_t n = 0; n < count; ++n) {
    visit(index);
    for (size_t d = shape.size(); d-- > 0;) {
      if (++index[d] < shape[d])
        break;
      index[d] = 0;
    }
  }
}
} // namespace

/// A mask for `shape`, perhaps broadcast to it; or none.
class AnyMask {
public:
  AnyMask(std::mt19937 &random, const Extents &shape) {
    if (random() % 2)
      return;
    Extents own(shape.begin() + long(random() % (shape.size() + 1)),
                shape.end());
    array.emplace(random, own, false);
    for (std::byte &byte : array->memory)
      byte = std::byte(random() % 2);
  }
  const DLTensor *get() { return array ? array->tensor.get() : nullptr; }
  bool operator[](const Extents &index) const {
    if (!array)
      return true;
    size_t rank = array->tensor.shape.size();
    return (*array)[Extents(index.end() - long(rank), index.end())];
  }

private:
  std::optional<AnyArray<bool>> array;
};

TEST_F(Conversion, OfBlocksInAnyLayout) {
  for (int round = 0; round < 400; ++round) {
    Extents shape = anyShape(random);
    AnyArray<int16_t> a(random, shape, false);
    AnyArray<double> b(random, shape, false);
    AnyArray<float> out(random, shape, true);
    AnyMask mask(random, shape);
    options->where = mask.get();
    std::vector<float> before;
    forIndices(shape, [&](auto &index) { before.push_back(out[index]); });
    ASSERT_EQ(call("add", {value(a.tensor.get()), value(b.tensor.get())},
                   {out.tensor.get()}),
              KERN_OK)
        << kern_last_error();
    size_t n = 0;
    forIndices(shape, [&](const Extents &index) {
      float sum = float(a[index] + b[index]);
      ASSERT_EQ(out[index], mask[index] ? sum : before[n]) << round;
      ++n;
    });
    // A new result is 0 where the mask is false.
    ASSERT_EQ(call("add", {value(a.tensor.get()), value(b.tensor.get())}),
              KERN_OK);
    std::vector<double> made = valuesOf<double>(result());
    n = 0;
    forIndices(shape, [&](const Extents &index) {
      ASSERT_EQ(made[n++], mask[index] ? a[index] + b[index] : 0) << round;
    });
  }
}

TEST_F(Conversion, OfSingleElementsInAnyLayout) {
  for (int round = 0; round < 400; ++round) {
    Extents shape = anyShape(random);
    AnyArray<uint8_t> a(random, shape, false);
    AnyArray<int32_t> b(random, shape, false);
    AnyArray<int64_t> sum(random, shape, true);
    AnyArray<double> difference(random, shape, true);
    AnyMask mask(random, shape);
    options->where = mask.get();
    std::vector<std::pair<int64_t, double>> before;
    forIndices(shape, [&](auto &index) {
      before.emplace_back(sum[index], difference[index]);
    });
    ASSERT_EQ(call("both", {value(a.tensor.get()), value(b.tensor.get())},
                   {sum.tensor.get(), difference.tensor.get()}),
              KERN_OK)
        << kern_last_error();
    size_t n = 0;
    forIndices(shape, [&](const Extents &index) {
      auto [oldSum, oldDifference] = before[n++];
      bool isOn = mask[index];
      ASSERT_EQ(sum[index], isOn ? a[index] + b[index] : oldSum) << round;
      ASSERT_EQ(difference[index], isOn ? a[index] - b[index] : oldDifference)
          << round;
    });
  }
}

// The mask in the memory of a result, and of two results.
TEST_F(Conversion, MaskThatIsOverwritten) {
  std::array<double, 4> x = {-1, 2, -3, -4};
  std::array<bool, 4> mask = {true, true, false, true};
  Tensor<double> in(x.data(), {4});
  Tensor<bool> flags(mask.data(), {4});
  options->where = flags.get();
  for (int round = 0; round < 2; ++round) {
    mask = {true, true, false, true};
    ASSERT_EQ(call("isneg", {value(in.get())}, {flags.get()}), KERN_OK);
    EXPECT_EQ(mask, (std::array{true, false, false, true}));
  }
}

// Large enough for several threads, in place over an array of another type of
// the same size.
TEST_F(Conversion, InPlace) {
  constexpr int64_t n = 300'001;
  std::vector<int64_t> memory = iota<int64_t>(n);
  Tensor<int64_t> integers(memory.data(), {n});
  Tensor<double> floats(reinterpret_cast<double *>(memory.data()), {n});
  ASSERT_EQ(
      call("add", {value(integers.get()), weakFloat(0.5)}, {floats.get()}),
      KERN_OK)
      << kern_last_error();
  for (int64_t i = 0; i < n; ++i)
    ASSERT_EQ(std::bit_cast<double>(memory[size_t(i)]), double(i) + 0.5) << i;
}

// An array that is overwritten elsewhere is copied first, as ever.
TEST_F(Conversion, OfOverlappingArrays) {
  std::vector<float> memory = iota<float>(1000);
  Tensor<float> from(memory.data(), {400});
  Tensor<double> to(reinterpret_cast<double *>(memory.data() + 2), {400});
  ASSERT_EQ(call("add", {value(from.get()), weakFloat(1)}, {to.get()}), KERN_OK)
      << kern_last_error();
  for (int64_t i = 0; i < 400; ++i) {
    double value = 0;
    std::memcpy(&value, memory.data() + 2 + 2 * i, sizeof value);
    ASSERT_EQ(value, double(i) + 1) << i;
  }
}

TEST_F(Conversion, RepeatedCallsArePlanned) {
  auto a = iota<float>(1000);
  auto b = iota<double>(1000, 5);
  std::vector<double> out(1000, -1);
  std::array<bool, 1000> truth = {};
  truth[999] = true;
  Tensor<bool> mask(truth.data(), {1000});
  options->where = mask.get();
  Tensor<float> x(a.data(), {1000});
  Tensor<double> y(b.data(), {1000}), z(out.data(), {1000});
  kern_value inputs[] = {value(x.get()), value(y.get())};
  const DLTensor *place = z.get();
  kern_function *add = find("add");
  auto again = [&] {
    return kern_call(add, inputs, 2, &place, nullptr, 1, &options->call,
                     nullptr);
  };
  ASSERT_EQ(again(), KERN_OK);
  AllocationCount count;
  for (int i = 0; i < 10; ++i)
    ASSERT_EQ(again(), KERN_OK);
  EXPECT_EQ(count.made(), 0);
  EXPECT_EQ(out[998], -1);
  EXPECT_EQ(out[999], 999 + 1004);
}
