//===- CudaCallTest.cpp - calls on a GPU, through the driver's double -----===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "GpuCaller.h"

#include <random>

using namespace kern::runtime;
using namespace kern::test;

namespace {
using CudaCall = GpuCaller;

/// The result of adding what two tensors hold (host memory of one shape).
template <typename T>
std::vector<T> sums(const std::vector<T> &a, const std::vector<T> &b) {
  std::vector<T> out;
  for (size_t i = 0; i < a.size(); ++i)
    out.push_back(a[i] + b[i]);
  return out;
}
} // namespace

TEST_F(CudaCall, HostArrays) {
  auto a = iota<float>(1000), b = iota<float>(1000, 7);
  ASSERT_EQ(call("add", {value(Tensor<float>(a.data(), {1000}).get()),
                         value(Tensor<float>(b.data(), {1000}).get())}),
            KERN_OK)
      << kern_last_error();
  EXPECT_EQ(valuesOf<float>(result()), sums(a, b));
  EXPECT_EQ(report.device.device_type, kDLCUDA);
  EXPECT_STREQ(report.kernel, "add_f32_contiguous");
  EXPECT_EQ(report.block, 64u);
  EXPECT_EQ(report.grid, 4u);
}

TEST_F(CudaCall, DeviceArraysStayThere) {
  auto a = iota<double>(12);
  ManagedArray x = onDevice(Tensor<double>(a.data(), {3, 4}).get());
  ASSERT_EQ(call("add", {value(&x->dl_tensor), weak(1)}), KERN_OK);
  EXPECT_EQ(result().device.device_type, kDLCUDA);
  EXPECT_EQ(hostValues<double>(result()), iota<double>(12, 1));
  auto row = iota<double>(4);
  ManagedArray y = onDevice(Tensor<double>(row.data(), {4}).get());
  ASSERT_EQ(call("add", {value(&x->dl_tensor), value(&y->dl_tensor)}), KERN_OK);
  EXPECT_STREQ(report.kernel, "add_f64_strided");
  EXPECT_EQ(hostValues<double>(result()),
            (std::vector<double>{0, 2, 4, 6, 4, 6, 8, 10, 8, 10, 12, 14}));
  // A host array without dimensions goes by value.
  ASSERT_EQ(call("add", {value(&x->dl_tensor),
                         value(Tensor<double>(row.data() + 3, {}).get())}),
            KERN_OK);
  EXPECT_STREQ(report.kernel, "add_f64_contiguous");
  EXPECT_EQ(hostValues<double>(result()), iota<double>(12, 3));
}

// A kernel whose accesses take 32 bytes gets no arrays that lie for 16.
TEST_F(CudaCall, AlignmentOfWiderAccesses) {
  auto a = iota<float>(1000), b = iota<float>(1000, 7);
  ManagedArray x = onDevice(Tensor<float>(a.data(), {1000}).get());
  ManagedArray y = onDevice(Tensor<float>(b.data(), {1000}).get());
  for (auto [skipped, kernel] : {std::pair(0, "wide_f32_contiguous"),
                                 {4, "wide_f32_strided"},
                                 {8, "wide_f32_contiguous"}}) {
    DLTensor part = x->dl_tensor, other = y->dl_tensor;
    int64_t count = 1000 - skipped;
    part.shape = other.shape = &count;
    part.byte_offset += uint64_t(skipped) * sizeof(float);
    ASSERT_EQ(call("wide", {value(&part), value(&other)}), KERN_OK)
        << kern_last_error();
    EXPECT_STREQ(report.kernel, kernel) << skipped;
    std::vector<float> expected =
        sums(std::vector(a.begin() + skipped, a.end()), b);
    EXPECT_EQ(hostValues<float>(result()),
              std::vector(expected.begin(), expected.begin() + count));
  }
  EXPECT_EQ(lastWanted.form, Form::Inner) << "the next best form";
}

