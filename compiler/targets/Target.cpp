//===- Target.cpp - the list of targets -----------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/targets/Target.h"

#include "llvm/Support/ErrorHandling.h"

// Targets.inc has KERN_TARGET(NAME) for each target in the build.
#define KERN_TARGET(NAME)                                                      \
  namespace kern::compiler::NAME {                                             \
  const Target &target();                                                      \
  }
#include "compiler/targets/Targets.inc"
#undef KERN_TARGET

namespace kern::compiler {

std::string Target::join(std::span<const std::string>) const {
  llvm_unreachable("only a target that splits modules joins code");
}

std::span<const Target *const> targets() {
  static const Target *const all[] = {
#define KERN_TARGET(NAME) &NAME::target(),
#include "compiler/targets/Targets.inc"
#undef KERN_TARGET
  };
  return all;
}

const Target *findTarget(std::string_view name) {
  for (const Target *target : targets())
    if (target->facts.name == llvm::StringRef(name))
      return target;
  return nullptr;
}

const Target &targetOf(runtime::CodeTarget::Kind device) {
  for (const Target *target : targets())
    if (target->facts.device == device)
      return *target;
  llvm_unreachable("each device has a target");
}

} // namespace kern::compiler
