//===- Stage.h - what kern compile can emit, and for what -------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/targets/Stages.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kern::cli {

/// The names of --emit's stages.
std::vector<std::string> stageNames();
/// "kern, typed, …" for messages.
std::string stageList();

/// Why a stage's file should not have a path's ending: it belongs to arrays,
/// sources or other stages. "" if the ending is fine.
std::string misnamed(const compiler::StageInfo &stage, const std::string &path);

/// Whether `#include <NAME.h>` is a header of C, of POSIX or of glibc. Another
/// one of that name hides it from programs that search its folder.
bool isSystemHeader(std::string_view name);

/// 90 for "sm_90"; nothing for GPUs that Kern does not support.
std::optional<int> computeCapability(std::string_view target);
/// Whether it is an x86-64 level, such as "x86-64-v3".
bool isCpuLevel(std::string_view target);
/// "sm_75", "sm_80", …
std::vector<std::string> gpuNames();
/// The x86-64 levels, then the GPUs.
std::vector<std::string> targetNames();
/// "x86-64, …, sm_75, sm_80, …" for messages.
std::string targetList();
/// The GPUs among them.
std::string gpuList();

} // namespace kern::cli
