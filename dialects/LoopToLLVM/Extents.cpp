//===- Extents.cpp - the extents of shared loops --------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToLLVM/Extents.h"

#include "dialects/LoopToLLVM/GroupSharing.h"
#include "dialects/LoopToLLVM/Ranges.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

#include <optional>
#include <string>

using namespace mlir;
using namespace kern::ir::loop;

using Tokens = DimTokens;
using kern::runtime::DimToken;
using Token = DimToken::Kind;

Tokens kern::ir::loop::tokensOf(ArrayAttr extent) {
  Tokens tokens;
  for (auto token : extent.getAsRange<StringAttr>())
    tokens.push_back(std::string_view(token.getValue()));
  return tokens;
}

ArrayAttr kern::ir::loop::attributeOf(MLIRContext *context,
                                      ArrayRef<DimToken> tokens) {
  SmallVector<Attribute> texts;
  for (const DimToken &token : tokens)
    texts.push_back(StringAttr::get(context, token.text()));
  return ArrayAttr::get(context, texts);
}

namespace {

class ExtentBuilder {
public:
  /// With `flatIsZero`, all flat indices are 0; otherwise no expression has
  /// them.
  explicit ExtentBuilder(KernelOp kernel, bool flatIsZero = false)
      : kernel(kernel), flatIsZero(flatIsZero) {
    for (unsigned i = 0; i < kernel.getNumDims(); ++i)
      names.push_back(kernel.getDimNames()
                          ? cast<StringAttr>((*kernel.getDimNames())[i]).str()
                          : "d" + std::to_string(i));
  }

  Tokens ofLoop(Operation *op) {
    std::optional<Tokens> product;
    auto multiply = [&](Value lower, Value upper, Value step) {
      auto extent = ofRange(lower, upper, step);
      if (!extent)
        extent = boundOfRange(lower, upper, step);
      if (!extent)
        return false;
      product = product ? apply(*product, *extent, Token::Multiply) : extent;
      return true;
    };
    bool isKnown = true;
    if (auto reduce = dyn_cast<ReduceOp>(op)) {
      isKnown =
          multiply(reduce.getLower(), reduce.getUpper(), reduce.getStep());
    } else if (auto scan = dyn_cast<ScanOp>(op)) {
      isKnown = multiply(scan.getLower(), scan.getUpper(), scan.getStep());
    } else {
      auto parallel = cast<ParallelOp>(op);
      for (auto [lower, upper, step] : llvm::zip(
               parallel.getLower(), parallel.getUpper(), parallel.getStep()))
        isKnown = isKnown && multiply(lower, upper, step);
    }
    return isKnown && product ? *product : fromData();
  }

  std::optional<Tokens> ofRange(Value lower, Value upper, Value step);
  std::optional<Tokens> ofValue(Value value);

private:
  /// A sum of values times numbers, and of a number.
  struct Linear {
    SmallVector<std::pair<Value, int64_t>, 4> terms;
    int64_t number = 0;

    void add(const Linear &other, int64_t factor);
  };
  /// A value is at most the least of these sums, or at least the largest.
  SmallVector<Linear> boundsOf(Value value, bool fromAbove);
  /// A sum as an expression that is at least it; nothing if it depends on data.
  std::optional<Tokens> atMost(const Linear &sum);
  /// How often a range runs at most: windows whose ends move together.
  std::optional<Tokens> boundOfRange(Value lower, Value upper, Value step);

  /// For loops whose extent depends on data: the largest dimension. The
  /// iterations of a flat nest share it, as the rows of a sparse matrix do.
  Tokens fromData() {
    Tokens tokens = {names.empty() ? DimToken::integer(1)
                                   : DimToken(names.front())};
    for (const std::string &name : llvm::drop_begin(names))
      tokens = apply(tokens, {name}, Token::Max);
    for (unsigned i = 0; i < kernel.numFlat(); ++i)
      tokens = apply(tokens,
                     apply(flatExtent(i), {DimToken::integer(1)}, Token::Max),
                     Token::FloorDivide);
    return kernel.numFlat() ? apply(tokens, {DimToken::integer(1)}, Token::Max)
                            : tokens;
  }

  Tokens flatExtent(unsigned i) {
    return tokensOf(cast<ArrayAttr>((*kernel.getFlatExtents())[i]));
  }

  static Tokens apply(const Tokens &a, const Tokens &b, Token op) {
    Tokens tokens = a;
    tokens.append(b.begin(), b.end());
    tokens.push_back(op);
    return tokens;
  }

  static Tokens number(int64_t value) {
    if (value >= 0)
      return {DimToken::integer(value)};
    return {DimToken::integer(0), std::to_string(-uint64_t(value)),
            Token::Subtract};
  }

