//===- Specialize.cpp - polymorphic to typed functions --------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/specialize/Specialize.h"

#include "compiler/lowering/Locations.h"
#include "compiler/source/FreeMemory.h"
#include "compiler/specialize/Specializer.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

namespace kern::compiler {

using namespace ir;
using runtime::DType;

void Specializer::report(Diag id, Location loc,
                         std::initializer_list<std::string> args,
                         std::string help) {
  bool isError = info(id).severity == Severity::Error;
  failed |= isError;
  if (!diagnostics) {
    if (isError)
      emitError(loc) << runtime::fill(info(id).text, args);
    return;
  }
  const SourceManager &sources = diagnostics->sourceManager();
  std::optional<Span> span = toSpan(sources, loc);
  Diagnostic &diagnostic = diagnostics->report(id, span.value_or(Span{}), args);
  if (!diagnostic.notes.empty() || !diagnostic.help.empty())
    return;
  diagnostic.help = std::move(help);
  if (std::optional<Span> place =
          meeting ? toSpan(sources, meeting) : std::nullopt)
    diagnostic.notes.push_back({*place, "it meets values of that type here"});
  std::vector<Note> calls;
  for (Location at = loc; auto call = dyn_cast<CallSiteLoc>(at);
       at = call.getCaller())
    if (std::optional<Span> caller = toSpan(sources, call.getCaller())) {
      std::string text = callText(call.getCaller());
      calls.push_back(
          {*caller, "called from here" + (text.empty() ? "" : " as " + text)});
    }
  diagnostic.addCalls(std::move(calls));
  std::optional<Span> header = toSpan(sources, func.getLoc());
  if (isError && header && !request.parameters.empty())
    diagnostic.notes.push_back(
        {*header, "in the loop " + specializationText()});
}

std::string Specializer::specializationText() {
  std::string text = func.getSymName().str() + "(";
  for (auto [index, type] : llvm::enumerate(request.parameters))
    text += (index ? ", " : "") + briefly(type);
  return text + ")";
}

StringRef Specializer::sourceText(Location loc) {
  if (!diagnostics)
    return "";
  const SourceManager &sources = diagnostics->sourceManager();
  std::optional<Span> span = toSpan(sources, loc);
  return span ? StringRef(sources.text(*span)) : "";
}

std::string Specializer::callText(Location call) {
  if (inlinedCalls.empty())
    func.getBody().walk(
        [&](InlinedOp op) { inlinedCalls.try_emplace(op.getLoc(), op); });
  InlinedOp op = inlinedCalls.lookup(call);
  if (!op)
    return "";
  // Each placeholder of the pattern is the type of the next operand.
  std::string text;
  size_t next = 0;
  for (char c : op.getPattern()) {
    if (c != '%') {
      text += c;
      continue;
    }
    std::optional<ValueType> type = types.type(op.getOperands()[next++]);
    if (!type)
      return "";
    text += briefly(*type);
  }
  return "`" + text + "`";
}

void Specializer::cloneBlock(Block &from) {
  builder.setInsertionPointToEnd(blocks[&from]);
  for (Operation &op : from) {
    if (failed)
      return;
    clone(op);
  }
}

void Specializer::cloneRegion(Region &from, Region &to) {
  for (Block &block : from) {
    if (!types.isReachable(&block))
      continue;
    auto *made = new Block();
    to.push_back(made);
    blocks[&block] = made;
    for (BlockArgument argument : block.getArguments()) {
      std::optional<ValueType> type = types.type(argument);
      if (!type)
        continue;
      Type typed = typeOf(*type);
      if (auto array = dyn_cast<ArrayType>(argument.getType()))
        typed = ArrayType::get(context, typed, array.getRank());
      values[argument] = made->addArgument(typed, argument.getLoc());
    }
  }
  // Clone in reverse postorder: a value's definition dominates its uses, and
  // dominators come first.
  SmallVector<Block *> order;
  llvm::SmallPtrSet<Block *, 16> seen;
  SmallVector<std::pair<Block *, unsigned>> stack{{&from.front(), 0}};
  seen.insert(&from.front());
  while (!stack.empty()) {
    auto &[block, next] = stack.back();
    if (next < block->getNumSuccessors()) {
      Block *successor = block->getSuccessor(next++);
      if (types.isReachable(successor) && seen.insert(successor).second)
        stack.push_back({successor, 0});
      continue;
    }
    order.push_back(block);
    stack.pop_back();
  }
  for (Block *block : llvm::reverse(order)) {
    cloneBlock(*block);
    if (failed)
      return;
  }
  // Blocks that a decided branch makes unreachable.
  for (Block &block : from)
    if (Block *made = blocks.lookup(&block); made && made->empty())
      made->erase();
}

void Specializer::findResultTypes() {
  size_t scalar = 0, array = request.parameters.size();
  for (OperandAttr result : func.resultInfos()) {
    std::optional<DType> type = resolve(result.getType());
    bool isArray = !result.getCore().empty();
    if (!type && isArray) {
      if (std::optional<ValueType> found =
              types.type(func.getBody().getArgument(array)))
        type = found->carrier();
      else
        untypedResult = func.getBody().getArgument(array);
    } else if (!type) {
      TypeSet set;
      func.getBody().walk([&](ReturnOp op) {
        if (types.isReachable(op->getBlock()))
          if (std::optional<ValueType> found =
                  types.type(op.getValues()[scalar]))
            set.add(*found);
      });
      if (!set.empty())
        type = set.type().carrier();
    }
    (isArray ? array : scalar) += 1;
    // A missing type here means an error, which cloning will report.
    resultTypes.push_back(type.value_or(DType::F64));
  }
}

/// The first element of an array expression is there for its type, which is
/// known now. It must not be computed: an empty array has none.
static void eraseWhatGaveTypes(FuncOp made) {
  IRRewriter rewriter(made.getContext());
  (void)runRegionDCE(rewriter, made->getRegions());
}

FailureOr<FuncOp> Specializer::run() {
  findResultTypes();
  meets.assign(request.parameters.size(), 0);
  std::string symbol = func.getSymName().str() + "_";
  for (ValueType type : request.parameters)
    symbol += "_" + (type.isWeak() ? std::string("weak_") : std::string()) +
              std::string(name(type.carrier()));
  // Every operand has a type now; core dimensions stay.
  SmallVector<Attribute> parameters, results;
  size_t next = 0;
  for (OperandAttr parameter : func.parameterInfos())
    parameters.push_back(
        parameter.getIsDim()
            ? parameter
            : parameter.withElementType(typeOf(request.parameters[next++])));
  for (auto [result, type] : llvm::zip(func.resultInfos(), resultTypes))
    results.push_back(result.withElementType(toType(context, type)));

  OpBuilder::InsertionGuard guard(builder);
  auto made = FuncOp::create(
      builder, func.getLoc(), builder.getStringAttr(symbol), func.getKindAttr(),
      builder.getArrayAttr(parameters), builder.getArrayAttr(results),
      /*type_vars=*/builder.getArrayAttr({}),
      /*loops=*/builder.getArrayAttr({}), /*optional_dims=*/ArrayAttr(),
      func.getDocAttr(), func.getSymNameAttr(), builder.getUnitAttr());
  cloneRegion(func.getBody(), made.getBody());
  if (untypedResult)
    reportUntyped(untypedResult, func.getLoc());
  if (failed) {
    made.getBody().walk([](Operation *op) { op->dropAllReferences(); });
    made.erase();
    return failure();
  }
  for (StringRef attribute :
       {StringRef(fastmathAttribute), StringRef(checkResultsAttribute),
        StringRef(checkRacesAttribute)})
    if (func->hasAttr(attribute))
      made->setAttr(attribute, builder.getUnitAttr());
  if (llvm::any_of(meets, [](int64_t bits) { return bits != 0; }))
    made->setAttr(meetsAttribute, builder.getDenseI64ArrayAttr(meets));
  eraseWhatGaveTypes(made);
  return made;
}

FailureOr<FuncOp> specialize(FuncOp func, const Specialization &request,
                             OpBuilder &builder,
                             DiagnosticEngine *diagnostics) {
  size_t operations = 0;
  func->walk([&](Operation *) { ++operations; });
  requireMemory(StepMemory::ofTypes(operations));
  return Specializer(func, request, builder, diagnostics).run();
}

} // namespace kern::compiler
