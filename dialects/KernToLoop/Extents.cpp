//===- Extents.cpp - extents that must not be empty -----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------===//

#include "dialects/KernToLoop/Extents.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Dominance.h"
#include "llvm/ADT/StringSwitch.h"

#include <optional>

using namespace mlir;

namespace kern {

namespace {
/// Reverse Polish notation.
using Tokens = SmallVector<Attribute>;

class Extents {
public:
  explicit Extents(FuncOp function) : builder(function.getContext()) {}

  void visit(Region &region) {
    // Only the first block runs on every path.
    for (Operation &op : region.front()) {
      if (auto reduce = dyn_cast<ReduceOp>(op))
        visitReduce(reduce);
      else if (auto parallel = dyn_cast<ParallelOp>(op))
        visitParallel(parallel);
    }
  }

  /// Of a local array: each is at least 0.
  void visitLocal(LocalOp local);

  /// The bytes of a local array; empty if they are not known.
  Tokens bytesOf(LocalOp local, unsigned elementBytes, unsigned more);

  SmallVector<Attribute> found;

private:
  Builder builder;
  SmallVector<Tokens> outer;

  void push(Tokens &tokens, const Twine &token) {
    tokens.push_back(builder.getStringAttr(token));
  }

  bool append(Tokens &tokens, Value value);
  std::optional<Tokens> extent(Value lower, Value upper, Value step);
  void visitReduce(ReduceOp reduce);
  /// That the range, inside of those of `outer`, has an iteration.
  void require(Tokens tokens);
  void visitParallel(ParallelOp parallel);
};
} // namespace

static std::optional<int64_t> constantOf(Value value) {
  while (auto cast = value.getDefiningOp<CastOp>())
    value = cast.getValue();
  auto constant = value.getDefiningOp<ConstantOp>();
  if (!constant)
    return std::nullopt;
  std::optional<APInt> integer = constant.integer();
  return integer ? integer->trySExtValue() : std::nullopt;
}

bool Extents::append(Tokens &tokens, Value value) {
  if (std::optional<int64_t> constant = constantOf(value)) {
    if (*constant >= 0) {
      push(tokens, Twine(*constant));
      return true;
    }
    push(tokens, "0");
    push(tokens, Twine(-uint64_t(*constant)));
    push(tokens, "-");
    return true;
  }
  auto integer = dyn_cast<IntegerType>(value.getType());
  if (!integer || integer.getWidth() != 64)
    return false; // a narrower one may have wrapped
  if (auto dim = value.getDefiningOp<DimOp>()) {
    push(tokens, dim.getDim());
    return true;
  }
  auto apply = value.getDefiningOp<ApplyOp>();
  if (!apply || apply.getOperands().size() != 2)
    return false;
  StringRef symbol = llvm::StringSwitch<StringRef>(apply.getFunction())
                         .Case("add", "+")
                         .Case("subtract", "-")
                         .Case("multiply", "*")
                         .Case("floor_divide", "//")
                         .Case("remainder", "%")
                         .Case("minimum", "min")
                         .Case("maximum", "max")
                         .Default("");
  if (symbol.empty() || !append(tokens, apply.getOperand(0)) ||
      !append(tokens, apply.getOperand(1)))
    return false;
  push(tokens, symbol);
  return true;
}

std::optional<Tokens> Extents::extent(Value lower, Value upper, Value step) {
  Tokens tokens;
  if (constantOf(step) != 1 || !append(tokens, upper))
    return std::nullopt;
  if (constantOf(lower) == 0)
    return tokens;
  if (!append(tokens, lower))
    return std::nullopt;
  push(tokens, "-");
  return tokens;
}

void Extents::require(Tokens tokens) {
  // Where an outer range has e ≤ 0 iterations, 1 - e ≥ 1 settles it.
  for (const Tokens &range : outer) {
    push(tokens, "1");
    tokens.append(range.begin(), range.end());
    push(tokens, "-");
    push(tokens, "max");
  }
  Attribute entry = builder.getArrayAttr(tokens);
  if (!llvm::is_contained(found, entry))
    found.push_back(entry);
}

/// Whether a reduction has no value if no iteration gives it one.
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
  std::optional<Tokens> range =
      extent(reduce.getLower(), reduce.getUpper(), reduce.getStep());
  if (!range)
    return;
  if (needsElement(reduce))
    require(*range);
  outer.push_back(std::move(*range));
  visit(reduce.getBody());
  outer.pop_back();
}

void Extents::visitParallel(ParallelOp parallel) {
  size_t depth = outer.size();
  for (auto [lower, upper, step] : llvm::zip(
           parallel.getLowers(), parallel.getUppers(), parallel.getSteps())) {
    std::optional<Tokens> range = extent(lower, upper, step);
    if (!range) {
      outer.resize(depth);
      return;
    }
    outer.push_back(std::move(*range));
  }
  visit(parallel.getBody());
  outer.resize(depth);
}

void Extents::visitLocal(LocalOp local) {
  for (Value extent : local.getExtents()) {
    Tokens tokens;
    push(tokens, "1");
    // Constants are checked where they are written, and sizes are what they
    // are.
    if (constantOf(extent) || extent.getDefiningOp<DimOp>() ||
        !append(tokens, extent))
      continue;
    push(tokens, ">=0");
    push(tokens, "max");
    Attribute entry = builder.getArrayAttr(tokens);
    if (!llvm::is_contained(found, entry))
      found.push_back(entry);
  }
}

Tokens Extents::bytesOf(LocalOp local, unsigned elementBytes, unsigned more) {
  Tokens tokens;
  push(tokens, Twine(elementBytes));
  for (Value extent : local.getExtents()) {
    if (!append(tokens, extent))
      return {};
    for (StringRef token : {"0", "max", "*"})
      push(tokens, token);
  }
  push(tokens, Twine(15 + elementBytes * more));
  for (StringRef token : {"+", "16", "//", "16", "*"})
    push(tokens, token);
  return tokens;
}

ArrayAttr localBytes(LocalOp local, unsigned elementBytes, unsigned more) {
  Extents extents(local->getParentOfType<FuncOp>());
  Tokens tokens = extents.bytesOf(local, elementBytes, more);
  return tokens.empty() ? ArrayAttr()
                        : ArrayAttr::get(local.getContext(), tokens);
}

ArrayAttr bytesOf(OperandAttr operand, unsigned elementBytes, unsigned more) {
  Builder builder(operand.getContext());
  Tokens tokens;
  auto push = [&](std::initializer_list<StringRef> list) {
    for (StringRef token : list)
      tokens.push_back(builder.getStringAttr(token));
  };
  push({std::to_string(elementBytes)});
  for (ArrayAttr extent : operand.getCore().getAsRange<ArrayAttr>()) {
    tokens.append(extent.begin(), extent.end());
    push({"0", "max", "*"});
  }
  push({std::to_string(15 + elementBytes * more), "+", "16", "//", "16", "*"});
  return builder.getArrayAttr(tokens);
}

ArrayAttr nonemptyExtents(FuncOp function) {
  Extents extents(function);
  extents.visit(function.getBody());
  // Not those that a condition may keep from being made.
  PostDominanceInfo dominance(function);
  for (Block &block : function.getBody())
    if (dominance.postDominates(&block, &function.getBody().front()))
      for (LocalOp local : block.getOps<LocalOp>())
        extents.visitLocal(local);
  if (extents.found.empty())
    return {};
  return ArrayAttr::get(function.getContext(), extents.found);
}

} // namespace kern
