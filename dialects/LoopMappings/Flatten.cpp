//===- Flatten.cpp - iterations as loop elements --------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopMappings/Flatten.h"

#include "dialects/LoopMappings/Selects.h"
#include "dialects/LoopToLLVM/Extents.h"
#include "dialects/LoopToLLVM/GroupSharing.h"
#include "dialects/LoopToLLVM/Locals.h"
#include "dialects/LoopToLLVM/Ranges.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

using namespace mlir;
using namespace kern::ir::loop;

/// The arrays that some operation of the kernel writes.
static SmallPtrSet<Value, 4> writtenArrays(KernelOp kernel) {
  SmallPtrSet<Value, 4> arrays;
  kernel->walk([&](Operation *op) {
    if (isa<StoreOp, AccumulateOp>(op))
      arrays.insert(accessedArray(op));
  });
  return arrays;
}

/// Whether each lane can have a local array of its own once the loop around it
/// is gone: it is small, and no loop that lanes would share writes it.
static bool staysPrivate(LocalOp local, ParallelOp loop) {
  std::optional<uint64_t> bytes = constantBytes(local);
  constexpr uint64_t small = 1024;
  if (!bytes || *bytes > small)
    return false;
  if (local->getParentOp() != loop)
    return true;
  return llvm::all_of(local.getResult().getUsers(), [&](Operation *user) {
    return isa<LoadOp>(user) || user->getParentOp() == loop;
  });
}

/// The obstacle of an operation beside the loop that must not be repeated for
/// each iteration.
static std::optional<Obstacle>
obstacleBeside(Operation &op, const SmallPtrSet<Value, 4> &written) {
  if (auto load = dyn_cast<LoadOp>(op)) {
    if (!written.contains(load.getArray()))
      return std::nullopt;
    return Obstacle{"`{0}` is read beside the loop and is written",
                    op.getLoc()};
  }
  if (isMemoryEffectFree(&op))
    return std::nullopt;
  if (isa<StoreOp, AccumulateOp>(op))
    return Obstacle{"`{0}` is written beside the loop", op.getLoc()};
  return Obstacle{"this is beside the loop", op.getLoc()};
}

/// The outermost parallel loop of a gufunc whose iterations can be loop
/// elements: it is the kernel's only loop, its ranges follow from dimensions,
/// and nothing around it reads what is written.
static Found<ParallelOp> flattenable(KernelOp kernel) {
  if (kernel.isUfunc() || kernel.getChecks() ||
      !kernel.getResultTypes().empty())
    return {};
  SmallVector<Operation *> loops;
  for (Block &block : kernel.getBody())
    for (Operation &op : block)
      if (isa<ParallelOp>(op) ||
          (isa<ReduceOp>(op) && !isMemoryEffectFree(&op)))
        loops.push_back(&op);
  if (loops.size() != 1 || !isa<ParallelOp>(loops.front()))
    return {};
  auto loop = cast<ParallelOp>(loops.front());
  if (!kernel.getBody().hasOneBlock())
    return Obstacle{"a branch or a loop in order is around this loop",
                    loop.getLoc()};
  SmallPtrSet<Value, 4> written = writtenArrays(kernel);
  for (Operation &op : kernel.entry().without_terminator())
    if (&op != loop.getOperation())
      if (std::optional<Obstacle> obstacle = obstacleBeside(op, written))
        return *obstacle;
  if (runsInOrder(loop))
    return Obstacle{"its iterations add floats up, in order", loop.getLoc()};
  for (auto [lower, upper, step] :
       llvm::zip(loop.getLower(), loop.getUpper(), loop.getStep()))
    if (!tripExpression(kernel, lower, upper, step))
      return Obstacle{"the range of the loop follows from data", loop.getLoc()};
  std::optional<Obstacle> large;
  loop->walk([&](LocalOp local) {
    if (!large && !staysPrivate(local, loop))
      large = Obstacle{"`{0}` is too large for every iteration to have one",
                       local.getLoc()};
  });
  if (large)
    return *large;
  return loop;
}

/// Makes the iterations of `loop` loop elements: its body becomes the kernel's,
/// and the indices follow from the flat ones.
static void flattenLoop(KernelOp kernel, ParallelOp loop) {
  ImplicitLocOpBuilder b(loop.getLoc(), loop);
  SmallVector<Attribute> extents;
  if (kernel.getFlatExtents())
    llvm::append_range(extents, *kernel.getFlatExtents());
  SmallVector<Value> indices;
  for (auto [lower, upper, step] :
       llvm::zip(loop.getLower(), loop.getUpper(), loop.getStep())) {
    DimTokens trips = *tripExpression(kernel, lower, upper, step);
    extents.push_back(attributeOf(b.getContext(), trips));
    Value number = kernel.entry().addArgument(b.getI64Type(), loop.getLoc());
    // The attribute must describe the arguments at every step.
    kernel.setFlatExtentsAttr(b.getArrayAttr(extents));
    indices.push_back(inductionValue(b, lower, step, number));
  }
  for (auto [argument, index] : llvm::zip(loop.entry().getArguments(), indices))
    argument.replaceAllUsesWith(index);
  loop.entry().eraseArguments(0, indices.size());

  Block *before = loop->getBlock(), *after = before->splitBlock(loop);
  Block *body = &loop.entry();
  for (Block &block : loop.getBody())
    if (auto yield = dyn_cast<YieldOp>(block.getTerminator())) {
      b.setInsertionPoint(yield);
      cf::BranchOp::create(b, after);
      yield.erase();
    }
  kernel.getBody().getBlocks().splice(after->getIterator(),
                                      loop.getBody().getBlocks());
  loop.erase();
  // Straight code stays in one block.
  auto append = [](Block *first, Block *second) {
    first->getOperations().splice(first->end(), second->getOperations());
    second->erase();
  };
  append(before, body);
  auto branch = dyn_cast<cf::BranchOp>(before->getTerminator());
  if (branch && branch.getDest() == after && after->hasOneUse()) {
    branch.erase();
    append(before, after);
  }
}

bool kern::ir::loop::flatten(KernelOp kernel) {
  bool isFlat = false;
  while (Found<ParallelOp> loop = flattenable(kernel)) {
    flattenLoop(kernel, *loop);
    isFlat = true;
  }
  if (isFlat)
    branchesToSelects(kernel);
  return isFlat;
}

std::optional<Obstacle> kern::ir::loop::flatObstacle(KernelOp kernel) {
  return flattenable(kernel).obstacle();
}
