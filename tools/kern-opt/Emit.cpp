//===- Emit.cpp - target code as the last pass ----------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/kern-opt/Emit.h"

#include "compiler/targets/host/Codegen.h"
#include "compiler/targets/nvptx/Codegen.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Pass/Pass.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace {

struct EmitPass : PassWrapper<EmitPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(EmitPass)

  EmitPass() = default;
  EmitPass(const EmitPass &other) : PassWrapper(other) {}

  StringRef getArgument() const override { return "kern-emit"; }
  StringRef getDescription() const override {
    return "Print the target's code for a lowered module";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<LLVM::LLVMDialect>();
  }
  void runOnOperation() override;

  Option<std::string> as{*this, "as",
                         llvm::cl::desc("ptx, llvm, host-llvm or host-asm"),
                         llvm::cl::init("ptx")};
  Option<unsigned> sm{*this, "sm", llvm::cl::desc("compute capability"),
                      llvm::cl::init(75)};
  Option<std::string> cpu{*this, "cpu",
                          llvm::cl::desc("of the host; else this machine's"),
                          llvm::cl::init("")};
  Option<bool> precise{*this, "precise", llvm::cl::desc("no contraction"),
                       llvm::cl::init(false)};
};

} // namespace

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

void kern::registerEmitPass() { PassRegistration<EmitPass>(); }
