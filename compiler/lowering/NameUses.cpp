//===- NameUses.cpp - what a name is where it is used ---------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/FunctionLowering.h"
#include "compiler/modules/Names.h"

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
    case Unusable::PartlyBound: {
      if (unknownNames.contains(name.name)) {
        failed = true; // reported where it was to get its value
        break;
      }
      Diagnostic &diagnostic = error(Diag::unbound_on_path, span, {name.name});
      diagnostic.notes.push_back(
          {unusable->place, "some path through this does not assign it"});
      if (typeConditions.contains(
              {unusable->place.file, unusable->place.begin}))
        diagnostic.help = "paths are checked once, for all types: give it a "
                          "value before the `if`, or in an `else:`";
      break;
    }
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

void FunctionLowering::reportUnboundUpdate(const std::string &name,
                                           syntax::BinaryOp op, Span span) {
  std::vector<std::string_view> locals;
  for (const auto &[local, binding] : env)
    locals.push_back(local);
  Diagnostic &diagnostic = unknownName(name, span);
  if (!nearest(name, locals).empty())
    return; // misspelt, which is said
  const bool isFactor =
      op == syntax::BinaryOp::Mul || op == syntax::BinaryOp::TrueDiv;
  const size_t outside = inlined.empty() ? 0 : inlined.back().loopDepth;
  diagnostic.give("give it a first value: `" + name +
                  (isFactor ? " = 1`" : " = 0`") +
                  (loops.size() > outside ? " before the loop" : ""));
}

Diagnostic &FunctionLowering::unknownName(const std::string &name, Span span) {
  std::vector<std::string_view> known;
  for (const auto &entry : env)
    known.push_back(entry.first);
  Diagnostic &diagnostic = error(Diag::unknown_name, span, {name});
  diagnostic.give(scope->helpFor(name, std::move(known)));
  // Once is enough: later uses of the name would only repeat this.
  unknownNames.insert(name);
  env.insert_or_assign(name, Binding(Unusable{Unusable::Failed, span}));
  return diagnostic;
}

} // namespace kern
