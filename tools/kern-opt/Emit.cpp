//===- Emit.cpp - target code as the last pass ----------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/pipeline/Pipeline.h"
#include "dialects/Passes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace kern::ir {

using compiler::Stage;

#define GEN_PASS_DEF_KERNEMIT
#include "dialects/Passes.h.inc"

namespace {
struct EmitPass : impl::KernEmitBase<EmitPass> {
  using Base::Base;
  void runOnOperation() override;
};
} // namespace

void EmitPass::runOnOperation() {
  ModuleOp module = getOperation();
  const compiler::StageInfo *stage = compiler::findStage(as);
  if (!stage || stage->stage < Stage::LLVM || stage->stage > Stage::Code) {
    module.emitError("no stage of a lowered module: " + as);
    return signalPassFailure();
  }
  const compiler::Target &target = *compiler::findTarget(stage->target);
  std::string machine =
      arch.empty() ? target.defaultArch(stage->stage) : std::string(arch);
  auto text = compiler::generateCode(module, target, stage->stage,
                                     {.arch = machine, .isPrecise = precise});
  if (!text) {
    module.emitError(text.error().message);
    return signalPassFailure();
  }
  llvm::outs() << *text;
  module.getBody()->clear();
}

} // namespace kern::ir
