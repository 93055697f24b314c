//===- Structure.cpp - functions, blocks, loops and memory ----------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------===//

#include "dialects/Kern/ElementTypes.h"
#include "dialects/Kern/ScalarFunctions.h"
#include "dialects/KernToLoop/Checks.h"
#include "dialects/KernToLoop/Constants.h"
#include "dialects/KernToLoop/Emitters.h"
#include "dialects/KernToLoop/Extents.h"
#include "dialects/KernToLoop/KernToLoop.h"
#include "dialects/KernToLoop/RaceChecks.h"
#include "dialects/KernToLoop/Reductions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/RegionGraphTraits.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace kern {

namespace {
/// One clone: every value of the source has its counterpart in `mapping`.
class Lowering {
public:
  Lowering(FuncOp source, OpBuilder &builder)
      : source(source), builder(builder) {}

  FailureOr<loop::KernelOp> run();

private:
  FuncOp source;
  OpBuilder &builder;
  ModuleOp module;
  loop::KernelOp kernel;
  ArrayAttr dims; ///< names
  IRMapping mapping;
  std::optional<WrittenElements> written; ///< where results are checked
  std::optional<RaceChecks> races;        ///< where iterations are

  Type lower(Type type) const;
  FailureOr<SmallVector<Type>> resultTypes();

  /// The counterpart, with the type that the source knows.
  Scalar operand(ScalarBuilder &s, Value value) {
    return {mapping.lookup(value), *toDType(value.getType())};
  }
  Value index(ScalarBuilder &s, Value value) {
    return convert(s, operand(s, value), DType::I64).value;
  }
  SmallVector<Value> indices(ScalarBuilder &s, ValueRange values) {
    return llvm::map_to_vector(values, [&](Value v) { return index(s, v); });
  }
  void replace(Operation &op, const Scalars &results) {
    for (auto [from, to] : llvm::zip(op.getResults(), results))
      mapping.map(from, to.value);
  }

  LogicalResult lowerBlocks(Region &from, Region &to);
  LogicalResult lowerOperation(Operation &op);
  LogicalResult lowerApply(ScalarBuilder &s, ApplyOp op);
  LogicalResult lowerConversion(ScalarBuilder &s, Operation &op, Value value);
  LogicalResult lowerDim(DimOp op);
  LogicalResult lowerStore(ScalarBuilder &s, StoreOp op);
  LogicalResult lowerAccumulate(ScalarBuilder &s, AccumulateOp op);
  LogicalResult lowerLocal(ScalarBuilder &s, LocalOp op);
  LogicalResult lowerYield(YieldOp op);
  LogicalResult lowerParallel(ScalarBuilder &s, ParallelOp op);
  LogicalResult lowerReduce(ScalarBuilder &s, ReduceOp op);
};
} // namespace

Type Lowering::lower(Type type) const {
  if (auto array = dyn_cast<ArrayType>(type)) {
    Type element = lower(array.getElementType());
    return element ? loop::ArrayType::get(type.getContext(), element,
                                          array.getRank())
                   : Type();
  }
  std::optional<DType> dtype = toDType(type);
  return dtype ? loopType(type.getContext(), *dtype) : Type();
}

//===----------------------------------------------------------------------===//
// The kernel
//===----------------------------------------------------------------------===//

FailureOr<SmallVector<Type>> Lowering::resultTypes() {
  SmallVector<Type> types;
  for (OperandAttr info : source.resultInfos()) {
    if (info.isArray())
      continue; // an argument
    types.push_back(lower(info.elementType()));
    if (!types.back())
      return source.emitOpError("has a result of type ") << info.elementType();
  }
  return types;
}

/// What `@fastmath` permits, on each operation: everything but the assumption
/// that no value is infinite or NaN.
static void allowFastMath(loop::KernelOp kernel) {
  using arith::FastMathFlags;
  auto flags = arith::FastMathFlagsAttr::get(
      kernel.getContext(), FastMathFlags::reassoc | FastMathFlags::nsz |
                               FastMathFlags::arcp | FastMathFlags::contract |
                               FastMathFlags::afn);
  kernel.walk([&](arith::ArithFastMathInterface op) {
    op->setAttr(op.getFastMathAttrName(), flags);
  });
}

