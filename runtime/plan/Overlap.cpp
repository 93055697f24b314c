//===- Overlap.cpp - whether two arrays share memory ----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plan/Overlap.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>

using namespace kern::runtime;

namespace {
/// stride * z for z in [0, count].
struct Term {
  int64_t stride;
  int64_t count;
};

/// Whether some sum of terms lies in [low, high]. Searches from the largest
/// stride down and prunes by ranges and greatest common divisors. Addresses and
/// spans of valid views fit 64 bits; 128 bits keep their sums from wrapping.
class Search {
public:
  explicit Search(std::vector<Term> all) : terms(std::move(all)) {
    std::erase_if(terms, [](Term t) { return t.stride == 0 || t.count == 0; });
    std::sort(terms.begin(), terms.end(),
              [](Term a, Term b) { return a.stride > b.stride; });
    // Merge terms with the same stride.
    std::vector<Term> merged;
    for (Term term : terms)
      if (!merged.empty() && merged.back().stride == term.stride)
        merged.back().count += term.count;
      else
        merged.push_back(term);
    terms = std::move(merged);
    reach.assign(terms.size() + 1, 0);
    divisor.assign(terms.size() + 1, 0);
    for (size_t i = terms.size(); i-- > 0;) {
      reach[i] = reach[i + 1] + Wide(terms[i].stride) * terms[i].count;
      divisor[i] = std::gcd(divisor[i + 1], terms[i].stride);
    }
  }

  using Wide = __int128;
  bool hasSolution(Wide low, Wide high) { return visit(0, low, high); }

private:
  static Wide floorDivide(Wide a, Wide b) {
    return a / b - (a % b != 0 && a < 0);
  }

  bool visit(size_t i, Wide low, Wide high) {
    low = std::max<Wide>(low, 0);
    high = std::min(high, reach[i]);
    if (low > high)
      return false;
    if (low == 0)
      return true; // every z is 0
    if (i == terms.size() || floorDivide(high, divisor[i]) * divisor[i] < low)
      return false;
    auto [stride, count] = terms[i];
    Wide first =
        std::max<Wide>(0, -floorDivide(-(low - reach[i + 1]), Wide(stride)));
    Wide last = std::min<Wide>(count, floorDivide(high, stride));
    for (Wide z = last; z >= first; --z) {
      if (budget == 0)
        return true;
      --budget;
      if (visit(i + 1, low - z * stride, high - z * stride))
        return true;
    }
    return false;
  }

  std::vector<Term> terms;
  std::vector<Wide> reach;
  std::vector<int64_t> divisor;
  /// Enough for every practical layout. Beyond it the safe answer is "yes".
  int budget = 20000;
};

/// Adds a view's dimensions with positive strides. Returns the address of its
/// lowest byte.
int64_t addTerms(const StridedView &view, std::vector<Term> &terms) {
  auto low = int64_t(reinterpret_cast<uintptr_t>(view.data));
  for (size_t i = 0; i < view.rank(); ++i) {
    int64_t stride = view.strides[i], count = view.shape[i] - 1;
    if (stride < 0)
      low += stride * count;
    terms.push_back({std::abs(stride), count});
  }
  return low;
}

int64_t spanOf(const std::vector<Term> &terms) {
  int64_t span = 0;
  for (Term term : terms)
    span += term.stride * term.count;
  return span;
}
} // namespace

Overlap kern::runtime::overlapOf(const StridedView &a, const StridedView &b) {
  if (a.count() == 0 || b.count() == 0 || !sameDevice(a.device, b.device))
    return Overlap::None;
  int64_t sizeA = int64_t(itemSize(a.dtype)),
          sizeB = int64_t(itemSize(b.dtype));
  if (a.data == b.data && sizeA == sizeB && a.shape == b.shape) {
    bool same = true;
    for (size_t i = 0; i < a.rank(); ++i)
      same &= a.shape[i] == 1 || a.strides[i] == b.strides[i];
    if (same)
      return Overlap::Exact;
  }
  std::vector<Term> terms, ofB;
  int64_t lowA = addTerms(a, terms);
  int64_t lowB = addTerms(b, ofB);
  int64_t spanA = spanOf(terms), spanB = spanOf(ofB);
  if (lowA + spanA + sizeA <= lowB || lowB + spanB + sizeB <= lowA)
    return Overlap::None;
  // Elements at lowA + x and lowB + y share a byte if -sizeA < lowA + x - lowB
  // - y < sizeB. With y' = spanB - y this is a sum of non-negative terms.
  terms.insert(terms.end(), ofB.begin(), ofB.end());
  Search::Wide shift = Search::Wide(lowB) - lowA + spanB;
  Search search(std::move(terms));
  return search.hasSolution(shift - sizeA + 1, shift + sizeB - 1)
             ? Overlap::Some
             : Overlap::None;
}

bool kern::runtime::overlapsItself(const StridedView &view) {
  if (view.count() == 0)
    return false;
  int64_t size = int64_t(itemSize(view.dtype));
  // Two different elements differ by at least 1 in a first dimension, and by
  // anything in the later ones.
  for (size_t i = 0; i < view.rank(); ++i) {
    if (view.shape[i] < 2)
      continue;
    int64_t stride = std::abs(view.strides[i]);
    std::vector<Term> terms = {{stride, view.shape[i] - 2}};
    Search::Wide shift = -Search::Wide(stride);
    for (size_t k = i + 1; k < view.rank(); ++k) {
      int64_t other = std::abs(view.strides[k]);
      terms.push_back({other, 2 * (view.shape[k] - 1)});
      shift += Search::Wide(other) * (view.shape[k] - 1);
    }
    Search search(std::move(terms));
    if (search.hasSolution(shift - size + 1, shift + size - 1))
      return true;
  }
  return false;
}

std::optional<std::pair<uintptr_t, uintptr_t>>
kern::runtime::memoryOf(const StridedView &view) {
  auto low = reinterpret_cast<uintptr_t>(view.data);
  uintptr_t high = low + itemSize(view.dtype) - 1;
  for (size_t i = 0; i < view.rank(); ++i) {
    if (view.shape[i] == 0)
      return std::nullopt;
    const int64_t reach = view.strides[i] * (view.shape[i] - 1);
    (reach < 0 ? low : high) += uintptr_t(reach);
  }
  return std::pair(low, high);
}
