//===- FakeBlas.cpp - a cuBLAS that records its calls ---------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FakeBlas.h"

using namespace kern::test;

namespace {
FakeBlas *used = nullptr;

/// What is set for the calls of a handle.
struct Handle {
  void *stream = nullptr, *workspace = nullptr;
  size_t bytes = 0;
  int mathMode = 0;
};
Handle *of(void *handle) { return static_cast<Handle *>(handle); }

double numberOf(const void *scalar, int compute) {
  constexpr int inF64 = 70;
  return compute == inF64 ? *static_cast<const double *>(scalar)
                          : double(*static_cast<const float *>(scalar));
}

int record(void *handle, FakeGemm call) {
  if (used->computesAs)
    return used->computesAs;
  call.stream = of(handle)->stream;
  call.mathMode = of(handle)->mathMode;
  call.workspace = of(handle)->workspace;
  call.workspaceBytes = of(handle)->bytes;
  used->calls.push_back(call);
  if (used->compute)
    used->compute(call);
  return 0;
}
} // namespace

extern "C" {
void fakeBlasUse(FakeBlas *blas) { used = blas; }

int cublasCreate_v2(void **handle) {
  if (used->createdAs)
    return used->createdAs;
  ++used->handles;
  *handle = new Handle;
  return 0;
}
int cublasDestroy_v2(void *handle) {
  --used->handles;
  delete of(handle);
  return 0;
}
int cublasSetStream_v2(void *handle, void *stream) {
  of(handle)->stream = stream;
  of(handle)->workspace = nullptr;
  of(handle)->bytes = 0;
  return 0;
}
int cublasSetWorkspace_v2(void *handle, void *workspace, size_t bytes) {
  of(handle)->workspace = workspace;
  of(handle)->bytes = bytes;
  return 0;
}
int cublasSetMathMode(void *handle, int mode) {
  of(handle)->mathMode = mode;
  return 0;
}
int cublasGemmEx(void *handle, int transA, int transB, int m, int n, int k,
                 const void *alpha, const void *a, int typeA, int lda,
                 const void *b, int typeB, int ldb, const void *beta, void *c,
                 int typeC, int ldc, int compute, int) {
  return record(handle, {transA, transB, m, n, k, numberOf(alpha, compute),
                         numberOf(beta, compute), a, b, c, typeA, typeB, typeC,
                         compute, lda, ldb, ldc});
}
int cublasGemmStridedBatchedEx(void *handle, int transA, int transB, int m,
                               int n, int k, const void *alpha, const void *a,
                               int typeA, int lda, long long apartA,
                               const void *b, int typeB, int ldb,
                               long long apartB, const void *beta, void *c,
                               int typeC, int ldc, long long apartC, int count,
                               int compute, int) {
  return record(handle, {transA,
                         transB,
                         m,
                         n,
                         k,
                         numberOf(alpha, compute),
                         numberOf(beta, compute),
                         a,
                         b,
                         c,
                         typeA,
                         typeB,
                         typeC,
                         compute,
                         lda,
                         ldb,
                         ldc,
                         apartA,
                         apartB,
                         apartC,
                         count});
}
}
