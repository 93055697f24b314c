//===- Codegen.h - PTX from LLVM IR -----------------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/targets/Target.h"

namespace kern::compiler::nvptx {

/// Implements Target::codegen() and Target::functionSymbol(). An architecture
/// that is not in Architectures.h stands for the nearest lower one.
runtime::Expected<std::unique_ptr<Codegen>>
codegen(const CodegenOptions &options);
llvm::StringRef functionSymbol(const library::ElementaryFunction &function);

/// 90 for "sm_90"; 0 for any other form of name.
unsigned computeCapability(llvm::StringRef arch);

} // namespace kern::compiler::nvptx
