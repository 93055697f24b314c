//===- Extents.cpp - extents that calls must have -------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/KernToLoop/Extents.h"

#include "dialects/KernToLoop/Checks.h"
#include "dialects/Loop/Checks.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Dominance.h"

#include <limits>
#include <optional>

using namespace mlir;

namespace kern::ir {

using runtime::DimExpr;
using runtime::LeastExtent;

namespace {
class Extents {
public:
  explicit Extents(FuncOp function)
      : context(function.getContext()), dominance(function) {}

  /// Visits what runs on every path through a region.
  void visit(Region &region) {
    for (Block &block : region)
      if (dominance.postDominates(&block, &region.front()))
        visit(block);
  }
  void visit(Block &block) {
    for (Operation &op : block) {
      if (auto reduce = dyn_cast<ReduceOp>(op))
        visitReduce(reduce);
      else if (auto scan = dyn_cast<ScanOp>(op))
        visitScan(scan);
      else if (auto parallel = dyn_cast<ParallelOp>(op))
        visitParallel(parallel);
      else if (auto least = dyn_cast<LeastExtentOp>(op))
        visitLeast(least);
      else if (auto local = dyn_cast<LocalOp>(op); local && outer.empty())
        visitLocal(local);
    }
  }
  /// Requires that two extents are equal.
  void visitSame(SameExtentOp same);

  SmallVector<Attribute> found; ///< lists of strings
  std::vector<LeastExtent> least;

private:
  MLIRContext *context;
  PostDominanceInfo dominance;
  SmallVector<DimExprAttr> outer;

