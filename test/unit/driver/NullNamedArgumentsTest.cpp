//===- NullNamedArgumentsTest.cpp - NULL for names and defaults -----------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// As NullArgumentsTest.cpp, for arguments by name and for defaults.
//
//===----------------------------------------------------------------------===//
#include "kern/options.h"
#include "kern/reflection.h"

#include <cstring>
#include <gtest/gtest.h>

static const char *text = "ufunc add(x: f64, y: f64 = 1) -> f64:\n"
                          "    return x + y\n";

TEST(NullNamedArguments, AreRefused) {
  kern_module *module = nullptr;
  ASSERT_EQ(kern_compile_source(text, std::strlen(text), nullptr, &module),
            KERN_OK);
  kern_function *add = nullptr;
  ASSERT_EQ(kern_module_find(module, "add", &add), KERN_OK);
  kern_value value = {KERN_VALUE_WEAK_INT, KERN_I64, {nullptr}}, bound[2];
  const char *const name = "x", *const none = nullptr;
  EXPECT_STREQ(kern_function_default_text(nullptr, 0), "");
  const kern_status refused[] = {
      kern_function_default(nullptr, 0, &value),
      kern_function_default(add, 1, nullptr),
      kern_bind_arguments(nullptr, &value, 1, nullptr, nullptr, 0, bound, 2),
      kern_bind_arguments(add, nullptr, 1, nullptr, nullptr, 0, bound, 2),
      kern_bind_arguments(add, nullptr, 0, nullptr, &value, 1, bound, 2),
      kern_bind_arguments(add, nullptr, 0, &name, nullptr, 1, bound, 2),
      kern_bind_arguments(add, nullptr, 0, &none, &value, 1, bound, 2),
      kern_bind_arguments(add, &value, 1, nullptr, nullptr, 0, nullptr, 2),
      kern_bind_arguments(add, &value, 1, nullptr, nullptr, 0, bound, 1)};
  for (kern_status status : refused)
    EXPECT_EQ(status, KERN_ERROR_ARGUMENT);
  EXPECT_EQ(kern_function_default(add, 0, &value), KERN_ERROR_NOT_FOUND);
  EXPECT_EQ(kern_bind_arguments(add, nullptr, 0, &name, &value, 1, bound, 2),
            KERN_OK);
  EXPECT_EQ(bound[1].kind, KERN_VALUE_SCALAR);
  EXPECT_EQ(bound[1].dtype, KERN_F64) << "as it is declared";
  EXPECT_EQ(bound[1].as.real, 1.0);
  kern_module_release(module);
}
