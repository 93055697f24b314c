//===- NameUses.cpp - uses of names ---------------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/diagnostics/ForeignNames.h"
#include "compiler/lowering/Expressions.h"
#include "compiler/modules/Names.h"
#include "runtime/error/NearestName.h"

using namespace mlir;

namespace kern::compiler {

std::optional<Binding> lowerName(FunctionLowering &fn, const syntax::Name &name,
                                 Span span) {
  fn.frame->names.read.insert(name.name);
  auto found = fn.env().find(name.name);
  if (found != fn.env().end()) {
    const auto *poisoned = found->second.as<Poisoned>();
    if (!poisoned)
      return found->second;
    switch (poisoned->reason) {
    case Poisoned::Unbound:
      fn.error(Diag::unbound_name, span, {name.name});
      break;
    case Poisoned::PartlyBound:
    case Poisoned::NotRun: {
      if (fn.messages.unknownNames.contains(name.name)) {
        fn.failed = true; // reported where it should have got its value
        break;
      }
      Diagnostic &diagnostic =
          fn.error(Diag::unbound_on_path, span, {name.name});
      diagnostic.notes.push_back(
          {poisoned->place, "some path through this does not assign it"});
      if (fn.messages.typeConditions.contains(
              {poisoned->place.file, poisoned->place.begin}))
        diagnostic.help = "paths are checked once, for all types: give it a "
                          "value before the `if`, or in an `else:`";
      else if (poisoned->reason == Poisoned::NotRun)
        diagnostic.help = "give it a value before the loop, which may have no "
                          "iteration";
      else
        diagnostic.help = "give it a value on each path, or before they part";
      fn.messages.unknownNames.insert(name.name); // once for each name
      break;
    }
    case Poisoned::Conflict:
      reportConflict(fn, "`" + name.name + "`", *poisoned, span)
          .notes.push_back({poisoned->place, "the paths meet after this"});
      break;
    case Poisoned::Carried:
      fn.error(Diag::prange_carry, span, {name.name}).help =
          "use a reduction, such as `sum(… for i in range(n))`, or a `for` "
          "over "
          "`range`, which runs in order";
      break;
    case Poisoned::Private:
      fn.error(Diag::prange_private, span, {name.name})
          .notes.push_back({poisoned->place, "this is the `prange`"});
      break;
    case Poisoned::Failed:
      break;
    }
    return std::nullopt;
  }
  if (const NamedConstant *constant = fn.scope().constant(name.name)) {
    Binding value = useConstant(fn, *constant, span);
    if (auto *table = value.as<ArrayView>())
      table->name = name.name;
    return value;
  }
  if (fn.scope().isFailed(name.name)) {
    fn.failed = true;
    return std::nullopt;
  }
  StringRef library = fn.scope().libraryName(name.name);
  if (std::optional<Constant> constant = libraryConstant(library))
    return Binding(*constant);
  if (std::optional<ScopedFunction> function = fn.scope().function(name.name))
    return Binding(FunctionName{name.name, function});
  if (fn.scope().isLibraryFunction(library))
    return Binding(FunctionName{library, std::nullopt});
  if (typeNamed(fn, library, true)) {
    fn.error(Diag::type_as_value, span, {name.name}).help =
        "`" + name.name + "(x)` converts x to it";
    return std::nullopt;
  }
  unknownName(fn, name.name, span);
  return std::nullopt;
}

void reportUnboundUpdate(FunctionLowering &fn, const std::string &name,
                         syntax::BinaryOp op, Span span) {
  std::vector<std::string_view> locals;
  for (const auto &[local, binding] : fn.env())
    locals.push_back(local);
  Diagnostic &diagnostic = unknownName(fn, name, span);
  if (!runtime::nearestName(name, locals).empty())
    return; // the message names the likely spelling
  const bool isFactor =
      op == syntax::BinaryOp::Mul || op == syntax::BinaryOp::TrueDiv;
  diagnostic.give("give it a first value: `" + name +
                  (isFactor ? " = 1`" : " = 0`") +
                  (fn.frame->loops.empty() ? "" : " before the loop"));
}

Diagnostic &unknownName(FunctionLowering &fn, const std::string &name,
                        Span span) {
  std::vector<std::string_view> known;
  for (const auto &entry : fn.env())
    known.push_back(entry.first);
  const bool isNone = name == "None"; // an argument of a call
  Diagnostic &diagnostic = isNone ? fn.error(Diag::none_value, span)
                                  : fn.error(Diag::unknown_name, span, {name});
  diagnostic.give(isNone ? Help(insteadOf(name))
                         : fn.scope().helpFor(name, std::move(known)));
  // Report the name once; later uses would only repeat the error.
  fn.messages.unknownNames.insert(name);
  fn.env().insert_or_assign(name, Binding(Poisoned{Poisoned::Failed, span}));
  return diagnostic;
}

} // namespace kern::compiler
