//===- IndexArithmetic.cpp - arithmetic of polynomials --------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/dependence/IndexForms.h"

using namespace mlir;

namespace kern::compiler {

/// Factors this small keep products with loop counters far below 2^64, so that
/// arithmetic does not wrap.
bool isReasonable(const IndexForm &form) {
  constexpr size_t maxTerms = 12, maxFactors = 4;
  constexpr int64_t largestFactor = int64_t(1) << 31;
  constexpr int64_t largestConstant = int64_t(1) << 59;
  return form.terms.size() <= maxTerms &&
         std::abs(form.constant) <= largestConstant &&
         llvm::all_of(form.terms, [](const auto &term) {
           return std::abs(term.second) <= largestFactor &&
                  term.first.size() <= maxFactors;
         });
}

std::optional<IndexForm> sum(const IndexForm &a, const IndexForm &b,
                             int64_t factor) {
  IndexForm result = a;
  auto add = [&](int64_t &to, int64_t value) {
    int64_t scaled = 0;
    return !llvm::MulOverflow(value, factor, scaled) &&
           !llvm::AddOverflow(to, scaled, to);
  };
  if (!add(result.constant, b.constant))
    return std::nullopt;
  for (const auto &[monomial, coefficient] : b.terms) {
    int64_t &to = result.terms[monomial];
    if (!add(to, coefficient))
      return std::nullopt;
    if (to == 0)
      result.terms.erase(monomial);
  }
  return isReasonable(result) ? std::optional(result) : std::nullopt;
}

std::optional<IndexForm> product(const IndexForm &a, const IndexForm &b) {
  IndexForm result;
  auto addTerm = [&](const Monomial &x, const Monomial &y, int64_t p,
                     int64_t q) {
    IndexForm term;
    int64_t coefficient = 0;
    if (llvm::MulOverflow(p, q, coefficient))
      return false;
    Monomial both = x;
    both.insert(both.end(), y.begin(), y.end());
    llvm::sort(both);
    if (both.empty())
      term.constant = coefficient;
    else if (coefficient)
      term.terms.emplace(std::move(both), coefficient);
    std::optional<IndexForm> more = sum(result, term);
    if (more)
      result = std::move(*more);
    return more.has_value();
  };
  if (!addTerm({}, {}, a.constant, b.constant))
    return std::nullopt;
  for (const auto &[monomial, coefficient] : a.terms) {
    if (b.constant && !addTerm(monomial, {}, coefficient, b.constant))
      return std::nullopt;
    for (const auto &[other, factor] : b.terms)
      if (!addTerm(monomial, other, coefficient, factor))
        return std::nullopt;
  }
  for (const auto &[other, factor] : b.terms)
    if (a.constant && !addTerm({}, other, a.constant, factor))
      return std::nullopt;
  return result;
}

} // namespace kern::compiler
