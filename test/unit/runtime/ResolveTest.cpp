//===- ResolveTest.cpp - loop resolution and shapes -----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plan/Resolve.h"
#include "runtime/plan/Broadcast.h"

#include <gtest/gtest.h>

using namespace kern::runtime;

namespace {

ArgType type(std::string_view text) {
  for (Weakness weakness : {Weakness::Int, Weakness::Float, Weakness::Complex})
    if (text == name(ArgType::weak(weakness)))
      return ArgType::weak(weakness);
  return ArgType::typed(*parseDType(text));
}

/// A ufunc with loops as "ff->f" in names: {"f32", "f32"} and so on.
FunctionInfo function(std::vector<std::vector<const char *>> loops,
                      const char *annotation = "T") {
  FunctionInfo out;
  out.name = "f";
  for (size_t i = 0; i < loops[0].size(); ++i) {
    OperandInfo parameter;
    parameter.name = std::string(1, char('x' + i));
    parameter.type = annotation;
    out.parameters.push_back(parameter);
  }
  out.results.resize(1);
  for (const auto &inputs : loops) {
    LoopInfo loop;
    for (const char *input : inputs)
      loop.inputs.push_back(type(input));
    loop.outputs = {loop.inputs[0].carrier()};
    out.loops.push_back(loop);
  }
  return out;
}

std::vector<ArgType> arguments(const std::vector<const char *> &types) {
  std::vector<ArgType> out;
  for (const char *text : types)
    out.push_back(type(text));
  return out;
}

std::string resolved(const FunctionInfo &f, std::vector<const char *> types) {
  auto index = resolveLoop(f, arguments(std::move(types)));
  return index ? text(f.loops[*index]) : "none";
}
} // namespace

TEST(Resolve, ExactThenFirstSafe) {
  FunctionInfo f = function({{"f64", "f64"}, {"f32", "f32"}});
  EXPECT_EQ(resolved(f, {"f32", "f32"}), "f32(f32, f32)") << "exact";
  EXPECT_EQ(resolved(f, {"f32", "f64"}), "f64(f64, f64)");
  EXPECT_EQ(resolved(f, {"i16", "f32"}), "f64(f64, f64)")
      << "the first listed, not the narrowest";
  EXPECT_EQ(resolved(f, {"c64", "f32"}), "none");
  FunctionInfo narrow = function({{"f16"}, {"f32"}, {"f64"}});
  EXPECT_EQ(resolved(narrow, {"i8"}), "f16(f16)");
  EXPECT_EQ(resolved(narrow, {"i16"}), "f32(f32)");
  EXPECT_EQ(resolved(narrow, {"i32"}), "f64(f64)");
}

TEST(Resolve, WeakNumbers) {
  FunctionInfo f = function({{"f32", "f32"}, {"f64", "f64"}});
  EXPECT_EQ(resolved(f, {"f32", "float"}), "f32(f32, f32)");
  EXPECT_EQ(resolved(f, {"float", "f64"}), "f64(f64, f64)");
  EXPECT_EQ(resolved(f, {"f32", "int"}), "f32(f32, f32)");
  EXPECT_EQ(resolved(f, {"f32", "complex"}), "none");
  EXPECT_EQ(resolved(f, {"float", "float"}), "f64(f64, f64)")
      << "all weak count as f64";
  EXPECT_EQ(resolved(f, {"int", "int"}), "f64(f64, f64)")
      << "i64 casts safely to f64 only";
  EXPECT_EQ(resolved(f, {"i8", "int"}), "f32(f32, f32)");
  EXPECT_EQ(resolved(f, {"i8", "float"}), "f64(f64, f64)")
      << "a float counts as f64 beside integers";
  EXPECT_EQ(resolved(f, {"bool", "int"}), "f64(f64, f64)")
      << "an integer counts as i64 beside bool";
  FunctionInfo single = function({{"f32", "f32"}});
  EXPECT_EQ(resolved(single, {"i8", "float"}), "none");
  EXPECT_EQ(resolved(single, {"bool", "int"}), "none");
  EXPECT_EQ(resolved(single, {"i8", "int"}), "f32(f32, f32)");
  FunctionInfo integers = function({{"u8", "u8"}, {"i16", "i16"}});
  EXPECT_EQ(resolved(integers, {"u8", "int"}), "u8(u8, u8)");
  EXPECT_EQ(resolved(integers, {"u8", "float"}), "none");
  FunctionInfo boolean = function({{"bool"}, {"i64"}});
  EXPECT_EQ(resolved(boolean, {"int"}), "i64(i64)");
}