  static bool isZero(const Tokens &tokens) {
    return tokens.size() == 1 && tokens.front().isInteger(0);
  }

  KernelOp kernel;
  bool flatIsZero;
  SmallVector<std::string> names;
};

} // namespace

std::optional<Tokens> ExtentBuilder::ofRange(Value lower, Value upper,
                                             Value step) {
  APInt stride;
  auto low = ofValue(lower), high = ofValue(upper);
  if (!low || !high || !matchPattern(step, m_ConstantInt(&stride)) ||
      stride.isZero() || stride.isMinSignedValue())
    return std::nullopt;
  if (stride.isNegative()) {
    std::swap(low, high);
    stride.negate();
  }
  bool isPlain = isZero(*low);
  Tokens extent = isPlain ? *high : apply(*high, *low, Token::Subtract);
  if (!stride.isOne()) {
    uint64_t by = stride.getZExtValue();
    extent = apply(extent, {DimToken::integer(int64_t(by - 1))}, Token::Add);
    extent =
        apply(extent, {DimToken::integer(int64_t(by))}, Token::FloorDivide);
  }
  // A difference may be negative; the range is then empty.
  if (llvm::is_contained(extent, Token::Subtract))
    extent = apply(extent, {DimToken::integer(0)}, Token::Max);
  return extent;
}

/// A longer expression is of no use.
static constexpr size_t maxTerms = 32;

std::optional<Tokens> ExtentBuilder::ofValue(Value value) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return number(constant.getSExtValue());
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    if (flatIsZero && llvm::is_contained(kernel.flatIndices(), value))
      return Tokens{DimToken::integer(0)};
    auto dims = kernel.dims();
    auto *found = llvm::find(dims, argument);
    if (found == dims.end())
      return std::nullopt;
    return Tokens{names[found - dims.begin()]};
  }
  Operation *op = value.getDefiningOp();
  // A length that must not be negative.
  if (auto choice = dyn_cast<arith::SelectOp>(op)) {
    auto test = choice.getCondition().getDefiningOp<arith::CmpIOp>();
    if (!test || test.getPredicate() != arith::CmpIPredicate::sgt ||
        !isSameIndex(test.getLhs(), choice.getTrueValue()) ||
        !isSameIndex(test.getRhs(), choice.getFalseValue()))
      return std::nullopt;
    auto a = ofValue(test.getLhs()), b = ofValue(test.getRhs());
    // A dimension is not negative.
    bool isDim = isa<BlockArgument>(test.getLhs());
    if (a && b && isDim && isZero(*b))
      return a;
    return a && b && a->size() + b->size() <= maxTerms
               ? std::optional(apply(*a, *b, Token::Max))
               : std::nullopt;
  }
  Token sign = isa<arith::AddIOp>(op)         ? Token::Add
               : isa<arith::SubIOp>(op)       ? Token::Subtract
               : isa<arith::MulIOp>(op)       ? Token::Multiply
               : isa<arith::FloorDivSIOp>(op) ? Token::FloorDivide
               : isa<arith::MinSIOp>(op)      ? Token::Min
               : isa<arith::MaxSIOp>(op)      ? Token::Max
                                              : Token::Malformed;
  if (sign == Token::Malformed)
    return std::nullopt;
  // Stop if the first operand has no expression. Values that use an operand
  // twice can be nested, and visiting both would take exponential time.
  auto a = ofValue(op->getOperand(0));
  auto b = a ? ofValue(op->getOperand(1)) : std::nullopt;
  if (!a || !b || a->size() + b->size() > maxTerms)
    return std::nullopt;
  return apply(*a, *b, sign);
}

void ExtentBuilder::Linear::add(const Linear &other, int64_t factor) {
  number += factor * other.number;
  for (auto [value, count] : other.terms) {
    auto *at = llvm::find_if(terms, [&, value = value](const auto &term) {
      return term.first == value;
    });
    if (at == terms.end())
      at = terms.insert(terms.end(), {value, 0});
    at->second += factor * count;
  }
}

/// The operands of a minimum (`isMin`) or maximum; null for anything else.
static std::pair<Value, Value> extremeOf(Value value, bool isMin) {
  using Predicate = arith::CmpIPredicate;
  Operation *op = value.getDefiningOp();
  if (isMin ? isa_and_nonnull<arith::MinSIOp>(op)
            : isa_and_nonnull<arith::MaxSIOp>(op))
    return {op->getOperand(0), op->getOperand(1)};
  auto choice = dyn_cast_or_null<arith::SelectOp>(op);
  auto order =
      choice ? choice.getCondition().getDefiningOp<arith::CmpIOp>() : nullptr;
  if (!order)
    return {};
  Predicate predicate = order.getPredicate();
  bool isLess = predicate == Predicate::slt || predicate == Predicate::sle;
  bool isGreater = predicate == Predicate::sgt || predicate == Predicate::sge;
  Value first = choice.getTrueValue(), second = choice.getFalseValue();
  bool isInOrder = order.getLhs() == first && order.getRhs() == second;
  bool isSwapped = order.getLhs() == second && order.getRhs() == first;
  bool takesLess = isInOrder ? isLess : isGreater;
  if ((!isLess && !isGreater) || (!isInOrder && !isSwapped) ||
      takesLess != isMin)
    return {};
  return {first, second};
}

