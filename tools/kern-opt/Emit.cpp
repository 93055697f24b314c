//===- Emit.cpp - target code as the last pass ----------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/targets/host/Codegen.h"
#include "compiler/targets/nvptx/Codegen.h"
#include "dialects/Passes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

static kern::Expected<std::string> emit(ModuleOp module, StringRef as,
                                        unsigned sm,
                                        const kern::host::Options &host) {
  if (as == "ptx")
    return kern::nvptx::emitPtx(module, {sm, host.isPrecise});
  if (as == "llvm")
    return kern::nvptx::emitLLVM(module, {sm, host.isPrecise});
  if (as == "host-llvm")
    return kern::host::emitLLVM(module, host);
  if (as == "host-asm")
    return kern::host::emitAssembly(module, host);
  return kern::Error{KERN_ERROR_ARGUMENT, ("unknown kind " + as).str()};
}

namespace kern {

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
  auto text = emit(module, as, sm, {precise, cpu});
  if (!text) {
    module.emitError(text.error().message);
    return signalPassFailure();
  }
  llvm::outs() << *text;
  module.getBody()->clear();
}

} // namespace kern
