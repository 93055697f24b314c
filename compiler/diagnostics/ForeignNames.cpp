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

std::optional<size_t> numpyArguments(std::string_view name) {
  static constexpr std::pair<std::string_view, size_t> counts[] = {
      {"cumsum", 1},     {"cumprod", 1},   {"sort", 1},   {"argsort", 1},
      {"median", 1},     {"partition", 2}, {"sum", 1},    {"prod", 1},
      {"mean", 1},       {"min", 1},       {"max", 1},    {"any", 1},
      {"all", 1},        {"argmin", 1},    {"argmax", 1}, {"log", 1},
      {"nan_to_num", 1}, {"hypot", 2},     {"gcd", 2},    {"lcm", 2},
      {"nextafter", 2}};
  for (auto [function, count] : counts)
    if (name == function)
      return count;
  return std::nullopt;
}

std::string insteadOfKeyword(std::string_view function,
                             std::string_view keyword) {
  const std::string name(function);
  const bool isExtremum = name == "max" || name == "min";
  if (keyword == "initial" || keyword == "start")
    return isExtremum       ? "`fold(" + name +
                                  "imum, 0, (x for x in v))` begins "
                                  "with a value"
           : name == "sum"  ? "add it: `sum(v) + 1`"
           : name == "prod" ? "multiply by it: `prod(v) * 2`"
                            : "";
  if (keyword == "where")
    return "a generator has a condition: `" + name + "(x for x in v if x > 0)`";
  if (keyword == "default")
    return "a condition says what there is of nothing: `0 if n == 0 else " +
           name + "(v)`";
  if (keyword == "dtype")
    return "convert the elements: `" + name + "(f64(x))`";
  if (keyword == "keepdims")
    return "it stands beside `axis`: `" + name + "(a, axis=1, keepdims=True)`";
  if (keyword == "out")
    return "store the result: `y[:] = " + name + "(…)`";
  return "";
}

