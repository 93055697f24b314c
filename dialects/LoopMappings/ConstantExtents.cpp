//===- ConstantExtents.cpp - dimensions of one call --------------------- ===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopMappings/ConstantExtents.h"

#include "dialects/LoopToLLVM/Body.h"
#include "runtime/artefact/Dimension.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace kern::ir::loop;

using kern::runtime::DimExpr;

/// The same extent; a number if it follows from `numbers` alone.
static Attribute withNumbers(ArrayAttr extent,
                             const llvm::StringMap<int64_t> &numbers) {
  DimExpr expression;
  for (auto token : extent.getAsRange<StringAttr>())
    expression.tokens.push_back(token.str());
  auto value = evaluate(expression,
                        [&](const std::string &name) -> std::optional<int64_t> {
                          auto found = numbers.find(name);
                          if (found == numbers.end())
                            return std::nullopt;
                          return found->second;
                        });
  if (!value)
    return extent;
  std::string number = std::to_string(std::max<int64_t>(*value, 0));
  return Builder(extent.getContext()).getStrArrayAttr(StringRef(number));
}

/// Computes what follows from constants, such as the extents of local arrays.
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
    for (auto operand : core->getAsRange<ArrayAttr>()) {
      SmallVector<Attribute> list;
      for (auto extent : operand.getAsRange<ArrayAttr>())
        list.push_back(withNumbers(extent, numbers));
      operands.push_back(b.getArrayAttr(list));
    }
    kernel.setCoreExtentsAttr(b.getArrayAttr(operands));
  }
  foldConstants(kernel);
  kernel->setAttr(unrolledAttribute, b.getUnitAttr());
}
