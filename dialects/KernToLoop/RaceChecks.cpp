//===- RaceChecks.cpp - checks that iterations are independent ------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/KernToLoop/RaceChecks.h"

#include "dialects/KernToLoop/Checks.h"
#include "dialects/KernToLoop/Extents.h"
#include "dialects/Loop/Checks.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace kern::ir {

/// The distance between the numbers of two iterations. An entry has the number
/// of the access in the low bits below it.
static constexpr int64_t oneIteration = int64_t(1) << 20;

RaceChecks::RaceChecks(FuncOp source, loop::KernelOp kernel, OpBuilder &builder)
    : source(source), kernel(kernel), builder(builder), loc(source.getLoc()) {
  findUses();
}

Value RaceChecks::number(int64_t value) {
  return arith::ConstantOp::create(builder, loc,
                                   builder.getI64IntegerAttr(value));
}

//===----------------------------------------------------------------------===//
// Accesses to check
//===----------------------------------------------------------------------===//

RaceChecks::Use RaceChecks::useOf(Operation *access) {
  return isa<LoadOp>(access) ? Read : isa<StoreOp>(access) ? Write : Add;
}

static runtime::CheckKind kindOf(Operation *access) {
  using enum runtime::CheckKind;
  return isa<LoadOp>(access) ? Read : isa<StoreOp>(access) ? Write : Add;
}

static unsigned depthOf(ParallelOp parallel) {
  unsigned depth = 0;
  for (auto outer = parallel->getParentOfType<ParallelOp>(); outer;
       outer = outer->getParentOfType<ParallelOp>())
    ++depth;
  return depth;
}

void RaceChecks::findUses() {
  source.walk([&](ParallelOp parallel) {
    unsigned depth = depthOf(parallel);
    depths = std::max(depths, depth + 1);
    llvm::MapVector<Value, unsigned> touched;
    parallel.getBody().walk([&](Operation *op) {
      Value array = accessedArray(op);
      if (!array)
        return;
      // An array made in the iteration is private to it.
      Operation *maker = array.getDefiningOp();
      if (!maker || !parallel->isProperAncestor(maker))
        touched[array] |= useOf(op);
    });
    for (auto [array, uses] : touched)
      if ((uses & Write) || uses == (Read | Add)) {
        needs.insert({parallel, array});
        watched.insert(parallel);
        kept[{array, depth}] |= uses;
      }
  });
}

