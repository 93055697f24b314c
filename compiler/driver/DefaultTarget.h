//===- DefaultTarget.h - the default architecture ---------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/targets/Target.h"
#include "runtime/cache/Cache.h"

namespace kern::compiler {

/// The default architecture for files of a stage: that of this machine's first
/// GPU if the target is for GPUs, else Target::defaultArch(). Asking the driver
/// takes a tenth of a second or more, so `cache` keeps the answer for the same
/// driver and GPUs.
std::string defaultArch(const Target &target, Stage stage,
                        runtime::Cache &cache);

} // namespace kern::compiler
