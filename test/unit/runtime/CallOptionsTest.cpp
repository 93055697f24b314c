//===- CallOptionsTest.cpp - what a call can ask for ----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Through the driver's double; test/e2e/groups/options.py compares with NumPy.
//
//===----------------------------------------------------------------------===//
#include "GpuCaller.h"
#include "runtime/plan/Axes.h"

#include <numeric>

using namespace kern::runtime;
using namespace kern::test;

namespace {
using CudaOptions = GpuCaller;

std::vector<double> count(size_t n) {
  std::vector<double> out(n);
  std::iota(out.begin(), out.end(), 0.0);
  return out;
}
using Doubles = std::vector<double>;
} // namespace

TEST_F(CudaOptions, AxesOnTheDevice) {
  Doubles v = count(24);
  ManagedArray x = onDevice(Tensor<double>(v.data(), {2, 3, 4}).get());
  int64_t middle[] = {1}, outer[] = {0, 2}, together[] = {1, 2};
  kern_axes axis = {middle, 1};
  options->axis = &axis;
  for (int round = 0; round < 2; ++round) { // planned, and found
    ASSERT_EQ(call("total", {value(&x->dl_tensor)}), KERN_OK)
        << kern_last_error();
    EXPECT_EQ(hostValues<double>(result()),
              (Doubles{12, 15, 18, 21, 48, 51, 54, 57}));
  }
  // Two axes that lie in memory as one, and two that do not: a copy.
  axis = {together, 2};
  size_t before = gpu.launches.size();
  ASSERT_EQ(call("total", {value(&x->dl_tensor)}), KERN_OK);
  EXPECT_EQ(gpu.launches.size(), before + 1);
  EXPECT_EQ(hostValues<double>(result()), (Doubles{66, 210}));
  axis = {outer, 2};
  options->keepdims = 1;
  ASSERT_EQ(call("total", {value(&x->dl_tensor)}), KERN_OK);
  EXPECT_EQ(result().ndim, 3);
  EXPECT_EQ(result().shape[1], 3);
  EXPECT_EQ(hostValues<double>(result()), (Doubles{60, 92, 124}));
  axis = {nullptr, 0};
  ASSERT_EQ(call("total", {value(&x->dl_tensor)}), KERN_OK);
  EXPECT_EQ(hostValues<double>(result()), Doubles{276});
}

TEST_F(CudaOptions, WhereOnTheDevice) {
  float a[6] = {1, 2, 3, 4, 5, 6}, old[6] = {-1, -1, -1, -1, -1, -1};
  bool truth[3] = {true, false, true};
  ManagedArray x = onDevice(Tensor<float>(a, {2, 3}).get()),
               out = onDevice(Tensor<float>(old, {2, 3}).get()),
               mask = onDevice(Tensor<bool>(truth, {3}).get());
  using Floats = std::vector<float>;
  Floats expected = {2, -1, 6, 8, -1, 12}, zeros = {2, 0, 6, 8, 0, 12};
  options->where = &mask->dl_tensor;
  ASSERT_EQ(call("add", {value(&x->dl_tensor), value(&x->dl_tensor)},
                 {&out->dl_tensor}),
            KERN_OK)
      << kern_last_error();
  EXPECT_EQ(hostValues<float>(out->dl_tensor), expected);
  ASSERT_EQ(call("add", {value(&x->dl_tensor), value(&x->dl_tensor)}), KERN_OK);
  EXPECT_EQ(hostValues<float>(result()), zeros);
  // Host arrays, computed on the GPU: only what the mask says is written.
  Tensor<bool> truthHere(truth, {3});
  Tensor<float> y(a, {2, 3}), place(old, {2, 3});
  options->where = truthHere.get();
  ASSERT_EQ(call("add", {value(y.get()), value(y.get())}), KERN_OK);
  EXPECT_EQ(valuesOf<float>(result()), zeros);
  ASSERT_EQ(call("add", {value(y.get()), value(y.get())}, {place.get()}),
            KERN_OK);
  EXPECT_EQ(Floats(old, old + 6), expected);
  // In place, and of another type.
  options->where = &mask->dl_tensor;
  ASSERT_EQ(call("add", {value(&x->dl_tensor), weak(10)}, {&x->dl_tensor}),
            KERN_OK);
  EXPECT_EQ(hostValues<float>(x->dl_tensor), (Floats{11, 2, 13, 14, 5, 16}));
  double wide[6] = {};
  ManagedArray other = onDevice(Tensor<double>(wide, {2, 3}).get());
  ASSERT_EQ(call("add", {value(&x->dl_tensor), weak(1)}, {&other->dl_tensor}),
            KERN_OK);
  EXPECT_EQ(hostValues<double>(other->dl_tensor),
            (Doubles{12, 0, 14, 15, 0, 17}));
}

