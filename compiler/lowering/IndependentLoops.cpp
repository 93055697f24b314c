//===- IndependentLoops.cpp - loops in order that need none ---------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/IndependentLoops.h"

#include "compiler/lowering/Locations.h"
#include "compiler/modules/Names.h"
#include "compiler/modules/Visit.h"

#include "mlir/Analysis/CFGLoopInfo.h"
#include "llvm/ADT/STLExtras.h"

namespace kern::compiler {

using namespace ir;
using namespace syntax;

IndependentLoops::Nest *IndependentLoops::nestOf(const For &loop) {
  auto *nest = llvm::find_if(
      nests, [&](const Nest &each) { return each.loop == &loop; });
  return nest == nests.end() ? nullptr : nest;
}

/// The call of this function that a loop is over; else null.
static const Call *callIn(const For &loop, llvm::StringRef function) {
  const auto *call = loop.iterable->as<Call>();
  const auto *name = call ? call->function->as<Name>() : nullptr;
  return name && name->name == function ? call : nullptr;
}

const For *soleLoopIn(const Block &body) {
  const auto *loop = body.size() == 1 ? body.front()->as<For>() : nullptr;
  return loop && callIn(*loop, "range") ? loop : nullptr;
}

/// Whether a bound is made of numbers and sizes alone, of which none is in
/// `assigned`. What reads elements may change with what the loops store.
static bool isFixed(const Expr &expr, const std::set<std::string> &assigned) {
  if (const auto *name = expr.as<Name>())
    return !assigned.contains(name->name);
  if (const auto *part = expr.as<Subscript>()) {
    const auto *shape = part->value->as<Attribute>();
    if (!shape || shape->name.name != "shape")
      return false;
  } else if (const auto *call = expr.as<Call>()) {
    const auto *name = call->function->as<Name>();
    const bool isExtremum = name &&
                            (name->name == "min" || name->name == "max") &&
                            call->arguments.size() > 1;
    if (!name || !(isExtremum || name->name == "len"))
      return false;
  } else if (const auto *binary = expr.as<Binary>();
             binary && binary->op == BinaryOp::MatMul) {
    return false;
  }
  bool areFixed = true;
  visitParts(expr,
             [&](const Expr &part) { areFixed &= isFixed(part, assigned); });
  return areFixed;
}

/// How many loops, one in the other, one prange can stand for. Inner ones must
/// not depend on what an outer one changes, nor change its index.
static unsigned depthOf(const For &outer) {
  std::set<std::string> assigned;
  collectAssigned(outer.body, assigned);
  unsigned depth = 0;
  for (const For *loop = &outer;; ++depth) {
    const auto *index = loop->target->as<Name>();
    if (!index)
      return depth;
    std::set<std::string> inside;
    collectAssigned(loop->body, inside);
    const For *inner = soleLoopIn(loop->body);
    assigned.insert(index->name);
    if (!inner || inside.contains(index->name) || !inner->otherwise.empty() ||
        !llvm::all_of(
            callIn(*inner, "range")->arguments,
            [&](const ExprPtr &bound) { return isFixed(*bound, assigned); }))
      return depth + 1;
    loop = inner;
  }
}

/// Whether a statement is a `while`, or an `if` around loops.
static bool hasLoops(const Stmt &statement) {
  bool has = statement.as<While>();
  const auto *choice = statement.as<If>();
  for (const Block *block : {choice ? &choice->then : nullptr,
                             choice ? &choice->otherwise : nullptr})
    if (block)
      visitStatements(*block, [&](const Stmt &inner) {
        has |= inner.as<For>() || inner.as<While>();
      });
  return has;
}

/// The loops to try, each with as many inner ones as it can have.
static IndependentLoops candidatesIn(const Function &function) {
  IndependentLoops out;
  if (function.kind != ItemKind::Gufunc)
    return out;
  for (const StmtPtr &statement : function.body) {
    const auto *loop = statement->as<For>();
    const bool isPrange = loop && callIn(*loop, "prange");
    const bool isRange =
        loop && (isPrange || callIn(*loop, "range")) && loop->otherwise.empty();
    const unsigned depth = isRange ? depthOf(*loop) : 0;
    bool hasPrange = false;
    if (loop)
      visitStatements(loop->body, [&](const Stmt &inner) {
        const auto *each = inner.as<For>();
        hasPrange |= each && callIn(*each, "prange");
      });
    if (depth > isPrange && !hasPrange)
      out.nests.push_back({loop, statement->span, depth, isPrange});
    else
      out.areMixed |= !isPrange && (loop || hasLoops(*statement));
  }
  return out;
}

/// What a loop in order does that a thread for each loop element does best: the
/// first operation that writes to an array, or makes one.
static mlir::Operation *writeInOrder(FuncOp function) {
  mlir::Region &body = function.getBody();
  if (body.hasOneBlock())
    return nullptr;
  mlir::DominanceInfo dominance(function);
  mlir::CFGLoopInfo loops(dominance.getDomTree(&body));
  for (mlir::Block &block : body) {
    if (!loops.getLoopFor(&block))
      continue;
    mlir::Operation *found = nullptr;
    block.walk([&](mlir::Operation *op) {
      if (!isa<StoreOp, AccumulateOp, LocalOp>(op))
        return mlir::WalkResult::advance();
      found = op;
      return mlir::WalkResult::interrupt();
    });
    if (found)
      return found;
  }
  return nullptr;
}

/// Whether a prange writes to an operand.
static bool writesResult(FuncOp function) {
  bool writes = false;
  for (auto parallel : function.getBody().getOps<ParallelOp>())
    parallel->walk([&](mlir::Operation *op) {
      mlir::Value array;
      if (auto store = dyn_cast<StoreOp>(op))
        array = store.getArray();
      else if (auto update = dyn_cast<AccumulateOp>(op))
        array = update.getArray();
      writes |= isa_and_nonnull<mlir::BlockArgument>(array);
    });
  return writes;
}

namespace {
/// Tries to lower a function with loops as pranges.
class Inference {
public:
  Inference(IndependentLoops loops, DiagnosticEngine &diagnostics,
            llvm::function_ref<FuncOp(IndependentLoops &)> lower)
      : loops(std::move(loops)), diagnostics(diagnostics), lower(lower) {}

