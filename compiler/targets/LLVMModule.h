//===- LLVMModule.h - from lowered kernels to LLVM IR -----------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What all targets do alike with lowered kernels: elementary functions get the
// target's symbols, the rest of the scalar code becomes the LLVM dialect, and
// that LLVM IR.
//
//===----------------------------------------------------------------------===//
#pragma once

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

namespace kern {

/// The symbol of an elementary function ("exp") for a type ("f32" or "f64"),
/// or "" if the target has none.
using FunctionTable =
    llvm::function_ref<llvm::StringRef(llvm::StringRef, llvm::StringRef)>;

/// Replaces calls to `@kern.<function>.<type>`, operations of the math dialect
/// that are elementary functions, and arith.remf by calls of the LLVM dialect
/// to the symbols of Kern's own library or else of the table. An unknown
/// function is KERN_ERROR_INTERNAL.
Status callElementaryFunctions(mlir::ModuleOp module, FunctionTable functions);

/// Replaces each operation of arith, math and cf by the one of the LLVM dialect
/// that means the same, where there is one. Returns whether that is all of
/// them: whether no operation of another dialect is left in the module.
bool replaceScalarOperations(mlir::ModuleOp module);

/// Converts a module to the LLVM dialect by these two, and by MLIR's patterns
/// for what they leave. An unknown function or an operation that has no
/// conversion is KERN_ERROR_INTERNAL.
Status convertToLLVMDialect(mlir::ModuleOp module, FunctionTable functions);

/// Lets `context` translate the LLVM dialect; translateToLLVMIR() does so
/// itself where no other thread uses the context.
void prepareTranslation(mlir::MLIRContext &context);

/// Translates the LLVM dialect for `machine` and links what it needs of Kern's
/// own library, whose calls to real functions go by `functions`. From then on
/// LLVM prints nothing of what it finds in modules of `context`.
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
