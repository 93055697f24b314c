//===- MethodTextTest.cpp - the sources of methods' gufuncs ---------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/driver/MethodText.h"

#include <gtest/gtest.h>

using namespace kern::compiler;
using namespace kern::runtime;
using Start = MethodGufunc::Start;
using Second = MethodGufunc::Second;

namespace {
FunctionInfo functionWith(std::string identity = "") {
  FunctionInfo out;
  out.name = "f";
  out.identity = std::move(identity);
  return out;
}
bool has(const std::string &text, std::string_view part) {
  return text.find(part) != text.npos;
}
} // namespace

TEST(MethodText, ReducesInOrderUnlessItMayRegroup) {
  MethodGufunc wanted;
  wanted.value = wanted.element = wanted.taken = DType::F32;
  const std::string inOrder = methodText("", functionWith(), wanted);
  EXPECT_EQ(inOrder, "\ngufunc f_reduce(k_v: f32[k_n]) -> f32:\n"
                     "    k_acc: f32 = f32(k_v[0])\n"
                     "    for k_i in range(1, k_n):\n"
                     "        k_acc = f(k_acc, f32(k_v[k_i]))\n"
                     "    return k_acc\n");
  wanted.start = Start::Identity;
  wanted.regroups = true;
  EXPECT_EQ(methodText("", functionWith("-inf"), wanted),
            "\ngufunc f_reduce(k_v: f32[k_n]) -> f32:\n"
            "    return fold(f, f32(-inf), k_v)\n");
  wanted.start = Start::Given;
  wanted.masked = true;
  EXPECT_EQ(
      methodText("", functionWith("0"), wanted),
      "\ngufunc f_reduce(k_initial: f32, k_v: f32[k_n], k_where: "
      "bool[k_n]) -> f32:\n"
      "    return fold(f, k_initial, (f32(k_v[k_i]) for k_i in range(k_n) "
      "if k_where[k_i]))\n");
  wanted.regroups = false;
  EXPECT_TRUE(has(methodText("", functionWith(), wanted),
                  "        if k_where[k_i]:\n"
                  "            k_acc = f(k_acc, f32(k_v[k_i]))\n"));
}

TEST(MethodText, CombinesBoolsUntilTheyAreDecided) {
  MethodGufunc wanted;
  wanted.value = wanted.element = wanted.taken = DType::Bool;
  auto of = [&](std::string_view expression, std::string identity = "") {
    return methodText("ufunc f(x, y):\n    return " + std::string(expression) +
                          "\n",
                      functionWith(std::move(identity)), wanted);
  };
  EXPECT_EQ(of("x and y"), "\ngufunc f_reduce(k_v: bool[k_n]) -> bool:\n"
                           "    return all(k_v)\n");
  for (const char *other : {"x & y", "x * y", "minimum(x, y)"})
    EXPECT_TRUE(has(of(other), "    return all(k_v)\n")) << other;
  for (const char *other : {"x or y", "x | y", "x + y", "np.logical_or(x, y)"})
    EXPECT_TRUE(has(of(other), "    return any(k_v)\n")) << other;
  EXPECT_FALSE(has(of("x ^ y"), "any("));
  EXPECT_FALSE(has(methodText("ufunc f(x, y):\n    return x or y\n"
                              "ufunc any(x):\n    return x\n",
                              functionWith(), wanted),
                   "any("));
  wanted.start = Start::Identity;
  EXPECT_TRUE(
      has(of("x and y", "True"), "    return f(bool(True), all(k_v))\n"));
  wanted.start = Start::Given;
  wanted.masked = true;
  EXPECT_TRUE(has(of("x or y"),
                  "    return f(k_initial, any((bool(k_v[k_i]) for k_i in "
                  "range(k_n) if k_where[k_i])))\n"));
  wanted.value = DType::I32;
  EXPECT_FALSE(has(of("x or y"), "any("));
}

