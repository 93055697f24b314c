//===- Extents.cpp - the extents of shared loops --------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToLLVM/Extents.h"

#include "dialects/LoopToLLVM/GroupSharing.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

#include <optional>
#include <string>

using namespace mlir;
using namespace kern::ir::loop;

using Tokens = DimTokens;

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
    if (auto reduce = dyn_cast<ReduceOp>(op)) {
      product = ofRange(reduce.getLower(), reduce.getUpper(), reduce.getStep());
    } else if (auto scan = dyn_cast<ScanOp>(op)) {
      product = ofRange(scan.getLower(), scan.getUpper(), scan.getStep());
    } else {
      auto parallel = cast<ParallelOp>(op);
      for (auto [lower, upper, step] : llvm::zip(
               parallel.getLower(), parallel.getUpper(), parallel.getStep())) {
        auto extent = ofRange(lower, upper, step);
        if (!extent)
          return largest();
        product = product ? apply(*product, *extent, "*") : extent;
      }
    }
    return product ? *product : largest();
  }

  std::optional<Tokens> ofRange(Value lower, Value upper, Value step);
  std::optional<Tokens> ofValue(Value value);

private:
  /// The largest dimension, for loops whose extent depends on data.
  Tokens largest() {
    Tokens tokens = {names.empty() ? "1" : names.front()};
    for (const std::string &name : llvm::drop_begin(names))
      tokens = apply(tokens, {name}, "max");
    return tokens;
  }

  static Tokens apply(const Tokens &a, const Tokens &b, StringRef op) {
    Tokens tokens = a;
    tokens.append(b.begin(), b.end());
    tokens.push_back(op.str());
    return tokens;
  }

  static Tokens number(int64_t value) {
    if (value >= 0)
      return {std::to_string(value)};
    return {"0", std::to_string(-uint64_t(value)), "-"};
  }

  static bool is(const Tokens &tokens, StringRef text) {
    return tokens.size() == 1 && tokens.front() == text;
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
  bool isPlain = is(*low, "0");
  Tokens extent = isPlain ? *high : apply(*high, *low, "-");
  if (!stride.isOne()) {
    uint64_t by = stride.getZExtValue();
    extent = apply(extent, {std::to_string(by - 1)}, "+");
    extent = apply(extent, {std::to_string(by)}, "//");
  }
  // A difference may be negative; the range is then empty.
  if (llvm::is_contained(extent, "-"))
    extent = apply(extent, {"0"}, "max");
  return extent;
}

std::optional<Tokens> ExtentBuilder::ofValue(Value value) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return number(constant.getSExtValue());
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    if (flatIsZero && llvm::is_contained(kernel.flatIndices(), value))
      return Tokens{"0"};
    auto dims = kernel.dims();
    auto *found = llvm::find(dims, argument);
    if (found == dims.end())
      return std::nullopt;
    return Tokens{names[found - dims.begin()]};
  }
  Operation *op = value.getDefiningOp();
  StringRef sign = isa<arith::AddIOp>(op)         ? "+"
                   : isa<arith::SubIOp>(op)       ? "-"
                   : isa<arith::MulIOp>(op)       ? "*"
                   : isa<arith::FloorDivSIOp>(op) ? "//"
                   : isa<arith::MinSIOp>(op)      ? "min"
                   : isa<arith::MaxSIOp>(op)      ? "max"
                                                  : "";
  if (sign.empty())
    return std::nullopt;
  // Stop if the first operand has no expression. Values that use an operand
  // twice can be nested, and visiting both would take exponential time.
  auto a = ofValue(op->getOperand(0));
  auto b = a ? ofValue(op->getOperand(1)) : std::nullopt;
  // A longer expression is of no use.
  if (!a || !b || a->size() + b->size() > 32)
    return std::nullopt;
  return apply(*a, *b, sign);
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
      SmallVector<StringRef> tokens;
      Tokens extent = extents.ofLoop(&op);
      for (const std::string &token : extent)
        tokens.push_back(token);
      Attribute attribute = builder.getStrArrayAttr(tokens);
      if (!llvm::is_contained(list, attribute))
        list.push_back(attribute);
    }
  return builder.getArrayAttr(list);
}
