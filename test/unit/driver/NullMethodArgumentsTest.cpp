//===- NullMethodArgumentsTest.cpp - NULL for each pointer of methods -----===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// As NullArgumentsTest.cpp, for kern/methods.h.
//
//===----------------------------------------------------------------------===//
#include "kern/methods.h"

#include <cstring>
#include <gtest/gtest.h>

namespace {
class NullMethodArguments : public testing::Test {
protected:
  kern_module *module = nullptr;
  kern_function *f = nullptr;
  double number = 2;
  int64_t extent = 1;
  DLTensor tensor = {&number, {kDLCPU, 0}, 1, {kDLFloat, 64, 1},
                     &extent, nullptr,     0};
  const DLTensor *outputs[1] = {&tensor};
  kern_value array = {};

  void SetUp() override {
    const char *text = "ufunc f(x: f64, y: f64) -> f64:\n    return x - y\n";
    ASSERT_EQ(kern_compile_source(text, std::strlen(text), "n.kern", &module),
              KERN_OK);
    ASSERT_EQ(kern_module_find(module, "f", &f), KERN_OK);
    array.kind = KERN_VALUE_ARRAY;
    array.as.array = &tensor;
  }
  void TearDown() override { kern_module_release(module); }

  /// The call is refused, with a message that says what is missing.
  void expectMissing(kern_status status, const char *what) {
    EXPECT_EQ(status, KERN_ERROR_ARGUMENT);
    EXPECT_NE(std::strstr(kern_last_error(), what), nullptr)
        << kern_last_error();
  }
  kern_method_call empty() const {
    kern_method_call call = {};
    call.size = sizeof call;
    return call;
  }
};
} // namespace

TEST_F(NullMethodArguments, OfReductions) {
  auto reduce = [&](kern_function *function, const kern_value *given,
                    const DLTensor *output) {
    return kern_reduce(function, given, nullptr, output, nullptr, nullptr,
                       nullptr);
  };
  expectMissing(reduce(nullptr, &array, &tensor), "the function");
  expectMissing(reduce(f, nullptr, &tensor), "the array");
  expectMissing(reduce(f, &array, nullptr), "no place for result 1");
  auto accumulate = [&](kern_function *function, const kern_value *given,
                        const DLTensor *output) {
    return kern_accumulate(function, given, output, nullptr, nullptr, nullptr);
  };
  expectMissing(accumulate(nullptr, &array, &tensor), "the function");
  expectMissing(accumulate(f, nullptr, &tensor), "the array");
  expectMissing(accumulate(f, &array, nullptr), "no place for result 1");
  EXPECT_EQ(accumulate(f, &array, &tensor), KERN_OK) << kern_last_error();
  auto reduceat = [&](kern_function *function, const kern_value *given,
                      const kern_value *indices, const DLTensor *output) {
    return kern_reduceat(function, given, indices, output, nullptr, nullptr,
                         nullptr);
  };
  expectMissing(reduceat(nullptr, &array, &array, &tensor), "the function");
  expectMissing(reduceat(f, nullptr, &array, &tensor), "the array");
  expectMissing(reduceat(f, &array, nullptr, &tensor), "indices");
  expectMissing(reduceat(f, &array, &array, nullptr), "no place for result 1");
  kern_value none = array;
  none.as.array = nullptr;
  expectMissing(reduce(f, &none, &tensor), "the array is missing");
}

TEST_F(NullMethodArguments, OfAtAndOuter) {
  auto at = [&](kern_function *function, const DLTensor *changed,
                const kern_value *indices, const kern_value *operand) {
    return kern_at(function, changed, indices, 1, operand, nullptr, nullptr);
  };
  expectMissing(at(nullptr, &tensor, &array, &array), "the function");
  expectMissing(at(f, nullptr, &array, &array), "the array");
  expectMissing(at(f, &tensor, nullptr, &array), "indices");
  expectMissing(at(f, &tensor, &array, nullptr), "at without an operand");
  auto outer = [&](kern_function *function, const kern_value *a,
                   const kern_value *b, const DLTensor *const *places) {
    return kern_outer(function, a, b, places, nullptr, 1, nullptr, nullptr);
  };
  expectMissing(outer(nullptr, &array, &array, outputs), "the function");
  expectMissing(outer(f, nullptr, &array, outputs), "the first array");
  expectMissing(outer(f, &array, nullptr, outputs), "the second array");
  expectMissing(outer(f, &array, &array, nullptr), "no place for result 1");
}

TEST_F(NullMethodArguments, ForBindings) {
  kern_method_call call = empty();
  auto resolve = [&](kern_function *function, const DLTensor *given,
                     kern_method_call *place) {
    return kern_method_resolve(function, KERN_METHOD_REDUCE, given,
                               KERN_START_DEFAULT, nullptr, nullptr, place);
  };
  expectMissing(resolve(nullptr, &tensor, &call), "the function");
  expectMissing(resolve(f, nullptr, &call), "the array");
  expectMissing(resolve(f, &tensor, nullptr), "the place for the call");
  tensor.data = nullptr;
  EXPECT_EQ(resolve(f, &tensor, &call), KERN_OK) << kern_last_error();
  kern_function *gufunc = f;
  expectMissing(kern_method_resolve_at(nullptr, KERN_F64, KERN_F64, 0, &gufunc),
                "the function");
  EXPECT_EQ(gufunc, nullptr);
  expectMissing(kern_method_resolve_at(f, KERN_F64, KERN_F64, 0, nullptr),
                "the place for the function");
  int64_t position = 0;
  expectMissing(kern_find_outside(nullptr, 0, 1, &position), "indices");
  expectMissing(kern_find_outside(&tensor, 0, 1, nullptr), "the position");
}
