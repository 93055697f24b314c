//===- Expressions.h - names and operators -------------------- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/lowering/FunctionLowering.h"

namespace kern::compiler {

//===--- Names (NameUses.cpp, Attributes.cpp) -----------------------------===//
std::optional<Binding> lowerName(FunctionLowering &fn, const syntax::Name &name,
                                 Span span);
std::optional<Binding> lowerAttribute(FunctionLowering &fn,
                                      const syntax::Attribute &attribute,
                                      Span span);
/// `m.NAME`, where `m` is an imported module.
std::optional<Binding> lowerModuleName(FunctionLowering &fn,
                                       ModuleScope &module,
                                       llvm::StringRef prefix,
                                       const syntax::Identifier &name,
                                       Span span);
/// A constant as a kern.constant has it.
mlir::Attribute attributeOf(mlir::Builder &builder, const Constant &constant);

Binding useConstant(FunctionLowering &fn, const NamedConstant &constant,
                    Span span);
Diagnostic &unknownName(FunctionLowering &fn, const std::string &name,
                        Span span);
/// Reports `s += v` where `s` has no value yet.
void reportUnboundUpdate(FunctionLowering &fn, const std::string &name,
                         syntax::BinaryOp op, Span span);
Diagnostic &reportConflict(FunctionLowering &fn, const std::string &what,
                           const Poisoned &conflict, Span span);

//===--- Types (TypeNames.cpp) --------------------------------------------===//
/// The type of this name; nothing, without a report, if there is none.
std::optional<TypeName> typeNamed(FunctionLowering &fn, llvm::StringRef name,
                                  bool pythonNames);
/// `T == f64` and the like, as i1; null after an error. Nothing, without a
/// report, for a comparison of values.
std::optional<mlir::Value> lowerTypeComparison(FunctionLowering &fn,
                                               const syntax::Compare &compare,
                                               Span span);

//===--- Conditions (Conditions.cpp) --------------------------------------===//
/// The condition as i1, and its value if that is known here; null after an
/// error.
mlir::Value lowerKnownCondition(FunctionLowering &fn, const syntax::Expr &expr,
                                std::optional<bool> &known);
/// One side of a comparison; without a value it is an array.
struct Compared {
  const syntax::Expr &expr;
  Number value;
};
/// Warns of `x == nan` and its kin, which have one value for all x.
void warnOfNan(FunctionLowering &fn, syntax::CompareOp op, const Compared &left,
               const Compared &right, Span span);
std::optional<Binding> lowerCompare(FunctionLowering &fn,
                                    const syntax::Compare &compare, Span span);
std::optional<Binding> lowerLogical(FunctionLowering &fn,
                                    llvm::ArrayRef<syntax::ExprPtr> operands,
                                    bool isAnd, Span span);
std::optional<Binding> lowerConditional(FunctionLowering &fn,
                                        const syntax::Conditional &expr,
                                        Span span);

} // namespace kern::compiler