  /// The function with as many pranges as can be; null if there are none that
  /// are worth it.
  FuncOp run();
  /// Says which loops are pranges, and why others are not.
  void report();

private:
  /// Lowers the function once. After an error, leaves out a loop; false if it
  /// knows none.
  bool attempt();
  bool leaveOut(std::vector<Diagnostic> errors);
  bool isWorthIt();
  void keepInOrder(const IndependentLoops::Nest &nest, Note why) {
    if (nest.isLong && !nest.isPrange)
      inOrder.push_back({nest.loop->iterable->span, std::move(why)});
  }

  IndependentLoops loops;
  DiagnosticEngine &diagnostics;
  llvm::function_ref<FuncOp(IndependentLoops &)> lower;
  FuncOp function;
  struct InOrder {
    Span loop;
    Note why;
  };
  std::vector<InOrder> inOrder;
};
} // namespace

/// With one loop less in its prange, the refused nest may do.
bool Inference::leaveOut(std::vector<Diagnostic> errors) {
  if (!loops.refused && errors.empty())
    return false;
  auto *nest = llvm::find_if(loops.nests, [&](const auto &each) {
    if (loops.refused)
      return each.loop == loops.refused;
    // A name that is read after the loop.
    return llvm::any_of(errors.front().notes, [&](const Note &note) {
      return note.span == each.span;
    });
  });
  if (nest == loops.nests.end())
    return false;
  if (--nest->depth > nest->isPrange)
    return true;
  if (nest->isPrange) {
    loops.nests.erase(nest);
    return true;
  }
  if (!loops.reason.empty())
    keepInOrder(*nest, {nest->span, std::string(loops.reason)});
  else if (!errors.empty())
    keepInOrder(*nest,
                {errors.front().span, "otherwise " + errors.front().message});
  loops.nests.erase(nest);
  loops.areMixed = true;
  return true;
}

bool Inference::isWorthIt() {
  const bool areLong =
      llvm::any_of(loops.nests, [](const auto &nest) { return nest.isLong; });
  if (!areLong || !loops.areMixed)
    return areLong;
  if (mlir::Operation *write = writeInOrder(function)) {
    std::optional<Span> place =
        toSpan(diagnostics.sourceManager(), write->getLoc());
    for (const IndependentLoops::Nest &nest : loops.nests)
      if (place)
        keepInOrder(nest, {*place, "a loop in order beside it writes here, and "
                                   "one thread does both best"});
    return false;
  }
  return writesResult(function);
}

bool Inference::attempt() {
  loops.refused = nullptr;
  loops.reason = {};
  const DiagnosticEngine::Mark before = diagnostics.mark();
  function = lower(loops);
  std::vector<Diagnostic> errors;
  for (size_t k = before.reported; k < diagnostics.all().size(); ++k)
    if (const Diagnostic &each = diagnostics.all()[k];
        diagnostics.severity(each.id) == Severity::Error)
      errors.push_back(each);
  diagnostics.rollBack(before);
  return !function && leaveOut(std::move(errors));
}

FuncOp Inference::run() {
  // Each lowers the function once more. With so many loops left out, the others
  // gain little.
  constexpr unsigned maxAttempts = 16;
  for (unsigned k = 0; k < maxAttempts && !loops.nests.empty(); ++k)
    if (!attempt())
      break;
  if (function && !isWorthIt()) {
    function.erase();
    function = nullptr;
  }
  return function;
}

void Inference::report() {
  if (function)
    for (const IndependentLoops::Nest &nest : loops.nests) {
      const For *loop = nest.isPrange ? soleLoopIn(nest.loop->body) : nest.loop;
      diagnostics.report(Diag::independent_loop, loop->iterable->span);
    }
  for (const InOrder &each : inOrder)
    diagnostics.report(Diag::ordered_loop, each.loop).notes.push_back(each.why);
}

FuncOp inferIndependence(const Function &function, FuncOp inOrder,
                         DiagnosticEngine &diagnostics,
                         llvm::function_ref<FuncOp(IndependentLoops &)> lower) {
  IndependentLoops candidates = candidatesIn(function);
  if (diagnostics.hasErrors() || candidates.nests.empty())
    return inOrder;
  Inference inference(std::move(candidates), diagnostics, lower);
  FuncOp parallel = inference.run();
  inference.report();
  if (!parallel)
    return inOrder;
  inOrder.erase();
  return parallel;
}

} // namespace kern::compiler