TEST(MethodText, ConvertsElementsThatAreOfAnotherType) {
  MethodGufunc wanted;
  wanted.value = wanted.taken = DType::F64;
  wanted.element = DType::F32;
  wanted.regroups = true;
  EXPECT_EQ(methodText("", functionWith(), wanted),
            "\ngufunc f_reduce(k_v: f32[k_n]) -> f64:\n"
            "    k_acc: f64 = f64(k_v[0])\n"
            "    for k_i in range(1, k_n):\n"
            "        k_acc = f(k_acc, f64(k_v[k_i]))\n"
            "    return k_acc\n");
  wanted.start = Start::Identity;
  EXPECT_EQ(
      methodText("", functionWith("1"), wanted),
      "\ngufunc f_reduce(k_v: f32[k_n]) -> f64:\n"
      "    return fold(f, f64(1), (f64(k_v[k_i]) for k_i in range(k_n)))\n");
  wanted.method = Method::Accumulate;
  EXPECT_EQ(methodText("", functionWith(), wanted),
            "\ngufunc f_accumulate(k_v: f32[k_n]) -> (k_y: f64[k_n]):\n"
            "    if k_n > 0:\n"
            "        k_acc: f64 = f64(k_v[0])\n"
            "        k_y[0] = k_acc\n"
            "        for k_i in range(1, k_n):\n"
            "            k_acc = f(k_acc, f64(k_v[k_i]))\n"
            "            k_y[k_i] = k_acc\n");
}

TEST(MethodText, CombinesFourRowsAtOnceWhereThatIsKnownToBeCheap) {
  MethodGufunc wanted;
  wanted.value = wanted.element = wanted.taken = DType::F32;
  wanted.columns = true;
  EXPECT_EQ(
      methodText("ufunc f(x, y):\n    return x + y\n", functionWith(), wanted),
      "\ngufunc f_reduce(k_v: f32[k_n, k_m]) -> (k_y: f32[k_m]):\n"
      "    for k_j in prange(k_m):\n"
      "        k_y[k_j] = f32(k_v[0, k_j])\n"
      "    k_fours = (k_n - 1) // 4\n"
      "    for k_k in range(k_fours):\n"
      "        k_i = 4 * k_k + 1\n"
      "        for k_j in prange(k_m):\n"
      "            k_y[k_j] = f(f(f(f(k_y[k_j], f32(k_v[k_i, k_j])), "
      "f32(k_v[k_i + 1, k_j])), f32(k_v[k_i + 2, k_j])), "
      "f32(k_v[k_i + 3, k_j]))\n"
      "    for k_i in range(4 * k_fours + 1, k_n):\n"
      "        for k_j in prange(k_m):\n"
      "            k_y[k_j] = f(k_y[k_j], f32(k_v[k_i, k_j]))\n");
  EXPECT_FALSE(has(methodText("ufunc f(x, y):\n    return hypot(x, y)\n",
                              functionWith(), wanted),
                   "fours"));
  wanted.value = DType::Bool;
  wanted.start = Start::Identity;
  const std::string both =
      methodText("ufunc f(x, y):\n    return np.logical_and(x, y)\n",
                 functionWith("True"), wanted);
  EXPECT_TRUE(has(both, "    for k_i in range(4 * k_fours, k_n):\n"
                        "        for k_j in prange(k_m):\n"
                        "            k_y[k_j] = k_y[k_j] & "
                        "(bool(f32(k_v[k_i, k_j])))\n"))
      << both;
}

TEST(MethodText, SumsFloatsBySum) {
  MethodGufunc wanted;
  wanted.value = wanted.element = wanted.taken = DType::F32;
  wanted.start = Start::Identity;
  wanted.regroups = true;
  const std::string sum = "ufunc f(x, y):\n    \"Both.\"\n    return x + y\n";
  const std::string product = "ufunc f(x, y):\n    return x * y\n";
  EXPECT_EQ(methodText(sum, functionWith("0"), wanted),
            "\ngufunc f_reduce(k_v: f32[k_n]) -> f32:\n"
            "    return sum(k_v)\n");
  EXPECT_TRUE(
      has(methodText(product, functionWith("1.0"), wanted), "prod(k_v)"));
  EXPECT_TRUE(has(methodText(product, functionWith("2"), wanted), "fold"));
  EXPECT_TRUE(has(methodText(sum, functionWith("-0.0"), wanted), "fold"));
  EXPECT_TRUE(has(methodText(sum + "gufunc g(v: f32[n]):\n    return sum(v)\n",
                             functionWith("0"), wanted),
                  "sum(k_v)"));
  for (const char *own :
       {"def sum(x):\n    return x\n", "const sum = 1\n", "import sum\n",
        "import m as sum\n", "from m import sum\n", "from m import a as sum\n"})
    EXPECT_TRUE(has(methodText(own + sum, functionWith("0"), wanted), "fold"))
        << own;
  for (const char *other :
       {"ufunc f(x, y):\n    return y + x\n", "ufunc f(x, y):\n    z = x\n"
                                              "    return z + y\n"})
    EXPECT_TRUE(has(methodText(other, functionWith("0"), wanted), "fold"));
  wanted.masked = true;
  EXPECT_EQ(methodText(sum, functionWith("0"), wanted),
            "\ngufunc f_reduce(k_v: f32[k_n], k_where: bool[k_n]) -> f32:\n"
            "    return sum((f32(k_v[k_i]) for k_i in range(k_n) if "
            "k_where[k_i]))\n");
  wanted.masked = false;
  wanted.start = Start::Given;
  EXPECT_EQ(methodText(sum, functionWith("0"), wanted),
            "\ngufunc f_reduce(k_initial: f32, k_v: f32[k_n]) -> f32:\n"
            "    return f(k_initial, sum(k_v))\n");
  wanted.start = Start::Identity;
  wanted.value = wanted.element = wanted.taken = DType::BF16;
  EXPECT_TRUE(has(methodText(sum, functionWith("0"), wanted), "sum(k_v)"));
  wanted.value = wanted.element = wanted.taken = DType::I32;
  EXPECT_TRUE(has(methodText(sum, functionWith("0"), wanted), "fold"));
}