FailureOr<loop::KernelOp> Lowering::run() {
  if (!source.isTyped())
    return source.emitOpError("is polymorphic: specialise it first");
  FailureOr<SmallVector<Type>> results = resultTypes();
  if (failed(results))
    return failure();

  SmallVector<int64_t> ranks;
  for (OperandAttr result : source.resultInfos())
    ranks.push_back(int64_t(result.getCore().size()));
  auto inputs = llvm::count_if(source.parameterInfos(), [](OperandAttr info) {
    return !info.getIsDim();
  });
  auto kind = source.getKind() == FuncKind::Ufunc ? loop::KernelKind::Ufunc
                                                  : loop::KernelKind::Gufunc;
  dims = source.dimNames();
  SmallVector<std::string> tokens;
  for (auto dim : dims.getAsRange<StringAttr>())
    tokens.push_back(dimToken(dim));
  kernel = loop::KernelOp::create(
      builder, source.getLoc(), source.getSymName(), kind, uint64_t(inputs),
      uint64_t(dims.size()), ranks, builder.getTypeArrayAttr(*results),
      dims.empty()
          ? ArrayAttr()
          : builder.getStrArrayAttr(llvm::to_vector_of<StringRef>(tokens)),
      /*shared_extents=*/ArrayAttr(), nonemptyExtents(source),
      /*checks=*/ArrayAttr());
  module = kernel->getParentOfType<ModuleOp>();

  OpBuilder::InsertionGuard guard(builder);
  if (failed(lowerBlocks(source.getBody(), kernel.getBody()))) {
    kernel.erase();
    return failure();
  }
  if (source->hasAttr(fastmathAttribute))
    allowFastMath(kernel);
  return kernel;
}

//===----------------------------------------------------------------------===//
// Blocks and operations
//===----------------------------------------------------------------------===//

LogicalResult Lowering::lowerBlocks(Region &from, Region &to) {
  // Definitions before uses. What cannot be reached is left behind, and the
  // blocks stay in the order of the source.
  llvm::ReversePostOrderTraversal<Block *> order(&from.front());
  llvm::SmallPtrSet<Block *, 8> reachable(order.begin(), order.end());
  // A builder may have made the entry block already; it is replaced.
  to.getBlocks().clear();
  for (Block &block : from) {
    if (!reachable.contains(&block))
      continue;
    Block *copy = builder.createBlock(&to, to.end());
    mapping.map(&block, copy);
    for (BlockArgument argument : block.getArguments()) {
      Type type = lower(argument.getType());
      if (!type)
        return emitError(argument.getLoc(), "a value of type ")
               << argument.getType() << " is not typed";
      mapping.map(argument, copy->addArgument(type, argument.getLoc()));
    }
  }
  if (from.getParentOp() == source)
    for (size_t i = 0, e = dims.size(); i < e; ++i)
      to.front().addArgument(builder.getI64Type(), source.getLoc());
  if (from.getParentOp() == source && source->hasAttr(checkResultsAttribute)) {
    builder.setInsertionPointToStart(&to.front());
    written.emplace(source, kernel, builder);
  }
  if (from.getParentOp() == source && source->hasAttr(checkRacesAttribute)) {
    builder.setInsertionPointToEnd(&to.front());
    races.emplace(source, kernel, builder);
    races->begin();
  }
  if (races && isa<ParallelOp>(from.getParentOp())) {
    builder.setInsertionPointToStart(&to.front());
    races->beginIteration();
  }
  for (Block *block : order) {
    builder.setInsertionPointToEnd(mapping.lookup(block));
    for (Operation &op : *block)
      if (failed(lowerOperation(op)))
        return failure();
  }
  return success();
}

