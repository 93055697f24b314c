//===- SingleLane.cpp - a group of one lane -------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToLLVM/SingleLane.h"

#include "dialects/LoopToLLVM/Reduction.h"

using namespace kern::ir::loop;

void SingleLane::combine(KernelBuilder &b, CombineOp op) {
  op.replaceAllUsesWith(
      result(b, op.getKind(), {op.getValue(), op.getIndex()}));
}
