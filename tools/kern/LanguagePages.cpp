//===- LanguagePages.cpp - what the language has beside functions ---------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/kern/LanguagePages.h"

namespace kern::cli {
namespace {

struct Entry {
  std::string_view name, form, text;
};

constexpr Entry entries[] = {
    {"sum", "sum(expr for x in v), sum(a)",
     "The sum, 0 of nothing. Of narrow integers 64 bits wide; f16 and bf16 "
     "are added in f32."},
    {"prod", "prod(expr for x in v), prod(a)",
     "The product, 1 of nothing. Of narrow integers 64 bits wide."},
    {"min", "min(expr for x in v), min(a), min(x, y, …)",
     "The smallest of the values, NaN if one is NaN. Of scalars `minimum`."},
    {"max", "max(expr for x in v), max(a), max(x, y, …)",
     "The largest of the values, NaN if one is NaN. Of scalars `maximum`."},
    {"any", "any(expr for x in v), any(a)",
     "Whether one of the values is true; False of nothing."},
    {"all", "all(expr for x in v), all(a)",
     "Whether all of the values are true; True of nothing."},
    {"argmin", "argmin(expr for x in v), argmin(a)",
     "The first position of the smallest value, or of a NaN, counted through "
     "the turns of all `for`s; -1 where an `if` keeps nothing."},
    {"argmax", "argmax(expr for x in v), argmax(a)",
     "The first position of the largest value, or of a NaN, counted through "
     "the turns of all `for`s; -1 where an `if` keeps nothing."},
    {"mean", "mean(expr for x in v), mean(a)",
     "The sum of the values by their number; NaN of nothing."},
    {"fold", "fold(f, init, expr for x in v)",
     "f(… f(f(init, x0), x1) …, xn) for an associative `def f(a, b)`. Without "
     "`init` of a ufunc with `@associative(identity=…)`."},
    {"range", "range(stop), range(start, stop), range(start, stop, step)",
     "What a `for` counts through, as Python's."},
    {"prange", "prange(n), prange(m, n)",
     "In the `for` of a gufunc: a range, or a grid, whose iterations are "
     "independent and may run at once."},
    {"zip", "zip(v, w, …)",
     "In a `for`: the elements of several sequences, side by side, as many as "
     "the shortest has."},
    {"enumerate", "enumerate(v), enumerate(v, start)",
     "In a `for`: each element with its number."},
    {"reversed", "reversed(v)", "In a `for`: a sequence from its end."},
    {"len", "len(a)",
     "The first extent of an array, or the length of a tuple."},
    {"zeros", "zeros(shape, T)",
     "A local array of zeros; of f64 where no type is given."},
    {"empty", "empty(shape, T)",
     "A local array whose elements are to be written before they are read."},
    {"pi", "pi", "3.141592653589793"},
    {"e", "e", "2.718281828459045"},
    {"tau", "tau", "6.283185307179586, twice pi"},
    {"inf", "inf", "Infinity."},
    {"nan", "nan", "Not a number."},
    {"infj", "infj", "An infinite imaginary part."},
    {"nanj", "nanj", "An imaginary part that is not a number."},
    {"eulergamma", "eulergamma",
     "0.5772156649015329, Euler's constant. Also `euler_gamma`."},
};

} // namespace

std::string languagePage(std::string_view name) {
  if (name == "euler_gamma")
    name = "eulergamma";
  for (const Entry &entry : entries)
    if (entry.name == name)
      return std::string(entry.form) + "\n    " + std::string(entry.text) +
             "\n";
  return {};
}

std::vector<std::string> languageNames() {
  std::vector<std::string> names;
  for (const Entry &entry : entries)
    names.emplace_back(entry.name);
  return names;
}

} // namespace kern::cli