std::string insteadOfMethod(std::string_view function,
                            std::string_view method) {
  static constexpr std::pair<std::string_view, std::string_view> scans[] = {
      {"add", "cumsum"},
      {"multiply", "cumprod"},
      {"minimum", "cummin"},
      {"maximum", "cummax"}};
  const std::string name(function);
  if (method == "outer")
    return name == "multiply"
               ? "write `outer(a, b)`"
               : "store each element: `y[i, j] = " + name +
                     "(a[i], b[j])` in a `for i, j in prange(m, n)`";
  if (method == "at")
    return name == "add" ? "write `h[k[i]] += v[i]` in a `for i in prange(n)`"
                         : "write `h[k[i]] = " + name +
                               "(h[k[i]], v[i])` in a `for i in range(n)`";
  static constexpr std::pair<std::string_view, std::string_view> reductions[] =
      {{"add", "sum"},        {"multiply", "prod"},   {"minimum", "min"},
       {"maximum", "max"},    {"logical_or", "any"},  {"logical_and", "all"},
       {"bitwise_or", "any"}, {"bitwise_and", "all"}, {"fmax", "max"},
       {"fmin", "min"}};
  if (method == "reduce") {
    for (auto [reduced, reduction] : reductions)
      if (function == reduced) {
        const std::string call(reduction);
        if (name.starts_with("bitwise"))
          return "write `" + call + "(v)` of bools, `fold(" + name +
                 ", 0, (x for x in v))` of integers";
        if (name.starts_with("f"))
          return "write `" + call + "(x for x in v if not isnan(x))`";
        return "write `" + call + "(v)`, or `" + call + "(a, axis=0)`";
      }
    return "write `fold(" + name +
           ", 0, (x for x in v))`, with the value to "
           "start with";
  }
  if (method == "reduceat")
    return "reduce each part: `y[i] = sum(x[begin[i]:begin[i + 1]])` in a `for "
           "i in prange(m)`";
  if (method != "accumulate")
    return "";
  for (auto [scanned, scan] : scans)
    if (function == scanned)
      return "write `" + std::string(scan) + "(v)`";
  return "store it: `y[:] = accumulate(" + name + ", x for x in v)`";
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
  static constexpr std::string_view loop =
      "write a loop, or a reduction over a generator: `sum(f(x) for x in v)`";
  static constexpr std::string_view threads =
      "a loop takes the place of numbered threads: `for i in prange(n)`; a "
      "`ufunc` needs none";
  static constexpr std::pair<std::string_view, std::string_view> rows[] = {
      {"cuda", threads},
      {"threadIdx", threads},
      {"blockIdx", threads},
      {"blockDim", threads},
      {"gridDim", threads},
      {"syncthreads", "a `prange` ends before the next statement"},
      {"None", "a missing number is `nan`; a function that has no result says "
               "`return`"},
      {"polyval", "Horner's rule: `for c in C: s = s * x + c`"},
      {"print", "return the value: `kern run` prints what a function returns"},
      {"input", "a function reads only its parameters"},
      {"open", "a function reads only its parameters"},
      {"sorted", "`sort(v)` gives a sorted copy of an array"},
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
      {"inner", "of one dimension each it is `dot(a, b)`"},
      {"einsum", product},
      {"ndarray", arrayType},
      {"array", arrayType},
      {"Array", arrayType},
      {"NDArray", arrayType},
      {"Tensor", arrayType},
      {"ArrayLike", arrayType},
      {"linspace", "compute each element in a loop: `a + i * (b - a) / (n - "
                   "1)`"},
      {"copy", "it is a method: `a.copy()`"},
      {"roll", "store two parts: `y[1:] = x[:-1]` and `y[0] = x[-1]`"},
      {"diff", "subtract neighbours: `x[1:] - x[:-1]`"},
      {"gradient", "subtract neighbours: `(x[2:] - x[:-2]) / 2`"},
      {"flip", "a part with a negative step: `x[::-1]`"},
      {"interp", "`i = searchsorted(xp, x)` finds the place; interpolate "
                 "between `fp[i - 1]` and `fp[i]`"},
      {"std", "write it out: `sqrt(mean((x - mean(x)) ** 2))`"},
      {"var", "write it out: `mean((x - mean(x)) ** 2)`"},
      {"nanmax", "`max(v for v in x if not isnan(v))`"},
      {"nanmin", "`min(v for v in x if not isnan(v))`"},
      {"nansum", "`sum(v for v in x if not isnan(v))`"},
      {"nanprod", "`prod(v for v in x if not isnan(v))`"},
      {"nanmean", "`mean(v for v in x if not isnan(v))`"},
      {"amax", "`max(x)`"},
      {"amin", "`min(x)`"},
      {"ptp", "`max(x) - min(x)`"},
      {"count_nonzero", "count by a sum: `sum(x != 0)`"},
      {"finfo", "`spacing(T(1))` is the eps of T; write other limits as "
                "numbers"},
      {"iinfo", "write the limit as a number"},
      {"eye", "fill it: `a[:] = 0`, then `a[i, i] = 1` in a `for i in "
              "prange(n)`"},
      {"identity", "fill it: `a[:] = 0`, then `a[i, i] = 1` in a `for i in "
                   "prange(n)`"},
      {"diag", "loop over it: `a[i, i]` in a `for i in range(n)`"},
      {"linalg", "`import linalg` has `norm`, `trace` and `vecdot`; write "
                 "others out, as `sqrt(sum(v * v))`"},
      {"concatenate", "store the parts: `y[:n] = a` and `y[n:] = b`"},
      {"stack", "store the parts: `y[0] = a` and `y[1] = b`"},
      {"hstack", "store the parts: `y[:n] = a` and `y[n:] = b`"},
      {"vstack", "store the parts: `y[0] = a` and `y[1] = b`"},
      {"convolve", "write the sum: `sum(x[i + j] * w[j] for j in range(k))`"},
      {"correlate", "write the sum: `sum(x[i + j] * w[j] for j in range(k))`"},
      {"unique", "its length depends on data: `sort(x)`, and count what "
                 "differs from its neighbour"},
      {"nonzero", "its length depends on data: loop, with an `if`"},
      {"argwhere", "its length depends on data: loop, with an `if`"},
      {"percentile", "`sort(x)`, and take the element"},
      {"quantile", "`sort(x)`, and take the element"},
      {"bincount", "`h[:] = 0`, then `h[x[i]] += 1` in a `for i in prange(n)`"},
      {"histogram", "`h[:] = 0`, then `h[k] += 1` in a `for i in prange(n)`"},
      {"meshgrid", "compute coordinates from the indices of a loop"},
      {"newaxis", "for all products `outer(a, b)`; else store each element, "
                  "`y[i, j] = a[i] - b[j]` in a `for i, j in prange(m, n)`"},
      {"trace", "`sum(a[i, i] for i in range(n))`; or `import linalg`, and "
                "`linalg.trace(a)`"},
      {"tile", "an index modulo the length repeats: `x[i % n]`"},
      {"repeat", "an index divided by the count repeats: `x[i // k]`"},
      {"trapz", "write the sum: `sum((y[1:] + y[:-1]) * (x[1:] - x[:-1])) / "
                "2`"},
      {"trapezoid", "write the sum: `sum((y[1:] + y[:-1]) * (x[1:] - x[:-1])) "
                    "/ 2`"},
      {"tolist", "an array is used as it is: `for x in v`, `v[i]`"},
      {"item", "an element is a number: `v[0]`"},
      {"squeeze", "an index drops an axis: `a[0]`, `a[:, 0]`"},
      {"expand_dims", "for all products `outer(a, b)`; else store each "
                      "element, `y[i, j] = a[i] - b[j]` in a `for i, j in "
                      "prange(m, n)`"},
      {"swapaxes", "`a.T` turns all axes round; else store each element"},
      {"moveaxis", "`a.T` turns all axes round; else store each element"},
      {"take", "loop over the indices: `y[i] = x[k[i]]` in a `for i in "
               "prange(n)`"},
      {"put", "loop over the indices: `y[k[i]] = v[i]` in a `for i in "
              "prange(n)`"},
      {"copyto", "store it: `y[:] = x`"},
      {"select", "choose one after the other: `where(a, x, where(b, y, z))`"},
      {"piecewise", "choose one after the other: `where(a, x, where(b, y, "
                    "z))`"},
      {"digitize", "`searchsorted(bins, x)`, and with `True` behind it for the "
                   "place after equal elements"},
      {"pad", "store the middle, `y[1:-1] = x`, and then the edges"},
      {"fill", "store to all of it: `y[:] = v`"},
      {"append", "an array has a fixed size: write its elements by index, "
                 "`out[i] = x`"},
      {"extend", "an array has a fixed size: write its elements by index, "
                 "`out[i] = x`"},
      {"push_back", "an array has a fixed size: write its elements by index, "
                    "`out[i] = x`"},
      {"reduce", "`min(x, axis=0)`, `max`, `sum` and `prod` take an axis; "
                 "`fold(f, 0, (v for v in x))` takes any function"},
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
