//===- Contractions.cpp - the products that a GPU adds at once ------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToLLVM/Contractions.h"

#include "dialects/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/CSE.h"

using namespace mlir;
using namespace kern::ir::loop;

/// @fastmath leaves the choice to LLVM.
static bool mayBeRegrouped(arith::FastMathFlags flags) {
  return arith::bitEnumContainsAny(flags, arith::FastMathFlags::reassoc);
}

static arith::FastMathFlags flagsOf(Operation *op) {
  auto fast = dyn_cast<arith::ArithFastMathInterface>(op);
  auto flags = fast ? fast.getFastMathFlagsAttr() : arith::FastMathFlagsAttr();
  return flags ? flags.getValue() : arith::FastMathFlags::none;
}

static bool mayBeContracted(Operation *op) {
  return arith::bitEnumContainsAny(flagsOf(op), arith::FastMathFlags::contract);
}

/// Gives an operation the flag `contract`, or takes it away.
static void setContracted(Operation *op, bool isContracted) {
  const arith::FastMathFlags flags = flagsOf(op),
                             flag = arith::FastMathFlags::contract;
  op->setAttr(cast<arith::ArithFastMathInterface>(op).getFastMathAttrName(),
              arith::FastMathFlagsAttr::get(op->getContext(),
                                            isContracted ? flags | flag
                                                         : flags & ~flag));
}

/// A sum or a difference of f32 or f64 that rounds as it is written.
static bool isSum(Operation *op) {
  if (!isa<arith::AddFOp, arith::SubFOp>(op))
    return false;
  Type type = op->getResult(0).getType();
  return (type.isF32() || type.isF64()) && !mayBeRegrouped(flagsOf(op));
}

/// A term without its sign, if that is its only use.
static Value withoutSign(Value term) {
  for (auto negated = term.getDefiningOp<arith::NegFOp>();
       negated && negated->hasOneUse();
       negated = term.getDefiningOp<arith::NegFOp>())
    term = negated.getOperand();
  return term;
}

/// Whether a value of f32 is one of a type of halves.
static bool isHalf(Value value, Type type) {
  if (auto wide = value.getDefiningOp<arith::ExtFOp>())
    return wide.getIn().getType() == type;
  APFloat number(0.0F);
  bool losesBits = true;
  if (matchPattern(value, m_ConstantFloat(&number)))
    number.convert(cast<FloatType>(type).getFloatSemantics(),
                   APFloat::rmNearestTiesToEven, &losesBits);
  return !losesBits;
}

/// The type of halves that a sum of two of them in f32 is rounded to; null for
/// another sum.
static Type typeOfHalves(Operation *sum) {
  auto rounded = sum->hasOneUse()
                     ? dyn_cast<arith::TruncFOp>(*sum->user_begin())
                     : arith::TruncFOp();
  Type type = rounded ? rounded.getType() : Type();
  bool fits = type && type.getIntOrFloatBitWidth() == 16 &&
              llvm::all_of(sum->getOperands(),
                           [&](Value term) { return isHalf(term, type); });
  return fits ? type : Type();
}

/// The product in f32 that a half is, after rounding.
static arith::MulFOp productOfHalves(Value term) {
  auto wide = term.getDefiningOp<arith::ExtFOp>();
  auto rounded =
      wide ? wide.getIn().getDefiningOp<arith::TruncFOp>() : arith::TruncFOp();
  auto product = rounded ? rounded.getIn().getDefiningOp<arith::MulFOp>()
                         : arith::MulFOp();
  bool fits = product && product.getType().isF32() &&
              isHalf(product.getLhs(), rounded.getType()) &&
              isHalf(product.getRhs(), rounded.getType());
  return fits ? product : arith::MulFOp();
}

/// The product that is added at once, if a term is one that only the sum needs.
static arith::MulFOp addedProduct(Value term, bool ofHalves) {
  auto product = ofHalves ? productOfHalves(term)
                          : withoutSign(term).getDefiningOp<arith::MulFOp>();
  bool fits = product && !mayBeRegrouped(product.getFastmath()) &&
              product->hasOneUse() && term.hasOneUse() &&
              (!ofHalves || term.getDefiningOp()->getOperand(0).hasOneUse());
  return fits ? product : arith::MulFOp();
}

/// What a reduction adds of a product of complex numbers is added in parts
/// (accumulate() in Carried.h).
static void choosePartsOf(YieldOp yield) {
  auto number = yield.getValues().empty()
                    ? complex::CreateOp()
                    : yield.getValues()[0].getDefiningOp<complex::CreateOp>();
  if (!number)
    return;
  for (Value part : {number.getReal(), number.getImaginary()})
    if (Operation *sum = part.getDefiningOp(); sum && mayBeContracted(sum))
      for (Value term : sum->getOperands())
        if (auto product = term.getDefiningOp<arith::MulFOp>())
          setContracted(product, true);
}

static void mergeEqual(KernelOp kernel) {
  IRRewriter rewriter(kernel.getContext());
  DominanceInfo dominance(kernel);
  eliminateCommonSubExpressions(rewriter, dominance, kernel);
}

