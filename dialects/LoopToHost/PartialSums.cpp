//===- PartialSums.cpp - sums of floats by lanes, written out -------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToHost/PartialSums.h"

#include "dialects/LoopToHost/CountedLoop.h"
#include "dialects/LoopToHost/VectorLoops.h"
#include "dialects/LoopToLLVM/LoopLowering.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace kern::ir::loop;
using Predicate = KernelBuilder::Predicate;

/// The addition or multiplication of which LLVM may group the operands; null
/// for any other value.
static Operation *groupedOf(Value next) {
  Operation *op = next.getDefiningOp();
  if (!isa_and_nonnull<arith::AddFOp, arith::MulFOp>(op))
    return nullptr;
  auto flags =
      cast<arith::ArithFastMathInterface>(op).getFastMathFlagsAttr().getValue();
  return arith::bitEnumContainsAll(flags, arith::FastMathFlags::reassoc)
             ? op
             : nullptr;
}

namespace {
/// A value that a loop carries, and its partial sums.
struct Sum {
  unsigned argument; ///< of the loop's header
  Operation *addition;
  Value array;
};

/// A loop with sums, which gets partial ones.
class SummingLoop {
public:
  SummingLoop(KernelBuilder &b, const CountedLoop &loop, int64_t count,
              ArrayRef<Sum> sums)
      : b(b), loop(loop), count(count), sums(sums) {}
  void write();

private:
  Block *newBlock(Block *before, unsigned counters);
  /// Emits a loop from the builder's block on while `isMore(number)`. The
  /// builder continues behind it.
  void repeat(Block *before, int64_t first,
              llvm::function_ref<Value(Value)> isMore,
              llvm::function_ref<void(Value)> body);
  Type typeOf(const Sum &sum) { return sum.addition->getResult(0).getType(); }
  Value addressOf(const Sum &sum, Value number) {
    return b.offset(sum.array, b.mul(number, b.i64(storedSize(typeOf(sum)))));
  }
  Value load(const Sum &sum, Value number) {
    return b.load(typeOf(sum), addressOf(sum, number));
  }
  void clear();
  void accumulate();
  void addUp();

  KernelBuilder &b;
  const CountedLoop &loop;
  int64_t count; ///< of partial sums, a power of two
  SmallVector<Sum> sums;
  Value used; ///< how many of them have elements, at least 1
};
} // namespace

Block *SummingLoop::newBlock(Block *before, unsigned counters) {
  OpBuilder::InsertionGuard guard(b);
  return b.createBlock(before, SmallVector<Type>(counters, b.getI64Type()),
                       SmallVector<Location>(counters, b.getLoc()));
}

void SummingLoop::repeat(Block *before, int64_t first,
                         llvm::function_ref<Value(Value)> isMore,
                         llvm::function_ref<void(Value)> body) {
  Block *header = newBlock(before, 1), *step = newBlock(before, 0),
        *after = newBlock(before, 0);
  cf::BranchOp::create(b, header, ValueRange{b.i64(first)});
  b.at(header);
  Value number = header->getArgument(0);
  cf::CondBranchOp::create(b, isMore(number), step, after);
  b.at(step);
  body(number);
  cf::BranchOp::create(b, header, ValueRange{b.add(number, b.i64(1))});
  b.at(after);
}

/// Sets the first partial sum to the value before the loop, and the others that
/// are used to the identity.
void SummingLoop::clear() {
  Block *start = newBlock(loop.header, 0);
  SmallVector<Value> initial;
  for (Block *before : llvm::to_vector(loop.header->getPredecessors()))
    if (!loop.contains(before)) {
      auto branch = cast<cf::BranchOp>(before->getTerminator());
      initial.assign(branch.getDestOperands().begin(),
                     branch.getDestOperands().end());
      branch.getDestOperandsMutable().clear();
      branch->setSuccessor(start, 0);
    }
  b.at(start);
  used = arith::MaxSIOp::create(
      b, arith::MinSIOp::create(b, loop.trips, b.i64(count)), b.i64(1));
  for (const Sum &sum : sums)
    b.store(initial[sum.argument], addressOf(sum, b.i64(0)));
  repeat(
      loop.header, 1,
      [&](Value number) { return b.compare(Predicate::slt, number, used); },
      [&](Value number) {
        for (const Sum &sum : sums) {
          double identity = isa<arith::AddFOp>(sum.addition) ? -0.0 : 1.0;
          Value value = arith::ConstantOp::create(
              b, b.getFloatAttr(typeOf(sum), identity));
          b.store(value, addressOf(sum, number));
        }
      });
  SmallVector<Value> others;
  for (auto [i, value] : llvm::enumerate(initial))
    if (llvm::none_of(sums, [&](const Sum &sum) { return sum.argument == i; }))
      others.push_back(value);
  cf::BranchOp::create(b, loop.header, others);
}

