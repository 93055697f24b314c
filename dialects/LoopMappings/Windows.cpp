//===- Windows.cpp - iterations whose neighbours read the same ------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopMappings/Windows.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/PostOrderIterator.h"

using namespace mlir;
using namespace kern::ir::loop;
using kern::runtime::wideColumns;

int64_t IndexForm::factorOf(unsigned argument) const {
  for (auto [number, factor] : terms)
    if (number == argument)
      return factor;
  return 0;
}

/// left + by * right; false if that is too large.
static bool addTo(IndexForm &left, const IndexForm &right, int64_t by) {
  auto add = [&](int64_t &sum, int64_t value) {
    return !__builtin_mul_overflow(value, by, &value) &&
           !__builtin_add_overflow(sum, value, &sum);
  };
  for (auto [number, factor] : right.terms) {
    auto *at = llvm::find_if(
        left.terms, [&](const auto &term) { return term.first >= number; });
    if (at == left.terms.end() || at->first != number)
      at = left.terms.insert(at, {number, 0});
    if (!add(at->second, factor))
      return false;
  }
  llvm::erase_if(left.terms, [](const auto &term) { return term.second == 0; });
  return add(left.constant, right.constant);
}

static std::optional<IndexForm> formOf(KernelOp kernel, Value value,
                                       unsigned depth) {
  constexpr unsigned maxDepth = 12;
  IndexForm form;
  APInt number;
  if (matchPattern(value, m_ConstantInt(&number))) {
    form.constant = number.getSExtValue();
    return form;
  }
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    if (argument.getOwner() != &kernel.entry())
      return std::nullopt;
    form.terms.push_back({argument.getArgNumber(), 1});
    return form;
  }
  Operation *op = value.getDefiningOp();
  if (depth > maxDepth || !isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op))
    return std::nullopt;
  auto left = formOf(kernel, op->getOperand(0), depth + 1);
  auto right =
      left ? formOf(kernel, op->getOperand(1), depth + 1) : std::nullopt;
  if (!left || !right)
    return std::nullopt;
  bool fits = false;
  if (isa<arith::MulIOp>(op)) {
    if (!right->terms.empty())
      std::swap(left, right);
    fits = right->terms.empty() && addTo(form, *left, right->constant);
  } else {
    form = *left;
    fits = addTo(form, *right, isa<arith::SubIOp>(op) ? -1 : 1);
  }
  return fits ? std::optional(form) : std::nullopt;
}

std::optional<IndexForm> kern::ir::loop::indexForm(KernelOp kernel,
                                                   Value index) {
  return formOf(kernel, index, 0);
}

/// Whether copies of an operation can run for several iterations together.
static bool isPlain(Operation &op) {
  return isa<LoadOp, StoreOp, func::CallOp, ReturnOp, cf::BranchOp,
             cf::CondBranchOp>(op) ||
         (op.getNumRegions() == 0 && !op.hasTrait<OpTrait::IsTerminator>() &&
          isMemoryEffectFree(&op));
}

/// Whether no block is reached from itself.
static bool isAcyclic(KernelOp kernel) {
  llvm::DenseMap<Block *, size_t> order;
  llvm::ReversePostOrderTraversal<Region *> blocks(&kernel.getBody());
  for (Block *block : blocks)
    order[block] = order.size();
  for (Block *block : blocks)
    for (Block *next : block->getSuccessors())
      if (order[next] <= order[block])
        return false;
  return true;
}

/// Whether two loads read elements at a distance that is the same in all
/// iterations, and not 0 along the rows or planes.
static bool overlap(KernelOp kernel, LoadOp first, LoadOp second) {
  if (first.getArray() != second.getArray())
    return false;
  bool isApart = false;
  unsigned last = kernel.flatIndices().back().getArgNumber();
  for (auto [x, y] : llvm::zip(first.getIndices(), second.getIndices())) {
    auto left = indexForm(kernel, x), right = indexForm(kernel, y);
    if (!left || !right || left->terms != right->terms)
      return false;
    bool followsRows = llvm::any_of(left->terms, [&](const auto &term) {
      return term.first != last && term.first + kernel.numFlat() > last;
    });
    isApart |= followsRows && left->constant != right->constant;
  }
  return isApart;
}

Windows kern::ir::loop::windowsOfUnrolled(KernelOp flattened) {
  static constexpr WindowPlan ofRows[] = {
      {.rowsEach = 8, .rowThreads = 8, .columnThreads = 32},
      {.rowsEach = 8, .rowThreads = 4, .columnThreads = 64},
      {.rowsEach = 4,
       .columnsEach = wideColumns,
       .columnRun = wideColumns,
       .rowThreads = 4,
       .columnThreads = 32},
      {.rowsEach = 8,
       .columnsEach = wideColumns,
       .columnRun = wideColumns,
       .rowThreads = 2,
       .columnThreads = 64}};
  // Where arrays are not aligned, tiles in shared memory are faster.
  static constexpr WindowPlan ofColumns[] = {{.columnsEach = 2 * wideColumns,
                                              .columnRun = wideColumns,
                                              .columnThreads = 128}};
  Windows windows;
  windows.shapes =
      flattened.numFlat() > 1
          ? std::vector(std::begin(ofRows), std::end(ofRows))
          : std::vector(std::begin(ofColumns), std::end(ofColumns));
  return windows;
}

