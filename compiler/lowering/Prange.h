//===- Prange.h - loops whose iterations are independent ------ -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/lowering/FunctionLowering.h"

namespace kern::compiler {

void lowerPrange(FunctionLowering &fn, const syntax::For &statement,
                 const syntax::Call &call, Span span);

//===--- Races.cpp --------------------------------------------------------===//
/// Lowers `a[i] += v`; atomically where iterations of a prange may share the
/// element.
void lowerElementUpdate(FunctionLowering &fn,
                        const syntax::AugmentedAssign &statement,
                        const syntax::Subscript &target, Span span);
/// Reports elements that one iteration writes and another one accesses.
void checkRaces(FunctionLowering &fn, ir::ParallelOp parallel);

/// The source text at a place, shortened.
std::string textAt(const FunctionLowering &fn, Span span);

} // namespace kern::compiler
