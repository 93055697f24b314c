//===- Operations.cpp - typed forms of operations -------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/specialize/Application.h"
#include "compiler/specialize/Specializer.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace kern::compiler {

using namespace ir;
using runtime::DType;

bool Specializer::indices(ValueRange from, SmallVectorImpl<Value> &to,
                          Location loc) {
  for (Value index : from) {
    std::optional<ValueType> type = need(index, loc);
    if (!type)
      return false;
    if (!isInteger(type->carrier())) {
      reportIndex(index, loc);
      return false;
    }
    to.push_back(get(index, DType::I64, loc));
    if (!to.back())
      return false;
  }
  return true;
}

void Specializer::cloneApply(ApplyOp apply) {
  SmallVector<ValueType> operands;
  for (Value operand : apply.getOperands()) {
    std::optional<ValueType> type = need(operand, apply.getLoc());
    if (!type)
      return;
    operands.push_back(*type);
  }
  const ScalarFunctionInfo &function = infoOf(apply.getFunction());
  std::optional<Application> application =
      resolveApplication(function, operands);
  if (!application) {
    refuseOperands(apply, function, operands);
    return;
  }
  if (function.rule == LoopRule::Power &&
      isInteger(application->loop.inputs[0]) &&
      isNegativeConstant(apply.getOperands()[1], apply.getLoc())) {
    report(Diag::negative_power, apply.getLoc(), {},
           "make the base a float: `float(x) ** n`");
    return;
  }
  remarkOnWidening(apply.getLoc(), operands, application->loop.inputs);
  if (function.rule == LoopRule::Compare && compareByValue(apply, *application))
    return;
  SmallVector<Value> typed;
  for (auto [index, operand] : llvm::enumerate(apply.getOperands())) {
    // Further operands of a chained function have the type of the last input.
    DType type =
        application->loop.inputs[std::min<size_t>(index, function.inputs - 1)];
    typed.push_back(get(operand, type, apply.getLoc()));
    if (!typed.back())
      return;
  }
  SmallVector<Type> results;
  for (DType type : application->loop.outputs)
    results.push_back(toType(context, type));
  auto make = [&](ValueRange operands) {
    return ApplyOp::create(builder, apply.getLoc(), results,
                           apply.getFunctionAttr(), operands);
  };
  auto made = make(ArrayRef(typed).take_front(function.inputs));
  for (Value next : ArrayRef(typed).drop_front(function.inputs))
    made = make({made.getResult(0), next});
  for (auto [from, to] : llvm::zip(apply.getResults(), made.getResults()))
    values[from] = to;
}

void Specializer::cloneReduce(ReduceOp reduce) {
  const ReduceKind kind = reduce.getKind();
  std::optional<ValueType> element;
  for (Block &block : reduce.innermost().getBody())
    if (auto yield = dyn_cast<YieldOp>(block.getTerminator());
        yield && types.isReachable(&block))
      element = types.type(yield.getValue());
  std::optional<ValueType> result =
      element ? reductionType(kind, *element) : types.type(reduce.getResult());
  if (element && !result) {
    report(Diag::reduction_type, reduce.getLoc(),
           {stringifyReduceKind(kind).str(), describe(*element)});
    return;
  }
  SmallVector<Value> bounds;
  if (!indices({reduce.getLower(), reduce.getUpper(), reduce.getStep()}, bounds,
               reduce.getLoc()))
    return;
  DType accumulator = DType::F32;
  if (element)
    accumulator = accumulatorType(kind, *element)->carrier();
  else if (result)
    accumulator = result->carrier();
  bool isPosition = kind == ReduceKind::ArgMin || kind == ReduceKind::ArgMax;
  Type counter = reduce.getKept() ? toType(context, DType::I64) : Type(nullptr);
  auto made = ReduceOp::create(
      builder, reduce.getLoc(), toType(context, accumulator), counter,
      kind == ReduceKind::Mean ? ReduceKind::Sum : kind,
      /*partial=*/false, bounds[0], bounds[1], bounds[2],
      /*count=*/Value());
  {
    OpBuilder::InsertionGuard guard(builder);
    DType outer = yieldType;
    if (element)
      yieldType = isPosition ? element->carrier() : accumulator;
    cloneRegion(reduce.getBody(), made.getBody());
    yieldType = outer;
    if (!element && !failed) {
      // The element is never reached, as in an endless loop. An unreachable
      // block yields a value, so that the reduction has an element type.
      auto *end = new Block();
      made.getBody().push_back(end);
      builder.setInsertionPointToEnd(end);
      YieldOp::create(builder, reduce.getLoc(),
                      zero(accumulator, reduce.getLoc()), Value(), Value());
    }
  }
  if (reduce.getKept())
    values[reduce.getKept()] = made.getKept();
  if (!result || failed)
    return;
  Value total = made.getResult();
  if (kind == ReduceKind::Mean && !reduce.getPartial()) {
    Value count = reduce.getCount()
                      ? get(reduce.getCount(), accumulator, reduce.getLoc())
                      : convert(made.getKept(), accumulator, reduce.getLoc());
    if (!count)
      return;
    total =
        ApplyOp::create(builder, reduce.getLoc(), total.getType(),
                        ScalarFunction::true_divide, ValueRange{total, count})
            .getResult(0);
  }
  values[reduce.getResult()] =
      reduce.getPartial() ? total
                          : convert(total, result->carrier(), reduce.getLoc());
}

