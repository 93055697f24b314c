//===- Methods.cpp - methods of arrays that are functions -----------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Code that is pasted in says `x.sum(axis=0)`, `x.astype(np.float64)`. These
// are `np.sum(x, axis=0)` and `np.float64(x)`, and the tree says so before
// anything looks at it. `np` rather than the name alone: a second argument is
// then the axis, and a variable `mean` does not hide the function.
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
  std::vector<const Call *> calls;
  auto collect = [&](auto &&self, const Expr &expr) -> void {
    visitParts(expr, [&](const Expr &part) { self(self, part); });
    const auto *call = expr.as<Call>();
    const auto *method =
        call ? call->function->as<syntax::Attribute>() : nullptr;
    const auto *prefix = method ? method->value->as<Name>() : nullptr;
    if (method && !(prefix && prefixes.contains(prefix->name)))
      calls.push_back(call);
  };
  for (const Item &item : file.items)
    if (const auto *function = std::get_if<Function>(&item.node))
      visitBlock(function->body,
                 [&](const Expr &expr) { collect(collect, expr); });
  for (const Call *call : calls)
    rewrite(const_cast<Call &>(*call)); // the file is the caller's to change
}

} // namespace kern::compiler
