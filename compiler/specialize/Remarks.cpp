//===- Remarks.cpp - what makes a typed function slow ---------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/specialize/Specialize.h"

#include "compiler/dependence/Counting.h"
#include "compiler/lowering/Locations.h"
#include "compiler/specialize/Specializer.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/IR/RegionGraphTraits.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;

namespace kern::compiler {

using namespace ir;
using runtime::DType;

namespace {

using Blocks = llvm::SmallPtrSet<Block *, 8>;

/// The blocks of a region that are on a cycle.
Blocks cyclicBlocks(Region &region) {
  Blocks cyclic;
  if (region.empty())
    return cyclic;
  for (auto scc = llvm::scc_begin(&region); !scc.isAtEnd(); ++scc)
    if (scc.hasCycle())
      cyclic.insert(scc->begin(), scc->end());
  return cyclic;
}

bool isInteger(Type type) { return isa<IntegerType>(type); }

/// Whether a value is a constant, perhaps converted from another type.
bool isConstant(Value value) {
  while (auto cast = value.getDefiningOp<CastOp>())
    value = cast.getValue();
  return value.getDefiningOp<ConstantOp>() != nullptr;
}

bool isSameSize(Value a, Value b) {
  auto one = a.getDefiningOp<DimOp>(), other = b.getDefiningOp<DimOp>();
  return a == b || (one && other && one.getDimAttr() == other.getDimAttr());
}

/// Whether a value is an index of a loop from a constant, not below 0, up to
/// `size`.
bool countsBelow(Value value, Value size) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument)
    return false;
  auto isFirst = [](Value lower) {
    return knownInteger(lower).value_or(-1) >= 0;
  };
  Block *block = argument.getOwner();
  const unsigned at = argument.getArgNumber();
  if (block->isEntryBlock()) {
    if (auto loop = dyn_cast<ParallelOp>(block->getParentOp()))
      return isFirst(loop.getLowers()[at]) &&
             isSameSize(loop.getUppers()[at], size);
    auto loop = dyn_cast<ReduceOp>(block->getParentOp());
    return loop && at == 0 && isFirst(loop.getLower()) &&
           isSameSize(loop.getUpper(), size);
  }
  auto branch = dyn_cast<cf::CondBranchOp>(block->getTerminator());
  auto test =
      branch ? branch.getCondition().getDefiningOp<ApplyOp>() : ApplyOp();
  return test && test.getFunction() == ScalarFunction::less &&
         test.getOperand(0) == argument &&
         isSameSize(test.getOperand(1), size) &&
         llvm::any_of(block->getPredecessors(), [&](Block *from) {
           auto jump = dyn_cast<cf::BranchOp>(from->getTerminator());
           return jump && isFirst(jump.getDestOperands()[at]);
         });
}

/// Whether wrapIndices() of dialects/KernToLoop/ makes a comparison of
/// `(i + 1) % n`.
bool isWrapped(ApplyOp apply) {
  constexpr int64_t most = 4;
  Value index = apply.getOperand(0);
  auto moved = index.getDefiningOp<ApplyOp>();
  if (moved && (moved.getFunction() == ScalarFunction::add ||
                moved.getFunction() == ScalarFunction::subtract)) {
    std::optional<int64_t> by = knownInteger(moved.getOperand(1));
    if (by && std::abs(*by) <= most)
      index = moved.getOperand(0);
  }
  return apply.getFunction() == ScalarFunction::remainder &&
         countsBelow(index, apply.getOperand(1));
}

/// A division that takes tens of instructions. Division by a constant does not:
/// it becomes a multiplication.
bool dividesSlowly(ApplyOp apply) {
  using enum ScalarFunction;
  return llvm::is_contained({floor_divide, remainder, fmod},
                            apply.getFunction()) &&
         apply.getNumOperands() == 2 &&
         isInteger(apply.getOperand(1).getType()) &&
         !isConstant(apply.getOperand(1)) && !isWrapped(apply);
}

