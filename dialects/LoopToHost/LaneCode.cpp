//===- LaneCode.cpp - operations of all lanes at once ---------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToHost/LaneCode.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace kern::ir::loop;
using Predicate = KernelBuilder::Predicate;

bool kern::ir::loop::isFunctionCall(Operation &op) {
  if (isa<func::CallOp, arith::RemFOp>(op))
    return true;
  return op.getName().getDialectNamespace() == "math" &&
         !isa<math::AbsFOp, math::CeilOp, math::FloorOp, math::TruncOp,
              math::RoundEvenOp, math::SqrtOp, math::CopySignOp, math::CtPopOp,
              math::FmaOp>(op);
}

static bool isDivision(Operation &op) {
  return isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp>(
      op);
}

static bool isScalar(Type type) {
  return type.isIntOrFloat() && type.getIntOrFloatBitWidth() <= 64;
}

std::string kern::ir::loop::whyNotInLanes(Operation &op) {
  // The results of a body with several are one structure.
  if (isa<LLVM::AllocaOp, LLVM::GEPOp, LLVM::MemsetOp, LLVM::InsertValueOp,
          LLVM::UndefOp, LLVM::ReturnOp, LLVM::Prefetch, cf::BranchOp,
          cf::CondBranchOp>(op)) {
    auto element = dyn_cast<LLVM::GEPOp>(op);
    if (element && (element.getRawConstantIndices().size() != 1 ||
                    !element.getElemType().isInteger(8)))
      return "has addresses of a kind without vectors";
    for (Value value : op.getOperands())
      if (isa<VectorType>(value.getType()))
        return "computes with complex numbers";
    return "";
  }
  Value address;
  if (auto load = dyn_cast<LLVM::LoadOp>(op))
    address = load.getAddr();
  if (auto store = dyn_cast<LLVM::StoreOp>(op))
    address = store.getAddr();
  if (address && !localArrayOf(address) && !operandOf(address))
    return "has an array whose size is known at the call";
  for (TypeRange types :
       {TypeRange(op.getOperandTypes()), TypeRange(op.getResultTypes())})
    for (Type type : types) {
      if (isa<VectorType>(type))
        return "computes with complex numbers";
      if (!isScalar(type) && !address)
        return "has values of a type without vectors";
    }
  bool hasCode = address || op.hasTrait<OpTrait::Elementwise>() ||
                 op.hasTrait<OpTrait::ConstantLike>() || isFunctionCall(op) ||
                 isa<LLVM::CallIntrinsicOp>(op);
  return hasCode ? "" : "has an operation without vectors";
}

//===----------------------------------------------------------------------===//
// Values and masks
//===----------------------------------------------------------------------===//

Value LaneCode::get(Value value) {
  Operation *op = value.getDefiningOp();
  if (op && (op->hasTrait<OpTrait::ConstantLike>() || isa<LLVM::UndefOp>(op)))
    return b.insert(op->clone())->getResult(0);
  Value here = values.lookup(value);
  assert(here && "a value is used before it is computed");
  return here;
}

Value LaneCode::wide(Value value) {
  TypedAttr constant;
  if (matchPattern(value, m_Constant(&constant)) && isScalar(value.getType()))
    return arith::ConstantOp::create(
        b, DenseElementsAttr::get(vectorOf(value.getType()), constant));
  Value here = get(value);
  return isa<VectorType>(here.getType()) ? here : splat(here);
}

Value LaneCode::splat(Value scalar) {
  Value first = LLVM::InsertElementOp::create(
      b, poison(vectorOf(scalar.getType())), scalar, b.i64(0));
  return LLVM::ShuffleVectorOp::create(b, first, first,
                                       SmallVector<int32_t>(lanes, 0));
}

Mask LaneCode::none() {
  return arith::ConstantOp::create(
      b, DenseElementsAttr::get(vectorOf(b.getI1Type()), false));
}

Mask LaneCode::all() {
  return arith::ConstantOp::create(
      b, DenseElementsAttr::get(vectorOf(b.getI1Type()), true));
}

Value LaneCode::notOf(Value condition) {
  Value ones = isa<VectorType>(condition.getType())
                   ? all()
                   : arith::ConstantOp::create(b, b.getBoolAttr(true));
  return arith::XOrIOp::create(b, condition, ones);
}

