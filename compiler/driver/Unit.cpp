//===- Unit.cpp - one file in the compiler --------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/driver/Unit.h"

#include "compiler/driver/ModuleFiles.h"
#include "compiler/lowering/Locations.h"
#include "compiler/lowering/Lowering.h"
#include "compiler/modules/Modules.h"
#include "compiler/pipeline/Pipeline.h"
#include "compiler/source/FreeMemory.h"
#include "compiler/syntax/Parser.h"
#include "dialects/Kern/ElementTypes.h"

#include <cstring>

using namespace mlir;

namespace kern::compiler {

using namespace ir;
using runtime::ArgType;
using runtime::DefaultArgument;
using runtime::DType;
using runtime::FunctionInfo;
using runtime::FunctionKind;
using runtime::LoopInfo;
using runtime::OperandInfo;
using runtime::Value;
using runtime::Weakness;

/// Kernel parameters may take 4 KB on every supported GPU.
static constexpr size_t maxWords = 512;
static constexpr size_t maxRank = 6;

size_t wordCount(const FunctionInfo &function) {
  // Words of the loop: 10 and the extents in the largest form, and the record
  // of checks.
  size_t words = 11 + maxRank + function.dims.size();
  for (const OperandInfo &parameter : function.parameters)
    if (!parameter.isDim)
      words += 3 + maxRank + parameter.core.size();
  for (const OperandInfo &result : function.results)
    words += 1 + maxRank + result.core.size();
  return words;
}

static ArgType toArgType(ValueType type) {
  switch (type.form) {
  case ValueType::Typed:
    return ArgType::typed(type.dtype);
  case ValueType::WeakInt:
  case ValueType::Index:
    return ArgType::weak(Weakness::Int);
  case ValueType::WeakFloat:
    return ArgType::weak(Weakness::Float);
  case ValueType::WeakComplex:
    return ArgType::weak(Weakness::Complex);
  }
  llvm_unreachable("all forms are handled");
}

LoopInfo loopOf(FuncOp typed, const Specialization &request) {
  LoopInfo loop;
  for (ValueType type : request.parameters)
    loop.inputs.push_back(toArgType(type));
  for (OperandAttr result : typed.resultInfos())
    loop.outputs.push_back(*toDType(result.elementType()));
  if (auto meets = typed->getAttrOfType<DenseI64ArrayAttr>(meetsAttribute))
    for (int64_t bits : meets.asArrayRef())
      loop.meets.push_back({uint16_t(bits)});
  return loop;
}

static OperandInfo describeOperand(OperandAttr operand, bool isParameter) {
  OperandInfo info;
  info.name = operand.getName().str();
  for (DimExprAttr dim : operand.getCore()) {
    SmallVector<std::string> tokens = dim.reversePolish();
    info.core.push_back(runtime::DimExpr::of(tokens));
  }
  info.isInout = operand.getIsInout();
  info.isDim = operand.getIsDim();
  if (Type type = operand.elementType())
    info.type = std::string(name(*toDType(type)));
  else if (auto variable = dyn_cast<StringAttr>(operand.getType()))
    info.type = variable.str();
  else
    info.isGeneric = isParameter && !info.isDim;
  return info;
}

/// The default of a parameter from its entry of `kern.defaults`.
static std::optional<DefaultArgument> describeDefault(Attribute entry) {
  auto parts = dyn_cast<ArrayAttr>(entry);
  if (!parts)
    return std::nullopt;
  DefaultArgument out;
  out.text = cast<StringAttr>(parts[0]).str();
  DType from = DType::F64;
  Value value = {};
  auto store = [&](auto number, size_t at = 0) {
    std::memcpy(value.data() + at, &number, sizeof number);
  };
  if (auto flag = dyn_cast<BoolAttr>(parts[2])) {
    store(flag.getValue());
    from = DType::Bool;
    out.type = ArgType::typed(DType::Bool);
  } else if (auto integer = dyn_cast<IntegerAttr>(parts[2])) {
    const llvm::APInt bits = integer.getValue().sextOrTrunc(64);
    store(bits.getZExtValue());
    const bool isLarge = !integer.getValue().isSignedIntN(64);
    from = isLarge ? DType::U64 : DType::I64;
    out.type = ArgType::weak(Weakness::Int);
  } else if (auto number = dyn_cast<FloatAttr>(parts[2])) {
    store(number.getValueAsDouble());
    out.type = ArgType::weak(Weakness::Float);
  } else {
    auto both = cast<ArrayAttr>(parts[2]);
    for (size_t i : {0, 1})
      store(cast<FloatAttr>(both[i]).getValueAsDouble(), i * sizeof(double));
    from = DType::C128;
    out.type = ArgType::weak(Weakness::Complex);
  }
  if (auto type = dyn_cast<TypeAttr>(parts[1])) {
    out.type = ArgType::typed(*toDType(type.getValue()));
    value = runtime::convertValue(value, from, out.type.dtype);
  }
  out.value = value;
  return out;
}

OwningOpRef<ModuleOp> Unit::emptyModule() {
  return ModuleOp::create(UnknownLoc::get(context()));
}

void Unit::describe(FuncOp func) {
  FunctionInfo info;
  info.name = func.getSymName().str();
  info.kind = func.getKind() == FuncKind::Ufunc ? FunctionKind::Ufunc
                                                : FunctionKind::Gufunc;
  if (func.getDoc())
    info.doc = func.getDoc()->str();
  if (auto identity = func->getAttrOfType<StringAttr>(identityAttribute))
    info.identity = identity.str();
  for (OperandAttr parameter : func.parameterInfos())
    info.parameters.push_back(describeOperand(parameter, true));
  if (auto defaults = func->getAttrOfType<ArrayAttr>(defaultsAttribute))
    for (auto [parameter, entry] : llvm::zip(info.parameters, defaults))
      parameter.defaultArgument = describeDefault(entry);
  for (OperandAttr result : func.resultInfos())
    info.results.push_back(describeOperand(result, false));
  for (StringAttr dim : func.dimNames().getAsRange<StringAttr>())
    info.dims.push_back(dim.str());
  if (std::optional<ArrayAttr> optional = func.getOptionalDims())
    for (StringAttr dim : optional->getAsRange<StringAttr>())
      info.optionalDims.push_back(dim.str());
  info.isGeneric = isGeneric(func);

  if (wordCount(info) > maxWords) {
    std::optional<Span> span = toSpan(sources, func.getLoc());
    size_t operands = info.parameters.size() + info.results.size();
    // Nine words per operand in the largest form.
    diagnostics.report(Diag::too_many_operands, span.value_or(Span{}),
                       {info.name, std::to_string(operands),
                        std::to_string(maxWords / (3 + maxRank))});
    return;
  }
  std::vector<FuncOp> made;
  if (!info.isGeneric) {
    OpBuilder builder = OpBuilder::atBlockEnd(typed->getBody());
    for (size_t index = 0; index < func.getLoops().size(); ++index) {
      Specialization request = *declaredLoop(func, index);
      FailureOr<FuncOp> loop = specialize(func, request, builder, &diagnostics);
      if (failed(loop))
        continue;
      LoopInfo description = loopOf(*loop, request);
      // Of rows that differ only in a variable that no parameter has, keep the
      // first.
      bool isNew = llvm::none_of(info.loops, [&](const LoopInfo &other) {
        return other.inputs == description.inputs;
      });
      if (!isNew) {
        loop->erase();
        continue;
      }
      info.loops.push_back(std::move(description));
      made.push_back(*loop);
    }
  }
  description.functions.push_back(std::move(info));
  loops.push_back(std::move(made));
}

Unit::Unit(std::string name, std::string text, Timing *timing, Checks checks,
           ModuleFinder *modules) {
  StageTimer timer(timing, "context");
  requireMemory(StepMemory::ofText(text.size()));
  mlirContext.emplace();
  description.compiler = kern_version();
  description.source = name;
  typed = emptyModule();
  uint32_t file = sources.add(std::move(name), std::move(text));
  timer.next("parse");
  syntax::File tree = syntax::parse(file, diagnostics);
  writeMethodsAsFunctions(tree);
  timer.next("lower");
  ModuleFiles files(includePath());
  polymorphic = lower(tree, *context(), sources, diagnostics,
                      modules ? modules : &files, checks);
  for (uint32_t i = 0; i < sources.size(); ++i)
    mlirContext->addBytes(sources.file(i).text().size());
  timer.next("specialise");
  for (FuncOp func : polymorphic->getOps<FuncOp>())
    describe(func);
}

Unit::~Unit() = default;

Span Unit::addText(std::string name, std::string text) {
  auto length = uint32_t(text.size());
  return {sources.add(std::move(name), std::move(text)), 0, length};
}

FuncOp Unit::find(llvm::StringRef name) {
  return polymorphic->lookupSymbol<FuncOp>(name);
}

FuncOp Unit::declared(const FunctionInfo &function, size_t index) {
  size_t position = 0;
  for (const FunctionInfo &other : description.functions) {
    if (other.name == function.name)
      return loops[position][index];
    ++position;
  }
  return nullptr;
}

} // namespace kern::compiler
