//===- Divisor.cpp - division by a launch's constants ---------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToGPU/Divisor.h"

using namespace mlir;
using namespace kern::ir::loop;

static Value highHalf(KernelBuilder &b, Value word) {
  return b.narrow(arith::ShRUIOp::create(b, word, b.i64(32)));
}

Divisor kern::ir::loop::readDivisor(KernelBuilder &b, Value number,
                                    Value word) {
  return {b.narrow(number), b.narrow(word), highHalf(b, word)};
}

Value kern::ir::loop::quotient(KernelBuilder &b, Value dividend,
                               const Divisor &divisor) {
  // (high half of dividend * multiplier + dividend) >> shift: the sum of two
  // numbers below 2^31 does not wrap.
  Value product = b.mul(b.widen(dividend), b.widen(divisor.multiplier));
  return arith::ShRUIOp::create(b, b.add(highHalf(b, product), dividend),
                                divisor.shift);
}
