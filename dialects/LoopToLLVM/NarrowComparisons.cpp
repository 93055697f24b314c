//===- NarrowComparisons.cpp - narrower integer comparisons ---------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToLLVM/NarrowComparisons.h"

#include "dialects/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <limits>

using namespace mlir;
using namespace kern::ir::loop;
using Predicate = arith::CmpIPredicate;

namespace {

/// A value of at most 16 bits that was widened.
struct Widened {
  Value narrow;
  bool isSigned;
};

} // namespace

static std::optional<Widened> widened(Value value) {
  constexpr unsigned maxBits = 16;
  Operation *op = value.getDefiningOp();
  if (!isa_and_nonnull<arith::ExtSIOp, arith::ExtUIOp>(op))
    return std::nullopt;
  Value narrow = op->getOperand(0);
  if (!narrow.getType().isIntOrIndex() ||
      narrow.getType().getIntOrFloatBitWidth() > maxBits)
    return std::nullopt;
  return Widened{narrow, isa<arith::ExtSIOp>(op)};
}

static bool isUnsigned(Predicate predicate) {
  return predicate == Predicate::ult || predicate == Predicate::ule ||
         predicate == Predicate::ugt || predicate == Predicate::uge;
}

/// `input` clamped to an i32, which compares alike with any 16-bit value.
static Value clamped(OpBuilder &b, Location loc, Value input, bool asUnsigned) {
  auto bound = [&](int64_t value) {
    return arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(value));
  };
  using I32 = std::numeric_limits<int32_t>;
  if (asUnsigned) {
    input = arith::MinUIOp::create(b, loc, input,
                                   bound(std::numeric_limits<uint32_t>::max()));
  } else {
    input = arith::MaxSIOp::create(b, loc, input, bound(I32::min()));
    input = arith::MinSIOp::create(b, loc, input, bound(I32::max()));
  }
  return arith::TruncIOp::create(b, loc, b.getI32Type(), input);
}

static void narrowComparison(arith::CmpIOp op, KernelOp kernel) {
  bool isSwapped = !widened(op.getLhs());
  std::optional<Widened> small = widened(isSwapped ? op.getRhs() : op.getLhs());
  Value input = isSwapped ? op.getLhs() : op.getRhs();
  if (!small || !input.getType().isInteger(64) ||
      !llvm::is_contained(kernel.inputs(), input))
    return;
  bool asUnsigned = isUnsigned(op.getPredicate());
  if (asUnsigned && small->isSigned)
    return;
  OpBuilder b(op);
  Value word = clamped(b, op.getLoc(), input, asUnsigned);
  Type type = b.getI32Type();
  Value value =
      small->isSigned
          ? Value(arith::ExtSIOp::create(b, op.getLoc(), type, small->narrow))
          : Value(arith::ExtUIOp::create(b, op.getLoc(), type, small->narrow));
  op.setOperand(isSwapped, value);
  op.setOperand(!isSwapped, word);
}

void kern::ir::loop::narrowComparisons(KernelOp kernel) {
  SmallVector<arith::CmpIOp> comparisons;
  kernel.getBody().walk([&](arith::CmpIOp op) { comparisons.push_back(op); });
  for (arith::CmpIOp op : comparisons)
    narrowComparison(op, kernel);
}

namespace kern::ir {

#define GEN_PASS_DEF_LOOPNARROWCOMPARISONS
#include "dialects/Passes.h.inc"

namespace {
struct NarrowComparisonsPass
    : impl::LoopNarrowComparisonsBase<NarrowComparisonsPass> {
  void runOnOperation() override {
    for (KernelOp kernel : getOperation().getOps<KernelOp>())
      narrowComparisons(kernel);
  }
};
} // namespace

} // namespace kern::ir
