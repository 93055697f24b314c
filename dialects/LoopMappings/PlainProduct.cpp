//===- PlainProduct.cpp - kernels that are products of matrices -----------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopMappings/PlainProduct.h"

#include "dialects/LoopMappings/Affine.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace kern::ir::loop;
using kern::runtime::Nest;

namespace {
/// The elements of which an iteration adds the product.
struct Factors {
  LoadOp left, right;
};
} // namespace

static bool mayContract(arith::FastMathFlags flags) {
  return arith::bitEnumContainsAll(flags, arith::FastMathFlags::contract);
}

/// An element that is a factor of a sum of its own type, or, if it is a half,
/// of an f32.
static LoadOp factor(Value value) {
  if (auto wide = value.getDefiningOp<arith::ExtFOp>()) {
    bool isHalf = wide.getIn().getType().getIntOrFloatBitWidth() == 16;
    return isHalf && wide.getType().isF32()
               ? wide.getIn().getDefiningOp<LoadOp>()
               : LoadOp();
  }
  bool isKnown = value.getType().isF32() || value.getType().isF64();
  return isKnown ? value.getDefiningOp<LoadOp>() : LoadOp();
}

static std::optional<Factors> realProduct(Value value) {
  auto product = value.getDefiningOp<arith::MulFOp>();
  if (!product || !mayContract(product.getFastmath()))
    return std::nullopt;
  return Factors{factor(product.getLhs()), factor(product.getRhs())};
}

/// Of two numbers' parts, as complex multiplication is written out: which part
/// of which element the factors of a product are.
struct Part {
  LoadOp load;
  bool isImaginary = false;
  bool operator==(const Part &) const = default;
};
static std::optional<Part> partOf(Value value) {
  if (auto re = value.getDefiningOp<complex::ReOp>())
    return Part{re.getComplex().getDefiningOp<LoadOp>(), false};
  if (auto im = value.getDefiningOp<complex::ImOp>())
    return Part{im.getComplex().getDefiningOp<LoadOp>(), true};
  return std::nullopt;
}

/// Whether `value` is the product of these parts.
static bool multiplies(Value value, Part left, Part right) {
  auto product = value.getDefiningOp<arith::MulFOp>();
  if (!product)
    return false;
  std::optional<Part> a = partOf(product.getLhs()),
                      b = partOf(product.getRhs());
  return a && b && ((*a == left && *b == right) || (*a == right && *b == left));
}

static std::optional<Factors> complexProduct(Value value) {
  auto number = value.getDefiningOp<complex::CreateOp>();
  if (!number)
    return std::nullopt;
  auto real = number.getReal().getDefiningOp<arith::SubFOp>();
  auto imaginary = number.getImaginary().getDefiningOp<arith::AddFOp>();
  if (!real || !imaginary || !mayContract(real.getFastmath()) ||
      !mayContract(imaginary.getFastmath()))
    return std::nullopt;
  auto first = real.getLhs().getDefiningOp<arith::MulFOp>();
  std::optional<Part> a = first ? partOf(first.getLhs()) : std::nullopt;
  std::optional<Part> b = first ? partOf(first.getRhs()) : std::nullopt;
  if (!a || !b || !a->load || !b->load)
    return std::nullopt;
  Part ar{a->load, false}, ai{a->load, true}, br{b->load, false},
      bi{b->load, true};
  Value x = imaginary.getLhs(), y = imaginary.getRhs();
  bool isProduct = multiplies(real.getLhs(), ar, br) &&
                   multiplies(real.getRhs(), ai, bi) &&
                   ((multiplies(x, ar, bi) && multiplies(y, ai, br)) ||
                    (multiplies(x, ai, br) && multiplies(y, ar, bi)));
  return isProduct ? std::optional(Factors{a->load, b->load}) : std::nullopt;
}

/// The sum that a stored value is: itself, or one of halves that is rounded to
/// their type.
static ReduceOp sumOf(Value stored) {
  auto rounded = stored.getDefiningOp<arith::TruncFOp>();
  Value sum = rounded ? rounded.getIn() : stored;
  auto reduce = sum.getDefiningOp<ReduceOp>();
  bool fits = reduce && reduce.getKind() == ReduceKind::Sum &&
              !reduce.getKept() && !reduce.getInOrder() &&
              reduce->getNumResults() == 1 && reduce.getBody().hasOneBlock() &&
              matchPattern(reduce.getLower(), m_Zero()) &&
              matchPattern(reduce.getStep(), m_One());
  return fits ? reduce : ReduceOp();
}

/// Which index each of an operand's dimensions has; nothing if one has none of
/// its own.
static std::optional<Nest::Product::Term>
termOf(KernelOp kernel, Value array, ValueRange indices, Value ofSum) {
  std::optional<unsigned> operand = operandOf(kernel, array);
  if (!operand)
    return std::nullopt;
  SmallVector<Value> known(kernel.flatIndices());
  known.push_back(ofSum);
  Nest::Product::Term term{*operand, {}};
  for (Value index : indices) {
    auto *at = llvm::find(known, index);
    unsigned number = unsigned(at - known.begin());
    if (at == known.end() || llvm::is_contained(term.indices, number))
      return std::nullopt;
    term.indices.push_back(number);
  }
  return term;
}

std::optional<Nest::Product>
kern::ir::loop::plainProductOf(KernelOp flattened) {
  // Only our kernels check what they require of extents.
  if (!flattened.getBody().hasOneBlock() || flattened.getNonempty())
    return std::nullopt;
  StoreOp store;
  for (Operation &op : flattened.entry().without_terminator()) {
    auto next = dyn_cast<StoreOp>(op);
    bool isSecond = next && store;
    if (isSecond || (!next && !isa<ReduceOp>(op) && !isMemoryEffectFree(&op)))
      return std::nullopt;
    if (next)
      store = next;
  }
  ReduceOp sum = store ? sumOf(store.getValue()) : ReduceOp();
  if (!sum)
    return std::nullopt;
  Value added = sum.entry().getTerminator()->getOperand(0);
  std::optional<Factors> factors = realProduct(added);
  if (!factors)
    factors = complexProduct(added);
  if (!factors || !factors->left || !factors->right)
    return std::nullopt;
  Type element = factors->left.getType();
  Type stored = store.getValue().getType();
  if (factors->right.getType() != element ||
      (stored != element && stored != sum.getValueType()))
    return std::nullopt;
  auto left = termOf(flattened, factors->left.getArray(),
                     factors->left.getIndices(), sum.inductionVar());
  auto right = termOf(flattened, factors->right.getArray(),
                      factors->right.getIndices(), sum.inductionVar());
  auto result =
      termOf(flattened, store.getArray(), store.getIndices(), Value());
  if (!left || !right || !result || result->operand == left->operand ||
      result->operand == right->operand)
    return std::nullopt;
  return Nest::Product{std::move(*left), std::move(*right), std::move(*result)};
}