LogicalResult Lowering::lowerOperation(Operation &op) {
  if (op.getDialect() != source->getDialect()) {
    builder.clone(op, mapping);
    return success();
  }
  for (OpResult result : op.getResults())
    if (!lower(result.getType()))
      return op.emitOpError("has a result of type ")
             << result.getType() << ", which is not typed";
  ScalarBuilder s(builder, op.getLoc(), module);
  s.isFast = source->hasAttr(fastmathAttribute);
  return TypeSwitch<Operation *, LogicalResult>(&op)
      .Case<ApplyOp>([&](auto op) { return lowerApply(s, op); })
      .Case<ConstantOp>([&](ConstantOp op) -> LogicalResult {
        std::optional<Scalar> value =
            emitConstant(s, op.getValue(), *toDType(op.getType()));
        if (!value)
          return op.emitOpError("cannot be a value of type ") << op.getType();
        replace(*op, {*value});
        return success();
      })
      .Case<CastOp, AccumulatorOp>([&](auto op) {
        return lowerConversion(s, *op.getOperation(), op.getValue());
      })
      .Case<TruthOp>([&](TruthOp op) {
        replace(*op, {truth(s, operand(s, op.getValue()))});
        return success();
      })
      .Case<DimOp>([&](DimOp op) { return lowerDim(op); })
      .Case<LoadOp>([&](LoadOp op) {
        SmallVector<Value> at = indices(s, op.getIndices());
        if (races)
          races->check(op, op.getArray(), at);
        auto load =
            loop::LoadOp::create(builder, op.getLoc(), lower(op.getType()),
                                 mapping.lookup(op.getArray()), at);
        mapping.map(op.getResult(), load.getResult());
        return success();
      })
      .Case<StoreOp>([&](StoreOp op) { return lowerStore(s, op); })
      .Case<AccumulateOp>(
          [&](AccumulateOp op) { return lowerAccumulate(s, op); })
      .Case<LocalOp>([&](LocalOp op) { return lowerLocal(s, op); })
      .Case<CheckIndexOp>([&](CheckIndexOp op) {
        lowerCheck(builder, kernel, op, index(s, op.getIndex()),
                   index(s, op.getExtent()));
        return success();
      })
      .Case<AssertOp>([&](AssertOp op) {
        lowerCheck(builder, kernel, op, mapping.lookup(op.getCondition()));
        return success();
      })
      .Case<ReturnOp>([&](ReturnOp op) {
        if (written)
          written->check(op.getLoc());
        loop::ReturnOp::create(
            builder, op.getLoc(),
            llvm::map_to_vector(op.getValues(),
                                [&](Value v) { return mapping.lookup(v); }));
        return success();
      })
      .Case<YieldOp>([&](YieldOp op) { return lowerYield(op); })
      .Case<ParallelOp>([&](ParallelOp op) { return lowerParallel(s, op); })
      .Case<ReduceOp>([&](ReduceOp op) { return lowerReduce(s, op); })
      .Default([](Operation *op) {
        return op->emitOpError("is decided by specialisation and cannot stay");
      });
}

LogicalResult Lowering::lowerApply(ScalarBuilder &s, ApplyOp op) {
  SmallVector<Scalar, 3> operands;
  SmallVector<DType, 2> results;
  for (Value value : op.getOperands())
    operands.push_back(operand(s, value));
  for (Value value : op.getResults())
    results.push_back(*toDType(value.getType()));
  Scalars values = emitScalarFunction(s, op.getFunction(), operands, results);
  if (values.empty()) {
    InFlightDiagnostic error = op.emitError("`")
                               << infoOf(op.getFunction()).name << "` of ";
    llvm::interleave(
        operands, [&](const Scalar &x) { error << std::string(name(x.type)); },
        [&] { error << " and "; });
    return error << " has no implementation yet";
  }
  replace(*op, values);
  return success();
}

LogicalResult Lowering::lowerConversion(ScalarBuilder &s, Operation &op,
                                        Value value) {
  DType from = *toDType(value.getType());
  DType to = *toDType(op.getResult(0).getType());
  if (isComplex(from) && !isComplex(to) && to != DType::Bool)
    return op.emitOpError("from ")
           << std::string(name(from)) << " to " << std::string(name(to))
           << " would drop the imaginary part";
  replace(op, {convert(s, operand(s, value), to)});
  return success();
}

LogicalResult Lowering::lowerDim(DimOp op) {
  for (auto [at, dim] : llvm::enumerate(dims))
    if (dim == op.getDimAttr()) {
      mapping.map(op.getResult(), kernel.dims()[at]);
      return success();
    }
  return op.emitOpError("names no dimension of the function: ") << op.getDim();
}

LogicalResult Lowering::lowerStore(ScalarBuilder &s, StoreOp op) {
  auto array = cast<ArrayType>(op.getArray().getType());
  if (op.getValue().getType() != array.getElementType())
    return op.emitOpError("stores a value of type ")
           << op.getValue().getType() << " into an array of "
           << array.getElementType();
  SmallVector<Value> at = indices(s, op.getIndices());
  if (races)
    races->check(op, op.getArray(), at);
  loop::StoreOp::create(builder, op.getLoc(), mapping.lookup(op.getValue()),
                        mapping.lookup(op.getArray()), at);
  if (written)
    written->note(op.getLoc(), mapping.lookup(op.getArray()), at);
  return success();
}