TEST(Resolve, LoopsMadeForWeakArguments) {
  FunctionInfo f = function({{"f32", "float"}, {"f32", "f32"}, {"int", "int"}});
  EXPECT_EQ(resolved(f, {"f32", "float"}), "f32(f32, float)");
  EXPECT_EQ(resolved(f, {"f32", "f32"}), "f32(f32, f32)");
  EXPECT_EQ(resolved(f, {"int", "int"}), "i64(int, int)");
}

TEST(Resolve, ErrorsSayWhatAndHow) {
  FunctionInfo f = function({{"f32", "f32"}, {"i16", "i16"}});
  auto result = resolveLoop(f, arguments({"f32", "f64"}));
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().status, KERN_ERROR_TYPE);
  EXPECT_EQ(result.error().message,
            "no loop of `f` takes (f32, f64)\n"
            "note: its loops are f32(f32, f32), i16(i16, i16)\n"
            "note: argument 2 (`y`) is f64, which casts safely to none of "
            "them\n"
            "help: add f64 to the `where` clause of `T`, or convert the "
            "argument");
  FunctionInfo fixed = function({{"f32"}}, "f32");
  EXPECT_NE(resolveLoop(fixed, arguments({"i64"}))
                .error()
                .message.find("help: convert the argument to f32"),
            std::string::npos);
  EXPECT_NE(resolveLoop(fixed, arguments({"float"}))
                .error()
                .message.find("is float, which counts as f64"),
            std::string::npos);
  FunctionInfo two = function({{"f32", "f32"}}, "f32");
  EXPECT_NE(resolveLoop(two, arguments({"i8", "float"}))
                .error()
                .message.find("note: argument 2 (`y`) is float, which counts "
                              "as f64 beside i8"),
            std::string::npos);
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

namespace {
OperandInfo operand(const char *name, std::vector<DimExpr> core = {}) {
  OperandInfo out;
  out.name = name;
  out.core = std::move(core);
  return out;
}
FunctionInfo matmul() {
  FunctionInfo f;
  f.name = "matmul";
  f.kind = FunctionKind::Gufunc;
  f.parameters = {operand("a", {{{"m"}}, {{"k"}}}),
                  operand("b", {{{"k"}}, {{"n"}}})};
  f.results = {operand("c", {{{"m"}}, {{"n"}}})};
  f.dims = {"m", "k", "n"};
  return f;
}
FunctionInfo convolve() {
  FunctionInfo f;
  f.name = "convolve";
  f.kind = FunctionKind::Gufunc;
  f.parameters = {operand("x", {{{"n"}}}), operand("w", {{{"k"}}})};
  f.results = {operand("y", {{{"n", "k", "-", "1", "+"}}})};
  f.dims = {"n", "k"};
  return f;
}
using Outs = std::vector<std::optional<Extents>>;

std::string whyNot(const FunctionInfo &f, std::vector<Extents> shapes,
                   Outs outs = {std::nullopt}, std::vector<int64_t> dims = {}) {
  auto binding = bindShapes(f, shapes, dims, outs);
  if (binding)
    return "";
  EXPECT_EQ(binding.error().status, KERN_ERROR_SHAPE);
  return binding.error().message;
}
} // namespace

// Expected shapes: numpy.broadcast_shapes.
TEST(Broadcast, RightAligned) {
  auto of = [](const std::vector<Extents> &shapes) -> Extents {
    std::vector<NamedShape> named;
    for (const Extents &shape : shapes)
      named.push_back({"x", shape});
    auto result = broadcast(named);
    return result ? *result : Extents{-1};
  };
  EXPECT_EQ(of({{4, 3}, {3}}), (Extents{4, 3}));
  EXPECT_EQ(of({{2, 4, 3}, {4, 3}}), (Extents{2, 4, 3}));
  EXPECT_EQ(of({{5, 1}, {1, 6}}), (Extents{5, 6}));
  EXPECT_EQ(of({{3}, {1}, {2, 1, 1}}), (Extents{2, 1, 3}));
  EXPECT_EQ(of({{}, {0}}), (Extents{0}));
  EXPECT_EQ(of({{1}, {0}}), (Extents{0}));
  EXPECT_EQ(of({{4, 3}, {4}}), (Extents{-1}));
  EXPECT_EQ(of({{2}, {0}}), (Extents{-1}));
  EXPECT_EQ(of({{int64_t(1) << 32, 1}, {1, int64_t(1) << 32}}), (Extents{-1}));
}

