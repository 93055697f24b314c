//===- OlderGlibc.cpp - what glibc 2.34 lacks -----------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions of glibc that what we ship would take in a version newer than 2.34,
// so that RHEL 9 and Ubuntu 22.04 could not load it. libkern.so and the demo
// are linked with these, hidden. test/package looks for others.
//
//===----------------------------------------------------------------------===//
#include <cstdint>
#include <sys/random.h>

extern "C" {
// Version 2.35 of these differs in not setting errno; the values are the same.
double hypotOfOldGlibc(double x, double y);
float hypotfOfOldGlibc(float x, float y);
__asm__(".symver hypotOfOldGlibc, hypot@GLIBC_2.2.5");
__asm__(".symver hypotfOfOldGlibc, hypotf@GLIBC_2.2.5");

[[gnu::visibility("hidden")]] double hypot(double x, double y) {
  return hypotOfOldGlibc(x, y);
}

[[gnu::visibility("hidden")]] float hypotf(float x, float y) {
  return hypotfOfOldGlibc(x, y);
}

/// Of glibc 2.36. LLVM and libstdc++ take seeds from it.
[[gnu::visibility("hidden")]] uint32_t arc4random() {
  uint32_t number = 0;
  while (getrandom(&number, sizeof number, 0) != sizeof number) {
  }
  return number;
}
}