auto ExtentBuilder::boundsOf(Value value, bool fromAbove)
    -> SmallVector<Linear> {
  constexpr size_t most = 8;
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return {Linear{{}, constant.getSExtValue()}};
  if (auto [a, b] = extremeOf(value, /*isMin=*/fromAbove); a) {
    SmallVector<Linear> bounds = boundsOf(a, fromAbove);
    bounds.append(boundsOf(b, fromAbove));
    if (bounds.size() <= most)
      return bounds;
  }
  Operation *op = value.getDefiningOp();
  if (isa_and_nonnull<arith::AddIOp, arith::SubIOp>(op)) {
    const bool isSum = isa<arith::AddIOp>(op);
    SmallVector<Linear> all;
    for (const Linear &a : boundsOf(op->getOperand(0), fromAbove))
      for (const Linear &b : boundsOf(op->getOperand(1), isSum == fromAbove)) {
        all.push_back(a);
        all.back().add(b, isSum ? 1 : -1);
      }
    if (all.size() <= most)
      return all;
  }
  return {Linear{{{value, 1}}, 0}};
}

std::optional<Tokens> ExtentBuilder::atMost(const Linear &sum) {
  Tokens tokens = number(sum.number);
  for (auto [value, count] : sum.terms) {
    auto flat = kernel.flatIndices();
    auto *at = llvm::find(flat, value);
    const bool isFlat = at != flat.end();
    // A flat index is 0 or more, and less than its extent.
    if (count == 0 || (isFlat && count < 0))
      continue;
    std::optional<Tokens> each =
        isFlat ? apply(flatExtent(unsigned(at - flat.begin())),
                       {DimToken::integer(1)}, Token::Subtract)
               : ofValue(value);
    if (!each)
      return std::nullopt;
    if (std::abs(count) != 1)
      each =
          apply(*each, {DimToken::integer(std::abs(count))}, Token::Multiply);
    tokens =
        count > 0 && isZero(tokens)
            ? *each
            : apply(tokens, *each, count > 0 ? Token::Add : Token::Subtract);
  }
  return tokens;
}

std::optional<Tokens> ExtentBuilder::boundOfRange(Value lower, Value upper,
                                                  Value step) {
  if (!matchPattern(step, m_One()) || kernel.numFlat() == 0)
    return std::nullopt;
  std::optional<Tokens> least;
  bool dependsOnData = false;
  for (const Linear &from : boundsOf(lower, /*fromAbove=*/false))
    for (const Linear &to : boundsOf(upper, /*fromAbove=*/true)) {
      Linear trips = to;
      trips.add(from, -1);
      std::optional<Tokens> tokens = atMost(trips);
      if (!tokens || tokens->size() > 32)
        dependsOnData = true;
      else
        least = least ? apply(*least, *tokens, Token::Min) : tokens;
    }
  if (dependsOnData)
    least = least ? apply(*least, fromData(), Token::Min) : fromData();
  return apply(*least, {DimToken::integer(0)}, Token::Max);
}

std::optional<Tokens> kern::ir::loop::dimExpression(KernelOp kernel,
                                                    Value value) {
  return ExtentBuilder(kernel, /*flatIsZero=*/true).ofValue(value);
}

std::optional<Tokens> kern::ir::loop::tripExpression(KernelOp kernel,
                                                     Value lower, Value upper,
                                                     Value step) {
  return ExtentBuilder(kernel).ofRange(lower, upper, step);
}

ArrayAttr kern::ir::loop::sharedExtents(KernelOp kernel) {
  ExtentBuilder extents(kernel);
  Builder builder(kernel.getContext());
  SmallVector<Attribute> list;
  for (Block &block : kernel.getBody())
    for (Operation &op : block) {
      if (!isa<ParallelOp, ReduceOp, ScanOp>(op) || runsInOrder(&op))
        continue;
      Attribute attribute =
          attributeOf(kernel.getContext(), extents.ofLoop(&op));
      if (!llvm::is_contained(list, attribute))
        list.push_back(attribute);
    }
  return builder.getArrayAttr(list);
}