void Specializer::cloneReturn(ReturnOp op) {
  SmallVector<Value> typed;
  size_t index = 0;
  for (auto [result, type] : llvm::zip(func.resultInfos(), resultTypes)) {
    if (!result.getCore().empty())
      continue;
    Value value = op.getValues()[index++];
    if (!checkSameKind(value, type, Diag::return_cast, op.getLoc()))
      return;
    typed.push_back(get(value, type, op.getLoc()));
    if (!typed.back())
      return;
  }
  ReturnOp::create(builder, op.getLoc(), typed);
}

void Specializer::branchTo(Block *target, ValueRange operands, Location loc,
                           SmallVectorImpl<Value> &typed) {
  for (auto [argument, operand] : llvm::zip(target->getArguments(), operands)) {
    std::optional<ValueType> type = types.type(argument);
    // An argument without a type is unused on every reachable path.
    if (!type)
      continue;
    // A constant that does not fit is reported where it is written.
    auto constant = operand.getDefiningOp<ConstantOp>();
    Location place = constant ? constant.getLoc() : loc;
    meeting = constant && place != loc ? LocationAttr(loc) : LocationAttr();
    if (argument.getType().isInteger(1))
      typed.push_back(get(operand, DType::Bool, place));
    else
      typed.push_back(get(operand, type->carrier(), place));
    meeting = {};
    if (!typed.back())
      return;
  }
}

void Specializer::cloneBranch(Operation &op) {
  SmallVector<Value> operands;
  if (auto branch = dyn_cast<cf::BranchOp>(op)) {
    branchTo(branch.getDest(), branch.getDestOperands(), op.getLoc(), operands);
    if (!failed)
      cf::BranchOp::create(builder, op.getLoc(), blocks[branch.getDest()],
                           operands);
    return;
  }
  auto branch = cast<cf::CondBranchOp>(op);
  if (std::optional<bool> taken = types.known(branch.getCondition())) {
    cf::BranchOp::create(
        builder, op.getLoc(),
        blocks[*taken ? branch.getTrueDest() : branch.getFalseDest()]);
    return;
  }
  Value condition = get(branch.getCondition(), DType::Bool, op.getLoc());
  if (condition)
    cf::CondBranchOp::create(builder, op.getLoc(), condition,
                             blocks[branch.getTrueDest()],
                             blocks[branch.getFalseDest()]);
}