Mask LaneCode::where(Mask mask, Value condition) {
  if (!isa<VectorType>(condition.getType())) {
    if (!mask)
      return splat(condition);
    return arith::SelectOp::create(b, condition, mask, none());
  }
  // Not arith.andi: the condition may be poison in lanes outside the mask.
  return mask ? arith::SelectOp::create(b, mask, condition, none()) : condition;
}

Mask LaneCode::whereNot(Mask mask, Value condition) {
  return where(mask, notOf(condition));
}

Value LaneCode::isAny(Mask mask) {
  Type bits = b.getIntegerType(lanes);
  Value set = LLVM::BitcastOp::create(b, bits, mask);
  return b.compare(Predicate::ne, set,
                   arith::ConstantOp::create(b, b.getIntegerAttr(bits, 0)));
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// The same operation on vectors.
Operation *LaneCode::widened(Operation &op) {
  IRMapping operands;
  for (auto [i, operand] : llvm::enumerate(op.getOperands())) {
    bool staysScalar = i == 0 && isa<arith::SelectOp>(op) &&
                       !divergence.varies(operand, op.getBlock());
    // Whether a count of zeros is of 0, too, is said once for all lanes.
    staysScalar |= isa<LLVM::CallIntrinsicOp>(op) &&
                   operand.getType().isInteger(1) &&
                   matchPattern(operand, m_Constant());
    operands.map(operand, staysScalar ? get(operand) : wide(operand));
  }
  Operation *made = op.clone(operands);
  for (Value result : made->getResults())
    result.setType(vectorOf(result.getType()));
  return made;
}

/// Lanes outside the mask divide by 1.
void LaneCode::emitDivision(Operation &op, Mask mask) {
  Operation *made = widened(op);
  Value divisor = made->getOperand(1);
  if (mask && !matchPattern(op.getOperand(1), m_Constant())) {
    Value one = arith::ConstantOp::create(
        b, cast<TypedAttr>(b.getOneAttr(divisor.getType())));
    made->setOperand(1, arith::SelectOp::create(b, mask, divisor, one));
  }
  set(op.getResult(0), b.insert(made)->getResult(0));
}

void LaneCode::emitCall(Operation &op) {
  LLVM::LLVMFuncOp function = functionOfLanes(b, op, lanes);
  SmallVector<Value> arguments;
  for (Value operand : op.getOperands())
    arguments.push_back(wide(operand));
  auto call = LLVM::CallOp::create(b, function, arguments);
  if (op.getNumResults() == 1) {
    set(op.getResult(0), call.getResult());
    return;
  }
  for (auto [i, result] : llvm::enumerate(op.getResults()))
    set(result, LLVM::ExtractValueOp::create(b, call.getResult(),
                                             ArrayRef<int64_t>{int64_t(i)}));
}

void LaneCode::emit(Operation &op, const Node *node, Mask mask) {
  if (op.hasTrait<OpTrait::ConstantLike>() ||
      isa<LLVM::UndefOp, LLVM::GEPOp, LLVM::AllocaOp, LLVM::InsertValueOp>(op))
    return; // made where they are used
  b.setLoc(op.getLoc());
  if (auto load = dyn_cast<LLVM::LoadOp>(op))
    return emitLoad(load, mask);
  if (auto store = dyn_cast<LLVM::StoreOp>(op))
    return emitStore(store, node, mask);
  if (auto zeroes = dyn_cast<LLVM::MemsetOp>(op)) {
    Value bytes = b.mul(get(zeroes.getLen()), b.i64(lanes));
    LLVM::MemsetOp::create(b, values.lookup(zeroes.getDst()),
                           get(zeroes.getVal()), bytes, /*isVolatile=*/false);
    return;
  }
  if (auto fetch = dyn_cast<LLVM::Prefetch>(op))
    return emitFetch(fetch);
  if (!divergence.varies(op.getResult(0), op.getBlock())) {
    IRMapping operands;
    for (Value operand : op.getOperands())
      operands.map(operand, get(operand));
    Operation *made = b.insert(op.clone(operands));
    for (auto [result, here] : llvm::zip(op.getResults(), made->getResults()))
      set(result, here);
  } else if (isFunctionCall(op)) {
    emitCall(op);
  } else if (isDivision(op)) {
    emitDivision(op, mask);
  } else {
    set(op.getResult(0), b.insert(widened(op))->getResult(0));
  }
}