/// Whether a span is in a file that is built into the compiler.
bool isInLibrary(const SourceManager &sources, Span span) {
  return StringRef(sources.file(span.file).name()).starts_with("<standard>/");
}

class Remarker {
public:
  Remarker(FuncOp func, DiagnosticEngine &diagnostics)
      : func(func), diagnostics(diagnostics) {}

  void run() { visit(func.getBody(), /*inLoop=*/false); }

private:
  void remark(Diag id, Location loc,
              std::initializer_list<std::string> arguments, std::string help) {
    const SourceManager &sources = diagnostics.sourceManager();
    std::optional<Span> span = toSpan(sources, loc);
    if (!span)
      return;
    // For code in the library, point at the call in the user's file.
    std::vector<Span> calls = callers(sources, loc);
    while (!calls.empty() && isInLibrary(sources, *span)) {
      span = calls.front();
      calls.erase(calls.begin());
    }
    Diagnostic &diagnostic = diagnostics.report(id, *span, arguments);
    if (!diagnostic.help.empty())
      return; // another loop of the same function has reported it
    diagnostic.help = std::move(help);
    std::vector<Note> notes;
    for (Span caller : calls)
      notes.push_back({caller, "called from here"});
    diagnostic.addCalls(std::move(notes));
  }

  void visit(Region &region, bool inLoop) {
    const Blocks cyclic = cyclicBlocks(region);
    for (Block &block : region) {
      const bool isCyclic = cyclic.contains(&block);
      for (Operation &op : block) {
        if (auto apply = dyn_cast<ApplyOp>(op);
            apply && (inLoop || isCyclic) && dividesSlowly(apply))
          remark(Diag::integer_division, op.getLoc(), {},
                 "divide by a constant, use `>>` and `&` for powers of two, or "
                 "move the division out of the loop");
        for (Region &inner : op.getRegions())
          visit(inner, inLoop || isCyclic || isa<ReduceOp, ScanOp>(op));
      }
    }
  }

  FuncOp func;
  DiagnosticEngine &diagnostics;
};

} // namespace

void Specializer::remarkOnWidening(Location loc, ArrayRef<ValueType> operands,
                                   ArrayRef<DType> computed) {
  if (!diagnostics)
    return;
  // Of the operands converted to floats: the size of the widest typed one.
  size_t integers = 0, floats = 0;
  std::optional<DType> wide;
  for (auto [from, to] : llvm::zip(operands, computed)) {
    if (!isFloat(to))
      continue;
    if (!wide || itemSize(to) > itemSize(*wide))
      wide = to;
    if (from.isWeak())
      continue;
    size_t &widest = isFloat(from.dtype) ? floats : integers;
    widest = std::max(widest, itemSize(from.dtype));
  }
  const size_t given = floats ? floats : integers;
  if (!wide || !given || itemSize(*wide) <= given)
    return;
  // No float is as small as an 8-bit integer; f16 is the smallest.
  if (!floats && itemSize(*wide) < itemSize(DType::F32))
    return;
  std::string text;
  for (auto [index, type] : llvm::enumerate(operands))
    text += (index == 0                     ? ""
             : index + 1 == operands.size() ? " and "
                                            : ", ") +
            describe(type);
  text += operands.size() == 1 ? " is" : " are";
  // For code in the library, point at the call in the user's file.
  const SourceManager &sources = diagnostics->sourceManager();
  for (auto call = dyn_cast<CallSiteLoc>(loc); call;
       call = dyn_cast<CallSiteLoc>(loc)) {
    std::optional<Span> span = toSpan(sources, call.getCallee());
    if (!span || !isInLibrary(sources, *span))
      break;
    loc = call.getCaller();
  }
  report(Diag::wider_float, loc, {text, std::string(name(*wide))});
}

void remarkOn(FuncOp typed, DiagnosticEngine &diagnostics) {
  Remarker(typed, diagnostics).run();
}

} // namespace kern::compiler
