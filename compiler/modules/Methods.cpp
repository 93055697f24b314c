//===- Methods.cpp - methods of arrays that are functions -----------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Code that is pasted in says `x.sum(axis=0)`, `x.astype(np.float64)` and
// `z.real`. These are `np.sum(x, axis=0)`, `np.float64(x)` and `np.real(z)`,
// and the tree says so before anything looks at it. `np` rather than the name
// alone: a second argument is then the axis, and a variable `mean` does not
// hide the function.
//
//===----------------------------------------------------------------------===//

#include "compiler/modules/Modules.h"

#include "compiler/modules/Visit.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace kern::compiler::syntax;

namespace kern::compiler {

static constexpr llvm::StringLiteral numpy = "np";

/// The methods that NumPy has as functions of the array, with the same
/// arguments behind it.
static bool isFunctionToo(llvm::StringRef method) {
  static const llvm::StringSet<> names = {
      "sum",  "prod",   "max",    "min",    "any",       "all",
      "mean", "argmax", "argmin", "cumsum", "cumprod",   "argsort",
      "dot",  "clip",   "round",  "conj",   "transpose", "conjugate"};
  return names.contains(method);
}

static ExprPtr make(Span span, Expr::Node node) {
  return std::make_unique<Expr>(Expr{span, std::move(node)});
}

/// Makes a method call a function call, if there is such a function.
static void rewrite(Call &call) {
  auto *method = call.function->as<syntax::Attribute>();
  const Span span = call.function->span;
  if (isFunctionToo(method->name.name)) {
    ExprPtr array = std::move(method->value);
    method->value = make(span, Name{numpy.str()});
    call.arguments.insert(call.arguments.begin(), std::move(array));
  } else if (method->name.name == "astype" && call.arguments.size() == 1 &&
             call.keywords.empty()) {
    ExprPtr array = std::move(method->value);
    call.function = std::move(call.arguments.front());
    call.arguments.front() = std::move(array);
  }
}

/// Makes `z.real` and `z.imag` function calls.
static void rewrite(Expr &expr) {
  auto part = std::move(*expr.as<syntax::Attribute>());
  Call call;
  call.arguments.push_back(std::move(part.value));
  part.value = make(expr.span, Name{numpy.str()});
  call.function = make(expr.span, std::move(part));
  expr.node = std::move(call);
}

/// The names before a dot that mean modules in a file. False if `np` is none of
/// NumPy's.
static bool findPrefixes(const File &file, llvm::StringSet<> &prefixes) {
  for (const char *library : {"math", "cmath", "np", "numpy"})
    prefixes.insert(library);
  bool isNumPy = true;
  for (const Item &item : file.items)
    if (const auto *import = std::get_if<Import>(&item.node);
        import && import->names.empty()) {
      const std::string &name =
          import->alias ? import->alias->name : import->module.name;
      prefixes.insert(name);
      isNumPy = isNumPy && (name != numpy || import->module.name == "numpy");
    }
  return isNumPy;
}

void writeMethodsAsFunctions(File &file) {
  llvm::StringSet<> prefixes;
  if (!findPrefixes(file, prefixes))
    return;
  auto isValue = [&](const Expr &expr) {
    const auto *prefix = expr.as<Name>();
    return !prefix || !prefixes.contains(prefix->name);
  };
  std::vector<const Call *> calls;
  std::vector<const Expr *> parts;
  auto collect = [&](auto &&self, const Expr &expr) -> void {
    visitParts(expr, [&](const Expr &part) { self(self, part); });
    const auto *call = expr.as<Call>();
    const auto *method =
        call ? call->function->as<syntax::Attribute>() : nullptr;
    if (method && isValue(*method->value))
      calls.push_back(call);
    const auto *part = expr.as<syntax::Attribute>();
    if (part && (part->name.name == "real" || part->name.name == "imag") &&
        isValue(*part->value))
      parts.push_back(&expr);
  };
  for (const Item &item : file.items)
    if (const auto *function = std::get_if<Function>(&item.node);
        function && !boundNames(*function).contains(numpy.str()))
      visitBlock(function->body,
                 [&](const Expr &expr) { collect(collect, expr); });
  // The file is the caller's to change.
  for (const Call *call : calls)
    rewrite(const_cast<Call &>(*call));
  for (const Expr *part : parts)
    rewrite(const_cast<Expr &>(*part));
}

} // namespace kern::compiler
