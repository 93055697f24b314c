//===- BlasTest.cpp - products of matrices that go to cuBLAS --------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FakeBlas.h"
#include "GpuCaller.h"

#include <cstdlib>
#include <dlfcn.h>

using namespace kern::runtime;
using namespace kern::test;

namespace {
void use(FakeBlas *blas) {
  void *library = ::dlopen(KERN_FAKE_CUBLAS, RTLD_NOW | RTLD_LOCAL);
  ASSERT_TRUE(library) << ::dlerror();
  reinterpret_cast<FakeBlasUse *>(::dlsym(library, "fakeBlasUse"))(blas);
}

/// A base, so that it outlives the driver's double, whose end closes handles.
struct WithBlas {
  WithBlas() {
    ::setenv("KERN_CUBLAS", KERN_FAKE_CUBLAS, 1);
    use(&blas);
  }
  ~WithBlas() {
    ::unsetenv("KERN_CUBLAS");
    EXPECT_EQ(blas.handles, 0);
    use(nullptr);
  }
  FakeBlas blas;
};

class CudaBlas : public WithBlas, public GpuCaller {
protected:
  CudaBlas() {
    blas.compute = [this](const FakeGemm &call) { compute(call); };
  }

  /// C = A × B of f64, by definition.
  void compute(const FakeGemm &call) {
    auto memory = [&](const void *device) {
      return gpu.at<double>(int64_t(uintptr_t(device)));
    };
    auto place = [](bool isTransposed, int64_t leading, int64_t row,
                    int64_t column) {
      return isTransposed ? column + row * leading : row + column * leading;
    };
    for (int64_t e = 0; e < call.count; ++e) {
      const double *a = memory(call.a) + e * call.apartA;
      const double *b = memory(call.b) + e * call.apartB;
      double *c = memory(call.c) + e * call.apartC;
      for (int i = 0; i < call.m; ++i)
        for (int j = 0; j < call.n; ++j) {
          double sum = 0;
          for (int p = 0; p < call.k; ++p)
            sum += a[place(call.transA, call.lda, i, p)] *
                   b[place(call.transB, call.ldb, p, j)];
          c[place(false, call.ldc, i, j)] = sum;
        }
    }
  }

  /// Small integers, whose sums are exact.
  static std::vector<double> some(int64_t count, int64_t seed) {
    std::vector<double> out;
    for (int64_t i = 0; i < count; ++i)
      out.push_back(double((i * 7 + seed) % 11 - 5));
    return out;
  }
  static std::vector<double> products(const std::vector<double> &a,
                                      const std::vector<double> &b,
                                      int64_t count, int64_t m, int64_t k,
                                      int64_t n) {
    std::vector<double> c(size_t(count * m * n));
    for (int64_t e = 0; e < count; ++e)
      for (int64_t i = 0; i < m; ++i)
        for (int64_t p = 0; p < k; ++p)
          for (int64_t j = 0; j < n; ++j)
            c[size_t((e * m + i) * n + j)] +=
                a[size_t((e * m + i) * k + p)] * b[size_t((e * k + p) * n + j)];
    return c;
  }
  /// Matrices on the device, each transposed in memory if wanted, whose rows
  /// (or columns) lie `gap` elements further apart than they need.
  struct Matrices {
    ManagedArray memory;
    std::optional<Tensor<double>> view;
    const DLTensor *get() { return view->get(); }
  };
  Matrices matrices(const std::vector<double> &values, int64_t count, int64_t m,
                    int64_t n, bool isTransposed, int64_t gap) {
    int64_t row = isTransposed ? 1 : n + gap,
            column = isTransposed ? m + gap : 1;
    int64_t each = isTransposed ? n * column : m * row;
    std::vector<double> laid(size_t(count * each), -1);
    for (int64_t e = 0; e < count; ++e)
      for (int64_t i = 0; i < m; ++i)
        for (int64_t j = 0; j < n; ++j)
          laid[size_t(e * each + i * row + j * column)] =
              values[size_t((e * m + i) * n + j)];
    Matrices out{
        onDevice(Tensor<double>(laid.data(), {int64_t(laid.size())}).get()),
        {}};
    out.view.emplace(static_cast<double *>(out.memory->dl_tensor.data),
                     Extents{count, m, n}, Extents{each, row, column},
                     DLDevice{kDLCUDA, 0});
    return out;
  }
};
} // namespace

TEST_F(CudaBlas, ComputesProducts) {
  constexpr int64_t m = 65, k = 70, n = 64;
  auto a = some(m * k, 1), b = some(k * n, 2);
  ManagedArray x = onDevice(Tensor<double>(a.data(), {m, k}).get()),
               y = onDevice(Tensor<double>(b.data(), {k, n}).get());
  int stream = 0;
  options->call.stream = &stream;
  ASSERT_EQ(call("matmul", {value(&x->dl_tensor), value(&y->dl_tensor)}),
            KERN_OK)
      << kern_last_error();
  EXPECT_EQ(hostValues<double>(result()), products(a, b, 1, m, k, n));
  EXPECT_STREQ(report.form, "cuBLAS");
  EXPECT_STREQ(report.kernel, "cublasGemmEx");
  EXPECT_EQ(report.grid, 1u);
  EXPECT_TRUE(kernelLaunches().empty());
  ASSERT_EQ(blas.calls.size(), 1u);
  const FakeGemm &done = blas.calls[0];
  EXPECT_EQ(done.stream, &stream);
  EXPECT_EQ(done.alpha, 1);
  EXPECT_EQ(done.beta, 0);
  EXPECT_EQ(done.compute, 70) << "CUBLAS_COMPUTE_64F";
  EXPECT_EQ(done.typeA, 1) << "CUDA_R_64F";
  EXPECT_EQ(done.mathMode, 16) << "no TF32, no sums in 16 bits";
  EXPECT_NE(done.workspace, nullptr) << "one that no other stream has";
  EXPECT_GE(done.workspaceBytes, size_t(4) << 20);
  EXPECT_EQ(blas.handles, 1);
}