TEST_F(CudaOptions, NamedLoopsConvertOnTheDevice) {
  float a[3] = {1.5f, 2.5f, 3.5f};
  ManagedArray x = onDevice(Tensor<float>(a, {3}).get());
  options->has_dtype = 1;
  options->dtype = KERN_F64;
  ASSERT_EQ(call("add", {value(&x->dl_tensor), weak(1)}), KERN_OK);
  EXPECT_EQ(hostValues<double>(result()), (Doubles{2.5, 3.5, 4.5}));
  options->dtype = KERN_I8;
  EXPECT_EQ(call("add", {value(&x->dl_tensor), weak(1)}), KERN_ERROR_TYPE);
  EXPECT_NE(std::string(kern_last_error()).find("has no loop"),
            std::string::npos);
  // Of complex numbers the real part, where that is asked for.
  std::complex<double> c[2] = {{1, 9}, {2, 9}};
  ManagedArray z = onDevice(Tensor<std::complex<double>>(c, {2}).get());
  options->dtype = KERN_F64;
  EXPECT_EQ(call("add", {value(&z->dl_tensor), weak(1)}), KERN_ERROR_TYPE);
  options->casting = KERN_CASTING_UNSAFE;
  ASSERT_EQ(call("add", {value(&z->dl_tensor), weak(1)}), KERN_OK)
      << kern_last_error();
  EXPECT_EQ(hostValues<double>(result()), (Doubles{2, 3}));
}

TEST_F(CudaOptions, UnknownNumbersAreRefused) {
  kern_call_request bad = noOptions();
  auto refused = [&](const char *what) {
    options = bad;
    EXPECT_EQ(call("add", {weak(1), weak(2)}), KERN_ERROR_ARGUMENT);
    EXPECT_NE(std::string(kern_last_error()).find(what), std::string::npos)
        << kern_last_error();
    bad = noOptions();
  };
  int wild = 77;
  std::memcpy(&bad.casting, &wild, sizeof wild);
  refused("unknown casting number 77");
  std::memcpy(&bad.order, &wild, sizeof wild);
  refused("unknown order number 77");
  bad.has_dtype = 1;
  std::memcpy(&bad.dtype, &wild, sizeof wild);
  refused("unknown type number 77");
  int types[] = {KERN_ANY_DTYPE, 99, KERN_ANY_DTYPE};
  bad.signature = types;
  refused("unknown type number 99");
  types[1] = KERN_ANY_DTYPE;
  bad.signature = types;
  bad.has_dtype = 1;
  refused("cannot both be given");
  // An older caller's smaller struct has none of them.
  options = noOptions();
  options->call.size = offsetof(kern_call_request, axis);
  std::memcpy(&options->casting, &wild, sizeof wild);
  EXPECT_EQ(call("add", {weak(1), weak(2)}), KERN_OK);
}

TEST(Axes, ThereAndBack) {
  StridedView view;
  view.dtype = DType::F64;
  view.shape = {2, 3, 4};
  view.strides = {96, 32, 8};
  AxisMap map;
  map.core = {2, 0};
  auto kernel = toKernel(view, map);
  ASSERT_TRUE(kernel);
  EXPECT_EQ(kernel->shape, (Extents{3, 4, 2}));
  EXPECT_EQ(kernel->strides, (Extents{32, 8, 96}));
  StridedView back = toCaller(*kernel, map);
  EXPECT_EQ(back.shape, view.shape);
  EXPECT_EQ(back.strides, view.strides);
  map.isMerged = true;
  EXPECT_FALSE(toKernel(view, map)) << "no single stride";
  map.core = {1, 2};
  kernel = toKernel(view, map);
  ASSERT_TRUE(kernel);
  EXPECT_EQ(kernel->shape, (Extents{2, 12}));
  EXPECT_EQ(kernel->strides, (Extents{96, 8}));
  // A core dimension that the array lacks has extent 1.
  AxisMap lacking;
  lacking.core = {AxisMap::missing, 1};
  kernel = toKernel(view, lacking);
  ASSERT_TRUE(kernel);
  EXPECT_EQ(kernel->shape, (Extents{2, 4, 1, 3}));
  EXPECT_EQ(kernel->strides, (Extents{96, 8, 0, 32}));
  back = toCaller(*kernel, lacking);
  EXPECT_EQ(back.shape, view.shape);
  EXPECT_EQ(back.strides, view.strides);
  AxisMap kept;
  kept.core = {0, 2};
  kept.isKept = true;
  StridedView result;
  result.shape = {3};
  result.strides = {8};
  EXPECT_EQ(toCaller(result, kept).shape, (Extents{1, 3, 1}));
}

TEST_F(CudaOptions, ExplainsTheCall) {
  Doubles v = count(24);
  ManagedArray x = onDevice(Tensor<double>(v.data(), {4, 6}).get());
  Tensor<double> part(static_cast<double *>(x->dl_tensor.data), {4, 3}, {6, 2},
                      {kDLCUDA, 0});
  std::vector<char> text(1024, 'x');
  options->explanation = text.data();
  options->explanation_size = text.size();
  for (int round = 0; round < 2; ++round) { // never from a plan
    text[0] = 0;
    ASSERT_EQ(call("add", {value(part.get()), weak(1)}), KERN_OK)
        << kern_last_error();
    EXPECT_NE(std::string(text.data())
                  .find("argument 1 (`x`): 8 bytes at a "
                        "time; its elements lie 16 bytes"),
              std::string::npos)
        << text.data();
  }
  // No byte beyond the size given.
  options->explanation_size = 8;
  text.assign(16, 'x');
  ASSERT_EQ(call("add", {value(part.get()), weak(1)}), KERN_OK);
  EXPECT_EQ(std::string(text.data()).size(), 7u);
  EXPECT_EQ(text[8], 'x');
}
