//===- HostMistakesTest.cpp - calls that are refused ----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "HostCaller.h"

using namespace kern::runtime;
using namespace kern::test;

namespace {
using HostMistakes = HostCaller;
} // namespace

TEST_F(HostMistakes, EmptyReductionsWithoutValue) {
  std::vector<double> v(3);
  Tensor<double> noColumns(v.data(), {3, 0}), nothing(v.data(), {0, 0});
  EXPECT_EQ(call("largest", {value(noColumns.get())}), KERN_ERROR_SHAPE);
  EXPECT_NE(std::string(kern_last_error()).find("`n`, which is 0"),
            std::string::npos)
      << kern_last_error();
  EXPECT_EQ(call("largest", {value(nothing.get())}), KERN_OK)
      << "no result needs a value";
}

TEST_F(HostMistakes, WeakIntegersAreRangeChecked) {
  float x = 1;
  Tensor<float> a(&x, {1});
  ASSERT_EQ(call("both", {scalar<int32_t>(1), weak(int64_t(1) << 40)}),
            KERN_ERROR_TYPE);
  EXPECT_NE(
      std::string(kern_last_error())
          .find("argument 2 (`y`) is 1099511627776, which does not fit i32"),
      std::string::npos)
      << kern_last_error();
  ASSERT_EQ(call("add", {value(a.get()), weak(int64_t(1) << 40)}), KERN_OK);
}

TEST_F(HostMistakes, Mistakes) {
  auto a = iota<double>(6);
  Tensor<double> x(a.data(), {2, 3}), y(a.data(), {2});
  auto refused = [&](kern_status got, kern_status wanted, const char *what) {
    EXPECT_EQ(got, wanted);
    EXPECT_NE(std::string(kern_last_error()).find(what), std::string::npos)
        << kern_last_error();
  };
  refused(call("add", {weak(1)}), KERN_ERROR_ARGUMENT,
          "`add` takes 2 arguments (x, y), 1 was given");
  refused(call("add", {value(x.get()), value(y.get())}), KERN_ERROR_SHAPE,
          "`x` has shape (2, 3) and `y` has shape (2,)");
  refused(call("total", {weak(1)}), KERN_ERROR_SHAPE,
          "`x` needs 1 core dimension");
  refused(call("add", {value(nullptr), weak(1)}), KERN_ERROR_ARGUMENT,
          "argument 1 (`x`)");
  std::complex<double> c = 1;
  refused(call("add",
               {value(Tensor<std::complex<double>>(&c, {1}).get()), weak(1)}),
          KERN_ERROR_TYPE, "no loop of `add` takes (c128, int)");
  kern_value strange = weak(1);
  strange.kind = kern_value_kind(99);
  refused(call("add", {strange, weak(1)}), KERN_ERROR_ARGUMENT, "kind 99");
  options->call.device = {kDLCUDA, 3};
  refused(call("add", {weak(1), weak(1)}), KERN_ERROR_NOT_FOUND, "cuda:3");
  options->call.device = {kDLVulkan, 0};
  refused(call("add", {weak(1), weak(1)}), KERN_ERROR_ARGUMENT, "type 7");
  kern_function *function = find("add");
  refused(
      kern_call(function, nullptr, 2, nullptr, nullptr, 1, nullptr, nullptr),
      KERN_ERROR_ARGUMENT, "missing");
  refused(
      kern_call(function, nullptr, 0, nullptr, nullptr, 2, nullptr, nullptr),
      KERN_ERROR_ARGUMENT, "has 1 result, 2 were asked for");
}

TEST_F(HostMistakes, NearestNames) {
  std::unique_ptr<kern_module, void (*)(kern_module *)> module(
      makeModule(makeFakeCode()), kern_module_release);
  kern_function *function = nullptr;
  EXPECT_EQ(kern_module_find(module.get(), "matmull", &function),
            KERN_ERROR_NOT_FOUND);
  EXPECT_STREQ(kern_last_error(),
               "there is no function `matmull`; did you mean `matmul`?");
  EXPECT_EQ(kern_module_find(module.get(), "gradient", &function),
            KERN_ERROR_NOT_FOUND);
  EXPECT_NE(std::string(kern_last_error()).find("there are: add, both"),
            std::string::npos);
  EXPECT_STREQ(
      kern_function_signature(kern_module_function_at(module.get(), 5)),
      "(m,k),(k,n)->(m,n)");
}
