//===- AssignedNames.cpp - the names that code assigns --------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/modules/Names.h"

namespace kern::compiler {

void collectTargets(const syntax::Expr &target, std::set<std::string> &names) {
  if (const auto *name = target.as<syntax::Name>())
    names.insert(name->name);
  else if (const auto *tuple = target.as<syntax::Tuple>())
    for (const syntax::ExprPtr &element : tuple->elements)
      collectTargets(*element, names);
  else if (const auto *subscript = target.as<syntax::Subscript>())
    // `out[0] = e` may assign a scalar result; a name of an array stays bound.
    if (const auto *name = subscript->value->as<syntax::Name>())
      names.insert(name->name);
}

void collectAssigned(const syntax::Block &block, std::set<std::string> &names) {
  using namespace syntax;
  for (const StmtPtr &stmt : block) {
    if (const auto *assign = stmt->as<Assign>()) {
      for (const ExprPtr &target : assign->targets)
        collectTargets(*target, names);
    } else if (const auto *assign = stmt->as<AnnotatedAssign>()) {
      names.insert(assign->name.name);
    } else if (const auto *assign = stmt->as<AugmentedAssign>()) {
      collectTargets(*assign->target, names);
    } else if (const auto *branch = stmt->as<If>()) {
      collectAssigned(branch->then, names);
      collectAssigned(branch->otherwise, names);
    } else if (const auto *loop = stmt->as<While>()) {
      collectAssigned(loop->body, names);
      collectAssigned(loop->otherwise, names);
    } else if (const auto *loop = stmt->as<For>()) {
      collectTargets(*loop->target, names);
      collectAssigned(loop->body, names);
      collectAssigned(loop->otherwise, names);
    }
  }
}

} // namespace kern::compiler
