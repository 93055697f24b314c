//===- MissingDimensionsTest.cpp - arrays without optional dimensions -----===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plan/Axes.h"

#include "gtest/gtest.h"

#include <array>

using namespace kern::runtime;

namespace {

/// NumPy's matmul: (m?,k),(k,n?)->(m?,n?).
FunctionInfo matmulInfo() {
  FunctionInfo info;
  info.name = "matmul";
  info.kind = FunctionKind::Gufunc;
  auto matrix = [](std::string name, std::string rows, std::string columns) {
    OperandInfo operand;
    operand.name = std::move(name);
    operand.core = {{{std::move(rows)}}, {{std::move(columns)}}};
    return operand;
  };
  info.parameters = {matrix("a", "m", "k"), matrix("b", "k", "n")};
  info.results = {matrix("c", "m", "n")};
  info.dims = {"m", "k", "n"};
  info.optionalDims = {"m", "n"};
  return info;
}

TEST(Axes, MissingDimensions) {
  FunctionInfo info = matmulInfo();
  EXPECT_EQ(info.coreSignature(), "(m?,k),(k,n?)->(m?,n?)");
  auto missing = [&](size_t a, size_t b, std::optional<size_t> c = {}) {
    std::string text;
    for (const std::string &name :
         missingDimensions(info, std::array{a, b}, std::array{c}))
      text += name;
    return text;
  };
  EXPECT_EQ(missing(2, 2), "");
  EXPECT_EQ(missing(1, 2), "m");
  EXPECT_EQ(missing(3, 1), "n");
  EXPECT_EQ(missing(1, 1), "mn");
  EXPECT_EQ(missing(2, 2, 2), "");
  // An `out` array that is short decides as well; the first dimension goes.
  EXPECT_EQ(missing(2, 2, 1), "m");
  // Nothing helps a number: it needs a `k`.
  EXPECT_EQ(missing(0, 2), "m");
  // All of an operand's dimensions.
  info.optionalDims = {"m", "k", "n"};
  EXPECT_EQ(missing(0, 2), "mk");
}

TEST(Axes, MissingIsPutIn) {
  FunctionInfo info = matmulInfo();
  std::vector<std::string> names = {"n"};
  auto maps = arrangeAxes(info, {}, std::array<size_t, 2>{3, 1},
                          std::array<std::optional<size_t>, 1>{}, names);
  ASSERT_TRUE(maps);
  ASSERT_EQ(maps->size(), 3u);
  EXPECT_EQ((*maps)[0].core, (std::vector<size_t>{1, 2}));
  EXPECT_EQ((*maps)[1].core, (std::vector<size_t>{0, AxisMap::missing}));
  EXPECT_EQ((*maps)[2].core, (std::vector<size_t>{1, AxisMap::missing}));
}

} // namespace
