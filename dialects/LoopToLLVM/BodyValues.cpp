//===- BodyValues.cpp - values of lanes, and of complex numbers -----------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToLLVM/Body.h"

#include "mlir/Dialect/Complex/IR/Complex.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace kern::ir::loop;

/// The table of these values, which the module has once.
static LLVM::GlobalOp tableOf(KernelBuilder &b, ModuleOp module,
                              DenseElementsAttr values) {
  constexpr llvm::StringLiteral prefix = "__kern_table_";
  size_t tables = 0;
  for (auto global : module.getOps<LLVM::GlobalOp>()) {
    if (global.getValueOrNull() == values)
      return global;
    tables += global.getSymName().starts_with(prefix);
  }
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(module.getBody());
  return LLVM::GlobalOp::create(
      b,
      LLVM::LLVMArrayType::get(values.getElementType(),
                               unsigned(values.getNumElements())),
      /*isConstant=*/true, LLVM::Linkage::Internal,
      (prefix + Twine(tables)).str(), values, /*alignment=*/16,
      b.constantSpace());
}

static Value lookUp(KernelBuilder &b, LookupOp lookup) {
  auto values = cast<DenseElementsAttr>(lookup.getValues());
  Value table = LLVM::AddressOfOp::create(
      b, tableOf(b, lookup->getParentOfType<ModuleOp>(), values));
  return b.load(lookup.getType(),
                b.element(table, values.getElementType(), lookup.getIndex()));
}

Value kern::ir::loop::laneValue(KernelBuilder &b, GroupLowering &group,
                                Operation &op) {
  return llvm::TypeSwitch<Operation *, Value>(&op)
      .Case([&](LaneOp) { return group.lane(b); })
      .Case([&](GroupSizeOp) { return group.groupSize(b); })
      .Case([&](LaneCountOp) { return group.laneCount(b); })
      .Case([&](KeepOp keep) { return group.keep(b, keep.getValue()); })
      .Case([&](OfLaneOp other) { return group.ofLane(b, other); })
      .Case([&](EarlierLaneOp other) { return group.earlierLane(b, other); })
      .Case([&](OfWarpsOp warps) { return group.ofWarps(b, warps); })
      .Case([&](LookupOp lookup) { return lookUp(b, lookup); })
      .Default([](Operation *) { return Value(); });
}

bool kern::ir::loop::lowerComplexParts(KernelBuilder &b, Operation &op) {
  auto part = [&](Value pair, int index) {
    return LLVM::ExtractElementOp::create(b, pair, b.i64(index));
  };
  if (auto create = dyn_cast<complex::CreateOp>(op)) {
    Value pair = LLVM::UndefOp::create(b, valueType(create.getType()));
    pair = LLVM::InsertElementOp::create(b, pair, create.getReal(), b.i64(0));
    pair =
        LLVM::InsertElementOp::create(b, pair, create.getImaginary(), b.i64(1));
    create->getResult(0).replaceAllUsesWith(pair);
  } else if (auto re = dyn_cast<complex::ReOp>(op)) {
    re->getResult(0).replaceAllUsesWith(part(re->getOperand(0), 0));
  } else if (auto im = dyn_cast<complex::ImOp>(op)) {
    im->getResult(0).replaceAllUsesWith(part(im->getOperand(0), 1));
  } else if (auto constant = dyn_cast<complex::ConstantOp>(op)) {
    SmallVector<Attribute> parts(constant.getValue().getValue());
    auto type = cast<VectorType>(valueType(constant.getType()));
    constant->getResult(0).replaceAllUsesWith(
        arith::ConstantOp::create(b, DenseElementsAttr::get(type, parts)));
  } else {
    return false;
  }
  op.erase();
  return true;
}
