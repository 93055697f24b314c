//===- Structure.cpp - functions, blocks and scalar operations ------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/KernToLoop/Emitters.h"
#include "dialects/KernToLoop/Extents.h"
#include "dialects/KernToLoop/KernToLoop.h"
#include "dialects/KernToLoop/KernelLowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/RegionGraphTraits.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace kern::ir {

using runtime::DType;

Type KernelLowering::lower(Type type) const {
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

FailureOr<SmallVector<Type>> KernelLowering::resultTypes() {
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

/// Sets what `@fastmath` permits on each operation: all flags except those that
/// assume no NaN and no infinity.
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

/// The core dimensions of each operand of a gufunc; null for a ufunc.
static ArrayAttr coreExtents(FuncOp source) {
  if (source.getKind() == FuncKind::Ufunc)
    return {};
  Builder b(source.getContext());
  SmallVector<Attribute> operands;
  auto add = [&](OperandAttr operand) {
    SmallVector<Attribute> core;
    for (DimExprAttr dim : operand.getCore()) {
      SmallVector<std::string> tokens = dim.reversePolish();
      core.push_back(b.getStrArrayAttr(llvm::to_vector_of<StringRef>(tokens)));
    }
    operands.push_back(b.getArrayAttr(core));
  };
  for (OperandAttr parameter : source.parameterInfos())
    if (!parameter.getIsDim())
      add(parameter);
  for (OperandAttr result : source.resultInfos())
    add(result);
  return b.getArrayAttr(operands);
}

/// Drops local arrays that nothing reads: of the values of an `accumulate`, not
/// all may be wanted.
static void dropUnread(loop::KernelOp kernel) {
  SmallVector<loop::LocalOp> locals;
  kernel.walk([&](loop::LocalOp local) { locals.push_back(local); });
  for (loop::LocalOp local : locals) {
    SmallVector<Operation *> users(local.getResult().getUsers());
    if (!llvm::all_of(users, llvm::IsaPred<loop::StoreOp>))
      continue;
    for (Operation *store : users)
      store->erase();
    local.erase();
  }
}

FailureOr<loop::KernelOp> KernelLowering::run() {
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
  const NeededExtents needed = neededExtents(source);
  kernel = loop::KernelOp::create(
      builder, source.getLoc(), source.getSymName(), kind, uint64_t(inputs),
      uint64_t(dims.size()), ranks, builder.getTypeArrayAttr(*results),
      dims.empty()
          ? ArrayAttr()
          : builder.getStrArrayAttr(llvm::to_vector_of<StringRef>(tokens)),
      /*shared_extents=*/ArrayAttr(), needed.nonempty, needed.least,
      /*checks=*/ArrayAttr(), coreExtents(source),
      /*flat_extents=*/ArrayAttr(), /*launches=*/IntegerAttr(),
      /*sliced_launches=*/IntegerAttr(), /*cooperative=*/false, /*ahead=*/false,
      /*across=*/false,
      /*resident=*/IntegerAttr());
  module = kernel->getParentOfType<ModuleOp>();

  OpBuilder::InsertionGuard guard(builder);
  if (failed(lowerBlocks(source.getBody(), kernel.getBody()))) {
    kernel.erase();
    return failure();
  }
  dropUnread(kernel);
  if (source->hasAttr(fastmathAttribute))
    allowFastMath(kernel);
  return kernel;
}

//===----------------------------------------------------------------------===//
// Blocks and operations
//===----------------------------------------------------------------------===//

LogicalResult KernelLowering::lowerBlocks(Region &from, Region &to) {
  // Lower definitions before uses. Drop unreachable blocks, and keep the order
  // of the source for the others.
  llvm::ReversePostOrderTraversal<Block *> order(&from.front());
  llvm::SmallPtrSet<Block *, 8> reachable(order.begin(), order.end());
  // The builder may have made an entry block already; replace it.
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

LogicalResult KernelLowering::lowerOperation(Operation &op) {
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
  s.fmaOfHalves = fma;
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
      .Case<BitsOp>([&](BitsOp op) {
        Scalar value = operand(s, op.getValue());
        DType type = *toDType(op.getType());
        if (isFloat(value.type))
          value = s.bits(value);
        replace(*op, {isFloat(type) ? s.fromBits(value, type)
                                    : Scalar{value.value, type}});
        return success();
      })
      .Case<TruthOp>([&](TruthOp op) {
        replace(*op, {truth(s, operand(s, op.getValue()))});
        return success();
      })
      .Case<DimOp>([&](DimOp op) { return lowerDim(op); })
      .Case<TableOp>([&](TableOp) { return success(); })
      .Case<LoadOp>([&](LoadOp op) {
        SmallVector<Value> at = indices(s, op.getIndices());
        if (auto table = op.getArray().getDefiningOp<TableOp>())
          return lowerLookup(s, op, table, at);
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
      .Case<SameExtentOp, LeastExtentOp>([&](auto) { return success(); })
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
      .Case<ScanOp>([&](ScanOp op) { return lowerScan(s, op); })
      .Case<GiveOp>([&](GiveOp op) {
        loop::GiveOp::create(builder, op.getLoc(),
                             llvm::map_to_vector(op.getValues(), [&](Value v) {
                               return mapping.lookup(v);
                             }));
        return success();
      })
      .Default([](Operation *op) {
        return op->emitOpError("is decided by specialisation and cannot stay");
      });
}

LogicalResult KernelLowering::lowerApply(ScalarBuilder &s, ApplyOp op) {
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

LogicalResult KernelLowering::lowerConversion(ScalarBuilder &s, Operation &op,
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

LogicalResult KernelLowering::lowerDim(DimOp op) {
  for (auto [at, dim] : llvm::enumerate(dims))
    if (dim == op.getDimAttr()) {
      mapping.map(op.getResult(), kernel.dims()[at]);
      return success();
    }
  return op.emitOpError("names no dimension of the function: ") << op.getDim();
}

FailureOr<loop::KernelOp> lowerToLoop(FuncOp typed, OpBuilder &builder,
                                      FmaOfHalves fma) {
  return KernelLowering(typed, builder, fma).run();
}

} // namespace kern::ir