/// Lets an iteration add to its own partial sums.
void SummingLoop::accumulate() {
  b.setInsertionPointToStart(loop.body);
  Value number = b.bitAnd(loop.counter(), b.i64(count - 1));
  SmallVector<Value> soFar;
  for (const Sum &sum : sums)
    soFar.push_back(load(sum, number));
  b.setInsertionPoint(loop.latch);
  auto back = cast<cf::BranchOp>(loop.latch);
  for (auto [sum, value] : llvm::zip(sums, soFar)) {
    loop.header->getArgument(sum.argument)
        .replaceUsesWithIf(value, [&](OpOperand &use) {
          return loop.contains(use.getOwner()->getBlock());
        });
    b.store(back.getDestOperands()[sum.argument], addressOf(sum, number));
  }
}

/// Adds the second half of the partial sums to the first one until one is left,
/// between the loop and its exit. What would add the identity is left out.
void SummingLoop::addUp() {
  Block *start = newBlock(loop.exit, 0);
  loop.header->getTerminator()->setSuccessor(start, 1);
  Block *halves = newBlock(loop.exit, 2), *add = newBlock(loop.exit, 0),
        *done = newBlock(loop.exit, 0);
  b.at(start);
  cf::BranchOp::create(b, halves, ValueRange{b.i64(count / 2), used});
  b.at(halves);
  Value half = halves->getArgument(0), left = halves->getArgument(1);
  cf::CondBranchOp::create(b, b.compare(Predicate::sgt, half, b.i64(0)), add,
                           done);
  b.at(add);
  repeat(
      done, 0,
      [&](Value number) {
        return b.compare(Predicate::slt, b.add(number, half), left);
      },
      [&](Value number) {
        Value later = b.add(number, half);
        for (const Sum &sum : sums) {
          Value one = load(sum, number), other = load(sum, later);
          Value both = isa<arith::AddFOp>(sum.addition)
                           ? arith::AddFOp::create(b, one, other).getResult()
                           : arith::MulFOp::create(b, one, other).getResult();
          b.store(both, addressOf(sum, number));
        }
      });
  left = arith::MinSIOp::create(b, left, half);
  cf::BranchOp::create(b, halves, ValueRange{b.div(half, b.i64(2)), left});
  b.at(done);
  for (const Sum &sum : sums)
    loop.header->getArgument(sum.argument)
        .replaceAllUsesWith(load(sum, b.i64(0)));
  cf::BranchOp::create(b, loop.exit);
}

void SummingLoop::write() {
  OpBuilder::InsertionGuard guard(b);
  Region *function = loop.header->getParent();
  b.setInsertionPointToStart(&function->front());
  for (Sum &sum : sums)
    sum.array =
        LLVM::AllocaOp::create(b, b.pointerType(), b.getI8Type(),
                               b.i64(count * int64_t(storedSize(typeOf(sum)))));
  clear();
  accumulate();
  addUp();
  auto back = cast<cf::BranchOp>(loop.latch);
  for (const Sum &sum : llvm::reverse(sums)) {
    back.getDestOperandsMutable().erase(sum.argument);
    loop.header->eraseArgument(sum.argument);
  }
}

/// Whether LLVM makes vectors of a loop with a call, whatever the C library.
/// Functions of Kern's own library have branches, and sums of theirs go in
/// order along a core.
static bool isInVectors(func::CallOp call) {
  StringRef name = call.getCallee();
  name.consume_front("kern.");
  return llvm::is_contained({"exp", "log", "sin", "cos"},
                            name.split('.').first);
}

/// Whether LLVM may round a product together with what is computed with it, as
/// with what is added to it. Along a core it does so where no loop lies between
/// them, and never with a product from memory.
static bool isComputedWith(Value product, const CountedLoop &loop) {
  return llvm::any_of(product.getUsers(), [&](Operation *user) {
    return !loop.contains(user->getBlock()) &&
           !isa<LLVM::StoreOp, LLVM::ReturnOp, LLVM::InsertValueOp,
                arith::TruncFOp, math::SqrtOp>(user);
  });
}