// Device views of any strides, as in HostCall.AnyLayout but on the GPU.
TEST_F(CudaCall, AnyLayout) {
  std::mt19937 random(5);
  for (int round = 0; round < 300; ++round) {
    Extents shape(1 + random() % 8);
    for (int64_t &extent : shape)
      extent = 1 + int64_t(random() % 4);
    auto anyStrides = [&] {
      std::vector<size_t> axes(shape.size());
      std::iota(axes.begin(), axes.end(), 0u);
      std::shuffle(axes.begin(), axes.end(), random);
      Extents strides(shape.size());
      int64_t stride = 1;
      for (size_t axis : axes) {
        strides[axis] = stride;
        stride *= shape[axis] + int64_t(random() % 2);
      }
      return std::pair(strides, stride);
    };
    auto [sa, na] = anyStrides();
    auto [sb, nb] = anyStrides();
    auto [so, no] = anyStrides();
    auto a = iota<float>(size_t(na)), b = iota<float>(size_t(nb), 100);
    std::vector<float> out(size_t(no), -1);
    if (random() % 2)
      for (size_t d = 0; d < shape.size(); ++d)
        if (random() % 2)
          sb[d] = 0;
    Tensor<float> hostA(a.data(), shape, sa), hostB(b.data(), shape, sb),
        hostOut(out.data(), shape, so);
    // The whole buffers on the device, and views of them.
    ManagedArray bufferA = onDevice(Tensor<float>(a.data(), {na}).get());
    ManagedArray bufferB = onDevice(Tensor<float>(b.data(), {nb}).get());
    ManagedArray bufferOut = onDevice(Tensor<float>(out.data(), {no}).get());
    auto view = [&](ManagedArray &buffer, const Extents &strides) {
      return Tensor<float>(static_cast<float *>(buffer->dl_tensor.data), shape,
                           strides, {kDLCUDA, 0});
    };
    Tensor<float> x = view(bufferA, sa), y = view(bufferB, sb),
                  z = view(bufferOut, so);
    auto expected =
        sums(valuesOf<float>(*hostA.get()), valuesOf<float>(*hostB.get()));
    ASSERT_EQ(call("add", {value(x.get()), value(y.get())}), KERN_OK)
        << kern_last_error();
    ASSERT_EQ(hostValues<float>(result()), expected);
    ASSERT_EQ(call("add", {value(x.get()), value(y.get())}, {z.get()}),
              KERN_OK);
    ASSERT_EQ(hostValues<float>(*z.get()), expected);
    // Host arrays of the same layouts, into a host array.
    ASSERT_EQ(
        call("add", {value(hostA.get()), value(hostB.get())}, {hostOut.get()}),
        KERN_OK);
    ASSERT_EQ(valuesOf<float>(*hostOut.get()), expected);
    // What lies between the elements of the output is as it was.
    auto whole = hostValues<float>(bufferOut->dl_tensor);
    EXPECT_EQ(whole, out);
  }
}

// Dimensions that merge are one. Calls with as many share a kernel. A source
// with a fixed set of kernels has one for all. This one says nothing of its
// loops: only its kernel tells that several lanes share them, and then it is
// asked for such a kernel.
TEST_F(CudaCall, GufuncsAskForTheirLoopDimensions) {
  auto numbers = iota<double>(1 << 12);
  ManagedArray x = onDevice(Tensor<double>(numbers.data(), {1 << 12}).get());
  struct Row {
    bool makesVariants;
    Extents shape, strides;
    unsigned loopDims;
    int made; ///< so far
  };
  const Row rows[] = {{false, {32}, {1}, 6, 1},
                      {false, {8, 32}, {32, 1}, 6, 1},
                      {true, {64}, {1}, 1, 3},
                      {true, {8, 64}, {64, 1}, 1, 3},
                      {true, {4, 8, 64}, {512, 64, 1}, 1, 3},
                      {true, {4, 8, 64}, {1024, 64, 1}, 6, 4}};
  const int before = kernelsMade;
  for (const Row &row : rows) {
    makesKernelsForCalls = row.makesVariants;
    Tensor<double> view(static_cast<double *>(x->dl_tensor.data), row.shape,
                        row.strides, {kDLCUDA, 0});
    EXPECT_EQ(call("total", {value(view.get())}), KERN_OK) << kern_last_error();
    EXPECT_EQ(lastWanted.loopDims, row.loopDims) << row.shape.size();
    EXPECT_EQ(kernelsMade, before + row.made) << row.shape.size();
    EXPECT_GT(report.group, 1u);
  }
  makesKernelsForCalls = false;
}

