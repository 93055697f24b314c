//===- IncludeOption.h - -I, where imported modules lie ---------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "tools/kern/CommandLine.h"

namespace kern::cli {

void declareIncludeOption(CommandLine &line);
/// Tells the compiler of the folders, in the order in which they were given.
void applyIncludeOption(const CommandLine &line);

} // namespace kern::cli
