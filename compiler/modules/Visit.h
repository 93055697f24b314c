//===- Visit.h - the expressions of a body ------- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/syntax/Tree.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace kern::compiler {

using ExprVisitor = llvm::function_ref<void(const syntax::Expr &)>;

/// Visits the expressions that an expression directly consists of. The targets
/// of a generator are not among them.
void visitParts(const syntax::Expr &expr, ExprVisitor visit);
/// Visits each expression of a block's statements, nested ones included, but
/// not their parts. The targets of loops are not among them.
void visitBlock(const syntax::Block &block, ExprVisitor visit);

/// Visits each statement of a block, nested ones included.
void visitStatements(const syntax::Block &block,
                     llvm::function_ref<void(const syntax::Stmt &)> visit);

//===--- LaterReads.cpp ---------------------------------------------------===//
/// Whether a body may read a name after one of its loops, which is given by its
/// own body, before it assigns it again. `isResult`: the end of the body and a
/// plain `return` read it.
bool isReadAfter(const syntax::Block &body, const syntax::Block &loop,
                 const std::string &name, bool isResult);

} // namespace kern::compiler