/// The values that differ between columns.
static llvm::DenseSet<Value> followersOfColumn(KernelOp kernel) {
  llvm::DenseSet<Value> followers = {kernel.flatIndices().back()};
  llvm::ReversePostOrderTraversal<Region *> blocks(&kernel.getBody());
  for (Block *block : blocks)
    for (Operation &op : *block) {
      auto follows = [&](Value value) { return followers.contains(value); };
      if (llvm::any_of(op.getOperands(), follows))
        followers.insert_range(op.getResults());
      auto branch = dyn_cast<BranchOpInterface>(op);
      for (unsigned k = 0; branch && k < op.getNumSuccessors(); ++k)
        for (auto [value, argument] :
             llvm::zip(branch.getSuccessorOperands(k).getForwardedOperands(),
                       op.getSuccessor(k)->getArguments()))
          if (follows(value))
            followers.insert(argument);
    }
  return followers;
}

/// Whether a comparison of the column changes at the first or last few columns:
/// with a small constant, or with a dimension and one.
static bool isAtBorder(KernelOp kernel, arith::CmpIOp compare) {
  auto difference = indexForm(kernel, compare.getLhs());
  auto right = indexForm(kernel, compare.getRhs());
  if (!difference || !right || !addTo(*difference, *right, -1))
    return false;
  unsigned last = kernel.flatIndices().back().getArgNumber();
  int64_t factor = difference->factorOf(last);
  auto isDimension = [&](const auto &term) {
    return term.second == -factor &&
           llvm::is_contained(kernel.dims(),
                              kernel.entry().getArgument(term.first));
  };
  size_t others = llvm::count_if(difference->terms, isDimension);
  return std::abs(factor) == 1 && difference->terms.size() == 1 + others &&
         others < 2 && std::abs(difference->constant) <= wideColumns;
}

/// Whether branches go the same way for neighbouring columns but for the first
/// and last few.
static bool branchesAtBorder(KernelOp kernel) {
  llvm::DenseSet<Value> followers = followersOfColumn(kernel), seen;
  SmallVector<Value> work;
  for (Block &block : kernel.getBody())
    if (auto branch = dyn_cast<cf::CondBranchOp>(block.getTerminator()))
      work.push_back(branch.getCondition());
  while (!work.empty()) {
    Value value = work.pop_back_val();
    if (!followers.contains(value) || !seen.insert(value).second)
      continue;
    Operation *op = value.getDefiningOp();
    if (!op) {
      auto argument = cast<BlockArgument>(value);
      for (Block *before : argument.getOwner()->getPredecessors()) {
        auto branch = cast<BranchOpInterface>(before->getTerminator());
        for (unsigned k = 0; k < before->getNumSuccessors(); ++k)
          if (before->getSuccessor(k) == argument.getOwner())
            work.push_back(
                branch.getSuccessorOperands(k)[argument.getArgNumber()]);
      }
    } else if (isa<arith::AndIOp, arith::OrIOp, arith::XOrIOp>(op)) {
      llvm::append_range(work, op->getOperands());
    } else if (auto compare = dyn_cast<arith::CmpIOp>(op);
               !compare || !isAtBorder(kernel, compare)) {
      return false;
    }
  }
  return true;
}

static std::vector<WindowPlan> windowShapes(KernelOp kernel,
                                            size_t operations) {
  static constexpr WindowPlan ofRows[] = {
      {.rowsEach = 8, .rowThreads = 8, .columnThreads = 32},
      {.rowsEach = 8, .rowThreads = 4, .columnThreads = 64},
      {.rowsEach = 8, .rowThreads = 2, .columnThreads = 128},
      {.rowsEach = 4,
       .columnsEach = wideColumns,
       .columnRun = wideColumns,
       .rowThreads = 4,
       .columnThreads = 64,
       .hasBorder = true}};
  static constexpr WindowPlan ofPlanes[] = {
      {.planesEach = 4, .rowsEach = 4, .rowThreads = 8, .columnThreads = 32},
      {.planesEach = 4, .rowsEach = 4, .rowThreads = 4, .columnThreads = 64},
      {.planesEach = 4,
       .rowsEach = 2,
       .columnsEach = wideColumns,
       .columnRun = wideColumns,
       .rowThreads = 8,
       .columnThreads = 32,
       .hasBorder = true}};
  constexpr size_t maxOperations = 8192;
  std::vector<WindowPlan> shapes;
  for (const WindowPlan &shape :
       kernel.numFlat() > 2 ? ArrayRef(ofPlanes) : ArrayRef(ofRows))
    if (shape.results() * operations <= maxOperations &&
        (!shape.hasBorder || branchesAtBorder(kernel)))
      shapes.push_back(shape);
  return shapes;
}

std::optional<Windows> kern::ir::loop::windowsOf(KernelOp flattened) {
  if (flattened.numFlat() < 2 || flattened.getChecks() ||
      !flattened.getResultTypes().empty())
    return std::nullopt;
  Windows windows;
  llvm::SmallPtrSet<Value, 4> written;
  SmallVector<LoadOp> loads;
  size_t operations = 0;
  for (Block &block : flattened.getBody())
    for (Operation &op : block) {
      if (!isPlain(op))
        return std::nullopt;
      ++operations;
      if (auto load = dyn_cast<LoadOp>(op))
        loads.push_back(load);
      else if (auto store = dyn_cast<StoreOp>(op))
        written.insert(store.getArray());
    }
  bool hasCommon = false;
  for (auto [k, load] : llvm::enumerate(loads)) {
    if (written.contains(load.getArray()))
      return std::nullopt;
    for (LoadOp other : ArrayRef(loads).take_front(k))
      hasCommon = hasCommon || overlap(flattened, load, other);
  }
  if (!hasCommon || !isAcyclic(flattened))
    return std::nullopt;
  windows.shapes = windowShapes(flattened, operations);
  return windows.shapes.empty() ? std::nullopt : std::optional(windows);
}
