//===- JitSource.cpp - code on demand -------------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/driver/JitSource.h"

#include "compiler/driver/Kernels.h"
#include "compiler/pipeline/Pipeline.h"

using namespace mlir;

namespace kern {

static int capability(CodeTarget target) {
  return target.kind == CodeTarget::Kind::Host ? 0 : target.computeCapability;
}

Expected<std::shared_ptr<const LoopCode>>
JitSource::compile(FuncOp typed, LoopInfo loop, CodeTarget target) {
  std::string symbol = typed.getSymName().str();
  OwningOpRef<ModuleOp> module = unit->emptyModule();
  module->push_back(typed);
  PipelineOptions options{target, false, std::nullopt};
  Expected<PipelineResult> result = runPipeline(std::move(module), options);
  if (!result)
    return result.error();

  auto code = std::make_shared<LoopCode>();
  loop.kernels = kernelsOf(result->entries, symbol);
  for (const KernelInfo &kernel : loop.kernels) {
    if (!result->code)
      break;
    Expected<host::EntryPoint> entry = result->code->find(kernel.symbol);
    if (!entry)
      return entry.error();
    code->entries.push_back(*entry);
  }
  code->loop = std::move(loop);
  if (result->code)
    code->keepAlive = std::move(result->code);
  else
    code->ptx = std::make_shared<const std::string>(std::move(result->text));
  return std::shared_ptr<const LoopCode>(std::move(code));
}

Expected<std::shared_ptr<const LoopCode>>
JitSource::loop(const FunctionInfo &function, size_t index, CodeTarget target) {
  std::lock_guard lock(mutex);
  auto &code =
      codes[{function.name, std::to_string(index), capability(target)}];
  if (code)
    return code;
  auto typed = cast<FuncOp>(unit->declared(function, index)->clone());
  auto made = compile(typed, function.loops[index], target);
  if (made)
    code = *made;
  return made;
}

Expected<std::shared_ptr<const LoopCode>>
JitSource::specialise(const FunctionInfo &function,
                      std::span<const ArgType> arguments, CodeTarget target) {
  std::lock_guard lock(mutex);
  std::string types;
  for (ArgType type : arguments)
    types += std::string(types.empty() ? "" : ", ") + std::string(name(type));
  auto &code = codes[{function.name, types, capability(target)}];
  if (code)
    return code;

  FuncOp func = unit->find(function.name);
  std::optional<Specialization> request = specializationFor(
      func, llvm::ArrayRef(arguments.data(), arguments.size()));
  if (!request)
    return Error{KERN_ERROR_TYPE,
                 "no loop of '" + function.name + "' takes (" + types + ")"};
  // Errors of this specialisation must not stay behind for the next one.
  DiagnosticEngine diagnostics(unit->diagnostics.sourceManager());
  OwningOpRef<ModuleOp> module = unit->emptyModule();
  OpBuilder builder = OpBuilder::atBlockEnd(module->getBody());
  FailureOr<FuncOp> typed = specialize(func, *request, builder, &diagnostics);
  if (failed(typed))
    return Error{KERN_ERROR_TYPE, diagnostics.renderText()};
  LoopInfo loop = loopOf(*typed, *request);
  (*typed)->remove();
  auto made = compile(*typed, std::move(loop), target);
  if (made)
    code = *made;
  return made;
}

} // namespace kern
