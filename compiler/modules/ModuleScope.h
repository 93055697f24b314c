//===- ModuleScope.h - the names of a file -------------------- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/constants/ConstantFunctions.h"
#include "compiler/diagnostics/Diagnostics.h"
#include "compiler/syntax/Tree.h"
#include "runtime/array/DType.h"

#include <map>
#include <set>
#include <string>

namespace kern {

class Modules;
class ModuleScope;

/// A `const`: a weak constant, or one of a fixed type.
struct NamedConstant {
  Constant value;
  std::optional<DType> type;
};

/// A function and the file whose names its body sees.
struct ScopedFunction {
  const syntax::Function *function;
  ModuleScope *scope;
};

/// The items of one file by name, and what it imports. Reports names that are
/// defined twice, imports that fail and constants that are not constant.
class ModuleScope {
public:
  /// Follows the file's imports. `file` and `modules` must outlive this. The
  /// functions of a file of the prelude are the library's (libraryFunction), no
  /// names of the file.
  ModuleScope(const syntax::File &file, Modules &modules, bool isPrelude);

  /// A function of this file or one imported by name.
  std::optional<ScopedFunction> function(std::string_view name);
  /// A constant of this file or one imported by name. Null for a name that is
  /// none, and for one whose value has an error (isFailed).
  const NamedConstant *constant(std::string_view name);
  /// Whether `name` is a constant or an import that had an error.
  bool isFailed(std::string_view name) const;
  /// What `import m` or `import m as name` calls by this name; null if it is
  /// none, or the standard library (isLibrary).
  ModuleScope *module(std::string_view name) const;
  /// The name by which `import name as …` made a module visible; "" if none
  /// did.
  std::string_view importedAs(std::string_view name) const;
  /// Whether `name.` is a prefix of the standard library: `math`, `np`, or what
  /// an import calls them.
  bool isLibrary(std::string_view name) const;
  /// The library's name for what `from math import sqrt as root` calls `name`;
  /// `name` itself if no import does.
  std::string_view libraryName(std::string_view name) const;
  /// The functions that the prelude has in Kern under this name or one that it
  /// is another name of; each has another number of parameters.
  std::vector<ScopedFunction> libraryFunctions(std::string_view name) const;
  /// Whether a call could name it: of the table, of the prelude, or a language
  /// function such as `sum`.
  bool isLibraryFunction(std::string_view name) const;
  /// Everything of this file that can be named, for "did you mean".
  std::vector<std::string_view> names() const;
  /// What the library has: constants and functions.
  std::vector<std::string_view> namesOfLibrary() const;

  /// Help for a name that there is not: what other languages have by it, or
  /// "did you mean" with the nearest of names(), those of the library and
  /// `more`. "" if there is nothing to say.
  Help helpFor(std::string_view name, std::vector<std::string_view> more) const;

  /// A call of this function was inlined somewhere.
  void noteInlined(const syntax::Function &function);

  DiagnosticEngine &diagnostics() const;

private:
  struct ConstantEntry {
    const syntax::Const *item;
    enum { Waiting, Evaluating, Done, Failed } state = Waiting;
    NamedConstant constant{};
  };
  struct ImportedName {
    ModuleScope *scope; ///< null: the standard library
    std::string name;
  };

  bool isNew(const syntax::Identifier &name);
  void addImport(const syntax::Import &import);
  void evaluate(ConstantEntry &entry);
  bool defines(std::string_view name) const;

  const syntax::File &file;
  Modules &modules;
  std::map<std::string_view, Span> seen;
  std::map<std::string, const syntax::Function *, std::less<>> functions;
  std::map<std::string, ConstantEntry, std::less<>> constants;
  std::map<std::string, ImportedName, std::less<>> importedNames;
  /// By the name that a prefix has here; null: the standard library.
  std::map<std::string, ModuleScope *, std::less<>> importedModules;
  std::set<std::string, std::less<>> failedImports;
  std::vector<const ConstantEntry *> evaluating;
};

/// Reports constants that give no value in any type; false for other outcomes.
bool reportFold(Folded::Outcome outcome, Span span,
                DiagnosticEngine &diagnostics);

/// Whether the constant can be of `type` by itself (`same_kind`, and an integer
/// in range); reports what stands against it.
bool checkConstantType(const Constant &constant, DType type, Span span,
                       DiagnosticEngine &diagnostics);

/// The value of an expression of literals, constants and library functions,
/// and the type that typed constants give it. Reports what is not constant.
std::optional<NamedConstant> evaluateConstant(const syntax::Expr &expr,
                                              ModuleScope &scope);

} // namespace kern