TEST(Broadcast, ErrorsNameBothShapes) {
  FunctionInfo add;
  add.name = "add";
  add.parameters = {operand("x"), operand("y")};
  add.results = {operand("")};
  EXPECT_EQ(whyNot(add, {{4, 3}, {4}}),
            "`add`: shapes do not broadcast: `x` has shape (4, 3) and `y` has "
            "shape (4,)");
  EXPECT_EQ(whyNot(add, {{4, 3}, {3}}, {Extents{3, 4}}),
            "`add`: the array for result 1 has shape (3, 4), but the result "
            "has (4, 3)");
  EXPECT_EQ(whyNot(add, {{4, 3}, {3}}, {Extents{4, 3}}), "");
}

// Expected shapes: numpy.divmod.
TEST(Broadcast, OutputsTakePart) {
  FunctionInfo f;
  f.name = "divmod";
  f.parameters = {operand("x"), operand("y")};
  f.results = {operand("q"), operand("r")};
  auto loopShape = [&](const Outs &outs) -> Extents {
    auto binding = bindShapes(f, std::vector<Extents>{{3}, {}}, {}, outs);
    if (!binding)
      return Extents{-1};
    EXPECT_EQ(binding->results, std::vector(2, binding->loopShape));
    return binding->loopShape;
  };
  const std::optional<Extents> none, row = Extents{3}, rows = Extents{2, 3},
                                     one = Extents{1, 3}, tall = Extents{2, 1};
  EXPECT_EQ(loopShape({none, none}), (Extents{3}));
  EXPECT_EQ(loopShape({rows, none}), (Extents{2, 3}));
  EXPECT_EQ(loopShape({none, one}), (Extents{1, 3}));
  EXPECT_EQ(loopShape({rows, rows}), (Extents{2, 3}));
  EXPECT_EQ(loopShape({Extents{0, 3}, none}), (Extents{0, 3}));
  // None of them is broadcast itself.
  for (const Outs &outs :
       {Outs{rows, row}, Outs{row, rows}, Outs{one, rows}, Outs{tall, none},
        Outs{tall, rows}, Outs{Extents{}, none}, Outs{Extents{2}, none}})
    EXPECT_EQ(loopShape(outs), (Extents{-1}));
  EXPECT_EQ(whyNot(f, {{3}, {}}, {row, rows}),
            "`divmod`: the array for result 1 (`q`) has shape (3,), but the "
            "result has (2, 3)");
  // What is written cannot be broadcast either.
  f.parameters[0].isInout = true;
  EXPECT_EQ(whyNot(f, {{3}, {}}, {rows, none}),
            "`divmod`: `x` is written, but its loop shape is (3,) and the "
            "call's is (2, 3)");
}

TEST(Broadcast, OutputsOfCoreDimensions) {
  auto binding = bindShapes(matmul(), std::vector<Extents>{{1, 2, 3}, {3, 4}},
                            {}, Outs{Extents{5, 6, 2, 4}});
  ASSERT_TRUE(binding) << binding.error().message;
  EXPECT_EQ(binding->loopShape, (Extents{5, 6}));
  EXPECT_EQ(whyNot(matmul(), {{2, 3}, {3, 4}}, {Extents{5, 2, 5}}),
            "`matmul`: the array for result 1 (`c`) has shape (5, 2, 5), but "
            "the result has (5, 2, 4)");
}