TEST_F(CudaCall, CastsOnTheDevice) {
  auto a = iota<int16_t>(10);
  ManagedArray x = onDevice(Tensor<int16_t>(a.data(), {10}).get());
  ASSERT_EQ(call("add", {value(&x->dl_tensor), scalar<float>(0.5f)}), KERN_OK)
      << kern_last_error();
  EXPECT_EQ(hostValues<float>(result())[9], 9.5f);
  auto d = iota<double>(10);
  ManagedArray y = onDevice(Tensor<double>(d.data(), {10}).get());
  std::vector<float> zeros(10);
  ManagedArray out = onDevice(Tensor<float>(zeros.data(), {10}).get());
  ASSERT_EQ(call("add", {value(&y->dl_tensor), weak(1)}, {&out->dl_tensor}),
            KERN_OK);
  EXPECT_EQ(hostValues<float>(out->dl_tensor), iota<float>(10, 1));
}

TEST_F(CudaCall, OverlapOnTheDevice) {
  auto a = iota<double>(20);
  ManagedArray buffer = onDevice(Tensor<double>(a.data(), {20}).get());
  auto *data = static_cast<double *>(buffer->dl_tensor.data);
  Tensor<double> x(data, {10}, {1}, {kDLCUDA, 0}),
      shifted(data + 3, {10}, {1}, {kDLCUDA, 0});
  ASSERT_EQ(call("add", {value(x.get()), weak(100)}, {shifted.get()}), KERN_OK);
  auto expected = a;
  for (size_t i = 0; i < 10; ++i)
    expected[3 + i] = a[i] + 100;
  EXPECT_EQ(hostValues<double>(buffer->dl_tensor), expected);
  size_t before = gpu.launches.size();
  ASSERT_EQ(call("add", {value(x.get()), weak(1)}, {x.get()}), KERN_OK);
  EXPECT_EQ(gpu.launches.size(), before + 1) << "in place: no copy";
}

TEST_F(CudaCall, CoreDimensions) {
  auto a = iota<double>(7 * 50);
  ManagedArray x = onDevice(Tensor<double>(a.data(), {7, 50}).get());
  ASSERT_EQ(call("total", {value(&x->dl_tensor)}), KERN_OK)
      << kern_last_error();
  auto got = hostValues<double>(result());
  for (size_t i = 0; i < 7; ++i)
    EXPECT_EQ(got[i], 50.0 * 50 * double(i) + 49.0 * 50 / 2);
  EXPECT_STREQ(report.form, "general");
  EXPECT_GT(report.group, 1u);
  // Columns: the core dimension is the outer one.
  Tensor<double> columns(static_cast<double *>(x->dl_tensor.data), {50, 7},
                         {1, 50}, {kDLCUDA, 0});
  ASSERT_EQ(call("total", {value(columns.get())}), KERN_OK);
  got = hostValues<double>(result());
  for (size_t i = 0; i < 50; ++i)
    EXPECT_EQ(got[i], 7.0 * double(i) + 50 * 21);
}

TEST_F(CudaCall, TransfersLargerThanAChunk) {
  size_t n = size_t(3) << 20; // 24 MB of f64, several chunks of staging
  auto a = iota<double>(n);
  Tensor<double> x(a.data(), {3, 1 << 20});
  ASSERT_EQ(call("add", {value(x.get()), weak(1)}), KERN_OK);
  auto got = valuesOf<double>(result());
  for (size_t i = 0; i < n; ++i)
    ASSERT_EQ(got[i], double(i) + 1);
  // Transposed and of another type: gathered and converted on the way.
  std::vector<float> single(a.begin(), a.begin() + (1 << 21));
  Tensor<float> y(single.data(), {1 << 20, 2}, {1, 1 << 20});
  std::vector<float> out(1 << 21);
  Tensor<float> z(out.data(), {1 << 20, 2}, {2, 1});
  ASSERT_EQ(call("add", {value(y.get()), scalar<double>(1)}, {z.get()}),
            KERN_OK);
  for (size_t i = 0; i < 1 << 20; ++i)
    for (size_t j = 0; j < 2; ++j)
      ASSERT_EQ(out[2 * i + j], single[i + (j << 20)] + 1);
}

