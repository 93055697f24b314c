//===- Rounding.cpp - whether kernels of all mappings round alike ---------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopMappings/Mappings.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace kern::ir::loop;

bool kern::ir::loop::roundsAlike(KernelOp flattened) {
  const WalkResult result =
      flattened->walk([](arith::ArithFastMathInterface op) {
        auto flags = op.getFastMathFlagsAttr();
        return flags && arith::bitEnumContainsAny(flags.getValue(),
                                                  arith::FastMathFlags::reassoc)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      });
  return !result.wasInterrupted();
}
