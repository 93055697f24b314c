//===- Assignments.h - assignments to names and elements ------ -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/lowering/FunctionLowering.h"

namespace kern::compiler {

void lowerAssign(FunctionLowering &fn, const syntax::Assign &statement,
                 Span span);
void lowerAnnotated(FunctionLowering &fn,
                    const syntax::AnnotatedAssign &statement, Span span);
void lowerAugmented(FunctionLowering &fn,
                    const syntax::AugmentedAssign &statement, Span span);
/// Assigns a value to a target: a name, a subscript, or a tuple of targets.
void assign(FunctionLowering &fn, const syntax::Expr &target,
            const Binding &value, Span span);

/// How a program writes all elements of an array, for messages.
std::string elementwise(const std::string &name, size_t rank);

} // namespace kern::compiler
