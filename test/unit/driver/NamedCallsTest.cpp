//===- NamedCallsTest.cpp - names, defaults, ranges and shapes in C++ -----===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/driver/CachedSource.h"
#include "kern/kern.hpp"

#include <gtest/gtest.h>

namespace {
constexpr const char *source = R"(
ufunc scaled(x: T, scale: T = 2.0, shift: T = f64(0.5)) -> T where T in (f32, f64):
    return x * scale + shift

gufunc iota() -> (y: i64[n]):
    for i in prange(n):
        y[i] = i

@associative(identity=0)
ufunc add(x: f64, y: f64 = 1) -> f64:
    return x + y
)";

std::vector<double> numbers(const kern::Array &array) {
  auto span = array.span<double>();
  return {span.begin(), span.end()};
}

std::string refusal(auto call) {
  try {
    call();
  } catch (const kern::Error &error) {
    return error.what();
  }
  return "it was accepted";
}
} // namespace

TEST(NamedCalls, Defaults) {
  const kern::Module module = kern::Module::compile(source);
  const kern::Function scaled = module["scaled"];
  const std::vector<double> x = {1, 2};
  const double by = 3;
  EXPECT_EQ(numbers(scaled(x)), (std::vector{2.5, 4.5}));
  EXPECT_EQ(numbers(scaled(x, by)), (std::vector{3.5, 6.5}));
  EXPECT_EQ(numbers(scaled(x).with("shift", 0)), (std::vector{2.0, 4.0}));
  EXPECT_EQ(numbers(scaled(x).with("shift", x).with("scale", by)),
            (std::vector{4.0, 8.0}));
  EXPECT_EQ(module["add"].reduce(x).item<double>(), 3);
  EXPECT_EQ(module["add"](1).item<double>(), 2);
  EXPECT_EQ(scaled.operands()[1].defaultText, "2.0");
  EXPECT_EQ(scaled.operands()[2].defaultText, "f64(0.5)");
  EXPECT_EQ(scaled.operands()[0].defaultText, "");
}

TEST(NamedCalls, Prepared) {
  const kern::Module module = kern::Module::compile(source);
  std::vector<double> x = {1, 2}, y(2);
  double by = 10;
  const kern::Prepared few = module["scaled"](x).prepare(y);
  few.launch(std::vector<const void *>{x.data()},
             std::vector<void *>{y.data()});
  EXPECT_EQ(y, (std::vector{2.5, 4.5}));
  const kern::Prepared all = module["scaled"](x).with("scale", by).prepare(y);
  const double shift = 1;
  all.launch(std::vector<const void *>{x.data(), &by, &shift},
             std::vector<void *>{y.data()});
  EXPECT_EQ(y, (std::vector{11.0, 21.0}));
  EXPECT_NE(refusal([&] {
              few.launch(std::vector<const void *>{},
                         std::vector<void *>{y.data()});
            }).find("takes 1 argument (x), 0 were given"),
            std::string::npos);
}

TEST(NamedCalls, Refused) {
  const kern::Module module = kern::Module::compile(source);
  const kern::Function scaled = module["scaled"];
  const std::vector<double> x = {1, 2};
  EXPECT_EQ(refusal([&] { scaled(x).with("scael", 2).run(); }),
            "`scaled` has no parameter `scael`; did you mean `scale`?");
  EXPECT_EQ(refusal([&] { scaled(x).with("x", 2).run(); }),
            "`scaled` is given its argument `x` twice");
  EXPECT_EQ(refusal([&] { scaled().with("scale", 2).run(); }),
            "`scaled` is not given its argument 1 (`x`), which has no default");
  EXPECT_EQ(refusal([&] { scaled().run(); }),
            "`scaled` takes 1 to 3 arguments (x, scale=2.0, shift=f64(0.5)), "
            "0 were given");
  EXPECT_NE(refusal([&] {
              module["add"].reduce(x).with("y", 2).run();
            }).find("by name in calls alone"),
            std::string::npos);
}

TEST(NamedCalls, RangesAndShapes) {
  const kern::Module module = kern::Module::compile(source);
  const kern::Function scaled = module["scaled"];
  EXPECT_EQ(numbers(scaled(kern::range(3))), (std::vector{0.5, 2.5, 4.5}));
  EXPECT_EQ(numbers(scaled(kern::range(6, 0, -2), 1, 0)),
            (std::vector{6.0, 4.0, 2.0}));
  const kern::Array rows = scaled(kern::range(2)).shape({2, 2});
  EXPECT_EQ(numbers(rows), (std::vector{0.5, 2.5, 0.5, 2.5}));
  const kern::Array iota = module["iota"]().shape({3});
  auto span = iota.span<int64_t>();
  EXPECT_EQ((std::vector<int64_t>(span.begin(), span.end())),
            (std::vector<int64_t>{0, 1, 2}));
  EXPECT_EQ(scaled(1.0).shape({}).item<double>(), 2.5);
}

TEST(NamedCalls, PreparedRanges) {
  const kern::Module module = kern::Module::compile(source);
  std::vector<double> y(3);
  const kern::Prepared call =
      module["scaled"](kern::range(3), 1.0, 0.0).prepare(y);
  const double scale = 4, shift = 1;
  call.launch(std::vector<const void *>{nullptr, &scale, &shift},
              std::vector<void *>{y.data()});
  EXPECT_EQ(y, (std::vector{1.0, 5.0, 9.0}));
}
