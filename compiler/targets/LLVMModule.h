//===- LLVMModule.h - from lowered kernels to LLVM IR -----------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What both targets do alike with a module that LoopToGPU or LoopToHost has
// lowered: elementary functions get the target's symbols, the rest of the
// scalar code becomes the LLVM dialect, and that LLVM IR.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/targets/ElementaryCalls.h"
#include "runtime/error/Expected.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <memory>

namespace llvm {
class LLVMContext;
class Module;
class TargetMachine;
} // namespace llvm

namespace kern {

/// Calls elementary functions by their symbols and converts the module to the
/// LLVM dialect. An unknown function or an operation that has no conversion is
/// KERN_ERROR_INTERNAL.
Status convertToLLVMDialect(mlir::ModuleOp module, FunctionTable functions);

/// Lets `context` translate the LLVM dialect; translateToLLVMIR() does so
/// itself where no other thread uses the context.
void prepareTranslation(mlir::MLIRContext &context);

/// Translates the LLVM dialect for `machine` and links what it needs of Kern's
/// own library, whose calls to real functions go by `functions`.
/// KERN_ERROR_INTERNAL on failure.
Expected<std::unique_ptr<llvm::Module>>
translateToLLVMIR(mlir::ModuleOp module, llvm::LLVMContext &context,
                  const llvm::TargetMachine &machine, FunctionTable functions);

/// Text of a module, or of its assembly (code generation consumes the module).
/// Passes of the target's that `unwanted` names, as `llc -debug-pass=Arguments`
/// does, are left out. KERN_ERROR_INTERNAL where the target has no assembly.
std::string printIR(const llvm::Module &module);
Expected<std::string>
printAssembly(llvm::Module &module, llvm::TargetMachine &machine,
              llvm::ArrayRef<llvm::StringLiteral> unwanted = {});
/// The bytes of its object file; consumes the module as well.
Expected<std::string> emitObject(llvm::Module &module,
                                 llvm::TargetMachine &machine);

} // namespace kern
