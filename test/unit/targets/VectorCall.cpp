//===- VectorCall.cpp - calls of functions of vectors ---------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// KERN_VECTOR_BYTES is the width of the vectors. Nothing inline of others is
// used here: the linker might keep this file's copy, for CPUs without its
// registers.
//
//===----------------------------------------------------------------------===//
#include "VectorCall.h"

#include <cstring>

template <size_t bytes, typename T>
void kern::test::callVectors(void *f, const T *x, const T *y, T *out,
                             size_t count) {
  typedef T Vector __attribute__((vector_size(bytes)));
  for (size_t i = 0; i < count; i += bytes / sizeof(T)) {
    Vector a, b, result;
    std::memcpy(&a, x + i, bytes);
    if (y) {
      std::memcpy(&b, y + i, bytes);
      result = reinterpret_cast<Vector (*)(Vector, Vector)>(f)(a, b);
    } else {
      result = reinterpret_cast<Vector (*)(Vector)>(f)(a);
    }
    std::memcpy(out + i, &result, bytes);
  }
}

template void kern::test::callVectors<KERN_VECTOR_BYTES>(void *, const float *,
                                                         const float *, float *,
                                                         size_t);
template void kern::test::callVectors<KERN_VECTOR_BYTES>(void *, const double *,
                                                         const double *,
                                                         double *, size_t);
