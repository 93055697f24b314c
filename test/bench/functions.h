//===- functions.h - what peers' loops call ---------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions that neither CUDA nor C++ has. functions.py puts this text before
// its kernels, host_functions.py before its loops.
//
//===----------------------------------------------------------------------===//
#pragma once

#ifdef __CUDACC__
#define LOCAL static __device__ __forceinline__
#else
#define LOCAL static inline
#endif

LOCAL float floored(float x, float y) { return floorf(x / y); }
LOCAL double floored(double x, double y) { return floor(x / y); }
LOCAL float modulo(float x, float y) {
  float r = fmodf(x, y);
  return r != 0 && (r < 0) != (y < 0) ? r + y : r;
}
LOCAL double modulo(double x, double y) {
  double r = fmod(x, y);
  return r != 0 && (r < 0) != (y < 0) ? r + y : r;
}

template <typename I> LOCAL I floored(I x, I y) {
  return x / y - (x % y != 0 && (x < 0) != (y < 0));
}
template <typename I> LOCAL I modulo(I x, I y) {
  I r = x % y;
  return r != 0 && (r < 0) != (y < 0) ? r + y : r;
}

#ifdef __CUDACC__

LOCAL int popcount(int x) { return __popc(x); }
LOCAL int leading(int x) { return __clz(x); }

LOCAL float load_f16(unsigned short bits) {
  float x;
  asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(bits));
  return x;
}
LOCAL float load_bf16(unsigned short bits) {
  return __uint_as_float(unsigned(bits) << 16);
}
LOCAL unsigned short store_f16(float x) {
  unsigned short bits;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(x));
  return bits;
}
LOCAL unsigned short store_bf16(float x) {
  unsigned short bits;
  asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(bits) : "f"(x));
  return bits;
}

#else

LOCAL int popcount(int x) { return __builtin_popcount(x); }
LOCAL int leading(int x) { return x ? __builtin_clz(x) : 32; }
LOCAL float load_f16(_Float16 x) { return x; }
LOCAL _Float16 store_f16(float x) { return x; }

#endif

#define SAME(KIND, TYPE)                                                       \
  LOCAL TYPE load_##KIND(TYPE x) { return x; }                                 \
  LOCAL TYPE store_##KIND(TYPE x) { return x; }
SAME(f32, float)
SAME(f64, double)
SAME(i32, int)
SAME(i64, long long)
SAME(u8, unsigned char)
SAME(bool, bool)
#ifdef COMPLEX
SAME(c64, complex<float>)
#endif
