//===- SanitizerOptions.cpp - how the sanitizers run here -----------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM's archives are built without sanitizers, so AddressSanitizer learns only
// a part of what they and their inlined code do with memory: only allocations
// are watched. The first undefined behaviour ends the run. The names are the
// sanitizers'. NOLINTBEGIN
//
//===----------------------------------------------------------------------===//

extern "C" __attribute__((visibility("default"))) const char *
__asan_default_options() {
  return "allow_user_poisoning=0:detect_container_overflow=0";
}

extern "C" __attribute__((visibility("default"))) const char *
__ubsan_default_options() {
  return "halt_on_error=1:abort_on_error=1:print_stacktrace=1";
}
// NOLINTEND
