//===- TestEvaluator.h - reads the expressions of tests ------- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "tools/kern/doctest/TestExpression.h"

#include <string>
#include <string_view>
#include <vector>

namespace kern::cli {

/// Reads and evaluates an expression in one pass. After an error it reads no
/// further.
class Evaluator {
public:
  /// Of the expression from `begin` on.
  Evaluator(const DocTest &test, size_t begin, TestFunctions &functions,
            TestNames &names)
      : test(test), text(test.expression), pos(begin), functions(functions),
        names(names) {}

  runtime::Expected<TestValue> run();

private:
  //===--- TestExpression.cpp ---------------------------------------------===//
  runtime::Error refuse(size_t at, const std::string &why) const;
  runtime::Error refuse() const;
  void skipSpace();
  char peek();
  bool take(std::string_view symbol);
  std::string word();

  /// `a, b`: a tuple, as in Python.
  runtime::Expected<TestValue> expressionList();
  /// Takes an operator of one level of precedence, if one comes next.
  std::string takeOperator(unsigned level);
  runtime::Expected<TestValue> expression();
  runtime::Expected<TestValue> binary(unsigned level);
  runtime::Expected<TestValue> unary();
  runtime::Expected<TestValue> power();

  //===--- TestPrimaries.cpp ----------------------------------------------===//
  runtime::Expected<TestValue> primary();
  runtime::Expected<TestValue> parenthesized();
  runtime::Expected<TestValue> number();
  /// A constant, a bound name, a call, or a type around a number.
  runtime::Expected<TestValue> named();
  runtime::Expected<TestValue> call(const std::string &name, size_t begin);
  /// Takes `name=` of an argument, if it comes next.
  std::string takeKeyword();
  runtime::Expected<TestValue> list();
  /// One bracket of a nested list. The first list of a level says how long the
  /// others are.
  runtime::Status readList(size_t depth, std::vector<int64_t> &shape,
                           std::vector<TestValue> &leaves);

  compiler::LineColumn here() const { return test.placeOf(pos); }

  const DocTest &test;
  std::string_view text;
  size_t pos;
  unsigned nesting = 0;
  TestFunctions &functions;
  TestNames &names;
};

} // namespace kern::cli