LogicalResult Lowering::lowerAccumulate(ScalarBuilder &s, AccumulateOp op) {
  using Kind = loop::AccumulateKind;
  auto kind = [&]() -> std::optional<Kind> {
    switch (op.getFunction()) {
    case ScalarFunction::add:
      return Kind::Add;
    case ScalarFunction::bitwise_and:
      return Kind::And;
    case ScalarFunction::bitwise_or:
      return Kind::Or;
    case ScalarFunction::bitwise_xor:
      return Kind::Xor;
    default:
      return std::nullopt;
    }
  }();
  auto array = cast<ArrayType>(op.getArray().getType());
  if (!kind || op.getValue().getType() != array.getElementType())
    return op.emitOpError("cannot join ")
           << op.getValue().getType() << " to " << array.getElementType()
           << " by " << infoOf(op.getFunction()).name;
  SmallVector<Value> at = indices(s, op.getIndices());
  if (races)
    races->check(op, op.getArray(), at);
  loop::AccumulateOp::create(builder, op.getLoc(), *kind,
                             mapping.lookup(op.getValue()),
                             mapping.lookup(op.getArray()), at);
  return success();
}

LogicalResult Lowering::lowerLocal(ScalarBuilder &s, LocalOp op) {
  auto array = cast<ArrayType>(op.getResult().getType());
  DType element = *toDType(array.getElementType());
  ArrayAttr bytes = localBytes(op, unsigned(itemSize(element)));
  if (!bytes)
    return op.emitOpError("has an extent that no call decides");
  // An extent below 0 is that of nothing.
  SmallVector<Value> extents;
  for (Value extent : indices(s, op.getExtents()))
    extents.push_back(builder.createOrFold<arith::MaxSIOp>(
        op.getLoc(), extent,
        arith::ConstantOp::create(builder, op.getLoc(),
                                  builder.getI64IntegerAttr(0))));
  auto local = loop::LocalOp::create(
      builder, op.getLoc(), lower(array), extents, op.getZeroed(), bytes,
      /*slot=*/IntegerAttr(), /*per_lane=*/false);
  mapping.map(op.getResult(), local.getResult());
  if (races)
    races->addLocal(op, local);
  return success();
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

LogicalResult Lowering::lowerYield(YieldOp op) {
  SmallVector<Value> values;
  for (Value value :
       {Value(op.getValue()), Value(op.getKeep()), Value(op.getCount())})
    if (value)
      values.push_back(mapping.lookup(value));
  if (op.getCount() && !op.getKeep())
    values.insert(values.begin() + 1,
                  arith::ConstantOp::create(builder, op.getLoc(),
                                            builder.getBoolAttr(true)));
  loop::YieldOp::create(builder, op.getLoc(), values);
  return success();
}

LogicalResult Lowering::lowerParallel(ScalarBuilder &s, ParallelOp op) {
  SmallVector<Value> lowers = indices(s, op.getLowers());
  SmallVector<Value> uppers = indices(s, op.getUppers());
  SmallVector<Value> steps = indices(s, op.getSteps());
  auto parallel =
      loop::ParallelOp::create(builder, op.getLoc(), lowers, uppers, steps);
  OpBuilder::InsertionGuard guard(builder);
  if (!races)
    return lowerBlocks(op.getBody(), parallel.getBody());
  races->enter(op, parallel);
  LogicalResult result = lowerBlocks(op.getBody(), parallel.getBody());
  races->leave();
  return result;
}

LogicalResult Lowering::lowerReduce(ScalarBuilder &s, ReduceOp op) {
  std::optional<DType> type = accumulatorType(op);
  if (!type)
    return op.emitOpError("yields no typed value");
  std::optional<loop::ReduceKind> kind = loopKind(op.getKind(), *type);
  if (!kind)
    return op.emitOpError("of ")
           << std::string(name(*type)) << " values has no implementation yet";
  Value lower = index(s, op.getLower()), upper = index(s, op.getUpper()),
        step = index(s, op.getStep());
  auto reduce = loop::ReduceOp::create(builder, op.getLoc(), *kind,
                                       loopType(builder.getContext(), *type),
                                       lower, upper, step, bool(op.getKept()));
  mapping.map(op.getResult(), reduce.getResult());
  if (op.getKept())
    mapping.map(op.getKept(), reduce.getKept());
  OpBuilder::InsertionGuard guard(builder);
  return lowerBlocks(op.getBody(), reduce.getBody());
}

FailureOr<loop::KernelOp> lowerToLoop(FuncOp typed, OpBuilder &builder) {
  return Lowering(typed, builder).run();
}

} // namespace kern
