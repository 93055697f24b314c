//===- ScalarWork.cpp - work on scalar inputs -----------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToLLVM/KernelBuilder.h"
#include "dialects/LoopToLLVM/KernelFacts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/CastInterfaces.h"

using namespace mlir;
using namespace kern::ir::loop;

/// Whether a kernel has at most so many operations, and so many calls.
static bool hasAtMost(KernelOp kernel, unsigned maxOperations,
                      unsigned maxCalls) {
  unsigned operations = 0, calls = 0;
  kernel.getBody().walk([&](Operation *op) {
    ++operations;
    calls += isa<func::CallOp>(op);
  });
  return operations <= maxOperations && calls <= maxCalls;
}

static bool isDivision(Operation &op) {
  return isa<arith::DivFOp, arith::DivSIOp, arith::DivUIOp, arith::RemSIOp,
             arith::RemUIOp>(op);
}

/// Whether an operation is a quotient or remainder of floats. Each begins with
/// what it needs of the divisor alone.
static bool isFloatDivision(Operation &op) {
  auto call = dyn_cast<func::CallOp>(op);
  if (!call)
    return false;
  StringRef name = call.getCallee();
  return name.starts_with("kern.floor_divide.") ||
         name.starts_with("kern.remainder.") || name.starts_with("kern.fmod.");
}

/// Whether an operation costs almost nothing: a conversion, or taking a complex
/// number apart or building one.
static bool isFree(Operation &op) {
  return isa<CastOpInterface, complex::ReOp, complex::ImOp, complex::CreateOp>(
      op);
}

bool kern::ir::loop::isTiny(KernelOp kernel) { return hasAtMost(kernel, 8, 0); }

bool kern::ir::loop::isLong(KernelOp kernel) {
  if (!kernel.isUfunc() || !kernel.getBody().hasOneBlock())
    return false;
  // In instructions of a GPU, roughly.
  constexpr unsigned ofCall = 40, ofDivision = 8, enough = 24;
  unsigned work = 0;
  for (Operation &op : kernel.getBody().front()) {
    if (op.getNumRegions() != 0)
      return false;
    work += isa<func::CallOp, arith::RemFOp>(op) ? ofCall
            : isDivision(op)                     ? ofDivision
                                                 : 1;
  }
  return work >= enough;
}

/// Whether a later input is wider than the first input and the results. A
/// Python number is an i64 or f64; were it an array, its width would limit how
/// many narrow elements a thread reads at a time.
static bool hasWideScalars(KernelOp kernel) {
  unsigned widest = storedSize(kernel.inputs().front().getType());
  for (Attribute type : kernel.getResultTypes())
    widest = std::max(widest, storedSize(cast<TypeAttr>(type).getValue()));
  return llvm::any_of(kernel.inputs().drop_front(), [&](BlockArgument input) {
    return storedSize(input.getType()) > widest;
  });
}

bool kern::ir::loop::hasScalarWork(KernelOp kernel) {
  if (!kernel.isUfunc() || kernel.getNumInputs() < 2 ||
      !hasAtMost(kernel, 40, 2))
    return false;
  if (hasWideScalars(kernel))
    return true;
  // Values computed from later inputs and constants alone.
  llvm::DenseSet<Value> uniform, constant;
  for (BlockArgument input : kernel.inputs().drop_front())
    uniform.insert(input);
  for (Block &block : kernel.getBody())
    for (Operation &op : block.without_terminator()) {
      if (op.hasTrait<OpTrait::ConstantLike>()) {
        constant.insert_range(op.getResults());
        continue;
      }
      auto isUniform = [&](Value value) { return uniform.contains(value); };
      if ((isDivision(op) || isFloatDivision(op)) &&
          isUniform(op.getOperand(1)))
        return true;
      bool follows = llvm::any_of(op.getOperands(), isUniform) &&
                     llvm::all_of(op.getOperands(), [&](Value value) {
                       return isUniform(value) || constant.contains(value);
                     });
      if (!follows)
        continue;
      if (!isFree(op))
        return true;
      uniform.insert_range(op.getResults());
    }
  return false;
}
