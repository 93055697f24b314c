//===- FpModeOption.cpp - --fp-mode ---------------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/kern/FpModeOption.h"

namespace kern::cli {

void declareFpModeOption(CommandLine &line) {
  line.options()("fp-mode",
                 "default allows a * b + c as one FMA and listens to "
                 "@fastmath; precise does neither",
                 cxxopts::value<std::vector<std::string>>(), "default|precise");
}

std::optional<int> readFpModeOption(const CommandLine &line,
                                    kern_compile_options &options) {
  const std::string mode = line.value("fp-mode", "default");
  if (mode != "default" && mode != "precise")
    return line.refuse("--fp-mode is default or precise, not '" + mode + "'");
  options.size = sizeof options;
  options.fp_mode = mode == "precise" ? KERN_FP_PRECISE : KERN_FP_DEFAULT;
  return std::nullopt;
}

} // namespace kern::cli
