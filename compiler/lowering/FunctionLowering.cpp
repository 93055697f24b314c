//===- FunctionLowering.cpp - lowering one function -----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/FunctionLowering.h"

#include "compiler/lowering/IndependentLoops.h"
#include "compiler/lowering/MissingReturn.h"

#include "compiler/lowering/Header.h"
#include "compiler/lowering/Locations.h"
#include "compiler/lowering/Twins.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

using namespace mlir;

namespace kern::compiler {

using namespace ir;

Diagnostic &FunctionLowering::error(Diag id, Span span,
                                    std::initializer_list<std::string> args) {
  failed |= info(id).severity == Severity::Error;
  Diagnostic &diagnostic = diagnostics.report(id, span, args);
  if (frame->call && diagnostic.notes.empty()) {
    std::vector<Note> calls;
    for (Span caller : callers(diagnostics.sourceManager(), loc(span)))
      calls.push_back({caller, "called from here"});
    diagnostic.addCalls(std::move(calls));
  }
  return diagnostic;
}

Diagnostic &reportMissingReturn(FunctionLowering &fn,
                                const syntax::Function &target) {
  const std::string &name = target.name.name;
  Diagnostic &diagnostic =
      fn.error(Diag::missing_return, target.name.span, {name});
  MissingReturn why = explainMissingReturn(target);
  if (!diagnostic.help.empty() || why.help.empty())
    return diagnostic; // already explained, for another loop or call
  diagnostic.notes.push_back({why.place, why.note});
  diagnostic.help = why.help;
  return diagnostic;
}

Location FunctionLowering::loc(Span span) {
  Location place =
      toLocation(builder.getContext(), diagnostics.sourceManager(), span);
  if (frame->call)
    return CallSiteLoc::get(place, frame->call->place);
  return place;
}

Block *FunctionLowering::newBlock() {
  auto *block = new Block();
  region->push_back(block); // the region owns it
  return block;
}

static void bindOperands(FunctionLowering &fn, const Header &header) {
  const syntax::Function &function = fn.frame->function;
  Block *entry = fn.newBlock();
  fn.builder.setInsertionPointToStart(entry);
  MLIRContext *context = fn.builder.getContext();
  Type open = OpenType::get(context);

  auto dimValue = [&](DimExprAttr dim, Span span) {
    return dim.evaluate<Value>(
        [&](DimExprAttr leaf) -> Value {
          if (leaf.isConstant())
            return fn.constantInt(leaf.getValue(), span);
          return DimOp::create(fn.builder, fn.loc(span), open, leaf.getName());
        },
        [&](DimKind kind, Value left, Value right) {
          return fn.applyValues(scalarFunctionOf(kind), {left, right}, span);
        });
  };
  auto bindArray = [&](OperandAttr operand, Span span, bool writable) {
    Value argument = entry->addArgument(
        ArrayType::get(context, open, operand.getCore().size()), fn.loc(span));
    ArrayView view{argument, operand.getName().str(), span, writable, {}};
    for (DimExprAttr dim : operand.getCore())
      view.axes.push_back({nullptr, nullptr, dimValue(dim, span)});
    fn.env().insert_or_assign(operand.getName().str(), Binding(view));
  };

  for (StringRef dim : header.dims)
    fn.env().insert_or_assign(
        dim.str(),
        Binding(Value(DimOp::create(fn.builder, fn.loc(function.name.span),
                                    open, fn.builder.getStringAttr(dim)))));
  for (auto [index, attribute] : llvm::enumerate(header.parameters)) {
    auto parameter = cast<OperandAttr>(attribute);
    Span span = function.parameters[index].span;
    if (parameter.getIsDim())
      continue;
    if (!parameter.getCore().empty()) {
      bindArray(parameter, span, parameter.getIsInout());
      continue;
    }
    Value argument = entry->addArgument(open, fn.loc(span));
    fn.env().insert_or_assign(parameter.getName().str(), Binding(argument));
  }
  for (auto [index, attribute] : llvm::enumerate(header.results)) {
    auto result = cast<OperandAttr>(attribute);
    Span span = function.results[index].type.span;
    if (!result.getCore().empty()) {
      bindArray(result, span, true);
      continue;
    }
    fn.frame->scalarResults.push_back(result.getName().str());
    if (function.results[index].name)
      fn.env().insert_or_assign(result.getName().str(),
                                Binding(Poisoned{Poisoned::Unbound, span}));
  }
  if (function.hasArrow)
    fn.results.returnCount = fn.frame->scalarResults.size();
}

/// Ends the body: returns the named scalar results where control reaches the
/// end. False after an error.
static bool finishResults(FunctionLowering &fn, const Header &header) {
  const syntax::Function &function = fn.frame->function;
  for (auto [index, result] : llvm::enumerate(function.results)) {
    auto info = cast<OperandAttr>(header.results[index]);
    if (!fn.failed && !info.getCore().empty() &&
        !fn.results.storedArrays.count(info.getName().str())) {
      fn.error(Diag::result_not_written, result.type.span,
               {info.getName().str()});
      return false;
    }
  }
  if (!fn.isReachable()) {
    if (fn.results.returnCount)
      return true;
    // The function never returns: it has an endless loop without `return`.
    if (const syntax::Expr *loop = endlessCondition(function.body);
        loop && !fn.failed)
      fn.error(Diag::endless_function, loop->span, {function.name.name}).help =
          "leave it by `break` or `return`";
    else if (!fn.failed)
      reportMissingReturn(fn, function);
    return false;
  }
  SmallVector<Value> values;
  for (auto [index, result] : llvm::enumerate(function.results)) {
    auto info = cast<OperandAttr>(header.results[index]);
    if (!info.getCore().empty())
      continue;
    auto found = fn.env().find(info.getName().strref());
    const Number *scalar = result.name && found != fn.env().end()
                               ? found->second.as<Number>()
                               : nullptr;
    if (!scalar) {
      auto *poisoned =
          found == fn.env().end() ? nullptr : found->second.as<Poisoned>();
      if (poisoned && poisoned->reason == Poisoned::Failed)
        return false;
      if (auto assigned = fn.frame->names.assigned.find(info.getName().str());
          poisoned && poisoned->reason == Poisoned::Private &&
          assigned != fn.frame->names.assigned.end()) {
        Diagnostic &diagnostic = fn.error(
            Diag::prange_private, assigned->second, {result.name->name});
        diagnostic.notes.push_back({poisoned->place, "this is the `prange`"});
        diagnostic.help = "a result is assigned after the loop; of many "
                          "elements a reduction makes one";
        return false;
      }
      if (result.name)
        fn.error(Diag::missing_return, function.name.span, {function.name.name})
            .help = "assign `" + result.name->name +
                    "` on every path, or return its value";
      else
        reportMissingReturn(fn, function);
      return false;
    }
    values.push_back(fn.materialize(*scalar, function.name.span));
  }
  if (!function.hasArrow) {
    if (!mayHaveNoResults(function) || fn.results.returnCount.value_or(0)) {
      reportMissingReturn(fn, function);
      return false;
    }
    fn.results.returnCount = 0;
  }
  ReturnOp::create(fn.builder, fn.loc(function.name.span), values);
  fn.builder.clearInsertionPoint();
  return true;
}

/// `independent` may be null.
static FuncOp lowerOnce(ModuleScope &scope, const syntax::Function &function,
                        OpBuilder &builder, Checks checks,
                        IndependentLoops *independent) {
  MLIRContext *context = builder.getContext();
  std::optional<Header> header = lowerHeader(function, context, scope);
  if (!header)
    return nullptr;
  std::optional<Attribute> defaults =
      lowerDefaults(function, *header, builder, scope);
  if (!defaults)
    return nullptr;
  Frame frame{scope, function};
  for (StringRef variable : header->typeVariables)
    frame.typeVariables.emplace(variable.str(), Value());

  auto kind = function.kind == syntax::ItemKind::Ufunc ? FuncKind::Ufunc
                                                       : FuncKind::Gufunc;
  OpBuilder::InsertionGuard guard(builder);
  auto make = [&](ArrayAttr results) {
    return FuncOp::create(
        builder,
        toLocation(context, scope.diagnostics().sourceManager(),
                   function.name.span),
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
  FuncOp func = make(builder.getArrayAttr(header->results));
  for (const syntax::Decorator &decorator : function.decorators)
    if (decorator.kind == syntax::Decorator::Fastmath)
      func->setAttr(fastmathAttribute, builder.getUnitAttr());
  if (const syntax::Expr *identity = identityOf(function))
    func->setAttr(
        ir::identityAttribute,
        builder.getStringAttr(
            scope.diagnostics().sourceManager().text(identity->span)));
  if (*defaults)
    func->setAttr(ir::defaultsAttribute, *defaults);
  if (checks.results)
    func->setAttr(checkResultsAttribute, builder.getUnitAttr());
  if (checks.races)
    func->setAttr(checkRacesAttribute, builder.getUnitAttr());
  FunctionLowering fn{scope.diagnostics(), builder, checks, &func.getBody(),
                      &frame};
  fn.races.independent = independent;
  bindOperands(fn, *header);
  fn.lowerBlock(function.body);
  bool complete = finishResults(fn, *header);
  if (complete && !fn.failed)
    checkTwins(fn);
  for (const auto &[name, span] : frame.names.assigned)
    if (!fn.failed && !frame.names.read.count(name) && name != "_")
      fn.diagnostics.report(Diag::unused_variable, span, {name});
  if (complete && !fn.failed && !function.hasArrow) {
    // The `return`s say how many results there are.
    for (size_t i = 0; i < *fn.results.returnCount; ++i) {
      header->results.push_back(OperandAttr::get(
          context, builder.getStringAttr(""), builder.getUnitAttr(),
          ArrayRef<DimExprAttr>(), false, false));
    }
    func.setResultsAttr(builder.getArrayAttr(header->results));
  }
  if (!complete || fn.failed || !checkAssociative(function, *header, scope)) {
    // Blocks may lack terminators, and values refer across them.
    func.getBody().walk([](Operation *op) { op->dropAllReferences(); });
    func.erase();
    return nullptr;
  }
  return func;
}

FuncOp lowerFunction(ModuleScope &scope, const syntax::Function &function,
                     OpBuilder &builder, Checks checks) {
  FuncOp inOrder = lowerOnce(scope, function, builder, checks, nullptr);
  if (!inOrder)
    return nullptr;
  return inferIndependence(
      function, inOrder, scope.diagnostics(), [&](IndependentLoops &loops) {
        return lowerOnce(scope, function, builder, checks, &loops);
      });
}

} // namespace kern::compiler
