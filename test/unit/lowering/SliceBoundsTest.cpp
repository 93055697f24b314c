//===- SliceBoundsTest.cpp - which axes are long enough for a slice -------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/lowering/SliceBounds.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

using namespace kern::compiler;

namespace {

using Elements = std::vector<int64_t>;

constexpr int64_t largest = 9;

/// The indices from one on, in steps, as far as an end that is not reached.
Elements range(int64_t begin, int64_t end, int64_t step) {
  Elements out;
  for (int64_t i = begin; step > 0 ? i < end : i > end; i += step)
    out.push_back(i);
  return out;
}

/// What Python takes: `slice.indices` shortens bounds beyond the array.
Elements taken(const SliceBounds &bounds, int64_t count) {
  const auto &[lower, upper, step] = bounds;
  const int64_t first = step > 0 ? 0 : -1;
  auto shortened = [&](int64_t bound) {
    return std::clamp(bound < 0 ? bound + count : bound, first, count + first);
  };
  return range(lower      ? shortened(*lower)
               : step > 0 ? 0
                          : count - 1,
               upper      ? shortened(*upper)
               : step > 0 ? count
                          : -1,
               step);
}

/// What the bounds say, wherever that is.
Elements said(const SliceBounds &bounds, int64_t count) {
  const auto &[lower, upper, step] = bounds;
  auto place = [&](int64_t bound) { return bound < 0 ? bound + count : bound; };
  return range(lower      ? place(*lower)
               : step > 0 ? 0
                          : count - 1,
               upper      ? place(*upper)
               : step > 0 ? count
                          : -1,
               step);
}

std::string text(const SliceBounds &bounds, int64_t count) {
  auto part = [](const std::optional<int64_t> &bound) {
    return bound ? std::to_string(*bound) : "";
  };
  return "x[" + part(bounds.lower) + ":" + part(bounds.upper) + ":" +
         std::to_string(bounds.step) + "] of " + std::to_string(count);
}

/// Calls `visit` for every two bounds up to 9, absent ones too, and every step
/// up to 4.
template <typename Visit> void forEach(Visit visit) {
  std::vector<std::optional<int64_t>> places = {std::nullopt};
  for (int64_t place = -largest; place <= largest; ++place)
    places.emplace_back(place);
  for (int64_t step : {-4, -3, -2, -1, 1, 2, 3, 4})
    for (const auto &lower : places)
      for (const auto &upper : places)
        visit(SliceBounds{lower, upper, step});
}
} // namespace

// An array is refused where the bounds say other elements than Python takes,
// and only there.
TEST(SliceBounds, NeedsWhatTheBoundsSay) {
  forEach([](const SliceBounds &bounds) {
    for (int64_t count = 0; count <= 30; ++count) {
      const bool isEmpty = isAlwaysEmpty(bounds);
      EXPECT_EQ(count >= elementsNeeded(bounds),
                isEmpty || said(bounds, count) == taken(bounds, count))
          << text(bounds, count);
      if (isEmpty)
        EXPECT_TRUE(taken(bounds, count).empty()) << text(bounds, count);
    }
  });
}

// `x[-4:0]` and `x[5:-1:-1]` are empty too, where the bounds of a short array
// would say elements outside.
TEST(SliceBounds, EmptyOfEveryArray) {
  forEach([](const SliceBounds &bounds) {
    bool isEmpty = true;
    for (int64_t count = 0; count <= 30; ++count)
      isEmpty &= taken(bounds, count).empty();
    EXPECT_EQ(isAlwaysEmpty(bounds), isEmpty) << text(bounds, 30);
  });
}

// With one element too few, the bound that is named lies outside.
TEST(SliceBounds, NamesTheBoundOutside) {
  forEach([](const SliceBounds &bounds) {
    const int64_t count = elementsNeeded(bounds) - 1;
    if (count < 0)
      return;
    const auto &bound = isForLower(bounds) ? bounds.lower : bounds.upper;
    ASSERT_TRUE(bound) << text(bounds, count);
    const bool isIndex = bounds.step < 0 && isForLower(bounds);
    EXPECT_TRUE(*bound < -count || *bound >= count + !isIndex)
        << text(bounds, count);
  });
}

TEST(SliceBounds, SomeByHand) {
  EXPECT_EQ(elementsNeeded({{}, 9, 1}), 9);   // x[:9]
  EXPECT_EQ(elementsNeeded({1, 6, 2}), 6);    // x[1:6:2]: 1, 3, 5
  EXPECT_EQ(elementsNeeded({-4, {}, 1}), 4);  // x[-4:]
  EXPECT_EQ(elementsNeeded({-4, 7, 3}), 5);   // x[-4:7:3] of 5: 1, 4
  EXPECT_EQ(elementsNeeded({5, {}, 1}), 0);   // x[5:]
  EXPECT_EQ(elementsNeeded({{}, -5, -1}), 4); // x[:-5:-1]
  EXPECT_EQ(elementsNeeded({2, -6, -1}), 5);  // x[2:-6:-1] of 5: 2, 1, 0
  EXPECT_EQ(elementsNeeded({-2, {}, -1}), 0); // x[-2::-1]
  constexpr int64_t far = int64_t(1) << 60;
  EXPECT_EQ(elementsNeeded({-far, far, 1}), far);
  EXPECT_EQ(elementsNeeded({far, -far, -1}), far + 1);
}
