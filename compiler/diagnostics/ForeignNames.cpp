//===- ForeignNames.cpp - names of other languages ------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/diagnostics/ForeignNames.h"

#include <utility>

namespace kern {

std::string_view kernNameOf(std::string_view name) {
  static constexpr std::pair<std::string_view, std::string_view> names[] = {
      {"true", "True"},    {"TRUE", "True"},     {"false", "False"},
      {"FALSE", "False"},  {"null", "nan"},      {"NULL", "nan"},
      {"nil", "nan"},      {"nullptr", "nan"},   {"NaN", "nan"},
      {"NAN", "nan"},      {"Inf", "inf"},       {"INF", "inf"},
      {"Infinity", "inf"}, {"infinity", "inf"},  {"INFINITY", "inf"},
      {"PI", "pi"},        {"Pi", "pi"},         {"M_PI", "pi"},
      {"M_E", "e"},        {"double", "f64"},    {"float64_t", "f64"},
      {"single", "f32"},   {"float32_t", "f32"}, {"half", "f16"},
      {"__half", "f16"},   {"real", "f64"},      {"long", "i64"},
      {"integer", "i64"},  {"short", "i16"},     {"char", "i8"},
      {"byte", "u8"},      {"unsigned", "u32"},  {"uint", "u64"},
      {"size_t", "u64"},   {"int8_t", "i8"},     {"int16_t", "i16"},
      {"int32_t", "i32"},  {"int64_t", "i64"},   {"uint8_t", "u8"},
      {"uint16_t", "u16"}, {"uint32_t", "u32"},  {"uint64_t", "u64"},
      {"float_", "f64"},   {"int_", "i64"},      {"bool_", "bool"},
      {"boolean", "bool"}, {"csingle", "c64"},   {"cdouble", "c128"},
      {"fabsf", "abs"},    {"ln", "log"},        {"length", "len"},
      {"average", "mean"}, {"ceiling", "ceil"},  {"int", "i64"},
      {"float", "f64"},    {"complex", "c128"}};
  for (auto [foreign, ours] : names)
    if (name == foreign)
      return ours;
  return {};
}

} // namespace kern
