//===- ValueTest.cpp - numbers on the command line ------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/kern/values/Value.h"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstring>
#include <limits>

namespace kern::cli {

using namespace runtime;

namespace {

template <typename T> T typed(std::string_view text, kern_dtype type) {
  Expected<kern_value> value = parseValue(text);
  T result{};
  if (!value) {
    ADD_FAILURE() << text << ": " << value.error().message;
    return result;
  }
  EXPECT_EQ(value->kind, KERN_VALUE_SCALAR) << text;
  EXPECT_EQ(value->dtype, type) << text;
  std::memcpy(&result, value->as.bits, sizeof result);
  return result;
}

int64_t weakInt(std::string_view text) {
  Expected<kern_value> value = parseValue(text);
  if (!value) {
    ADD_FAILURE() << text << ": " << value.error().message;
    return 0;
  }
  EXPECT_EQ(value->kind, KERN_VALUE_WEAK_INT) << text;
  return value->as.integer;
}

double weakFloat(std::string_view text) {
  Expected<kern_value> value = parseValue(text);
  if (!value) {
    ADD_FAILURE() << text << ": " << value.error().message;
    return 0;
  }
  EXPECT_EQ(value->kind, KERN_VALUE_WEAK_FLOAT) << text;
  return value->as.real;
}

std::complex<double> weakComplex(std::string_view text) {
  Expected<kern_value> value = parseValue(text);
  if (!value) {
    ADD_FAILURE() << text << ": " << value.error().message;
    return 0;
  }
  EXPECT_EQ(value->kind, KERN_VALUE_WEAK_COMPLEX) << text;
  return {value->as.complex_parts[0], value->as.complex_parts[1]};
}

std::string refusal(std::string_view text) {
  Expected<kern_value> value = parseValue(text);
  if (value) {
    ADD_FAILURE() << text << " was taken";
    return "";
  }
  EXPECT_EQ(value.error().status, KERN_ERROR_ARGUMENT);
  return value.error().message;
}

TEST(Value, WeakIntegers) {
  EXPECT_EQ(weakInt("1"), 1);
  EXPECT_EQ(weakInt("-5"), -5);
  EXPECT_EQ(weakInt("+5"), 5);
  EXPECT_EQ(weakInt("0xff"), 255);
  EXPECT_EQ(weakInt("-0b101"), -5);
  EXPECT_EQ(weakInt("0o17"), 15);
  EXPECT_EQ(weakInt("1_000_000"), 1000000);
  EXPECT_EQ(weakInt("9223372036854775807"),
            std::numeric_limits<int64_t>::max());
  EXPECT_EQ(weakInt("-9223372036854775808"),
            std::numeric_limits<int64_t>::min());
}

TEST(Value, WeakFloats) {
  EXPECT_EQ(weakFloat("-0.5"), -0.5);
  EXPECT_EQ(weakFloat(".5"), 0.5);
  EXPECT_EQ(weakFloat("5."), 5.0);
  EXPECT_EQ(weakFloat("1e3"), 1000.0);
  EXPECT_EQ(weakFloat("1.5E-2"), 0.015);
  EXPECT_EQ(weakFloat("inf"), INFINITY);
  EXPECT_EQ(weakFloat("-inf"), -INFINITY);
  EXPECT_EQ(weakFloat("1e400"), INFINITY);
  EXPECT_TRUE(std::isnan(weakFloat("nan")));
  EXPECT_TRUE(std::signbit(weakFloat("-0.0")));
}

TEST(Value, WeakComplex) {
  EXPECT_EQ(weakComplex("2j"), std::complex<double>(0, 2));
  EXPECT_EQ(weakComplex("-2.5j"), std::complex<double>(0, -2.5));
  EXPECT_EQ(weakComplex("1+2j"), std::complex<double>(1, 2));
  EXPECT_EQ(weakComplex("(1.5-2e1j)"), std::complex<double>(1.5, -20));
  EXPECT_EQ(weakComplex("1e-3+infj"), std::complex<double>(1e-3, INFINITY));
}

TEST(Value, BoolIsTyped) {
  EXPECT_EQ(typed<bool>("True", KERN_BOOL), true);
  EXPECT_EQ(typed<bool>("False", KERN_BOOL), false);
  EXPECT_EQ(typed<bool>("bool(0)", KERN_BOOL), false);
  EXPECT_EQ(typed<bool>("bool(nan)", KERN_BOOL), true);
}

TEST(Value, TypedNumbers) {
  EXPECT_EQ(typed<float>("f32(0.1)", KERN_F32), 0.1f);
  EXPECT_EQ(typed<float>("float32(1)", KERN_F32), 1.0f);
  // 2^24 + 1 lies between two floats and goes to the even one.
  EXPECT_EQ(typed<float>("f32(16777217)", KERN_F32), 16777216.0f);
  EXPECT_EQ(typed<double>("f64(-inf)", KERN_F64), -INFINITY);
  EXPECT_EQ(typed<uint8_t>("u8(200)", KERN_U8), 200);
  EXPECT_EQ(typed<int8_t>("i8(-128)", KERN_I8), -128);
  EXPECT_EQ(typed<uint64_t>("u64(18446744073709551615)", KERN_U64),
            std::numeric_limits<uint64_t>::max());
  EXPECT_EQ(typed<int64_t>("i64(-9223372036854775808)", KERN_I64),
            std::numeric_limits<int64_t>::min());
  EXPECT_EQ(typed<std::complex<float>>("c64(1+2j)", KERN_C64),
            std::complex<float>(1, 2));
  EXPECT_EQ(typed<std::complex<double>>("c128(3)", KERN_C128),
            std::complex<double>(3, 0));
  EXPECT_EQ(typed<uint16_t>("f16(0.5)", KERN_F16), 0x3800);
  EXPECT_EQ(typed<uint16_t>("bf16(1.0)", KERN_BF16), 0x3f80);
}

TEST(Value, FloatsConvertToIntegersAsInKern) {
  EXPECT_EQ(typed<int32_t>("i32(-1.9)", KERN_I32), -1);
  EXPECT_EQ(typed<int32_t>("i32(nan)", KERN_I32), 0);
  EXPECT_EQ(typed<int32_t>("i32(1e30)", KERN_I32),
            std::numeric_limits<int32_t>::max());
  EXPECT_EQ(typed<int64_t>("i64(-inf)", KERN_I64),
            std::numeric_limits<int64_t>::min());
  EXPECT_EQ(typed<int64_t>("i64(9223372036854775807.0)", KERN_I64),
            std::numeric_limits<int64_t>::max());
  EXPECT_EQ(typed<uint8_t>("u8(-1.0)", KERN_U8), 0);
}

TEST(Value, Refusals) {
  EXPECT_EQ(refusal("u8(256)"), "'u8(256)': 256 is out of range for u8");
  EXPECT_EQ(refusal("u8(-1)"), "'u8(-1)': -1 is out of range for u8");
  EXPECT_EQ(refusal("i8(128)"), "'i8(128)': 128 is out of range for i8");
  EXPECT_EQ(refusal("9223372036854775808"),
            "'9223372036854775808' is out of range for i64; "
            "u64(9223372036854775808) holds it");
  EXPECT_EQ(refusal("99999999999999999999999"),
            "'99999999999999999999999' is out of range: no integer type "
            "holds it");
  EXPECT_EQ(refusal("f32(2j)"),
            "'f32(2j)': a complex number does not convert to f32");
  EXPECT_EQ(refusal("f99(1)"), "'f99(1)': there is no type 'f99'");
  for (std::string_view text :
       {"", "-", "abc", "1x", "1 2", "0x", "0xg", "1__0", "_1", "1e", "e5",
        "--1", ".", "1+2", "1+j", "()", "f32()", "true", "0x-5"})
    EXPECT_NE(refusal(text).find("is not a number"), std::string::npos) << text;
}

TEST(Value, NegativeNumbersAreNoOptions) {
  for (std::string_view text : {"-1", "-.5", "-inf", "-nan", "-2j", "-1x"})
    EXPECT_TRUE(looksLikeNegativeNumber(text)) << text;
  for (std::string_view text : {"-", "--", "-o", "--device", "1", "", "-v"})
    EXPECT_FALSE(looksLikeNegativeNumber(text)) << text;
}

} // namespace
TEST(Value, Ranges) {
  auto range = [](std::string_view text) {
    Expected<std::optional<kern_range>> read = parseRange(text);
    return read && *read
               ? std::vector{(*read)->start, (*read)->stop, (*read)->step}
               : std::vector<int64_t>{};
  };
  EXPECT_EQ(range("0:100:2"), (std::vector<int64_t>{0, 100, 2}));
  EXPECT_EQ(range("5:7"), (std::vector<int64_t>{5, 7, 1}));
  EXPECT_EQ(range(":7"), (std::vector<int64_t>{0, 7, 1}));
  EXPECT_EQ(range("-3:-9:-1"), (std::vector<int64_t>{-3, -9, -1}));
  for (const char *text :
       {"", ":", "1", "1:", "1:2:", "1::2", "1:2:3:4", "a:b", "1:2.5", "1 :2"})
    EXPECT_TRUE(range(text).empty()) << text;
  EXPECT_FALSE(parseRange("0:9223372036854775808"));
}

} // namespace kern::cli
