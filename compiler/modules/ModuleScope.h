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
#include <vector>

namespace kern::compiler {

class Modules;
class ModuleScope;

/// A `const`: a weak constant, one of a fixed type, a tuple of these, or a
/// table, which is an array.
struct NamedConstant {
  Constant value;
  std::optional<runtime::DType> type; ///< of a table: of its elements
  bool isTuple = false; ///< of `elements`; it has no value of its own then
  std::vector<NamedConstant> elements = {};
  /// Of a table, whose `elements` are in C order; else empty.
  std::vector<int64_t> shape = {};

  /// The number of tuples and values in it, itself included.
  size_t parts() const;
};

/// A function and the file whose names its body sees.
struct ScopedFunction {
  const syntax::Function *function;
  ModuleScope *scope;
};

/// The items of one file by name, and its imports. Reports names that are
/// defined twice, imports that fail, and constants without a constant value.
class ModuleScope {
public:
  /// Follows the file's imports. `file` and `modules` must outlive this.
  /// Functions of a prelude file belong to the library (libraryFunctions); they
  /// are not names of the file.
  ModuleScope(const syntax::File &file, Modules &modules, bool isPrelude);

  /// A function of this file or one imported by name.
  std::optional<ScopedFunction> function(std::string_view name);
  /// A constant of this file or one imported by name. Null for other names, and
  /// for a constant with an error (isFailed).
  const NamedConstant *constant(std::string_view name);
  /// Whether `name` is a constant or an import with an error.
  bool isFailed(std::string_view name) const;
  /// The module that `import m` or `import m as name` gave this name; null if
  /// there is none, or if it is the standard library (isLibrary).
  ModuleScope *module(std::string_view name) const;
  /// The alias in `import name as …`; "" without such an import.
  std::string_view importedAs(std::string_view name) const;
  /// Whether `name.` is a prefix of the standard library: `math`, `np`, or an
  /// alias that an import gives it.
  bool isLibrary(std::string_view name) const;
  /// Whether `name.` is such a prefix and means NumPy.
  bool isNumPy(std::string_view name) const;
  /// The library's name for an alias `name`, as in `from math import sqrt as
  /// root`; `name` itself if it is not an alias.
  std::string_view libraryName(std::string_view name) const;
  /// The prelude's Kern functions of this name, aliases resolved; each has a
  /// different number of parameters.
  std::vector<ScopedFunction> libraryFunctions(std::string_view name) const;
  /// Whether a call can name it: a function of the table or the prelude, or a
  /// language function such as `sum`.
  bool isLibraryFunction(std::string_view name) const;
  /// All names of this file, for "did you mean".
  std::vector<std::string_view> names() const;
  /// The names of the library: constants and functions.
  std::vector<std::string_view> namesOfLibrary() const;

  /// Help for an unknown name: Kern's counterpart of another language's name,
  /// or "did you mean" with the nearest of names(), the library's names and
  /// `more`. "" if there is none.
  Help helpFor(std::string_view name, std::vector<std::string_view> more) const;

  /// Records that a call of this function was inlined.
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
  std::optional<NamedConstant> valueOf(const syntax::Const &item);
  bool defines(std::string_view name) const;

  const syntax::File &file;
  Modules &modules;
  std::map<std::string_view, Span> seen;
  std::map<std::string, const syntax::Function *, std::less<>> functions;
  std::map<std::string, ConstantEntry, std::less<>> constants;
  std::map<std::string, ImportedName, std::less<>> importedNames;
  /// By the prefix in this file; null: the standard library.
  std::map<std::string, ModuleScope *, std::less<>> importedModules;
  std::set<std::string, std::less<>> failedImports;
  std::vector<const ConstantEntry *> evaluating;
};

/// What to write in a function of this name in place of a call of itself.
std::string insteadOfRecursion(const ModuleScope &scope,
                               const std::string &name);

/// Whether a call names a function by NumPy's prefix and has more arguments
/// than numpyArguments(): `np.max(x, 0)`.
bool hasNumPyOptions(const syntax::Call &call, const ModuleScope &scope);
/// How messages name the function of a call: `sum`, or `.sum` of a method.
std::string calledAs(const std::string &name, const syntax::Call &call);
/// Reports such a call.
Diagnostic &reportNumPyOptions(const syntax::Call &call, Span span,
                               DiagnosticEngine &diagnostics);
/// What to write for a function of one row, such as `sort`, that gets several.
std::string oneRowHelp(const std::string &function);

/// Reports operands for which no type has a result; false for other outcomes.
bool reportFold(Folded::Outcome outcome, Span span,
                DiagnosticEngine &diagnostics);

/// Whether the constant converts to `type` implicitly: by `same_kind`, and as
/// an integer only within range. Reports why not.
bool checkConstantType(const Constant &constant, runtime::DType type, Span span,
                       DiagnosticEngine &diagnostics);

/// The value of an expression of literals, constants and library functions, and
/// its type if it has typed constants. Reports an expression that is not
/// constant.
std::optional<NamedConstant> evaluateConstant(const syntax::Expr &expr,
                                              ModuleScope &scope);

/// The default of a parameter, which must have one, in its own file's scope.
/// Reports one that is not constant, as if it names another parameter.
std::optional<NamedConstant> evaluateDefault(const syntax::Function &function,
                                             const syntax::Parameter &parameter,
                                             ModuleScope &scope);

/// The array that nested lists and tuples of such expressions are, of elements
/// of a type; without one they are all weak or all of one type. Reports one
/// that is not rectangular.
std::optional<NamedConstant> evaluateTable(const syntax::Expr &expr,
                                           std::optional<runtime::DType> type,
                                           ModuleScope &scope);

/// Warns of names that a file imports and mentions nowhere else. Any mention
/// counts as a use: a `def` for other files may need the import, or a test in a
/// docstring.
void warnOfUnusedImports(const syntax::File &file,
                         DiagnosticEngine &diagnostics);

/// Warns of indices such as `i - 1` that are negative in an iteration which a
/// loop surely has.
void warnOfNegativeIndices(const syntax::Function &function,
                           DiagnosticEngine &diagnostics);

/// Reports errors that a `def` has with any arguments: unknown names and
/// functions, and recursion. For a `def` that no function of the file calls;
/// its other errors are found when it is inlined.
void checkUncalled(const syntax::Function &function, ModuleScope &scope);

} // namespace kern::compiler