  /// Of a range that goes up: at least 1 unless it is empty.
  DimExprAttr extent(Value lower, Value upper, Value step);
  void visitReduce(ReduceOp reduce);
  void visitScan(ScanOp scan);
  /// Requires that each extent of a local array is at least 0.
  void visitLocal(LocalOp local);
  /// Requires that an extent is large enough, unless a range of `outer` is
  /// empty.
  void visitLeast(LeastExtentOp needed);
  /// Requires that a range inside those of `outer` is not empty.
  void require(DimExprAttr range);
  void visitParallel(ParallelOp parallel);
  void add(ArrayRef<std::string> tokens);
};
} // namespace

static ArrayAttr toAttribute(MLIRContext *context,
                             ArrayRef<std::string> tokens) {
  return Builder(context).getStrArrayAttr(
      llvm::to_vector_of<StringRef>(tokens));
}

static std::optional<int64_t> constantOf(Value value) {
  while (auto cast = value.getDefiningOp<CastOp>())
    value = cast.getValue();
  auto constant = value.getDefiningOp<ConstantOp>();
  if (!constant)
    return std::nullopt;
  std::optional<APInt> integer = constant.integer();
  return integer ? integer->trySExtValue() : std::nullopt;
}

namespace {
/// `base + constant`; the base is null for a constant alone.
struct Offset {
  DimExprAttr base;
  int64_t constant;
};
} // namespace

static Offset offsetOf(DimExprAttr expr) {
  if (expr.isConstant())
    return {{}, expr.getValue()};
  const bool isSum = expr.getLeft() && (expr.getKind() == DimKind::Add ||
                                        expr.getKind() == DimKind::Subtract);
  if (!isSum || !expr.getRight().isConstant())
    return {expr, 0};
  const int64_t constant = expr.getRight().getValue();
  const bool isFromZero =
      expr.getLeft().isConstant() && expr.getLeft().getValue() == 0;
  return {isFromZero ? DimExprAttr() : expr.getLeft(),
          expr.getKind() == DimKind::Add ? constant : -constant};
}

/// Two expressions in one. Messages show it, so constants are added up: `n - 2`
/// rather than `n + (0 - 1) - 1`.
static DimExprAttr joined(DimKind kind, DimExprAttr left, DimExprAttr right) {
  MLIRContext *context = left.getContext();
  const Offset a = offsetOf(left), b = offsetOf(right);
  int64_t constant = 0;
  const bool isSum = kind == DimKind::Add;
  if ((!isSum && kind != DimKind::Subtract) || (!a.base && b.base && !isSum) ||
      (isSum ? llvm::AddOverflow(a.constant, b.constant, constant)
             : llvm::SubOverflow(a.constant, b.constant, constant)) ||
      constant == std::numeric_limits<int64_t>::min())
    return DimExprAttr::binary(kind, left, right);
  DimExprAttr base = a.base && b.base
                         ? DimExprAttr::binary(kind, a.base, b.base)
                     : a.base ? a.base
                              : b.base;
  auto number = [&](int64_t value) {
    return DimExprAttr::constant(context, value);
  };
  if (constant < 0)
    return DimExprAttr::binary(DimKind::Subtract, base ? base : number(0),
                               number(-constant));
  if (!base)
    return number(constant);
  return constant == 0
             ? base
             : DimExprAttr::binary(DimKind::Add, base, number(constant));
}

/// A value as an expression of dimensions. Null if it is not one, or if it has
/// more than `budget` terms. Subtracts its terms from the budget.
static DimExprAttr exprOf(Value value, unsigned &budget) {
  if (budget == 0)
    return {};
  MLIRContext *context = value.getContext();
  if (std::optional<int64_t> constant = constantOf(value)) {
    --budget;
    if (*constant >= 0)
      return DimExprAttr::constant(context, *constant);
    if (*constant == std::numeric_limits<int64_t>::min())
      return {};
    return DimExprAttr::binary(DimKind::Subtract,
                               DimExprAttr::constant(context, 0),
                               DimExprAttr::constant(context, -*constant));
  }
  auto integer = dyn_cast<IntegerType>(value.getType());
  if (!integer || integer.getWidth() != 64)
    return {}; // a narrower one may have wrapped
  if (auto dim = value.getDefiningOp<DimOp>()) {
    --budget;
    return DimExprAttr::named(context, dim.getDim());
  }
  auto apply = value.getDefiningOp<ApplyOp>();
  std::optional<DimKind> kind =
      apply ? dimOperator(apply.getFunction()) : std::nullopt;
  if (!kind || apply.getOperands().size() != 2)
    return {};
  DimExprAttr left = exprOf(apply.getOperand(0), budget);
  DimExprAttr right =
      left ? exprOf(apply.getOperand(1), budget) : DimExprAttr();
  return right ? joined(*kind, left, right) : DimExprAttr();
}

static DimExprAttr exprOf(Value value) {
  unsigned budget = maxDimTerms;
  return exprOf(value, budget);
}

DimExprAttr Extents::extent(Value lower, Value upper, Value step) {
  DimExprAttr end =
      constantOf(step).value_or(0) > 0 ? exprOf(upper) : DimExprAttr();
  if (!end || constantOf(lower) == 0)
    return end;
  DimExprAttr begin = exprOf(lower);
  return begin ? joined(DimKind::Subtract, end, begin) : DimExprAttr();
}

void Extents::add(ArrayRef<std::string> tokens) {
  ArrayAttr entry = toAttribute(context, tokens);
  if (!llvm::is_contained(found, entry))
    found.push_back(entry);
}

void Extents::require(DimExprAttr range) {
  // If an outer range is empty, e ≤ 0 and 1 - e ≥ 1 fulfils the requirement.
  for (DimExprAttr each : outer)
    range = DimExprAttr::binary(
        DimKind::Maximum, range,
        DimExprAttr::binary(DimKind::Subtract,
                            DimExprAttr::constant(context, 1), each));
  add(range.reversePolish());
}

/// Whether a reduction has no identity and no filter.
static bool needsElement(ReduceOp reduce) {
  switch (reduce.getKind()) {
  case ReduceKind::Min:
  case ReduceKind::Max:
  case ReduceKind::ArgMin:
  case ReduceKind::ArgMax:
    break;
  default:
    return false;
  }
  return llvm::none_of(reduce.getBody(), [](Block &block) {
    auto yield = dyn_cast<YieldOp>(block.getTerminator());
    return yield && yield.getKeep();
  });
}

void Extents::visitReduce(ReduceOp reduce) {
  DimExprAttr range =
      extent(reduce.getLower(), reduce.getUpper(), reduce.getStep());
  if (!range)
    return;
  if (needsElement(reduce))
    require(range);
  outer.push_back(range);
  visit(reduce.getBody());
  outer.pop_back();
}

void Extents::visitScan(ScanOp scan) {
  DimExprAttr range = extent(scan.getLower(), scan.getUpper(), scan.getStep());
  if (!range)
    return;
  outer.push_back(range);
  visit(scan.getElements());
  outer.pop_back();
}

void Extents::visitParallel(ParallelOp parallel) {
  size_t depth = outer.size();
  for (auto [lower, upper, step] : llvm::zip(
           parallel.getLowers(), parallel.getUppers(), parallel.getSteps())) {
    DimExprAttr range = extent(lower, upper, step);
    if (!range) {
      outer.resize(depth);
      return;
    }
    outer.push_back(range);
  }
  visit(parallel.getBody());
  outer.resize(depth);
}

void Extents::visitLocal(LocalOp local) {
  for (Value extent : local.getExtents()) {
    // Constants are checked in the source, and dimensions are never negative.
    if (constantOf(extent) || extent.getDefiningOp<DimOp>())
      continue;
    DimExprAttr expr = exprOf(extent);
    if (!expr)
      continue;
    SmallVector<std::string> tokens = expr.reversePolish();
    tokens.insert(tokens.begin(), "1");
    tokens.append({">=0", "max"});
    add(tokens);
  }
}

void Extents::visitSame(SameExtentOp same) {
  DimExprAttr one = exprOf(same.getOne()), other = exprOf(same.getOther());
  if (!one || !other)
    return;
  SmallVector<std::string> tokens = one.reversePolish();
  tokens.insert(tokens.begin(), "1");
  llvm::append_range(tokens, other.reversePolish());
  tokens.append({"==", "max"});
  add(tokens);
}

static DimExpr toRuntime(DimExprAttr expr) {
  return DimExpr::of(expr.reversePolish());
}

void Extents::visitLeast(LeastExtentOp needed) {
  DimExprAttr extent = exprOf(needed.getExtent());
  if (!extent)
    return;
  auto constant = [&](int64_t value) {
    return DimExprAttr::constant(context, value);
  };
  const auto number = int64_t(needed.getLeast());
  DimExprAttr fewest = constant(number);
  for (DimExprAttr range : outer) { // 0 if it is empty
    if (range.isConstant() && range.getValue() > 0)
      continue;
    fewest = DimExprAttr::binary(
        DimKind::Multiply, fewest,
        DimExprAttr::binary(
            DimKind::Minimum,
            DimExprAttr::binary(DimKind::Maximum, range, constant(0)),
            constant(1)));
  }
  LeastExtent entry{toRuntime(extent), toRuntime(fewest),
                    needed.getArray().str(), unsigned(needed.getAxis()),
                    placeOf(needed.getLoc())};
  // Of those that differ in the number alone, the largest.
  for (LeastExtent &other : least) {
    if (other.extent != entry.extent ||
        !llvm::equal(llvm::drop_begin(other.least.tokens),
                     llvm::drop_begin(entry.least.tokens)))
      continue;
    if (other.least.tokens.front().value < number)
      other = std::move(entry);
    return;
  }
  least.push_back(std::move(entry));
}

/// bytesOf() of Extents.h, for an array of these extents.
static ArrayAttr bytesOf(MLIRContext *context, ArrayRef<DimExprAttr> extents,
                         unsigned elementBytes, unsigned more) {
  auto constant = [&](int64_t value) {
    return DimExprAttr::constant(context, value);
  };
  DimExprAttr bytes = constant(elementBytes);
  for (DimExprAttr extent : extents)
    bytes = DimExprAttr::binary(
        DimKind::Multiply, bytes,
        DimExprAttr::binary(DimKind::Maximum, extent, constant(0)));
  bytes = DimExprAttr::binary(DimKind::Add, bytes,
                              constant(15 + elementBytes * more));
  bytes = DimExprAttr::binary(DimKind::FloorDivide, bytes, constant(16));
  bytes = DimExprAttr::binary(DimKind::Multiply, bytes, constant(16));
  return toAttribute(context, bytes.reversePolish());
}

ArrayAttr localBytes(LocalOp local, unsigned elementBytes, unsigned more) {
  SmallVector<DimExprAttr> extents;
  for (Value extent : local.getExtents()) {
    extents.push_back(exprOf(extent));
    if (!extents.back())
      return {};
  }
  return bytesOf(local.getContext(), extents, elementBytes, more);
}

ArrayAttr bytesOf(OperandAttr operand, unsigned elementBytes, unsigned more) {
  return bytesOf(operand.getContext(), operand.getCore(), elementBytes, more);
}

NeededExtents neededExtents(FuncOp function) {
  Extents extents(function);
  extents.visit(function.getBody());
  function->walk([&](SameExtentOp same) { extents.visitSame(same); });
  NeededExtents needed;
  if (!extents.found.empty())
    needed.nonempty = ArrayAttr::get(function.getContext(), extents.found);
  needed.least =
      loop::leastExtentsAttribute(function.getContext(), extents.least);
  return needed;
}

} // namespace kern::ir
