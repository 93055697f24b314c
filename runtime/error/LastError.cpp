//===- LastError.cpp - the last error of a thread -------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/error/LastError.h"

#include <cstdio>

using namespace kern::runtime;

namespace {
struct LastError {
  std::string message;
  /// The result of kern_last_error(): `message`, or a text that needs no
  /// memory.
  const char *text = "";
  char fixed[256];
  std::shared_ptr<const kern_diagnostics> diagnostics;
};
thread_local LastError last;
} // namespace

kern_status kern::runtime::fail(Error error) noexcept {
  last.message = std::move(error.message);
  last.text = last.message.c_str();
  last.diagnostics = std::move(error.diagnostics);
  return error.status;
}

kern_status kern::runtime::failOutOfMemory() noexcept {
  last.text = "out of memory on the host";
  last.diagnostics.reset();
  return KERN_ERROR_MEMORY;
}

kern_status kern::runtime::failInternally(const char *what) noexcept {
  std::snprintf(last.fixed, sizeof last.fixed, "internal error: %s", what);
  last.text = last.fixed;
  last.diagnostics.reset();
  return KERN_ERROR_INTERNAL;
}

extern "C" const char *kern_last_error(void) { return last.text; }

extern "C" const kern_diagnostics *kern_last_diagnostics(void) {
  return last.diagnostics.get();
}
