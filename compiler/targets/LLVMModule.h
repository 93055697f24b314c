//===- LLVMModule.h - from lowered kernels to LLVM IR -----------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What all targets do with lowered kernels: elementary functions get the
// target's symbols, the remaining scalar code becomes the LLVM dialect, and the
// LLVM dialect becomes LLVM IR.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/library/Library.h"
#include "runtime/error/Expected.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <memory>

namespace llvm {
class LLVMContext;
class Module;
class TargetMachine;
} // namespace llvm

namespace kern::compiler {

/// Replaces calls to `@kern.<function>.<type>`, elementary functions of the
/// math dialect, and arith.remf by calls in the LLVM dialect. The symbols are
/// those of Kern's own library, else those of the table. An unknown function is
/// KERN_ERROR_INTERNAL.
runtime::Status callElementaryFunctions(mlir::ModuleOp module,
                                        library::FunctionTable functions);

/// Replaces each arith, math and cf operation by the equivalent LLVM dialect
/// operation, if there is one. Returns whether the module now has only LLVM
/// dialect operations.
bool replaceScalarOperations(mlir::ModuleOp module);

/// Converts a module to the LLVM dialect with the two functions above, then
/// with MLIR's patterns. An unknown function or an operation without a
/// conversion is KERN_ERROR_INTERNAL.
runtime::Status convertToLLVMDialect(mlir::ModuleOp module,
                                     library::FunctionTable functions);

/// Registers the translation of the LLVM dialect in `context`. Call it first if
/// other threads use the context; otherwise translateToLLVMIR() does it.
void prepareTranslation(mlir::MLIRContext &context);

/// Translates the LLVM dialect for `machine` and links the needed parts of
/// Kern's own library, whose calls to real functions `functions` resolves.
/// Silences LLVM's diagnostics for modules of `context` from then on.
/// KERN_ERROR_INTERNAL on failure.
runtime::Expected<std::unique_ptr<llvm::Module>>
translateToLLVMIR(mlir::ModuleOp module, llvm::LLVMContext &context,
                  const llvm::TargetMachine &machine,
                  library::FunctionTable functions);

/// The text of a module, or of its assembly; code generation consumes the
/// module. `unwanted` names target passes to leave out, in the form of `llc
/// -debug-pass=Arguments`. KERN_ERROR_INTERNAL if the target has no assembly.
std::string printIR(const llvm::Module &module);
runtime::Expected<std::string>
printAssembly(llvm::Module &module, llvm::TargetMachine &machine,
              llvm::ArrayRef<llvm::StringLiteral> unwanted = {});
/// The bytes of an object file; also consumes the module.
runtime::Expected<std::string> emitObject(llvm::Module &module,
                                          llvm::TargetMachine &machine);

} // namespace kern::compiler