std::string RaceChecks::nameOf(Value array) {
  if (auto local = array.getDefiningOp<LocalOp>())
    return local.getName().str();
  unsigned at = cast<BlockArgument>(array).getArgNumber();
  for (OperandAttr operand : source.parameterInfos())
    if (!operand.getIsDim() && at-- == 0)
      return operand.getName().str();
  for (OperandAttr operand : source.resultInfos())
    if (!operand.getCore().empty() && at-- == 0)
      return operand.getName().str();
  return "?";
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

void RaceChecks::makeShadows(Value array, ArrayRef<Value> extents,
                             llvm::function_ref<ArrayAttr()> bytes) {
  for (unsigned depth = 0; depth < depths; ++depth) {
    auto found = kept.find({array, depth});
    if (found == kept.end())
      continue;
    Shadow &shadow = shadows[{array, depth}];
    shadow.extents.assign(extents.begin(), extents.end());
    shadow.count = number(1);
    for (Value extent : extents)
      shadow.count =
          builder.createOrFold<arith::MulIOp>(loc, shadow.count, extent);
    Value size =
        builder.createOrFold<arith::AddIOp>(loc, shadow.count, number(1));
    auto type =
        loop::ArrayType::get(builder.getContext(), builder.getI64Type(), 1);
    for (Use use : uses)
      if (found->second & use)
        shadow.first[use] = loop::LocalOp::create(
            builder, loc, type, size, /*zeroed=*/true, bytes(),
            /*slot=*/IntegerAttr(), /*per_lane=*/false);
  }
}

void RaceChecks::begin() {
  if (kept.empty())
    return;
  auto bytes =
      builder.getStrArrayAttr({std::to_string((depths * 8 + 15) / 16 * 16)});
  counts = loop::LocalOp::create(
      builder, loc,
      loop::ArrayType::get(builder.getContext(), builder.getI64Type(), 1),
      number(depths), /*zeroed=*/true, bytes, /*slot=*/IntegerAttr(),
      /*per_lane=*/false);
  unsigned at = 0;
  auto add = [&](OperandAttr operand) {
    Value array = source.getBody().getArgument(at++);
    bool isKept = llvm::any_of(
        kept, [&](const auto &entry) { return entry.first.first == array; });
    if (isKept)
      makeShadows(array, emitExtents(builder, kernel, source, operand),
                  [&] { return bytesOf(operand, 8, /*more=*/1); });
  };
  for (OperandAttr operand : source.parameterInfos())
    if (!operand.getIsDim())
      add(operand);
  for (OperandAttr operand : source.resultInfos())
    if (!operand.getCore().empty())
      add(operand);
}

void RaceChecks::addLocal(LocalOp local, loop::LocalOp made) {
  SmallVector<Value> extents(made.getExtents());
  makeShadows(local.getResult(), extents,
              [&] { return localBytes(local, 8, /*more=*/1); });
}

//===----------------------------------------------------------------------===//
// Iterations
//===----------------------------------------------------------------------===//

void RaceChecks::enter(ParallelOp parallel, loop::ParallelOp made) {
  unsigned depth = depthOf(parallel);
  active.push_back({parallel, made, depth, nullptr, nullptr});
  if (!watched.contains(parallel))
    return;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(made);
  Value last = loop::LoadOp::create(builder, loc, builder.getI64Type(), counts,
                                    number(depth));
  active.back().begin =
      arith::AddIOp::create(builder, loc, last, number(oneIteration));
}

void RaceChecks::beginIteration() {
  Active &loop = active.back();
  if (!loop.begin)
    return;
  Value depth = number(loop.depth);
  Value last =
      loop::LoadOp::create(builder, loc, builder.getI64Type(), counts, depth);
  loop.now = arith::AddIOp::create(builder, loc, last, number(oneIteration));
  loop::StoreOp::create(builder, loc, loop.now, counts, depth);
}

/// The indices of the iteration that made an entry. In its number, the last
/// index varies fastest.
SmallVector<Value> RaceChecks::iterationOf(Active loop, Value entry) {
  Value place = arith::SubIOp::create(builder, loc, entry, loop.begin);
  place = arith::DivUIOp::create(builder, loc, place, number(oneIteration));
  SmallVector<Value> indices(loop.made.getLower().size());
  for (size_t d = indices.size(); d-- > 0;) {
    Value digit = place;
    if (d > 0) { // with several indices, each range starts at 0, step 1
      Value extent = builder.createOrFold<arith::MaxSIOp>(
          loc, loop.made.getUpper()[d], number(1));
      digit = arith::RemUIOp::create(builder, loc, place, extent);
      place = arith::DivUIOp::create(builder, loc, place, extent);
    }
    indices[d] = arith::AddIOp::create(
        builder, loc, loop.made.getLower()[d],
        arith::MulIOp::create(builder, loc, digit, loop.made.getStep()[d]));
  }
  return indices;
}

void RaceChecks::check(Operation *access, Value array, ValueRange indices) {
  for (Active loop : active)
    if (needs.contains({loop.source, array}))
      checkAt(loop, access, array, indices);
}

void RaceChecks::checkAt(Active loop, Operation *access, Value array,
                         ValueRange indices) {
  Location previous = std::exchange(loc, access->getLoc());
  const Shadow &shadow = shadows.find({array, loop.depth})->second;
  Use use = useOf(access);
  int64_t site =
      loop::addCheck(kernel, {kindOf(access), placeOf(loc), nameOf(array),
                              unsigned(loop.made.getLower().size())});

  // An index out of range selects the dummy entry.
  Value flat = number(0), isInside;
  for (auto [index, extent] : llvm::zip(indices, shadow.extents)) {
    Value holds = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                                        index, extent);
    isInside =
        isInside ? arith::AndIOp::create(builder, loc, isInside, holds) : holds;
    flat = arith::AddIOp::create(
        builder, loc, arith::MulIOp::create(builder, loc, flat, extent), index);
  }
  Value place =
      arith::SelectOp::create(builder, loc, isInside, flat, shadow.count);

  Value round = arith::SubIOp::create(builder, loc, loop.now, loop.begin);
  for (Use other : uses) {
    // Two reads do not conflict, nor do two accumulations.
    auto first = shadow.first.find(other);
    if (first == shadow.first.end() || (other == use && use != Write))
      continue;
    Value entry = loop::LoadOp::create(builder, loc, builder.getI64Type(),
                                       first->second, place);
    // An entry conflicts if it is from this prange and an earlier iteration.
    Value age = arith::SubIOp::create(builder, loc, entry, loop.begin);
    Value isDistinct = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::uge, age, round);
    Value isOutside = arith::XOrIOp::create(
        builder, loc, isInside,
        arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true)));
    Value holds = arith::OrIOp::create(builder, loc, isDistinct, isOutside);
    SmallVector<Value> values{
        arith::AndIOp::create(builder, loc, entry, number(oneIteration - 1)),
        number(int64_t(shadow.extents.size()))};
    llvm::append_range(values, iterationOf(loop, entry));
    llvm::append_range(values, loop.made.entry().getArguments());
    llvm::append_range(values, indices);
    loop::CheckOp::create(builder, loc, site, holds, values);
  }

  Value own = shadow.first.find(use)->second;
  Value entry =
      loop::LoadOp::create(builder, loc, builder.getI64Type(), own, place);
  Value isOld = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                                      entry, loop.begin);
  Value mark = arith::AddIOp::create(builder, loc, loop.now, number(site));
  loop::StoreOp::create(
      builder, loc, arith::SelectOp::create(builder, loc, isOld, mark, entry),
      own, place);
  loc = previous;
}

} // namespace kern::ir
