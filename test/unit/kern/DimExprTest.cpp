//===- DimExprTest.cpp - expressions of core dimensions -------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/Kern/Kern.h"
#include "runtime/artefact/Dimension.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/MLIRContext.h"

#include <gtest/gtest.h>
#include <random>

using namespace mlir;

namespace kern {

using namespace ir;
using namespace runtime;

namespace {

class DimExprTest : public testing::Test {
protected:
  DimExprTest() { context.loadDialect<KernDialect>(); }

  DimExprAttr name(StringRef text) {
    return DimExprAttr::named(&context, text);
  }
  DimExprAttr number(int64_t value) {
    return DimExprAttr::constant(&context, value);
  }

  static std::string text(Attribute attribute) {
    std::string written;
    llvm::raw_string_ostream(written) << attribute;
    return written;
  }

  /// An expression of up to `depth` operators over n, k and small numbers.
  DimExprAttr random(unsigned depth) {
    if (depth == 0 || draw(4) == 0)
      return draw(2) ? name(draw(2) ? "n" : "k") : number(draw(6));
    auto kind = DimKind(unsigned(DimKind::Add) + draw(7));
    DimExprAttr left = random(depth - 1), right = random(depth - 1);
    return DimExprAttr::binary(kind, left, right);
  }

  unsigned draw(unsigned count) { return unsigned(generator() % count); }

  MLIRContext context;
  std::mt19937 generator{7};
};

TEST_F(DimExprTest, WritesWhatTheRuntimeReads) {
  DimExprAttr expr = DimExprAttr::binary(
      DimKind::Add,
      DimExprAttr::binary(DimKind::Subtract, name("n"), name("k")), number(1));
  EXPECT_EQ(text(expr), "#kern.dim<n - k + 1>");
  EXPECT_EQ(expr.reversePolish(),
            (SmallVector<std::string>{"n", "k", "-", "1", "+"}));
  expr = DimExprAttr::binary(
      DimKind::Maximum,
      DimExprAttr::binary(DimKind::FloorDivide, name("n"), number(2)),
      DimExprAttr::binary(DimKind::Remainder, name("k"), number(3)));
  EXPECT_EQ(text(expr), "#kern.dim<max(n floordiv 2, k mod 3)>");
  EXPECT_EQ(expr.reversePolish(),
            (SmallVector<std::string>{"n", "2", "//", "k", "3", "%", "max"}));
}

TEST_F(DimExprTest, NamesOfOperatorsAreNoOperators) {
  DimExprAttr expr = DimExprAttr::binary(
      DimKind::Minimum, name("max"),
      DimExprAttr::binary(DimKind::Add, name("min"), name("name")));
  EXPECT_EQ(text(expr), "#kern.dim<min(max, min + name)>");
  EXPECT_EQ(parseAttribute(text(expr), &context), expr);
  EXPECT_EQ(expr.reversePolish(),
            (SmallVector<std::string>{"$max", "$min", "name", "+", "min"}));
}

/// The runtime has an evaluation and a notation of its own.
TEST_F(DimExprTest, AgreesWithTheRuntime) {
  const int64_t n = 11, k = 4;
  for (unsigned i = 0; i < 2000; ++i) {
    DimExprAttr expr = random(5);
    EXPECT_EQ(parseAttribute(text(expr), &context), expr) << text(expr);

    SmallVector<std::string> tokens = expr.reversePolish();
    const DimExpr runtime = {{tokens.begin(), tokens.end()}};
    ASSERT_TRUE(isWellFormed(runtime)) << text(expr);
    Expected<int64_t> wanted = evaluate(
        runtime, [&](const std::string &dim) -> std::optional<int64_t> {
          return dim == "n" ? n : k;
        });
    // By the tree: nothing where something divides by zero.
    using Size = std::optional<int64_t>;
    Size found = expr.evaluate<Size>(
        [&](DimExprAttr leaf) -> Size {
          if (leaf.isConstant())
            return leaf.getValue();
          return leaf.getName() == "n" ? n : k;
        },
        [](DimKind kind, Size left, Size right) -> Size {
          if (!left || !right)
            return std::nullopt;
          const DimExpr one = {{"a", "b", stringifyDimKind(kind).str()}};
          Expected<int64_t> value =
              evaluate(one, [&](const std::string &dim) -> Size {
                return dim == "a" ? left : right;
              });
          return value ? Size(*value) : std::nullopt;
        });
    EXPECT_EQ(found.has_value(), bool(wanted)) << text(expr);
    if (found && wanted) {
      EXPECT_EQ(*found, *wanted) << text(expr);
    }
  }
}

TEST_F(DimExprTest, VisitsOperandsFirstAndEqualNodesEachTime) {
  DimExprAttr expr =
      DimExprAttr::binary(DimKind::Multiply, name("n"), name("n"));
  std::string order;
  expr.forEachNode([&](DimExprAttr node) { order += text(node) + ";"; });
  EXPECT_EQ(order, "#kern.dim<n>;#kern.dim<n>;#kern.dim<n * n>;");
}

TEST_F(DimExprTest, OperatorsAreScalarFunctions) {
  const std::pair<DimKind, ScalarFunction> rows[] = {
      {DimKind::Add, ScalarFunction::add},
      {DimKind::Subtract, ScalarFunction::subtract},
      {DimKind::Multiply, ScalarFunction::multiply},
      {DimKind::FloorDivide, ScalarFunction::floor_divide},
      {DimKind::Remainder, ScalarFunction::remainder},
      {DimKind::Minimum, ScalarFunction::minimum},
      {DimKind::Maximum, ScalarFunction::maximum},
  };
  for (auto [kind, function] : rows) {
    EXPECT_EQ(scalarFunctionOf(kind), function);
    EXPECT_EQ(dimOperator(function), kind);
  }
  EXPECT_EQ(dimOperator(ScalarFunction::power), std::nullopt);
}

TEST_F(DimExprTest, RefusesWhatIsNoDimension) {
  auto check = [&](DimKind kind, StringAttr name, int64_t value,
                   DimExprAttr left, DimExprAttr right) {
    std::string message;
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      message = diagnostic.str();
      return success();
    });
    auto made = DimExprAttr::getChecked(
        [&] { return emitError(UnknownLoc::get(&context)); }, &context, kind,
        name, value, left, right);
    EXPECT_FALSE(made);
    return message;
  };
  const char *shape = "a dimension is a name, a constant, or an operator of "
                      "two dimensions";
  auto n = StringAttr::get(&context, "n");
  EXPECT_EQ(check(DimKind::Name, {}, 0, {}, {}), shape);
  EXPECT_EQ(check(DimKind::Constant, n, 0, {}, {}), shape);
  EXPECT_EQ(check(DimKind::Add, {}, 0, name("n"), {}), shape);
  EXPECT_EQ(check(DimKind::Constant, {}, 0, name("n"), name("n")), shape);
  EXPECT_EQ(check(DimKind::Name, StringAttr::get(&context, ""), 0, {}, {}),
            "a dimension needs a name");
  EXPECT_EQ(check(DimKind::Constant, {}, -1, {}, {}),
            "a dimension has no negative constants, as -1");
}

} // namespace
} // namespace kern
