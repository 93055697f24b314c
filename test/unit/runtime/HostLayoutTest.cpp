//===- HostLayoutTest.cpp - arrays of any layout, on the CPU --------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "HostCaller.h"

#include <numeric>
#include <random>

using namespace kern::runtime;
using namespace kern::test;

namespace {
using HostLayout = HostCaller;

/// A random array: shape broadcastable to `loop`, in any order, sliced and
/// reversed, inside a buffer of its own.
template <typename T> struct AnyArray {
  std::vector<T> memory;
  Tensor<T> tensor;
  Extents shape;

  AnyArray(std::mt19937 &random, const Extents &loop, bool broadcasts)
      : tensor(nullptr, {}) {
    auto below = [&](size_t n) { return int64_t(random() % n); };
    size_t dropped = broadcasts ? size_t(below(loop.size() + 1)) : 0;
    shape.assign(loop.begin() + long(dropped), loop.end());
    if (broadcasts)
      for (int64_t &extent : shape)
        if (below(4) == 0)
          extent = 1;
    std::vector<size_t> axes(shape.size());
    std::iota(axes.begin(), axes.end(), 0u);
    if (below(2))
      std::shuffle(axes.begin(), axes.end(), random);
    Extents strides(shape.size());
    int64_t stride = 1 + (below(3) == 0 ? below(3) : 0), start = 0;
    for (size_t k = axes.size(); k-- > 0;) {
      size_t axis = axes[k];
      strides[axis] = stride;
      stride *= shape[axis] + (below(4) == 0 ? 1 : 0);
    }
    for (size_t d = 0; d < shape.size(); ++d)
      if (below(4) == 0) {
        start += strides[d] * std::max<int64_t>(shape[d] - 1, 0);
        strides[d] = -strides[d];
      }
    memory.assign(size_t(std::max<int64_t>(stride, 1) + start + 1), T(-7));
    for (size_t i = 0; i < memory.size(); ++i)
      memory[i] = T(below(1000));
    tensor = Tensor<T>(memory.data() + start, shape, strides);
  }
  T at(const Extents &index, const Extents &loop) {
    int64_t offset = 0;
    for (size_t d = 0; d < shape.size(); ++d)
      if (shape[d] != 1)
        offset += index[loop.size() - shape.size() + d] * tensor.strides[d];
    return static_cast<T *>(tensor.dl.data)[offset];
  }
};

bool nextIndex(Extents &index, const Extents &shape) {
  for (size_t d = shape.size(); d-- > 0;) {
    if (++index[d] < shape[d])
      return true;
    index[d] = 0;
  }
  return false;
}
} // namespace

// Every output element, once, from the right inputs: random ranks, layouts,
// broadcasts, types, with and without an output array.
TEST_F(HostLayout, AnyLayout) {
  std::mt19937 random(3);
  for (int round = 0; round < 3000; ++round) {
    Extents loop(random() % 8);
    for (int64_t &extent : loop)
      extent = random() % 9 == 0 ? int64_t(random() % 20)
                                 : 1 + int64_t(random() % 4);
    AnyArray<double> x(random, loop, true);
    AnyArray<float> y(random, loop, true);
    AnyArray<float> z(random, loop, true);
    AnyArray<double> out(random, loop, false);
    bool single = random() % 2, hasOut = random() % 2;
    // The result's shape comes from the operands alone.
    Extents shape(single ? std::max(y.shape.size(), z.shape.size())
                         : std::max(x.shape.size(), y.shape.size()),
                  1);
    for (const Extents &s : {single ? z.shape : x.shape, y.shape})
      for (size_t d = 0; d < s.size(); ++d)
        if (s[s.size() - 1 - d] != 1)
          shape[shape.size() - 1 - d] = s[s.size() - 1 - d];
    hasOut &= shape == loop;
    std::vector<kern_value> inputs = {single ? value(z.tensor.get())
                                             : value(x.tensor.get()),
                                      value(y.tensor.get())};
    ASSERT_EQ(call("add", inputs, {hasOut ? out.tensor.get() : nullptr}),
              KERN_OK)
        << kern_last_error();
    const DLTensor &tensor = hasOut ? *out.tensor.get() : result();
    ASSERT_EQ(Extents(tensor.shape, tensor.shape + tensor.ndim), shape);
    std::vector<double> got;
    if (!single || hasOut)
      got = valuesOf<double>(tensor);
    else
      for (float v : valuesOf<float>(tensor))
        got.push_back(v);
    Extents index(shape.size(), 0);
    for (double element : got) {
      double expected =
          (single ? double(z.at(index, shape)) : x.at(index, shape)) +
          double(y.at(index, shape));
      ASSERT_EQ(element, expected) << "round " << round;
      nextIndex(index, shape);
    }
  }
}

TEST_F(HostLayout, KeepsMemoryOrder) {
  auto a = iota<float>(6);
  Tensor<float> fortran(a.data(), {2, 3}, {1, 2});
  ASSERT_EQ(call("add", {value(fortran.get()), value(fortran.get())}), KERN_OK);
  EXPECT_EQ(result().strides[0], 1);
  EXPECT_EQ(result().strides[1], 2);
  ASSERT_EQ(call("add", {value(fortran.get()),
                         value(Tensor<float>(a.data(), {2, 3}).get())}),
            KERN_OK);
  EXPECT_EQ(result().strides[0], 3) << "they disagree: C order";
}