TEST_F(CudaBlas, TakesAnyLayout) {
  constexpr int64_t m = 66, k = 64, n = 67;
  for (int64_t count : {1, 3}) {
    auto a = some(count * m * k, 3), b = some(count * k * n, 4);
    auto expected = products(a, b, count, m, k, n);
    for (int way = 0; way < 8; ++way)
      for (int64_t gap : {0, 5}) {
        Matrices x = matrices(a, count, m, k, way & 1, gap),
                 y = matrices(b, count, k, n, way & 2, gap),
                 z = matrices(expected, count, m, n, way & 4, gap);
        size_t before = blas.calls.size();
        ASSERT_EQ(call("matmul", {value(x.get()), value(y.get())}, {z.get()}),
                  KERN_OK)
            << kern_last_error();
        EXPECT_STREQ(report.kernel,
                     count > 1 ? "cublasGemmStridedBatchedEx" : "cublasGemmEx");
        EXPECT_EQ(blas.calls.size(), before + 1);
        ASSERT_EQ(hostValues<double>(*z.get()), expected)
            << "way " << way << ", gap " << gap;
      }
  }
}

// A call like one before it takes that one's plan, with its own arrays.
TEST_F(CudaBlas, RepeatsPlannedCalls) {
  constexpr int64_t count = 2, m = 64, k = 65, n = 66;
  for (int64_t round = 0; round < 4; ++round) {
    auto a = some(count * m * k, round), b = some(count * k * n, 2 * round);
    Matrices x = matrices(a, count, m, k, false, 0),
             y = matrices(b, count, k, n, true, 1);
    ASSERT_EQ(call("matmul", {value(x.get()), value(y.get())}), KERN_OK)
        << kern_last_error();
    EXPECT_STREQ(report.form, "cuBLAS");
    EXPECT_EQ(hostValues<double>(result()), products(a, b, count, m, k, n));
  }
  EXPECT_EQ(blas.calls.size(), 4u);
  EXPECT_EQ(blas.handles, 1);
}

// Kern's own kernel is asked for, which the double of a GPU does not have.
TEST_F(CudaBlas, IsNotUsedOtherwise) {
  auto a = some(70 * 70, 5);
  ManagedArray x = onDevice(Tensor<double>(a.data(), {70, 70}).get());
  auto takesOurs = [&](const DLTensor *left, const DLTensor *right) {
    EXPECT_NE(call("matmul", {value(left), value(right)}), KERN_OK);
    EXPECT_NE(std::string(kern_last_error()).find("'matmul_f64_general'"),
              std::string::npos)
        << kern_last_error();
  };
  auto *data = static_cast<double *>(x->dl_tensor.data);
  Tensor<double> small(data, {63, 70}, {70, 1}, {kDLCUDA, 0}),
      spread(data, {70, 35}, {70, 2}, {kDLCUDA, 0}),
      part(data, {35, 70}, {70, 1}, {kDLCUDA, 0});
  takesOurs(small.get(), &x->dl_tensor);
  takesOurs(spread.get(), part.get());
  ::setenv("KERN_CUBLAS", "0", 1);
  takesOurs(&x->dl_tensor, &x->dl_tensor);
  EXPECT_TRUE(blas.calls.empty());
}

TEST_F(CudaBlas, ReportsWhatFails) {
  auto a = some(70 * 70, 6);
  ManagedArray x = onDevice(Tensor<double>(a.data(), {70, 70}).get());
  auto fails = [&](const char *why) {
    EXPECT_EQ(call("matmul", {value(&x->dl_tensor), value(&x->dl_tensor)}),
              KERN_ERROR_DEVICE);
    EXPECT_NE(std::string(kern_last_error()).find(why), std::string::npos)
        << kern_last_error();
  };
  ::setenv("KERN_CUBLAS", "/nowhere/libcublas.so", 1);
  fails("`matmul`: KERN_CUBLAS asks for cuBLAS, which cannot be loaded: "
        "/nowhere/libcublas.so");
  ::setenv("KERN_CUBLAS", "libm.so.6", 1);
  fails("has no cublasCreate_v2");
  ::setenv("KERN_CUBLAS", KERN_FAKE_CUBLAS, 1);
  blas.createdAs = 1;
  fails("cublasCreate failed with status 1");
  blas.createdAs = 0;
  blas.computesAs = 13;
  fails("cublasGemmEx failed with status 13");
  blas.computesAs = 0;
  EXPECT_EQ(call("matmul", {value(&x->dl_tensor), value(&x->dl_tensor)}),
            KERN_OK)
      << "and works from then on";
}
