//===- HostCallTest.cpp - calls on the CPU --------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Arrays.h"

#include <numeric>
#include <random>
#include <thread>

using namespace kern;
using namespace kern::test;

namespace {
class HostCall : public testing::Test, public Caller {
protected:
  void SetUp() override { options = onTheHost(); }
};

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

TEST_F(HostCall, ReportsWhatItDid) {
  auto a = iota<float>(100);
  ASSERT_EQ(call("add", {value(Tensor<float>(a.data(), {100}).get()), weak(1)}),
            KERN_OK)
      << kern_last_error();
  EXPECT_EQ(valuesOf<float>(result()), iota<float>(100, 1));
  EXPECT_STREQ(report.kernel, "add_f32_contiguous");
  EXPECT_STREQ(report.form, "contiguous");
  EXPECT_EQ(report.elements, 100);
  EXPECT_EQ(report.grid, 1u);
  EXPECT_EQ(report.device.device_type, kDLCPU);
}

// Every output element, once, from the right inputs: random ranks, layouts,
// broadcasts, types, with and without an output array.
TEST_F(HostCall, AnyLayout) {
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

TEST_F(HostCall, LargeArraysUseThreads) {
  size_t rows = 600, columns = 700;
  auto a = iota<double>(rows * columns), b = a;
  int64_t r = int64_t(rows), c = int64_t(columns);
  // Transposed and contiguous: strided tiles.
  ASSERT_EQ(call("add", {value(Tensor<double>(a.data(), {c, r}, {1, c}).get()),
                         value(Tensor<double>(b.data(), {c, r}).get())}),
            KERN_OK);
  auto got = valuesOf<double>(result());
  for (size_t i = 0; i < columns; ++i)
    for (size_t j = 0; j < rows; ++j)
      ASSERT_EQ(got[i * rows + j], a[j * columns + i] + b[i * rows + j]);
  // A row broadcast over rows, and a column: splats.
  auto row = iota<double>(columns, 5), column = iota<double>(rows, 9);
  ASSERT_EQ(call("add", {value(Tensor<double>(row.data(), {c}).get()),
                         value(Tensor<double>(a.data(), {r, c}).get())}),
            KERN_OK);
  EXPECT_STREQ(report.form, "contiguous");
  got = valuesOf<double>(result());
  for (size_t i = 0; i < rows * columns; ++i)
    ASSERT_EQ(got[i], a[i] + row[i % columns]);
  ASSERT_EQ(call("add", {value(Tensor<double>(column.data(), {r, 1}).get()),
                         value(Tensor<double>(a.data(), {r, c}).get())}),
            KERN_OK);
  EXPECT_STREQ(report.form, "contiguous");
  got = valuesOf<double>(result());
  for (size_t i = 0; i < rows * columns; ++i)
    ASSERT_EQ(got[i], a[i] + column[i / columns]);
  ASSERT_EQ(call("add", {value(Tensor<double>(a.data(), {r * c}).get()),
                         weakFloat(0.5)}),
            KERN_OK);
  got = valuesOf<double>(result());
  for (size_t i = 0; i < rows * columns; ++i)
    ASSERT_EQ(got[i], a[i] + 0.5);
}

TEST_F(HostCall, SeveralThreadsMayCall) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      Caller mine;
      mine.options = options;
      auto a = iota<double>(300000, t);
      for (int i = 0; i < 10; ++i) {
        ASSERT_EQ(
            mine.call("add", {value(Tensor<double>(a.data(), {300000}).get()),
                              weak(t)}),
            KERN_OK);
        auto got = valuesOf<double>(mine.result());
        for (size_t k = 0; k < got.size(); k += 999)
          ASSERT_EQ(got[k], double(k) + 2 * t);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
}

TEST_F(HostCall, KeepsMemoryOrder) {
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

TEST_F(HostCall, EmptyAndZeroDimensional) {
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

TEST_F(HostCall, EmptyReductionsWithoutValue) {
  std::vector<double> v(3);
  Tensor<double> noColumns(v.data(), {3, 0}), nothing(v.data(), {0, 0});
  EXPECT_EQ(call("largest", {value(noColumns.get())}), KERN_ERROR_SHAPE);
  EXPECT_NE(std::string(kern_last_error()).find("`n`, which is 0"),
            std::string::npos)
      << kern_last_error();
  EXPECT_EQ(call("largest", {value(nothing.get())}), KERN_OK)
      << "no result needs a value";
}

TEST_F(HostCall, CastsInputsAndOutputs) {
  auto a = iota<int16_t>(5);
  Tensor<int16_t> x(a.data(), {5});
  ASSERT_EQ(call("add", {value(x.get()), scalar<float>(0.5f)}), KERN_OK);
  EXPECT_EQ(valuesOf<float>(result()),
            (std::vector<float>{0.5, 1.5, 2.5, 3.5, 4.5}));
  // f64 loop into f32: same_kind. Every second element.
  std::vector<float> out(10, -1);
  auto d = iota<double>(5);
  Tensor<double> y(d.data(), {5});
  ASSERT_EQ(call("add", {value(y.get()), weakFloat(0.25)},
                 {Tensor<float>(out.data(), {5}, {2}).get()}),
            KERN_OK)
      << kern_last_error();
  EXPECT_EQ(out, (std::vector<float>{0.25, -1, 1.25, -1, 2.25, -1, 3.25, -1,
                                     4.25, -1}));
  std::vector<int32_t> integers(5);
  EXPECT_EQ(call("add", {value(y.get()), weak(1)},
                 {Tensor<int32_t>(integers.data(), {5}).get()}),
            KERN_ERROR_TYPE);
  EXPECT_NE(std::string(kern_last_error())
                .find("cannot cast result 1 from f64 to i32"),
            std::string::npos);
}

TEST_F(HostCall, UnalignedArrays) {
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
TEST_F(HostCall, OverlappingInputs) {
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

TEST_F(HostCall, GufuncInPlace) {
  auto a = iota<double>(4);
  std::vector<double> before = a;
  Tensor<double> m(a.data(), {2, 2});
  ASSERT_EQ(call("matmul", {value(m.get()), value(m.get())}, {m.get()}),
            KERN_OK);
  // [[0 1] [2 3]] @ [[0 1] [2 3]]
  EXPECT_EQ(a, (std::vector<double>{2, 3, 6, 11}));
}

TEST_F(HostCall, OutputsMustNotOverlap) {
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

TEST_F(HostCall, CoreDimensions) {
  auto a = iota<double>(2 * 3 * 4), b = iota<double>(4 * 5);
  ASSERT_EQ(
      call("matmul", {value(Tensor<double>(a.data(), {2, 3, 4}).get()),
                      value(Tensor<double>(b.data(), {4, 5}, {1, 4}).get())}),
      KERN_OK);
  auto got = valuesOf<double>(result());
  for (size_t e = 0; e < 2; ++e)
    for (size_t i = 0; i < 3; ++i)
      for (size_t j = 0; j < 5; ++j) {
        double sum = 0;
        for (size_t k = 0; k < 4; ++k)
          sum += a[(e * 3 + i) * 4 + k] * b[k + 4 * j];
        EXPECT_EQ(got[(e * 3 + i) * 5 + j], sum);
      }
  EXPECT_STREQ(report.form, "general");
  auto big = iota<double>(1000 * 200);
  Tensor<double> columns(big.data(), {200, 1000}, {1, 200});
  ASSERT_EQ(call("total", {value(columns.get())}), KERN_OK);
  got = valuesOf<double>(result());
  for (size_t i = 0; i < 200; ++i)
    ASSERT_EQ(got[i], 1000.0 * double(i) + 200.0 * 999 * 1000 / 2);
}

TEST_F(HostCall, WrittenInputs) {
  auto a = iota<double>(6), factors = iota<double>(2, 10);
  Tensor<double> x(a.data(), {2, 3}), f(factors.data(), {2});
  ASSERT_EQ(call("scale", {value(x.get()), value(f.get())}), KERN_OK)
      << kern_last_error();
  EXPECT_EQ(a, (std::vector<double>{0, 10, 20, 33, 44, 55}));
  // Through another type, and only of the same kind.
  auto single = iota<float>(3);
  Tensor<float> y(single.data(), {3});
  ASSERT_EQ(call("scale", {value(y.get()), weak(2)}), KERN_OK)
      << kern_last_error();
  EXPECT_EQ(single, (std::vector<float>{0, 2, 4}));
  auto integers = iota<int32_t>(3);
  Tensor<int32_t> z(integers.data(), {3});
  EXPECT_EQ(call("scale", {value(z.get()), weak(2)}), KERN_ERROR_TYPE);
  // It is not broadcast, not a number, and shares no memory partly.
  EXPECT_EQ(call("scale",
                 {value(Tensor<double>(a.data(), {3}).get()), value(f.get())}),
            KERN_ERROR_SHAPE);
  EXPECT_EQ(call("scale", {weak(1), weak(2)}), KERN_ERROR_ARGUMENT);
  EXPECT_EQ(call("scale", {value(x.get()),
                           value(Tensor<double>(a.data() + 1, {2}).get())}),
            KERN_ERROR_OVERLAP);
}

TEST_F(HostCall, DimParameters) {
  auto a = iota<double>(2, 1);
  Tensor<double> x(a.data(), {2});
  ASSERT_EQ(call("tile", {value(x.get()), weak(3)}), KERN_OK)
      << kern_last_error();
  EXPECT_EQ(valuesOf<double>(result()),
            (std::vector<double>{1, 1, 1, 2, 2, 2}));
  ASSERT_EQ(call("tile", {value(x.get()), scalar<uint8_t>(2)}), KERN_OK);
  EXPECT_EQ(result().shape[1], 2);
  ASSERT_EQ(call("tile", {value(x.get()), weak(0)}), KERN_OK);
  EXPECT_EQ(call("tile", {value(x.get()), weak(-1)}), KERN_ERROR_ARGUMENT);
  EXPECT_EQ(call("tile", {value(x.get()), weakFloat(2)}), KERN_ERROR_ARGUMENT);
  EXPECT_EQ(call("tile", {value(x.get()), value(x.get())}),
            KERN_ERROR_ARGUMENT);
}

TEST_F(HostCall, AsksForTheKernelThatTheLayoutNeeds) {
  auto a = iota<float>(20), b = iota<float>(20);
  std::vector<float> other(20);
  // What the call made the runtime ask for: each kernel is asked for once.
  auto wanted = [&](auto x, auto y, auto out) {
    EXPECT_EQ(call("add", {value(x.get()), value(y.get())}, {out.get()}),
              KERN_OK)
        << kern_last_error();
    return lastWanted;
  };
  Tensor<float> x(a.data(), {20}), y(b.data(), {20}), out(other.data(), {20});
  EXPECT_EQ(wanted(x, y, out), (KernelVariant{Form::Contiguous, true}));
  EXPECT_EQ(wanted(x, y, x), (KernelVariant{Form::Contiguous, false}))
      << "in place";
  Tensor<float> even(a.data(), {10}, {2}), half(other.data(), {10});
  EXPECT_EQ(wanted(even, even, half), (KernelVariant{Form::Contiguous, false}))
      << "the host asks for nothing new: it packs";
  EXPECT_STREQ(report.form, "strided");
  auto c = iota<double>(20);
  Tensor<double> first(c.data(), {19}), shifted(c.data() + 1, {19});
  EXPECT_EQ(wanted(first, first, shifted),
            (KernelVariant{Form::Contiguous, true}))
      << "inputs that would be overwritten are copied";
}

TEST_F(HostCall, GenericFunctionsAreMadeOnce) {
  auto a = iota<int16_t>(4);
  Tensor<int16_t> x(a.data(), {4});
  int before = kernelsMade;
  for (int i = 0; i < 3; ++i) {
    ASSERT_EQ(call("twice", {value(x.get())}), KERN_OK) << kern_last_error();
    EXPECT_EQ(valuesOf<int16_t>(result()), (std::vector<int16_t>{0, 2, 4, 6}));
  }
  EXPECT_EQ(kernelsMade, before + 1);
  ASSERT_EQ(call("twice", {weak(21)}), KERN_OK);
  EXPECT_EQ(valuesOf<int64_t>(result()), std::vector<int64_t>{42});
  EXPECT_EQ(kernelsMade, before + 2);
  EXPECT_EQ(call("twice", {scalar<float>(1)}), KERN_ERROR_COMPILE);
  EXPECT_STREQ(kern_last_error(), "twice is not for this type");
}

TEST_F(HostCall, WeakIntegersAreRangeChecked) {
  float x = 1;
  Tensor<float> a(&x, {1});
  ASSERT_EQ(call("both", {scalar<int32_t>(1), weak(int64_t(1) << 40)}),
            KERN_ERROR_TYPE);
  EXPECT_NE(std::string(kern_last_error()).find("int 1099511627776"),
            std::string::npos)
      << kern_last_error();
  ASSERT_EQ(call("add", {value(a.get()), weak(int64_t(1) << 40)}), KERN_OK);
}

TEST_F(HostCall, Mistakes) {
  auto a = iota<double>(6);
  Tensor<double> x(a.data(), {2, 3}), y(a.data(), {2});
  auto refused = [&](kern_status got, kern_status wanted, const char *what) {
    EXPECT_EQ(got, wanted);
    EXPECT_NE(std::string(kern_last_error()).find(what), std::string::npos)
        << kern_last_error();
  };
  refused(call("add", {weak(1)}), KERN_ERROR_ARGUMENT,
          "`add` takes 2 arguments (x, y), 1 was given");
  refused(call("add", {value(x.get()), value(y.get())}), KERN_ERROR_SHAPE,
          "`x` has shape (2, 3) and `y` has shape (2,)");
  refused(call("total", {weak(1)}), KERN_ERROR_SHAPE,
          "`x` needs 1 core dimension");
  refused(call("add", {value(nullptr), weak(1)}), KERN_ERROR_ARGUMENT,
          "argument 1 (`x`)");
  std::complex<double> c = 1;
  refused(call("add",
               {value(Tensor<std::complex<double>>(&c, {1}).get()), weak(1)}),
          KERN_ERROR_TYPE, "no loop of `add` takes (c128, int 1)");
  kern_value strange = weak(1);
  strange.kind = kern_value_kind(99);
  refused(call("add", {strange, weak(1)}), KERN_ERROR_ARGUMENT, "kind 99");
  options->call.device = {kDLCUDA, 3};
  refused(call("add", {weak(1), weak(1)}), KERN_ERROR_NOT_FOUND, "cuda:3");
  options->call.device = {kDLVulkan, 0};
  refused(call("add", {weak(1), weak(1)}), KERN_ERROR_ARGUMENT, "type 7");
  kern_function *function = find("add");
  refused(
      kern_call(function, nullptr, 2, nullptr, nullptr, 1, nullptr, nullptr),
      KERN_ERROR_ARGUMENT, "missing");
  refused(
      kern_call(function, nullptr, 0, nullptr, nullptr, 2, nullptr, nullptr),
      KERN_ERROR_ARGUMENT, "has 1 result, 2 were asked for");
}

TEST_F(HostCall, NearestNames) {
  std::unique_ptr<kern_module, void (*)(kern_module *)> module(
      makeModule(makeFakeCode()), kern_module_release);
  kern_function *function = nullptr;
  EXPECT_EQ(kern_module_find(module.get(), "matmull", &function),
            KERN_ERROR_NOT_FOUND);
  EXPECT_STREQ(kern_last_error(),
               "there is no function `matmull`; did you mean `matmul`?");
  EXPECT_EQ(kern_module_find(module.get(), "gradient", &function),
            KERN_ERROR_NOT_FOUND);
  EXPECT_NE(std::string(kern_last_error()).find("there are: add, both"),
            std::string::npos);
  EXPECT_STREQ(
      kern_function_signature(kern_module_function_at(module.get(), 5)),
      "(m,k),(k,n)->(m,n)");
}
