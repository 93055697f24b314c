//===- Guard.cpp - when the workarounds run -------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/instcombine/Guard.h"

#include "llvm/IR/Function.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"

using namespace llvm;

void kern::compiler::guardInstCombine(PassInstrumentationCallbacks &callbacks) {
  // A callback may change the function: no analysis of LLVM's describes the
  // float operations that are replaced, and the blocks stay.
  callbacks.registerBeforeNonSkippedPassCallback([](StringRef pass, Any unit) {
    if (pass != InstCombinePass::name())
      return;
    auto *function = const_cast<Function *>(*any_cast<const Function *>(&unit));
    widenByBits(*function);
    limitToHalf(*function);
    chooseBeforeConversion(*function);
  });
}