TEST_F(CudaCall, CopiesOfStridedDeviceArrays) {
  auto a = iota<int32_t>(60);
  ManagedArray buffer = onDevice(Tensor<int32_t>(a.data(), {60}).get());
  auto *data = static_cast<int32_t *>(buffer->dl_tensor.data);
  Tensor<int32_t> view(data + 59, {5, 3}, {-1, -10}, {kDLCUDA, 0});
  std::vector<int32_t> expected;
  for (int i = 0; i < 5; ++i)
    for (int j = 0; j < 3; ++j)
      expected.push_back(59 - i - 10 * j);
  EXPECT_EQ(hostValues<int32_t>(*view.get()), expected);
  ManagedArray copy = onDevice(view.get());
  EXPECT_EQ(hostValues<int32_t>(copy->dl_tensor), expected);
  // Into a strided device array, from the host and from itself.
  std::vector<int32_t> minus(15, -1);
  ASSERT_EQ(kern_array_assign(view.get(),
                              Tensor<int32_t>(minus.data(), {5, 3}).get()),
            KERN_OK);
  EXPECT_EQ(hostValues<int32_t>(*view.get()), minus);
  Tensor<int32_t> low(data, {30}, {1}, {kDLCUDA, 0}),
      moved(data + 1, {30}, {1}, {kDLCUDA, 0});
  ASSERT_EQ(kern_array_assign(moved.get(), low.get()), KERN_OK);
  EXPECT_EQ(hostValues<int32_t>(*moved.get()), iota<int32_t>(30));
}

TEST_F(CudaCall, MoreThanSixDimensions) {
  // A shape whose every second element is taken in each of 8 dimensions.
  Extents shape(8, 2), strides(8);
  int64_t stride = 1;
  for (size_t d = 8; d-- > 0; stride *= 3)
    strides[d] = stride;
  auto a = iota<float>(size_t(stride));
  ManagedArray buffer = onDevice(Tensor<float>(a.data(), {stride}).get());
  Tensor<float> x(static_cast<float *>(buffer->dl_tensor.data), shape, strides,
                  {kDLCUDA, 0});
  Tensor<float> hostX(a.data(), shape, strides);
  ASSERT_EQ(call("add", {value(x.get()), weak(1)}), KERN_OK);
  auto expected = valuesOf<float>(*hostX.get());
  for (float &v : expected)
    v += 1;
  EXPECT_EQ(hostValues<float>(result()), expected);
  EXPECT_EQ(kernelLaunches().size(), 4u);
}

TEST_F(CudaCall, DevicesThatDisagree) {
  auto a = iota<double>(4);
  ManagedArray x = onDevice(Tensor<double>(a.data(), {4}).get());
  Tensor<double> elsewhere(static_cast<double *>(x->dl_tensor.data), {4}, {1},
                           {kDLCUDA, 1});
  EXPECT_EQ(call("add", {value(&x->dl_tensor), value(elsewhere.get())}),
            KERN_ERROR_ARGUMENT);
  EXPECT_NE(std::string(kern_last_error())
                .find("cuda:0 and argument 2 (`y`) "
                      "on cuda:1"),
            std::string::npos)
      << kern_last_error();
  options = onTheHost();
  EXPECT_EQ(call("add", {value(&x->dl_tensor), weak(1)}), KERN_ERROR_ARGUMENT);
  EXPECT_NE(std::string(kern_last_error()).find("asked to run on cpu"),
            std::string::npos);
}

TEST_F(CudaCall, DescribesTheDevice) {
  kern_device_info info = {};
  info.size = sizeof info;
  ASSERT_EQ(kern_device_describe({kDLCUDA, 0}, &info), KERN_OK);
  EXPECT_STREQ(info.name, "Fake GPU");
  EXPECT_EQ(info.compute_capability, 90);
  EXPECT_EQ(kern_cuda_device_count(), 1);
  EXPECT_STREQ(kern_cuda_unavailable_reason(), "");
  EXPECT_EQ(kern_default_device().device_type, kDLCPU)
      << "whatever GPUs there are";
  ASSERT_EQ(kern_device_describe({kDLCPU, 0}, &info), KERN_OK);
  EXPECT_EQ(kern_device_describe({kDLCPU, 5}, &info), KERN_OK)
      << "as a call takes it";
  EXPECT_GE(info.multiprocessors, 1);
  EXPECT_GT(info.memory, 0u);
}
