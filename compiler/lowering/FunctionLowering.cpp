//===- FunctionLowering.cpp - lowers a function ---------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/FunctionLowering.h"

#include "compiler/lowering/Associative.h"
#include "compiler/lowering/Locations.h"
#include "compiler/lowering/Lowering.h"
#include "compiler/lowering/MissingReturn.h"
#include "compiler/lowering/UncalledDefs.h"
#include "compiler/modules/Modules.h"
#include "compiler/modules/Names.h"
#include "compiler/modules/UnusedImports.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

using namespace mlir;

namespace kern {

FunctionLowering::FunctionLowering(ModuleScope &scope,
                                   const syntax::Function &function,
                                   OpBuilder &builder, Checks checks)
    : scope(&scope), diagnostics(scope.diagnostics()), function(function),
      builder(builder), checks(checks) {}

Diagnostic &FunctionLowering::error(Diag id, Span span,
                                    std::initializer_list<std::string> args) {
  failed |= info(id).severity == Severity::Error;
  Diagnostic &diagnostic = diagnostics.report(id, span, args);
  if (!inlined.empty() && diagnostic.notes.empty()) {
    std::vector<Note> calls;
    for (Span caller : callers(diagnostics.sourceManager(), loc(span)))
      calls.push_back({caller, "called from here"});
    diagnostic.addCalls(std::move(calls));
  }
  return diagnostic;
}

Diagnostic &
FunctionLowering::reportMissingReturn(const syntax::Function &target) {
  const std::string &name = target.name.name;
  Diagnostic &diagnostic =
      error(Diag::missing_return, target.name.span, {name});
  MissingReturn why = explainMissingReturn(target);
  if (!diagnostic.help.empty() || why.help.empty())
    return diagnostic; // said already, by another loop or call of it
  diagnostic.notes.push_back({why.place, why.note});
  diagnostic.help = why.help;
  return diagnostic;
}

Location FunctionLowering::loc(Span span) {
  Location place =
      toLocation(builder.getContext(), diagnostics.sourceManager(), span);
  if (!inlined.empty())
    return CallSiteLoc::get(place, inlined.back().call);
  return place;
}

Block *FunctionLowering::newBlock() {
  auto *block = new Block();
  region->push_back(block); // the region owns it
  return block;
}

void FunctionLowering::bindOperands(const Header &header) {
  Block *entry = newBlock();
  builder.setInsertionPointToStart(entry);
  MLIRContext *context = builder.getContext();
  Type open = OpenType::get(context);

  auto dimValue = [&](DimExprAttr dim, Span span) {
    return dim.evaluate<Value>(
        [&](DimExprAttr leaf) -> Value {
          if (leaf.isConstant())
            return constantInt(leaf.getValue(), span);
          return DimOp::create(builder, loc(span), open, leaf.getName());
        },
        [&](DimKind kind, Value left, Value right) {
          return applyValues(scalarFunctionOf(kind), {left, right}, span);
        });
  };
  auto bindArray = [&](OperandAttr operand, Span span, bool writable) {
    Value argument = entry->addArgument(
        ArrayType::get(context, open, operand.getCore().size()), loc(span));
    ArrayView view{argument, operand.getName().str(), span, writable, {}};
    for (DimExprAttr dim : operand.getCore())
      view.axes.push_back({nullptr, nullptr, dimValue(dim, span)});
    env.insert_or_assign(operand.getName().str(), Binding(view));
  };

  for (StringRef dim : header.dims)
    env.insert_or_assign(
        dim.str(),
        Binding(Value(DimOp::create(builder, loc(function.name.span), open,
                                    builder.getStringAttr(dim)))));
  for (auto [index, attribute] : llvm::enumerate(header.parameters)) {
    auto parameter = cast<OperandAttr>(attribute);
    Span span = function.parameters[index].span;
    if (parameter.getIsDim())
      continue;
    if (!parameter.getCore().empty()) {
      bindArray(parameter, span, parameter.getIsInout());
      continue;
    }
    Value argument = entry->addArgument(open, loc(span));
    env.insert_or_assign(parameter.getName().str(), Binding(argument));
  }
  for (auto [index, attribute] : llvm::enumerate(header.results)) {
    auto result = cast<OperandAttr>(attribute);
    Span span = function.results[index].type.span;
    if (!result.getCore().empty()) {
      bindArray(result, span, true);
      continue;
    }
    scalarResults.push_back(result.getName().str());
    if (function.results[index].name)
      env.insert_or_assign(result.getName().str(),
                           Binding(Unusable{Unusable::Unbound, span}));
  }
  if (function.hasArrow)
    returnCount = scalarResults.size();
}

/// Ends a body that runs off its end: named scalar results are returned.
bool FunctionLowering::finishResults(const Header &header) {
  for (auto [index, result] : llvm::enumerate(function.results)) {
    auto info = cast<OperandAttr>(header.results[index]);
    if (!failed && !info.getCore().empty() &&
        !storedArrays.count(info.getName().str())) {
      error(Diag::result_not_written, result.type.span, {info.getName().str()});
      return false;
    }
  }
  if (!isReachable()) {
    if (returnCount)
      return true;
    // Nothing is ever returned: an endless loop without a `return`.
    if (const syntax::Expr *loop = endlessCondition(function.body);
        loop && !failed)
      error(Diag::endless_function, loop->span, {function.name.name}).help =
          "leave it by `break` or `return`";
    else if (!failed)
      reportMissingReturn(function);
    return false;
  }
  SmallVector<Value> values;
  for (auto [index, result] : llvm::enumerate(function.results)) {
    auto info = cast<OperandAttr>(header.results[index]);
    if (!info.getCore().empty())
      continue;
    auto found = env.find(info.getName().strref());
    const Number *scalar = result.name && found != env.end()
                               ? found->second.as<Number>()
                               : nullptr;
    if (!scalar) {
      auto *unusable =
          found == env.end() ? nullptr : found->second.as<Unusable>();
      if (unusable && unusable->reason == Unusable::Failed)
        return false;
      if (auto assigned = assignedNames.find(info.getName().str());
          unusable && unusable->reason == Unusable::Private &&
          assigned != assignedNames.end()) {
        Diagnostic &diagnostic =
            error(Diag::prange_private, assigned->second, {result.name->name});
        diagnostic.notes.push_back({unusable->place, "this is the `prange`"});
        diagnostic.help = "a result is assigned after the loop; of many "
                          "elements a reduction makes one";
        return false;
      }
      if (result.name)
        error(Diag::missing_return, function.name.span, {function.name.name})
            .help = "assign `" + result.name->name +
                    "` on every path, or return its value";
      else
        reportMissingReturn(function);
      return false;
    }
    values.push_back(materialize(*scalar, function.name.span));
  }
  if (!function.hasArrow) {
    // A gufunc that writes to its `inout` arrays may have no results.
    bool writes = llvm::any_of(function.parameters, [](const auto &parameter) {
      return parameter.isInout;
    });
    if (!writes || returnCount) {
      reportMissingReturn(function);
      return false;
    }
    returnCount = 0;
  }
  ReturnOp::create(builder, loc(function.name.span), values);
  builder.clearInsertionPoint();
  return true;
}

FuncOp FunctionLowering::lower() {
  MLIRContext *context = builder.getContext();
  std::optional<Header> header = lowerHeader(function, context, *scope);
  if (!header)
    return nullptr;
  for (StringRef variable : header->typeVariables)
    typeVariables.emplace(variable.str(), Value());

  auto kind = function.kind == syntax::ItemKind::Ufunc ? FuncKind::Ufunc
                                                       : FuncKind::Gufunc;
  OpBuilder::InsertionGuard guard(builder);
  auto make = [&](ArrayAttr results) {
    return FuncOp::create(
        builder,
        toLocation(context, diagnostics.sourceManager(), function.name.span),
        builder.getStringAttr(function.name.name),
        FuncKindAttr::get(context, kind),
        builder.getArrayAttr(header->parameters), results,
        builder.getStrArrayAttr(header->typeVariables),
        builder.getArrayAttr(header->loops),
        header->optionalDims.empty()
            ? ArrayAttr()
            : builder.getStrArrayAttr(header->optionalDims),
        function.docstring ? builder.getStringAttr(function.docstring->text)
                           : StringAttr(),
        /*origin=*/StringAttr(), /*typed=*/UnitAttr());
  };
  func = make(builder.getArrayAttr(header->results));
  for (const syntax::Decorator &decorator : function.decorators)
    if (decorator.name.name == "fastmath")
      func->setAttr(fastmathAttribute, builder.getUnitAttr());
  if (checks.results)
    func->setAttr(checkResultsAttribute, builder.getUnitAttr());
  if (checks.races)
    func->setAttr(checkRacesAttribute, builder.getUnitAttr());
  region = &func.getBody();
  bindOperands(*header);
  lowerBlock(function.body);
  bool complete = finishResults(*header);
  for (const auto &[name, span] : assignedNames)
    if (!failed && !readNames.count(name) && name != "_")
      diagnostics.report(Diag::unused_variable, span, {name});
  if (complete && !failed && !function.hasArrow) {
    // The results are as many as `return` gives.
    for (size_t i = 0; i < *returnCount; ++i) {
      header->results.push_back(OperandAttr::get(
          context, builder.getStringAttr(""), builder.getUnitAttr(),
          ArrayRef<DimExprAttr>(), false, false));
    }
    func.setResultsAttr(builder.getArrayAttr(header->results));
  }
  if (!complete || failed || !checkAssociative(function, *header, *scope)) {
    // Blocks may lack terminators, and values refer across them.
    func.getBody().walk([](Operation *op) { op->dropAllReferences(); });
    func.erase();
    return nullptr;
  }
  return func;
}

OwningOpRef<ModuleOp> lower(const syntax::File &file, MLIRContext &context,
                            SourceManager &sources,
                            DiagnosticEngine &diagnostics, ModuleFinder *finder,
                            Checks checks) {
  Modules modules(sources, diagnostics, finder);
  ModuleScope &scope = modules.open(file);
  OpBuilder builder(&context);
  OwningOpRef<ModuleOp> module = ModuleOp::create(builder.getUnknownLoc());
  for (const syntax::Item &item : file.items) {
    const auto *function = std::get_if<syntax::Function>(&item.node);
    if (!function || function->kind == syntax::ItemKind::Def)
      continue;
    std::optional<ScopedFunction> named = scope.function(function->name.name);
    if (!named || named->function != function)
      continue; // a second definition of the name, reported already
    if (function->ellipsis) {
      diagnostics.report(Diag::ellipsis_value, *function->ellipsis).help =
          "an empty block says `pass`; dimensions that are mapped over need no "
          "index";
      continue;
    }
    builder.setInsertionPointToEnd(module->getBody());
    FuncOp lowered =
        FunctionLowering(scope, *function, builder, checks).lower();
    // A function never vanishes without a word.
    if (!lowered && !diagnostics.hasErrors())
      diagnostics.report(
          Diag::internal_error, function->name.span,
          {"lowering", "`" + function->name.name + "` has no code"});
  }
  for (const syntax::Item &item : file.items)
    if (const auto *function = std::get_if<syntax::Function>(&item.node);
        function && function->kind == syntax::ItemKind::Def &&
        !modules.wasInlined(*function))
      checkUncalled(*function, scope);
  // After an error what it is needed for may be what is missing.
  if (!diagnostics.hasErrors())
    warnOfUnusedImports(file, diagnostics);
  return module;
}

} // namespace kern
