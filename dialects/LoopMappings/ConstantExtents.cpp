//===- ConstantExtents.cpp - dimensions of one call --------------------- ===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopMappings/CoreExtents.h"

#include "dialects/LoopToLLVM/Body.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace kern::ir::loop;
using kern::runtime::DimToken;

/// The extents with names replaced by `numbers`; one without other names
/// becomes its value.
static ArrayAttr withNumbers(ImplicitLocOpBuilder &b, KernelOp kernel,
                             ArrayAttr extents,
                             const llvm::StringMap<int64_t> &numbers) {
  SmallVector<Attribute> list;
  for (auto extent : extents.getAsRange<ArrayAttr>()) {
    DimTokens tokens = tokensOf(extent);
    for (DimToken &token : tokens)
      if (auto found = numbers.find(token.text()); found != numbers.end())
        token = DimToken::integer(found->second);
    APInt value;
    if (hasValue(tokens) &&
        matchPattern(dimValue(b, kernel, tokens), m_ConstantInt(&value)))
      tokens = {DimToken::integer(std::max<int64_t>(value.getSExtValue(), 0))};
    list.push_back(attributeOf(b.getContext(), tokens));
  }
  return b.getArrayAttr(list);
}

/// Folds constants, such as the extents of local arrays.
static void foldConstants(KernelOp kernel) {
  OpBuilder b(kernel.getContext());
  kernel->walk([&](Operation *op) {
    if (!isa<arith::ArithDialect>(op->getDialect()) ||
        op->hasTrait<OpTrait::ConstantLike>())
      return;
    b.setInsertionPoint(op);
    SmallVector<Value> results;
    // Without results, it was changed in place.
    if (succeeded(b.tryFold(op, results)) && !results.empty())
      op->replaceAllUsesWith(results);
  });
}

void kern::ir::loop::setConstantExtents(KernelOp kernel,
                                        ArrayRef<int64_t> extents) {
  if (extents.empty() || !kernel.getDimNames())
    return;
  ImplicitLocOpBuilder b(kernel.getLoc(), kernel.getContext());
  b.setInsertionPointToStart(&kernel.entry());
  llvm::StringMap<int64_t> numbers;
  for (auto [extent, dim, name] :
       llvm::zip(extents, kernel.dims(), *kernel.getDimNames())) {
    if (extent == 0)
      continue;
    dim.replaceAllUsesWith(
        arith::ConstantOp::create(b, b.getI64IntegerAttr(extent)));
    numbers[cast<StringAttr>(name).getValue()] = extent;
  }
  if (auto core = kernel.getCoreExtents()) {
    SmallVector<Attribute> operands;
    for (auto operand : core->getAsRange<ArrayAttr>())
      operands.push_back(withNumbers(b, kernel, operand, numbers));
    kernel.setCoreExtentsAttr(b.getArrayAttr(operands));
  }
  foldConstants(kernel);
  kernel->setAttr(unrolledAttribute, b.getUnitAttr());
}
