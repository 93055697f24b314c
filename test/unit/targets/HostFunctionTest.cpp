//===- HostFunctionTest.cpp - elementary functions on the CPU -------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/targets/host/Functions.h"
#include "compiler/targets/nvptx/Codegen.h"
#include "test/unit/targets/HostKernel.h"

#include "gtest/gtest.h"

#include <thread>

using namespace kern::test;
using kern::runtime::DType;

static std::string unary(const std::string &function, const std::string &type) {
  std::string callee = "@kern." + function + "." + type;
  return "func.func private " + callee + "(" + type + ") -> " + type +
         "\nloop.kernel @f kind(ufunc) (%a: " + type + ") -> (" + type +
         ") attributes {num_inputs = 1 : i64, num_dims = 0 : i64, "
         "output_ranks = array<i64: 0>} {\n  %r = func.call " +
         callee + "(%a) : (" + type + ") -> " + type +
         "\n  loop.return %r : " + type + "\n}\n";
}

TEST(HostFunction, CallsTheCLibrary) {
  HostKernel kernel(unary("exp", "f64"));
  std::vector<double> x = {0, 1, -1}, y(3);
  kernel.map("f", 3, {kernel.runOf(x), kernel.runOf(y)});
  EXPECT_EQ(y[0], 1.0);
  EXPECT_NEAR(y[1], 2.718281828459045, 1e-15);
  EXPECT_NEAR(y[2], 0.36787944117144233, 1e-16);
}

TEST(HostFunction, RefusesWhatItDoesNotKnow) {
  EXPECT_EQ(kern::compiler::host::functionSymbol({"frobnicate", DType::F32}),
            "");
  EXPECT_EQ(kern::compiler::host::functionSymbol({"exp", DType::F16}), "");
  EXPECT_EQ(kern::compiler::host::functionSymbol({"exp", DType::F32}), "expf");
  EXPECT_EQ(kern::compiler::host::functionSymbol({"erf", DType::F64}), "erf");
  EXPECT_EQ(kern::compiler::host::scalarSymbol({"exp", DType::F32}),
            "kern.scalar.expf");
  EXPECT_EQ(kern::compiler::host::scalarSymbol({"exp", DType::C64}), "");
  EXPECT_EQ(kern::compiler::nvptx::functionSymbol({"pow", DType::F32}),
            "__nv_powf");
  EXPECT_EQ(kern::compiler::nvptx::functionSymbol({"pow", DType::F64}),
            "__nv_pow");
  EXPECT_EQ(kern::compiler::nvptx::functionSymbol({"exp", DType::I32}), "");
}

TEST(HostFunction, EveryAddressIsThere) {
  EXPECT_GT(kern::compiler::host::functionAddresses().size(), 50u);
  for (auto [symbol, address] : kern::compiler::host::functionAddresses())
    EXPECT_NE(address, nullptr) << symbol;
}

TEST(HostCompile, RunsInSeveralThreadsAtOnce) {
  std::vector<std::thread> threads;
  std::vector<double> results(4);
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      HostKernel kernel(unary("log2", "f64"));
      double x = double(1 << t);
      kernel.map("f", 1, {{&x, 8}, {&results[t], 8}});
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(results, (std::vector<double>{0, 1, 2, 3}));
}
