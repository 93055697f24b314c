//===- ForeignNames.cpp - names of other languages ------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/diagnostics/ForeignNames.h"

#include <utility>

namespace kern::compiler {

std::string_view kernNameOf(std::string_view name) {
  static constexpr std::pair<std::string_view, std::string_view> names[] = {
      {"true", "True"},    {"TRUE", "True"},      {"false", "False"},
      {"FALSE", "False"},  {"null", "nan"},       {"NULL", "nan"},
      {"nil", "nan"},      {"nullptr", "nan"},    {"NaN", "nan"},
      {"NAN", "nan"},      {"Inf", "inf"},        {"INF", "inf"},
      {"Infinity", "inf"}, {"infinity", "inf"},   {"INFINITY", "inf"},
      {"PI", "pi"},        {"Pi", "pi"},          {"M_PI", "pi"},
      {"M_E", "e"},        {"double", "f64"},     {"float64_t", "f64"},
      {"single", "f32"},   {"float32_t", "f32"},  {"half", "f16"},
      {"__half", "f16"},   {"real", "f64"},       {"long", "i64"},
      {"integer", "i64"},  {"short", "i16"},      {"char", "i8"},
      {"byte", "u8"},      {"unsigned", "u32"},   {"uint", "u64"},
      {"size_t", "u64"},   {"int8_t", "i8"},      {"int16_t", "i16"},
      {"int32_t", "i32"},  {"int64_t", "i64"},    {"uint8_t", "u8"},
      {"uint16_t", "u16"}, {"uint32_t", "u32"},   {"uint64_t", "u64"},
      {"float_", "f64"},   {"int_", "i64"},       {"bool_", "bool"},
      {"boolean", "bool"}, {"csingle", "c64"},    {"cdouble", "c128"},
      {"fabsf", "abs"},    {"ln", "log"},         {"length", "len"},
      {"average", "mean"}, {"ceiling", "ceil"},   {"int", "i64"},
      {"float", "f64"},    {"complex", "c128"},   {"f128", "f64"},
      {"float128", "f64"}, {"longdouble", "f64"}, {"i128", "i64"},
      {"int128", "i64"},   {"u128", "u64"},       {"uint128", "u64"}};
  for (auto [foreign, ours] : names)
    if (name == foreign)
      return ours;
  return {};
}

std::string_view insteadOf(std::string_view name) {
  static constexpr std::string_view tuple =
      "put a few values in a tuple, `(a, b)`; make a local array with "
      "`zeros(n, T)`";
  static constexpr std::string_view typeOf =
      "compare a type variable of the header, which is known at compile time: "
      "`if T == f64:`";
  static constexpr std::string_view product =
      "write the sum: `sum(a[i] * b[i] for i in range(n))`";
  static constexpr std::string_view arrayType =
      "an array has a type for its elements and a name for each dimension: "
      "`f64[n]`";
  static constexpr std::string_view strings =
      "Kern computes with numbers; make strings in the program that calls it";
  static constexpr std::string_view turned =
      "there is no transposed view: write `a[j, i]`";
  static constexpr std::string_view loop =
      "write a loop, or a reduction over a generator: `sum(f(x) for x in v)`";
  static constexpr std::pair<std::string_view, std::string_view> rows[] = {
      {"print", "return the value: `kern run` prints what a function returns"},
      {"input", "a function reads only its parameters"},
      {"open", "a function reads only its parameters"},
      {"sorted", "there is no sorting; `min`, `max` and `argmin` find single "
                 "elements"},
      {"sort", "there is no sorting; `min`, `max` and `argmin` find single "
               "elements"},
      {"isinstance", typeOf},
      {"type", typeOf},
      {"hasattr", typeOf},
      {"getattr", typeOf},
      {"dtype", typeOf},
      {"list", tuple},
      {"dict", tuple},
      {"set", tuple},
      {"tuple", "put several results in parentheses: `-> (f64, f64)`; in a "
                "body a tuple is written `a, b`"},
      {"map", loop},
      {"filter", loop},
      {"iter", loop},
      {"next", loop},
      {"apply_along_axis", loop},
      {"vectorize", "a call maps a `ufunc` over arrays already"},
      {"str", strings},
      {"bytes", strings},
      {"dot", product},
      {"matmul", product},
      {"inner", product},
      {"einsum", product},
      {"transpose", turned},
      {"ndarray", arrayType},
      {"array", arrayType},
      {"Array", arrayType},
      {"NDArray", arrayType},
      {"Tensor", arrayType},
      {"ArrayLike", arrayType},
      {"arange",
       "count with `for i in range(n)`; fill a local array in a loop"},
      {"linspace", "compute each element in a loop: `a + i * (b - a) / (n - "
                   "1)`"},
      {"ones", "make it with `zeros(n, T)` and fill it in a loop"},
      {"full", "make it with `zeros(n, T)` and fill it in a loop"},
      {"zeros_like", "write `zeros(n, T)`"},
      {"empty_like", "write `empty(n, T)`"},
      {"copy", "make a local array with `empty(n, T)` and copy in a loop"},
      {"append", "an array has a fixed size: write its elements by index, "
                 "`out[i] = x`"},
      {"extend", "an array has a fixed size: write its elements by index, "
                 "`out[i] = x`"},
      {"push_back", "an array has a fixed size: write its elements by index, "
                    "`out[i] = x`"},
      {"reshape", "an array keeps its shape: compute the indices"},
      {"flatten", "an array keeps its shape: compute the indices"},
      {"ravel", "an array keeps its shape: compute the indices"},
      {"random", "there are no random numbers: pass them as an argument"},
      {"rand", "there are no random numbers: pass them as an argument"},
      {"randn", "there are no random numbers: pass them as an argument"}};
  for (auto [foreign, instead] : rows)
    if (name == foreign)
      return instead;
  return {};
}

} // namespace kern::compiler
