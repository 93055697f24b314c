//===- InitialisationTest.cpp - LLVM is initialised by compiling ----------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "kern/compile.h"
#include "kern/kern.hpp"

#include <cstdio>
#include <gtest/gtest.h>
#include <llvm/MC/TargetRegistry.h>

static bool hasTargets() { return !llvm::TargetRegistry::targets().empty(); }

/// Ends the process: 0 if LLVM's targets came with the first kernel.
[[noreturn]] static void compileFirst() {
  // What the Python package calls when it is imported, and more.
  kern_version();
  kern_last_error();
  kern_get_num_threads();
  kern_cuda_device_count();
  kern_set_include_path(nullptr);
  kern_cache_problem();
  if (hasTargets())
    std::exit(1);
  kern::Module module = kern::Module::compile("ufunc f(x): return x + 1");
  kern::Array y = module["f"](2.0).on(kern::cpu());
  std::exit(hasTargets() ? 0 : 2);
}

// In a process of its own, in which no other test has compiled. The cache is
// off: it may have the kernel.
TEST(Initialisation, ComesWithTheFirstCompilation) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  setenv("KERN_CACHE", "0", 1);
  EXPECT_EXIT(compileFirst(), testing::ExitedWithCode(0), "");
  unsetenv("KERN_CACHE");
}
