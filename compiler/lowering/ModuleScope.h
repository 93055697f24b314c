//===- ModuleScope.h - the names of a file -------------------- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/diagnostics/Diagnostics.h"
#include "compiler/lowering/Constant.h"
#include "compiler/syntax/Tree.h"
#include "runtime/array/DType.h"

#include <map>
#include <set>
#include <string>

namespace kern {

/// A `const`: a weak constant, or one of a fixed type.
struct NamedConstant {
  Constant value;
  std::optional<DType> type;
  Span span;
};

/// The items of one file by name. Reports names that are defined twice and
/// constants that are not constant.
class ModuleScope {
public:
  ModuleScope(const syntax::File &file, DiagnosticEngine &diagnostics);

  const syntax::Function *function(std::string_view name) const;
  const NamedConstant *constant(std::string_view name) const;
  /// Whether `name` is a constant whose value had an error.
  bool isFailedConstant(std::string_view name) const {
    return failedConstants.count(name) != 0;
  }
  std::vector<std::string_view> names() const;
  DiagnosticEngine &diagnostics() { return engine; }

private:
  void addConstant(const syntax::Const &item);

  DiagnosticEngine &engine;
  std::map<std::string, const syntax::Function *, std::less<>> functions;
  std::map<std::string, NamedConstant, std::less<>> constants;
  std::set<std::string, std::less<>> failedConstants;
};

/// Evaluates an expression of literals, constants and library functions.
/// Reports what is not constant.
std::optional<Constant> evaluateConstant(const syntax::Expr &expr,
                                         ModuleScope &scope);

} // namespace kern
