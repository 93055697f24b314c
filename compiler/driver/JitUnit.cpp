//===- JitUnit.cpp - one source, compiled by one thread -------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/driver/JitUnit.h"

#include "compiler/driver/Kernels.h"
#include "compiler/driver/Reports.h"
#include "compiler/pipeline/Pipeline.h"

using namespace mlir;

namespace kern::compiler {

using namespace runtime;
using ir::FuncOp;

std::string typeList(std::span<const ArgType> arguments) {
  std::string types;
  for (ArgType type : arguments)
    types += std::string(types.empty() ? "" : ", ") + std::string(name(type));
  return types;
}

JitUnit::JitUnit(std::unique_ptr<Unit> made, bool isPrecise)
    : unit(std::move(made)), isPrecise(isPrecise),
      specialisations(unit->emptyModule()) {}

Expected<JitUnit::Typed>
JitUnit::specialised(const FunctionInfo &function,
                     std::span<const ArgType> arguments) {
  std::string types = typeList(arguments);
  if (auto at = loops.find({function.name, types}); at != loops.end())
    return at->second;
  FuncOp func = unit->find(function.name);
  std::optional<Specialization> request = specializationFor(
      func, llvm::ArrayRef(arguments.data(), arguments.size()));
  if (!request)
    return Error{KERN_ERROR_TYPE,
                 "no loop of '" + function.name + "' takes (" + types + ")"};
  // Keeps errors of this specialisation from later ones.
  DiagnosticEngine diagnostics(unit->diagnostics.sourceManager());
  OpBuilder builder = OpBuilder::atBlockEnd(specialisations->getBody());
  FailureOr<FuncOp> typed = specialize(func, *request, builder, &diagnostics);
  if (failed(typed))
    return Error{KERN_ERROR_TYPE, diagnostics.renderText(),
                 reportOf(diagnostics)};
  Typed result = {*typed, loopOf(*typed, *request)};
  return loops.try_emplace({function.name, types}, std::move(result))
      .first->second;
}

Expected<LoopInfo> JitUnit::specialise(const FunctionInfo &function,
                                       std::span<const ArgType> arguments) {
  Expected<Typed> typed = specialised(function, arguments);
  if (!typed)
    return typed.error();
  return typed->loop;
}

Expected<FuncOp> JitUnit::typedForm(const FunctionInfo &function,
                                    const LoopInfo &loop) {
  if (function.isGeneric) {
    Expected<Typed> typed = specialised(function, loop.inputs);
    if (!typed)
      return typed.error();
    return typed->func;
  }
  for (size_t index = 0; index < function.loops.size(); ++index)
    if (function.loops[index].inputs == loop.inputs)
      return unit->declared(function, index);
  return Error{KERN_ERROR_INTERNAL,
               "`" + function.name + "` has no loop " + text(loop)};
}

Expected<Nest> JitUnit::nest(const FunctionInfo &function,
                             const LoopInfo &loop) {
  Expected<FuncOp> typed = typedForm(function, loop);
  if (!typed)
    return typed.error();
  OwningOpRef<ModuleOp> module = unit->emptyModule();
  module->push_back(typed->clone());
  PipelineOptions options;
  options.isPrecise = isPrecise;
  if (Status status = lowerFunctions(*module, options); !status)
    return status.error();
  return std::move(nestsOf(*module).begin()->second);
}

Expected<std::shared_ptr<const KernelCode>>
JitUnit::compile(const FunctionInfo &function, const LoopInfo &loop,
                 const KernelVariant &wanted, CodeTarget device) {
  Expected<FuncOp> typed = typedForm(function, loop);
  if (!typed)
    return typed.error();
  OwningOpRef<ModuleOp> module = unit->emptyModule();
  FuncOp func = typed->clone();
  module->push_back(func);
  if (!wanted.stored.empty())
    convertOperands(func, wanted.stored);
  std::string symbol = func.getSymName().str();
  PipelineOptions options(device);
  options.isPrecise = isPrecise;
  options.kernels.variant = wanted;
  Expected<PipelineResult> result = runPipeline(std::move(module), options);
  if (!result)
    return result.error();

  std::vector<KernelInfo> kernels = kernelsOf(result->entries, symbol);
  std::optional<size_t> best = bestKernel(kernels, wanted);
  if (!best)
    return Error{KERN_ERROR_INTERNAL,
                 "the compiler made no kernel of the form " +
                     std::string(name(wanted.form)) + " for " + symbol};
  Expected<KernelCode> code = options.target->load(
      std::move(kernels[*best]),
      std::make_shared<const std::string>(std::move(result->text)));
  if (!code)
    return code.error();
  return std::make_shared<const KernelCode>(std::move(*code));
}

} // namespace kern::compiler
