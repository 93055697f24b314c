//===- FakeBlas.h - a cuBLAS that records its calls -------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A library of its own, kern_fake_cublas, with those of cuBLAS's functions that
// Kern calls, written from NVIDIA's documentation.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace kern::test {

/// One call of gemm, with what was set before it. One record, since it has the
/// arguments of the call.
struct FakeGemm {
  int transA, transB, m, n, k;
  double alpha, beta; ///< their real parts
  const void *a, *b;
  void *c;
  int typeA, typeB, typeC, compute;
  int lda, ldb, ldc;
  long long apartA = 0, apartB = 0, apartC = 0;
  int count = 1;
  void *stream = nullptr;
  int mathMode = 0;
  void *workspace = nullptr; ///< that of this stream; NULL: cuBLAS's own
  size_t workspaceBytes = 0;
};

struct FakeBlas {
  std::vector<FakeGemm> calls;
  std::function<void(const FakeGemm &)> compute;
  int handles = 0;    ///< that are open
  int createdAs = 0;  ///< what cublasCreate returns
  int computesAs = 0; ///< what gemm returns
};

/// The library's function `fakeBlasUse`: its calls go there.
using FakeBlasUse = void(FakeBlas *);

} // namespace kern::test