/// Why a loop that carries sums cannot have partial ones.
static std::string obstacleOf(const std::optional<CountedLoop> &loop,
                              ArrayRef<Sum> sums) {
  constexpr StringLiteral other = "has a sum in a loop of another kind";
  if (!loop || !loop->isOutside(loop->trips) ||
      loop->exit->getSinglePredecessor() != loop->header ||
      loop->body->getSinglePredecessor() != loop->header)
    return other.str();
  for (Block *before : loop->header->getPredecessors()) {
    auto branch = dyn_cast<cf::BranchOp>(before->getTerminator());
    bool begins = branch && !loop->contains(before) &&
                  matchPattern(branch.getDestOperands().front(), m_Zero());
    if (!begins && branch != loop->latch)
      return other.str();
  }
  for (Block *block : loop->blocks)
    for (auto call : block->getOps<func::CallOp>())
      if (!isInVectors(call))
        return "has a sum of a function without vectors";
  for (const Sum &sum : sums) {
    Value product = loop->header->getArgument(sum.argument);
    if (isa<arith::MulFOp>(sum.addition) && isComputedWith(product, *loop))
      return "computes with a product of floats";
  }
  return "";
}

/// Whether LLVM may remove a loop: it can write it out, or knows its result.
static bool mayVanish(const CountedLoop &loop) {
  return matchPattern(loop.trips, m_Constant()) ||
         llvm::all_of(loop.blocks, [](Block *block) {
           return block->getOps<LLVM::LoadOp>().empty();
         });
}

/// Whether a loop carries a sum from one iteration to the next, or from one run
/// of the loop inside to the next.
static bool carriesSum(const CountedLoop &loop, const CountedLoop &inside) {
  return llvm::any_of(loop.latch->getOperands(), [&](Value next) {
    auto total = dyn_cast<BlockArgument>(next);
    if (total && total.getOwner() == inside.header)
      next = inside.latch->getOperand(total.getArgNumber());
    return groupedOf(next) != nullptr;
  });
}

/// Whether a loop carries a sum and has one inside that does not count, such as
/// that of a power, of which LLVM may know that it ends at once.
static bool hasOtherLoop(const CountedLoop &loop, DominanceInfo &dominance) {
  if (llvm::none_of(loop.latch->getOperands(), groupedOf))
    return false;
  return llvm::any_of(loop.blocks, [&](Block *block) {
    return llvm::any_of(block->getSuccessors(), [&](Block *next) {
      return next != loop.header && loop.contains(next) &&
             dominance.dominates(next, block) &&
             !CountedLoop::of(block->getTerminator());
    });
  });
}

/// Whether a sum that has a loop inside may be left without it. LLVM would put
/// it in vectors of its own choice.
static bool mayLoseLoops(LLVM::LLVMFuncOp body) {
  DominanceInfo dominance(body);
  SmallVector<CountedLoop> loops;
  for (Block &block : body.getBody())
    if (std::optional<CountedLoop> loop =
            CountedLoop::of(block.getTerminator()))
      loops.push_back(*loop);
  return llvm::any_of(loops, [&](const CountedLoop &loop) {
    return hasOtherLoop(loop, dominance) ||
           llvm::any_of(loops, [&](const CountedLoop &inside) {
             return loop.header != inside.header &&
                    loop.contains(inside.header) && mayVanish(inside) &&
                    carriesSum(loop, inside);
           });
  });
}

/// Whether an operation has the flags of `@fastmath`, by which LLVM rewrites a
/// vector and a number in ways of their own.
static bool isRewritten(Operation &op) {
  auto flagged = dyn_cast<arith::ArithFastMathInterface>(op);
  auto flags = flagged ? flagged.getFastMathFlagsAttr() : nullptr;
  return flags && arith::bitEnumContainsAll(flags.getValue(),
                                            arith::FastMathFlags::arcp);
}

std::string kern::ir::loop::writePartialSums(KernelBuilder &b,
                                             LLVM::LLVMFuncOp body) {
  for (Block &block : body.getBody())
    if (llvm::any_of(block, isRewritten))
      return "is @fastmath";
  if (mayLoseLoops(body))
    return "has a sum with a loop inside that may vanish";
  SmallVector<Operation *> latches;
  for (Block &block : body.getBody()) {
    Operation *latch = block.getTerminator();
    auto isParallel = latch->getAttrOfType<BoolAttr>(vectorLatch);
    latch->removeAttr(vectorLatch);
    if (isParallel && !isParallel.getValue())
      latches.push_back(latch);
  }
  for (Operation *latch : latches) {
    SmallVector<Sum> sums;
    for (auto [i, next] : llvm::enumerate(latch->getOperands()))
      if (Operation *addition = groupedOf(next))
        sums.push_back({unsigned(i), addition, {}});
    if (sums.empty())
      continue;
    std::optional<VectorShape> shape = loopShape(latch, /*isParallel=*/false);
    if (!shape)
      continue; // a sum in order
    std::optional<CountedLoop> loop = CountedLoop::of(latch);
    if (std::string why = obstacleOf(loop, sums); !why.empty())
      return why;
    SummingLoop(b, *loop, shape->elements(), sums).write();
  }
  return "";
}