TEST(Broadcast, CoreDimensions) {
  auto binding =
      bindShapes(matmul(), std::vector<Extents>{{7, 1, 2, 3}, {5, 3, 4}}, {},
                 Outs{std::nullopt});
  ASSERT_TRUE(binding) << binding.error().message;
  EXPECT_EQ(binding->loopShape, (Extents{7, 5}));
  EXPECT_EQ(binding->dims, (std::vector<int64_t>{2, 3, 4}));
  EXPECT_EQ(binding->results[0], (Extents{7, 5, 2, 4}));
  EXPECT_EQ(whyNot(matmul(), {{2, 3}, {4, 5}}),
            "`matmul`: core dimension `k` is 3 in `a` of shape (2, 3), but 4 "
            "in `b` of shape (4, 5)");
  EXPECT_NE(whyNot(matmul(), {{2, 3}, {1, 5}}), "") << "1 does not broadcast";
  EXPECT_EQ(whyNot(matmul(), {{3}, {3, 5}}),
            "`matmul`: `a` needs 2 core dimensions in (m,k),(k,n)->(m,n), but "
            "its shape is (3,)");
  EXPECT_EQ(whyNot(matmul(), {{2, 2, 3}, {4, 3, 5}}),
            "`matmul`: shapes do not broadcast: `a` has shape (2,) and `b` has "
            "shape (4,) before their core dimensions (m,k),(k,n)->(m,n)");
}

TEST(Broadcast, MessagesShowTheShapesOfTheCall) {
  const std::vector<Extents> turned = {{1, 3}, {4, 5}}, given = {{3}, {4, 5}};
  auto binding =
      bindShapes(matmul(), turned, {}, Outs{std::nullopt}, std::nullopt,
                 {.inputs = given, .outputs = {}, .results = {}});
  ASSERT_FALSE(binding);
  EXPECT_EQ(binding.error().message,
            "`matmul`: core dimension `k` is 3 in `a` of shape (3,), but 4 in "
            "`b` of shape (4, 5)");

  // A product of a stack of matrices and a vector: the result has no columns.
  const std::vector<Extents> product = {{2, 4, 3}, {3, 1}},
                             writtenProduct = {{2, 4, 3}, {3}};
  const Outs out = {Extents{2, 1, 1}}, writtenOut = {Extents{2, 1}};
  const std::vector<AxisMap> maps = {{.core = {1, AxisMap::missing}}};
  binding = bindShapes(matmul(), product, {}, out, std::nullopt,
                       {writtenProduct, writtenOut, maps});
  ASSERT_FALSE(binding);
  EXPECT_EQ(
      binding.error().message,
      "`matmul`: the array for result 1 (`c`) has shape (2, 1), but the result "
      "has (2, 4)");
}

TEST(Broadcast, ComputedDimensions) {
  auto binding = bindShapes(convolve(), std::vector<Extents>{{10}, {3}}, {},
                            Outs{std::nullopt});
  ASSERT_TRUE(binding);
  EXPECT_EQ(binding->results[0], (Extents{8}));
  EXPECT_EQ(whyNot(convolve(), {{3}, {5}}),
            "`convolve`: the dimension `n - k + 1` of the result `y` is "
            "negative: -1 for n = 3, k = 5");
  FunctionInfo cross = matmul();
  cross.parameters = {operand("a", {{{"3"}}})};
  cross.results = {operand("c", {{{"3"}}})};
  cross.dims = {};
  EXPECT_EQ(whyNot(cross, {{5, 3}}), "");
  EXPECT_EQ(whyNot(cross, {{5, 4}}),
            "`matmul`: core dimension `3` does not fit the 4 in `a` of shape "
            "(5, 4)");
}

TEST(Broadcast, DimensionsThatOnlyResultsName) {
  FunctionInfo f;
  f.name = "spread";
  f.kind = FunctionKind::Gufunc;
  f.parameters = {operand("x")};
  f.results = {operand("y", {{{"n"}}})};
  f.dims = {"n"};
  EXPECT_NE(whyNot(f, {{4}}).find("pass an array for it as `out`"),
            std::string::npos);
  auto binding =
      bindShapes(f, std::vector<Extents>{{4}}, {}, Outs{Extents{4, 6}});
  ASSERT_TRUE(binding) << binding.error().message;
  EXPECT_EQ(binding->dims, (std::vector<int64_t>{6}));
  OperandInfo k = operand("n");
  k.isDim = true;
  f.parameters.push_back(k);
  binding = bindShapes(f, std::vector<Extents>{{4}}, std::vector<int64_t>{6},
                       Outs{std::nullopt});
  ASSERT_TRUE(binding) << binding.error().message;
  EXPECT_EQ(binding->results[0], (Extents{4, 6}));
}
