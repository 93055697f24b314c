//===- NameUses.cpp - what a name is where it is used ---------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/FunctionLowering.h"
#include "compiler/lowering/Names.h"

using namespace mlir;

namespace kern {

std::optional<Binding> FunctionLowering::lowerName(const syntax::Name &name,
                                                   Span span) {
  readNames.insert(name.name);
  auto found = env.find(name.name);
  if (found != env.end()) {
    const auto *unusable = found->second.as<Unusable>();
    if (!unusable)
      return found->second;
    switch (unusable->reason) {
    case Unusable::Unbound:
      error(Diag::unbound_name, span, {name.name});
      break;
    case Unusable::PartlyBound:
      error(Diag::unbound_on_path, span, {name.name})
          .notes.push_back(
              {unusable->place, "some path through this does not assign it"});
      break;
    case Unusable::Conflict:
      reportConflict("`" + name.name + "`", *unusable, span)
          .notes.push_back({unusable->place, "the paths meet after this"});
      break;
    case Unusable::Carried:
      error(Diag::prange_carry, span, {name.name}).help =
          "use a reduction, such as `sum(… for i in range(n))`, or a `for` "
          "over "
          "`range`, which runs in order";
      break;
    case Unusable::Private:
      error(Diag::prange_private, span, {name.name})
          .notes.push_back({unusable->place, "this is the `prange`"});
      break;
    case Unusable::Failed:
      break;
    }
    return std::nullopt;
  }
  if (const NamedConstant *constant = scope->constant(name.name))
    return useConstant(*constant, span);
  if (scope->isFailed(name.name)) {
    failed = true;
    return std::nullopt;
  }
  StringRef library = scope->libraryName(name.name);
  if (std::optional<Constant> constant = libraryConstant(library))
    return Binding(*constant);
  if (scope->function(name.name) || scope->isLibraryFunction(library)) {
    error(Diag::function_as_value, span, {name.name}).help =
        "call it: `" + name.name + "(…)`";
    return std::nullopt;
  }
  if (typeNamed(library, true)) {
    error(Diag::type_as_value, span, {name.name}).help =
        "`" + name.name + "(x)` converts x to it";
    return std::nullopt;
  }
  unknownName(name.name, span);
  return std::nullopt;
}

Diagnostic &FunctionLowering::unknownName(const std::string &name, Span span) {
  std::vector<std::string_view> known;
  for (const auto &entry : env)
    known.push_back(entry.first);
  Diagnostic &diagnostic = error(Diag::unknown_name, span, {name});
  diagnostic.help = scope->helpFor(name, std::move(known));
  // Once is enough: later uses of the name would only repeat this.
  env.insert_or_assign(name, Binding(Unusable{Unusable::Failed, span}));
  return diagnostic;
}

} // namespace kern
