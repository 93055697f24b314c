//===- VectorCall.h - calls of functions of vectors -------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// VectorCall.cpp is compiled once for each width, with the registers of that
// width: in code for any x86-64 a compiler passes wider vectors in memory, also
// where a function has a `target` attribute, and what libmvec takes from a
// register is whatever that happens to hold.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstddef>

namespace kern::test {

/// out[i] = f(x[i]), or f(x[i], y[i]) where `y` is not null: `f` is the address
/// of a function of vectors of `bytes` by the vector function ABI, T is float
/// or double, and `count` a multiple of a vector's elements.
template <size_t bytes, typename T>
void callVectors(void *f, const T *x, const T *y, T *out, size_t count);

} // namespace kern::test
