//===- SignatureTest.cpp - signatures of the command line -----------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/driver/Signature.h"

#include "gtest/gtest.h"

using namespace kern::compiler;
using namespace kern::runtime;
using Types = std::vector<DType>;

namespace {

TEST(Signature, Forms) {
  struct Row {
    const char *text, *function;
    Types results, parameters;
  };
  const Row table[] = {
      {"f32(f32, f32)", "", {DType::F32}, {DType::F32, DType::F32}},
      {"(i64, f64)(f32)", "", {DType::I64, DType::F64}, {DType::F32}},
      {"(f32, u8)", "", {}, {DType::F32, DType::U8}},
      {"hypot: f64(f64,f64)", "hypot", {DType::F64}, {DType::F64, DType::F64}},
      {" f :(bool) ", "f", {}, {DType::Bool}},
      {"i64()", "", {DType::I64}, {}},
      {"()", "", {}, {}},
      {"(c64,)", "", {}, {DType::C64}},
      {"float32(int64)", "", {DType::F32}, {DType::I64}},
  };
  for (const Row &row : table) {
    std::optional<Signature> signature = parseSignature(row.text);
    ASSERT_TRUE(signature) << row.text;
    EXPECT_EQ(signature->function, row.function) << row.text;
    EXPECT_EQ(signature->results, row.results) << row.text;
    EXPECT_EQ(signature->parameters, row.parameters) << row.text;
  }
}

TEST(Signature, Refusals) {
  for (const char *text :
       {"", " ", "f32", "f32(", "f32(f32", "f32)f32(", "(f32)(f32)(f32)",
        "f33(f32)", "f32(f31)", "f32(f32 f32)", "f32(,)", "(f32,,f32)",
        "f32(f32) f32", ": f32(f32)", "a: b: f32(f32)", "hypot:", "f(f32)"})
    EXPECT_FALSE(parseSignature(text)) << text;
}

TEST(Signature, TheMistakeIsFound) {
  struct {
    const char *text;
    size_t mistake;
  } rows[] = {{"", 0},          {"f33(f32)", 0}, {"f32(f32, f31)", 9},
              {"f32(f32", 7},   {"f32 f32", 4},  {"f32(f32) x", 9},
              {"f: i9(f32)", 3}};
  for (auto &row : rows) {
    size_t mistake = 99;
    EXPECT_FALSE(parseSignature(row.text, &mistake));
    EXPECT_EQ(mistake, row.mistake) << row.text;
  }
}

} // namespace
