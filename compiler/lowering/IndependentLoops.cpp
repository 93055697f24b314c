//===- IndependentLoops.cpp - loops in order that need none ---------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/IndependentLoops.h"

#include "compiler/modules/Names.h"
#include "compiler/modules/Visit.h"

#include "llvm/ADT/STLExtras.h"

namespace kern::compiler {

using namespace ir;
using namespace syntax;

unsigned IndependentLoops::depthOf(const For &loop) const {
  const auto *nest = llvm::find_if(
      nests, [&](const Nest &each) { return each.loop == &loop; });
  return nest == nests.end() ? 0 : nest->depth;
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

static bool hasLoops(const Block &block) {
  bool has = false;
  visitStatements(block, [&](const Stmt &statement) {
    has |= statement.as<For>() || statement.as<While>();
  });
  return has;
}

/// The loops to try, each with as many inner ones as it can have. None if
/// another loop of the function runs in order whatever becomes of these.
static IndependentLoops candidatesIn(const Function &function) {
  IndependentLoops out;
  if (function.kind != ItemKind::Gufunc)
    return out;
  for (const StmtPtr &statement : function.body) {
    const auto *loop = statement->as<For>();
    if (!loop) {
      if (statement->as<While>())
        return {};
      if (const auto *choice = statement->as<If>();
          choice && (hasLoops(choice->then) || hasLoops(choice->otherwise)))
        return {};
      continue;
    }
    if (callIn(*loop, "prange"))
      continue;
    const unsigned depth =
        callIn(*loop, "range") && loop->otherwise.empty() ? depthOf(*loop) : 0;
    bool hasPrange = false;
    visitStatements(loop->body, [&](const Stmt &inner) {
      const auto *each = inner.as<For>();
      hasPrange |= each && callIn(*each, "prange");
    });
    if (!depth || hasPrange)
      return {};
    out.nests.push_back({loop, depth});
  }
  return out;
}

FuncOp inferIndependence(const Function &function, FuncOp inOrder,
                         DiagnosticEngine &diagnostics,
                         llvm::function_ref<FuncOp(IndependentLoops &)> lower) {
  if (diagnostics.hasErrors())
    return inOrder;
  IndependentLoops loops = candidatesIn(function);
  while (!loops.nests.empty()) {
    loops.refused = nullptr;
    const DiagnosticEngine::Mark before = diagnostics.mark();
    FuncOp parallel = lower(loops);
    diagnostics.rollBack(before);
    if (parallel && loops.haveMany) {
      inOrder.erase();
      for (const IndependentLoops::Nest &nest : loops.nests)
        diagnostics.report(Diag::independent_loop, nest.loop->iterable->span);
      return parallel;
    }
    if (parallel)
      parallel.erase();
    // With one loop less in its prange the refused one may do.
    auto *nest = llvm::find_if(loops.nests, [&](const auto &each) {
      return each.loop == loops.refused;
    });
    if (parallel || nest == loops.nests.end() || --nest->depth == 0)
      break;
  }
  return inOrder;
}

} // namespace kern::compiler
