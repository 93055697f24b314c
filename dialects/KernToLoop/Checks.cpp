//===- Checks.cpp - checks as loop.check ----------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/KernToLoop/Checks.h"

#include "dialects/KernToLoop/Emitters.h"
#include "dialects/KernToLoop/Extents.h"
#include "dialects/Loop/Checks.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace kern::ir {

using runtime::CheckKind;
using runtime::DType;

std::string placeOf(Location loc) {
  while (auto call = dyn_cast<CallSiteLoc>(loc))
    loc = call.getCallee();
  auto place = dyn_cast<FileLineColRange>(loc);
  if (!place)
    return "?";
  return (place.getFilename().getValue() + ":" + Twine(place.getStartLine()) +
          ":" + Twine(place.getStartColumn()))
      .str();
}

void lowerCheck(OpBuilder &builder, loop::KernelOp kernel, CheckIndexOp check,
                Value index, Value extent) {
  Value isInside;
  if (std::optional<int64_t> least = check.getLeast()) {
    Value needed = arith::ConstantOp::create(builder, check.getLoc(),
                                             builder.getI64IntegerAttr(*least));
    isInside = arith::CmpIOp::create(builder, check.getLoc(),
                                     arith::CmpIPredicate::sge, extent, needed);
  } else {
    // A negative index is a large unsigned number.
    auto predicate = check.getBound() ? arith::CmpIPredicate::ule
                                      : arith::CmpIPredicate::ult;
    isInside = arith::CmpIOp::create(builder, check.getLoc(), predicate, index,
                                     extent);
  }
  using enum CheckKind;
  const CheckKind kind = check.getBound()
                             ? check.getFromEnd() ? BoundFromEnd : Bound
                         : check.getFromEnd() ? IndexFromEnd
                                              : Index;
  int64_t number = loop::addCheck(kernel, {kind, placeOf(check.getLoc()),
                                           check.getArray().str(),
                                           unsigned(check.getAxis())});
  loop::CheckOp::create(builder, check.getLoc(), number, isInside,
                        ValueRange{index, extent});
}

void lowerCheck(OpBuilder &builder, loop::KernelOp kernel, AssertOp check,
                Value condition) {
  int64_t number =
      loop::addCheck(kernel, {CheckKind::Assert, placeOf(check.getLoc()),
                              check.getText().str()});
  loop::CheckOp::create(builder, check.getLoc(), number, condition,
                        ValueRange());
}

/// The value of an extent, at least 0.
static Value emitExtent(ScalarBuilder &s, OpBuilder &builder,
                        loop::KernelOp kernel, ArrayAttr dims,
                        DimExprAttr extent) {
  auto number = [&](int64_t value) {
    return arith::ConstantOp::create(builder, kernel.getLoc(),
                                     builder.getI64IntegerAttr(value));
  };
  auto value = extent.evaluate<Value>(
      [&](DimExprAttr leaf) -> Value {
        if (leaf.isConstant())
          return number(leaf.getValue());
        const auto *found = llvm::find(dims, leaf.getName());
        return kernel.dims()[size_t(found - dims.begin())];
      },
      [&](DimKind kind, Value left, Value right) {
        const Scalar operands[] = {{left, DType::I64}, {right, DType::I64}};
        return emitScalarFunction(s, scalarFunctionOf(kind), operands,
                                  {DType::I64})
            .front()
            .value;
      });
  return builder.createOrFold<arith::MaxSIOp>(kernel.getLoc(), value,
                                              number(0));
}

SmallVector<Value> emitExtents(OpBuilder &builder, loop::KernelOp kernel,
                               FuncOp source, OperandAttr operand) {
  ScalarBuilder s(builder, source.getLoc(),
                  kernel->getParentOfType<ModuleOp>());
  SmallVector<Value> extents;
  for (DimExprAttr extent : operand.getCore())
    extents.push_back(
        emitExtent(s, builder, kernel, source.dimNames(), extent));
  return extents;
}

WrittenElements::WrittenElements(FuncOp source, loop::KernelOp kernel,
                                 OpBuilder &builder)
    : builder(builder) {
  auto outputs = kernel.arrayOutputs();
  size_t next = 0;
  for (OperandAttr info : source.resultInfos()) {
    if (!info.isArray())
      continue;
    Result &result = results.emplace_back();
    result.array = outputs[next++];
    result.extents = emitExtents(builder, kernel, source, info);
    auto type = loop::ArrayType::get(builder.getContext(), builder.getI1Type(),
                                     unsigned(result.extents.size()));
    result.isWritten = loop::LocalOp::create(
        builder, source.getLoc(), type, result.extents, /*zeroed=*/true,
        bytesOf(info, 1), /*slot=*/IntegerAttr(), /*per_lane=*/false);
    result.number =
        loop::addCheck(kernel, {CheckKind::Unwritten, placeOf(source.getLoc()),
                                info.getName().str()});
  }
}

void WrittenElements::note(Location loc, Value array, ValueRange indices) {
  for (const Result &result : results) {
    if (result.array != array)
      continue;
    Value yes =
        arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true));
    loop::StoreOp::create(builder, loc, yes, result.isWritten, indices);
  }
}

void WrittenElements::check(Location loc) {
  for (const Result &result : results) {
    auto number = [&](int64_t value) -> Value {
      return arith::ConstantOp::create(builder, loc,
                                       builder.getI64IntegerAttr(value));
    };
    SmallVector<Value> zeros(result.extents.size(), number(0));
    SmallVector<Value> ones(result.extents.size(), number(1));
    auto all =
        loop::ParallelOp::create(builder, loc, zeros, result.extents, ones);
    OpBuilder::InsertionGuard guard(builder);
    Block &body = all.entry();
    builder.setInsertionPointToEnd(&body);
    Value isWritten =
        loop::LoadOp::create(builder, loc, builder.getI1Type(),
                             result.isWritten, body.getArguments());
    loop::CheckOp::create(builder, loc, result.number, isWritten,
                          body.getArguments());
    loop::YieldOp::create(builder, loc, ValueRange());
  }
}

} // namespace kern::ir
