//===- CompileTraceTest.cpp - compilations that others are told of --------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/driver/CachedSource.h"
#include "kern/trace.hpp"

#include <gtest/gtest.h>

using namespace kern::compiler;
using namespace kern::runtime;

// What is compiled is told of as it comes; what the cache has is not compiled.
TEST(CompileTrace, CompilesThenFinds) {
  std::vector<std::string> steps;
  Cache cache({true, "", 1 << 20, 1 << 20, ""});
  auto compile = [&](const char *text) {
    steps.clear();
    kern::Trace trace([&](const kern::TraceEvent &event) {
      steps.push_back(std::string(event.step) + " " + event.name +
                      (event.has_succeeded ? "" : ": no"));
    });
    auto source = CachedSource::open({"a.kern", text}, cache);
    if (!source)
      return;
    const FunctionInfo &f = (*source)->manifest().functions[0];
    auto loop =
        (*source)->specialise(f, std::vector{ArgType::typed(DType::F32)});
    ASSERT_TRUE(loop) << loop.error().message;
    auto code = (*source)->kernel(f, *loop, {Form::Contiguous, false},
                                  {CodeTarget::Kind::Cuda, 90});
    EXPECT_TRUE(code) << code.error().message;
  };
  using Steps = std::vector<std::string>;
  const char *text = "ufunc f(x): return x * x\n";
  compile(text);
  EXPECT_EQ(steps, (Steps{"find module: no", "parse a.kern", "store module",
                          "find f: no", "specialise f", "store f", "find f: no",
                          "kernel f", "store f"}));
  compile(text);
  EXPECT_EQ(steps, (Steps{"find module", "find f", "find f"}));
  compile("ufunc f(x): return y\n");
  EXPECT_EQ(steps, (Steps{"find module: no", "parse a.kern: no"}));
}
