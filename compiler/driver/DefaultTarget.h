//===- DefaultTarget.h - what to compile for untold -------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/targets/Target.h"
#include "runtime/cache/Cache.h"

namespace kern {

/// The architecture that files of a stage are made for where the user says
/// none: that of this machine's first GPU, if the target is for such, else
/// Target::defaultArch(). Asking the driver costs a tenth of a second and more:
/// `cache` keeps the answer for the very same driver and GPUs.
std::string defaultArch(const Target &target, Stage stage, Cache &cache);

} // namespace kern