static unsigned countProducts(KernelOp kernel) {
  unsigned count = 0;
  kernel.walk([&](arith::MulFOp) { ++count; });
  return count;
}

void kern::ir::loop::mergeEqualProducts(KernelOp kernel) {
  const unsigned count = countProducts(kernel);
  if (count < 2)
    return;
  OwningOpRef<KernelOp> copy = kernel.clone();
  mergeEqual(*copy);
  if (countProducts(*copy) < count)
    mergeEqual(kernel);
}

void kern::ir::loop::chooseContractions(KernelOp kernel) {
  kernel.walk([](Operation *op) {
    if (auto yield = dyn_cast<YieldOp>(op))
      return choosePartsOf(yield);
    if (!isSum(op))
      return;
    const bool ofHalves = bool(typeOfHalves(op));
    arith::MulFOp product = addedProduct(op->getOperand(0), ofHalves);
    if (!product)
      product = addedProduct(op->getOperand(1), ofHalves);
    if (!product)
      return;
    setContracted(product, true);
    setContracted(op, true);
  });
}

bool kern::ir::loop::mayJoinSum(Operation *op) {
  return isa<arith::NegFOp>(op) ||
         (isa<arith::MulFOp>(op) && mayBeContracted(op));
}

namespace {
/// A chosen product that is a term of a sum.
struct Chosen {
  arith::MulFOp product; ///< null if there is none
  bool isNegative = false;

  static Chosen from(Value term, bool ofHalves);
};
} // namespace

Chosen Chosen::from(Value term, bool ofHalves) {
  Chosen found;
  if (ofHalves) {
    found.product = productOfHalves(term);
  } else {
    for (auto negated = term.getDefiningOp<arith::NegFOp>(); negated;
         negated = term.getDefiningOp<arith::NegFOp>()) {
      found.isNegative = !found.isNegative;
      term = negated.getOperand();
    }
    found.product = term.getDefiningOp<arith::MulFOp>();
  }
  if (!found.product || !mayBeContracted(found.product) ||
      mayBeRegrouped(found.product.getFastmath()))
    return {};
  return found;
}

/// Of halves, the sum and the rounding after it become one operation: the FMA
/// of a half rounds once.
static void contractChosen(Operation *sum, bool hasFmaOfBF16) {
  OpBuilder b(sum);
  const Location loc = sum->getLoc();
  const Type half = typeOfHalves(sum);
  if (half && half.isBF16() && !hasFmaOfBF16)
    return;
  const bool isDifference = isa<arith::SubFOp>(sum);
  unsigned place = 0;
  Chosen chosen = Chosen::from(sum->getOperand(0), bool(half));
  if (!chosen.product)
    chosen = Chosen::from(sum->getOperand(place = 1), bool(half));
  if (!chosen.product)
    return;
  auto factor = [&](Value value, bool isNegative) -> Value {
    if (half) {
      b.setInsertionPointAfterValue(value);
      value = b.createOrFold<arith::TruncFOp>(loc, half, value);
      b.setInsertionPoint(sum);
    }
    return isNegative ? arith::NegFOp::create(b, loc, value) : value;
  };
  const bool isNegative = chosen.isNegative != (isDifference && place == 1);
  Value contracted = LLVM::FMAOp::create(
      b, loc, factor(chosen.product.getLhs(), isNegative),
      factor(chosen.product.getRhs(), false),
      factor(sum->getOperand(1 - place), isDifference && place == 0));
  Operation *replaced = half ? *sum->user_begin() : sum;
  replaced->replaceAllUsesWith(ValueRange(contracted));
  replaced->erase();
  if (replaced != sum)
    sum->erase();
}

void kern::ir::loop::contractChosen(ModuleOp module, bool hasFmaOfBF16) {
  SmallVector<Operation *> chosen;
  module.walk([&](Operation *op) {
    if (mayBeContracted(op) && isSum(op))
      chosen.push_back(op);
  });
  for (Operation *sum : chosen)
    ::contractChosen(sum, hasFmaOfBF16);
  module.walk([](Operation *op) {
    if (mayBeContracted(op) && !mayBeRegrouped(flagsOf(op)))
      setContracted(op, false);
  });
}

namespace kern::ir {

#define GEN_PASS_DEF_LOOPCHOOSECONTRACTIONS
#define GEN_PASS_DEF_LOOPMERGEPRODUCTS
#include "dialects/Passes.h.inc"

namespace {
struct MergeProductsPass : impl::LoopMergeProductsBase<MergeProductsPass> {
  void runOnOperation() override {
    for (KernelOp kernel : getOperation().getOps<KernelOp>())
      mergeEqualProducts(kernel);
  }
};

struct ChooseContractionsPass
    : impl::LoopChooseContractionsBase<ChooseContractionsPass> {
  void runOnOperation() override {
    for (KernelOp kernel : getOperation().getOps<KernelOp>())
      chooseContractions(kernel);
  }
};
} // namespace

} // namespace kern::ir