void Specializer::clone(Operation &op) {
  Location loc = op.getLoc();
  auto carry = [&](Value value) -> Value {
    std::optional<ValueType> type = need(value, loc);
    return type ? get(value, type->carrier(), loc) : Value();
  };
  llvm::TypeSwitch<Operation *>(&op)
      .Case([&](ApplyOp apply) { cloneApply(apply); })
      .Case([&](ReduceOp reduce) { cloneReduce(reduce); })
      .Case([&](ScanOp scan) { cloneScan(scan); })
      .Case([&](GiveOp give) {
        SmallVector<Value> typed;
        for (auto [value, type] : llvm::zip(give.getValues(), giveTypes)) {
          typed.push_back(get(value, type, loc));
          if (!typed.back())
            return;
        }
        GiveOp::create(builder, loc, typed);
      })
      .Case([&](ReturnOp ret) { cloneReturn(ret); })
      .Case<cf::BranchOp, cf::CondBranchOp>([&](auto) { cloneBranch(op); })
      .Case([&](ConstantOp) {}) // made typed at its uses
      // They serve messages and inference.
      .Case<InlinedOp, ElementOp>([&](auto) {})
      .Case([&](SameTypeOp same) { checkSameType(same); })
      .Case([&](CastOp cast) {
        cloneCast(op, cast.getValue(), resolve(cast.getTarget()),
                  cast.getMode());
      })
      .Case([&](CastLikeOp cast) {
        if (std::optional<ValueType> like = need(cast.getLike(), loc))
          cloneCast(op, cast.getValue(), like->carrier(), cast.getMode());
      })
      .Case([&](BitsOp bits) { cloneBits(bits); })
      .Case([&](EnterOp enter) { cloneEnter(enter); })
      .Case([&](LeaveOp leave) {
        std::optional<ValueType> type = need(leave.getResult(), loc);
        if (!type)
          return;
        if (Value value = get(leave.getValue(), type->carrier(), loc))
          values[leave.getResult()] = value;
      })
      .Case([&](TruthOp truth) {
        if (Value value = carry(truth.getValue())) {
          if (!value.getType().isInteger(1))
            value = TruthOp::create(builder, loc, builder.getI1Type(), value);
          values[truth.getResult()] = value;
        }
      })
      .Case<TypeIsOp, TypeOfIsOp>([&](auto typeIs) {
        bool is = types.known(typeIs.getResult()).value_or(false);
        values[typeIs.getResult()] = ConstantOp::create(
            builder, loc, builder.getI1Type(), builder.getBoolAttr(is));
      })
      .Case<AccumulatorOp>([&](AccumulatorOp carried) {
        std::optional<ValueType> type = need(carried.getResult(), loc);
        if (!type)
          return;
        if (Value value = get(carried.getValue(), type->carrier(), loc))
          values[carried.getResult()] = value;
      })
      .Case([&](IndexOp index) {
        std::optional<ValueType> type = need(index.getValue(), loc);
        if (!type)
          return;
        if (!isInteger(type->carrier())) {
          reportIndex(index.getValue(), loc, index.getRange().value_or(""));
          return;
        }
        if (Value value = get(index.getValue(), DType::I64, loc))
          values[index.getResult()] = value;
      })
      .Case([&](DimOp dim) {
        values[dim.getResult()] = DimOp::create(
            builder, loc, toType(context, DType::I64), dim.getDimAttr());
      })
      .Case([&](LoadOp load) {
        std::optional<ValueType> type = elementType(load.getArray(), loc);
        SmallVector<Value> at;
        if (type && indices(load.getIndices(), at, loc))
          values[load.getResult()] = LoadOp::create(
              builder, loc, typeOf(*type), values.lookup(load.getArray()), at);
      })
      .Case([&](StoreOp store) {
        std::optional<ValueType> value = need(store.getValue(), loc);
        std::optional<ValueType> type;
        if (value)
          type = elementType(store.getArray(), loc);
        SmallVector<Value> at;
        if (!type || !indices(store.getIndices(), at, loc) ||
            !checkSameKind(store.getValue(), type->carrier(),
                           Diag::annotation_cast, loc))
          return;
        if (Value value = get(store.getValue(), type->carrier(), loc))
          StoreOp::create(builder, loc, value, values.lookup(store.getArray()),
                          at);
      })
      .Case([&](AccumulateOp accumulate) { cloneAccumulate(accumulate); })
      .Case([&](LocalOp local) { cloneLocal(local); })
      .Case([&](TableOp table) { cloneTable(table); })
      .Case([&](CheckIndexOp check) {
        SmallVector<Value> at;
        if (indices({check.getIndex(), check.getExtent()}, at, loc))
          CheckIndexOp::create(builder, loc, at[0], at[1], check.getArray(),
                               check.getAxis(), check.getBound(),
                               check.getFromEnd(), check.getLeastAttr());
      })
      .Case([&](SameExtentOp same) { cloneSameExtent(same); })
      .Case([&](LeastExtentOp least) {
        SmallVector<Value> extent;
        if (indices({least.getExtent()}, extent, loc))
          LeastExtentOp::create(builder, loc, extent[0], least.getLeast(),
                                least.getArray(), least.getAxis());
      })
      .Case([&](AssertOp check) {
        if (Value condition = get(check.getCondition(), DType::Bool, loc))
          AssertOp::create(builder, loc, condition, check.getText());
      })
      .Case([&](ParallelOp parallel) {
        SmallVector<Value> lowers, uppers, steps;
        if (!indices(parallel.getLowers(), lowers, loc) ||
            !indices(parallel.getUppers(), uppers, loc) ||
            !indices(parallel.getSteps(), steps, loc))
          return;
        auto made = ParallelOp::create(builder, loc, lowers, uppers, steps);
        OpBuilder::InsertionGuard guard(builder);
        cloneRegion(parallel.getBody(), made.getBody());
      })
      .Case([&](YieldOp yield) {
        Value value, keep, count;
        if (yield.getValue()) {
          value = get(yield.getValue(), yieldType, loc);
          if (!value)
            return;
        }
        if (yield.getKeep())
          keep = get(yield.getKeep(), DType::Bool, loc);
        if (yield.getCount())
          count = get(yield.getCount(), DType::I64, loc);
        YieldOp::create(builder, loc, value, keep, count);
      })
      .Default([&](Operation *) {
        report(Diag::internal_error, loc,
               {"specialisation", op.getName().getStringRef().str()});
      });
}

} // namespace kern::compiler