TEST(MethodText, ConvertsWhatAtStores) {
  MethodGufunc wanted;
  wanted.method = Method::At;
  wanted.value = DType::I32;
  wanted.taken = DType::F64;
  wanted.returned = DType::C128;
  wanted.element = DType::F64;
  wanted.second = Second::Number;
  wanted.indexCount = 2;
  EXPECT_EQ(methodText("", functionWith(), wanted),
            "\ngufunc f_at(inout k_x: i32[k_n0, k_n1], k_at0: i64[k_k], "
            "k_at1: i64[k_k], k_b: f64):\n"
            "    for k_j in range(k_k):\n"
            "        k_i0 = k_at0[k_j]\n"
            "        if k_i0 < 0:\n"
            "            k_i0 += k_n0\n"
            "        k_i1 = k_at1[k_j]\n"
            "        if k_i1 < 0:\n"
            "            k_i1 += k_n1\n"
            "        k_old = k_x[k_i0, k_i1]\n"
            "        k_new = f(f64(k_old), k_b)\n"
            "        k_x[k_i0, k_i1] = i32(real(k_new))\n");
}

TEST(MethodText, AddsIntegersAtIndicesInAnyOrder) {
  MethodGufunc wanted;
  wanted.method = Method::At;
  wanted.value = wanted.taken = wanted.returned = wanted.element = DType::I32;
  wanted.second = Second::Array;
  const FunctionInfo f = functionWith();
  const std::string sum = "ufunc f(x, y):\n    return x + y\n";
  EXPECT_EQ(methodText(sum, f, wanted),
            "\ngufunc f_at(inout k_x: i32[k_n0], k_at0: i64[k_k], k_b: "
            "i32[k_k]):\n"
            "    for k_j in prange(k_k):\n"
            "        k_i0 = k_at0[k_j]\n"
            "        if k_i0 < 0:\n"
            "            k_i0 += k_n0\n"
            "        k_x[k_i0] += k_b[k_j]\n");
  for (const char *other : {"ufunc f(x, y):\n    return y + x\n",
                            "ufunc f(x, y):\n    return x - y\n",
                            "ufunc f(x, y):\n    return x + 1\n",
                            "ufunc f(x, y):\n    z = x\n    return x + y\n",
                            "ufunc g(x, y):\n    return x + y\n"})
    EXPECT_FALSE(has(methodText(other, f, wanted), "prange")) << other;
  wanted.returned = DType::I64;
  EXPECT_FALSE(has(methodText(sum, f, wanted), "prange"));
  wanted.value = wanted.taken = wanted.returned = wanted.element = DType::F32;
  EXPECT_FALSE(has(methodText(sum, f, wanted), "prange"));
}

TEST(MethodText, TakesNoNameOfTheSource) {
  const std::string source = "const k_n = 1\nufunc f_reduce(a, b):\n"
                             "    return a + b\nufunc k1_(x):\n    return x\n";
  const std::string text = methodText(source, functionWith(), {});
  EXPECT_TRUE(has(text, "gufunc f_reduce_(k2_v: f64[k2_n])")) << text;
}

TEST(MethodText, FollowsASourceWithoutALastLine) {
  JitText source;
  source.name = "s.kern";
  source.text = "ufunc f(x, y): return x - y  # no end";
  source.remarks = true;
  const JitText made = withMethod(source, functionWith(), {});
  EXPECT_TRUE(made.text.starts_with(source.text + "\n"));
  EXPECT_EQ(made.name, source.name);
  EXPECT_FALSE(made.remarks);
}
