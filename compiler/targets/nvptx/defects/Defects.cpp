//===- Defects.cpp - around the defects of translators --------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/targets/nvptx/defects/Defects.h"

void kern::nvptx::avoidDefects(llvm::Module &module) {
  keepSmallestIntegers(module);
  mendExtremes(module);
  takeBytesApart(module);
  chooseByBits(module);
  limitShiftCounts(module);
}