TEST_F(HostLayout, EmptyAndZeroDimensional) {
  float x = 2, y = 3;
  Tensor<float> a(&x, {}), b(&y, {1, 1});
  ASSERT_EQ(call("add", {value(a.get()), value(b.get())}), KERN_OK);
  EXPECT_EQ(result().ndim, 2);
  EXPECT_EQ(valuesOf<float>(result()), std::vector<float>{5});
  Tensor<float> none(nullptr, {0, 3});
  ASSERT_EQ(call("add", {value(none.get()), value(a.get())}), KERN_OK)
      << kern_last_error();
  EXPECT_EQ(result().shape[0], 0);
  EXPECT_EQ(result().shape[1], 3);
  ASSERT_EQ(call("add", {weakFloat(1), weak(2)}), KERN_OK);
  EXPECT_EQ(result().ndim, 0);
  EXPECT_EQ(valuesOf<double>(result()), std::vector<double>{3});
  std::vector<double> v(3);
  Tensor<double> noColumns(v.data(), {3, 0});
  ASSERT_EQ(call("total", {value(noColumns.get())}), KERN_OK);
  EXPECT_EQ(valuesOf<double>(result()), (std::vector<double>{0, 0, 0}));
}

TEST_F(HostLayout, UnalignedArrays) {
  std::vector<unsigned char> bytes(8 * 5 + 1);
  auto a = iota<double>(5);
  std::memcpy(bytes.data() + 1, a.data(), 40);
  Tensor<double> x(reinterpret_cast<double *>(bytes.data() + 1), {5});
  ASSERT_EQ(call("add", {value(x.get()), value(x.get())}, {x.get()}), KERN_OK);
  std::vector<double> got(5);
  std::memcpy(got.data(), bytes.data() + 1, 40);
  EXPECT_EQ(got, (std::vector<double>{0, 2, 4, 6, 8}));
}

// As if all inputs were read before any output is written.
TEST_F(HostLayout, OverlappingInputs) {
  std::mt19937 random(4);
  for (int round = 0; round < 2000; ++round) {
    auto memory = iota<double>(60);
    std::vector<double> before = memory;
    auto window = [&] {
      int64_t stride = int64_t(random() % 5) - 2,
              start = 20 + int64_t(random() % 20);
      return Tensor<double>(memory.data() + start, {9}, {stride});
    };
    Tensor<double> a = window(), b = window(), out = window();
    if (out.strides[0] == 0)
      out.strides[0] = 1;
    ASSERT_EQ(call("add", {value(a.get()), value(b.get())}, {out.get()}),
              KERN_OK)
        << kern_last_error();
    auto old = [&](Tensor<double> &t, int64_t i) {
      return before[size_t(static_cast<double *>(t.dl.data) - memory.data() +
                           i * t.strides[0])];
    };
    for (int64_t i = 0; i < 9; ++i)
      ASSERT_EQ(static_cast<double *>(out.dl.data)[i * out.strides[0]],
                old(a, i) + old(b, i));
  }
}

TEST_F(HostLayout, GufuncInPlace) {
  auto a = iota<double>(4);
  std::vector<double> before = a;
  Tensor<double> m(a.data(), {2, 2});
  ASSERT_EQ(call("matmul", {value(m.get()), value(m.get())}, {m.get()}),
            KERN_OK);
  // [[0 1] [2 3]] @ [[0 1] [2 3]]
  EXPECT_EQ(a, (std::vector<double>{2, 3, 6, 11}));
}

TEST_F(HostLayout, OutputsMustNotOverlap) {
  auto a = iota<int32_t>(5);
  std::vector<int32_t> memory(10, -1);
  Tensor<int32_t> x(a.data(), {5}), low(memory.data(), {5}),
      high(memory.data() + 4, {5}), even(memory.data(), {5}, {2}),
      odd(memory.data() + 1, {5}, {2}), one(memory.data(), {5}, {0});
  std::vector<kern_value> inputs = {value(x.get()), weak(1)};
  EXPECT_EQ(call("both", inputs, {low.get(), high.get()}), KERN_ERROR_OVERLAP);
  EXPECT_EQ(call("both", inputs, {low.get(), low.get()}), KERN_ERROR_OVERLAP);
  EXPECT_EQ(call("both", inputs, {one.get(), nullptr}), KERN_ERROR_OVERLAP);
  EXPECT_EQ(memory, std::vector<int32_t>(10, -1)) << "nothing was written";
  ASSERT_EQ(call("both", inputs, {even.get(), odd.get()}), KERN_OK);
  EXPECT_EQ(memory, (std::vector<int32_t>{1, -1, 2, 0, 3, 1, 4, 2, 5, 3}));
  // One given, one new.
  ASSERT_EQ(call("both", inputs, {nullptr, low.get()}), KERN_OK);
  EXPECT_EQ(valuesOf<int32_t>(result(0)), iota<int32_t>(5, 1));
  EXPECT_FALSE(results[1]);
}
