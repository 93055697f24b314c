//===- Text.h - operations that are written as text -------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/IRBuilder.h"

namespace kern::nvptx {

/// PTX that LLVM does not look into: `$0` is the result, of `type`, and
/// `constraints` are as LLVM's inline assembly has them.
llvm::Value *asText(llvm::IRBuilder<> &builder, llvm::Type *type,
                    llvm::StringRef text, llvm::StringRef constraints,
                    llvm::Value *operand);

/// `lane` of a scalar, or of each lane of a vector.
llvm::Value *byLanes(llvm::IRBuilder<> &builder, llvm::Value *operand,
                     llvm::function_ref<llvm::Value *(llvm::Value *)> lane);

/// -x of 32 bits as ~x + 1, where the driver's translator would lose a
/// negation.
llvm::Value *complementAndOne(llvm::IRBuilder<> &builder, llvm::Value *value);

} // namespace kern::nvptx
