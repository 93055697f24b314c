//===- TestExpression.cpp - the expressions of tests ----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/kern/doctest/TestEvaluator.h"

#include "compiler/syntax/UnicodeLetters.h"
#include "tools/kern/doctest/PlainArithmetic.h"

#include <array>

namespace kern::cli {

using compiler::LineColumn;
using runtime::Error;
using runtime::Expected;

Expected<TestValue> Evaluator::run() {
  Expected<TestValue> value = expressionList();
  skipSpace();
  if (value && pos < text.size())
    return refuse();
  return value;
}

Error Evaluator::refuse(size_t at, const std::string &why) const {
  return {KERN_ERROR_ARGUMENT, functions.text(test.placeOf(at)) + ": " + why};
}

Error Evaluator::refuse() const {
  const std::string rest(text.substr(pos, 20));
  return refuse(
      pos, "this is not an expression that a test can have: " +
               (rest.empty() ? "it ends too early" : "at '" + rest + "'") +
               (rest.starts_with('.') ? "; a method is a call: `sum(x)`" : ""));
}

void Evaluator::skipSpace() {
  while (pos < text.size() && (text[pos] == ' ' || text[pos] == '\t'))
    ++pos;
}

char Evaluator::peek() {
  skipSpace();
  return pos < text.size() ? text[pos] : '\0';
}

bool Evaluator::take(std::string_view symbol) {
  skipSpace();
  if (!text.substr(pos).starts_with(symbol))
    return false;
  pos += symbol.size();
  return true;
}

std::string Evaluator::word() {
  const size_t begin = pos;
  while (pos < text.size() && (isWordChar(text[pos]) || text[pos] == '.'))
    ++pos;
  return std::string(text.substr(begin, pos - begin));
}

Expected<TestValue> Evaluator::expressionList() {
  Expected<TestValue> first = expression();
  if (!first || peek() != ',')
    return first;
  TestValue tuple;
  tuple.isTuple = true;
  tuple.tuple.push_back(*first);
  while (take(",") && peek() != ')' && peek() != '\0') {
    Expected<TestValue> next = expression();
    if (!next)
      return next;
    tuple.tuple.push_back(*next);
  }
  return tuple;
}

std::string Evaluator::takeOperator(unsigned level) {
  static constexpr std::array<std::string_view, 6> levels[] = {
      {"<=", ">=", "==", "!=", "<", ">"},
      {"|"},
      {"^"},
      {"&"},
      {"<<", ">>"},
      {"+", "-"},
      {"//", "*", "/", "%"}};
  const std::string_view rest = text.substr(pos);
  for (std::string_view op : levels[level]) {
    if (op.empty() || !rest.starts_with(op))
      continue;
    // `<` is not the beginning of `<<`.
    if ((op == "<" || op == ">") && rest.substr(1).starts_with(op))
      continue;
    pos += op.size();
    return std::string(op);
  }
  return {};
}

Expected<TestValue> Evaluator::expression() {
  Expected<TestValue> left = binary(1);
  std::optional<TestValue> truth; // of those before
  while (left) {
    skipSpace();
    const LineColumn at = here();
    const std::string op = takeOperator(0); // of comparisons
    if (op.empty())
      return truth ? *truth : left;
    Expected<TestValue> right = binary(1);
    if (!right)
      return right;
    Expected<TestValue> holds = functions.operate(op, *left, *right, at);
    // `a < b < c` is `a < b and b < c`.
    if (holds && truth)
      holds = functions.call("logical_and", {*truth, *holds}, at);
    if (!holds)
      return holds;
    truth = *holds;
    left = right;
  }
  return left;
}

Expected<TestValue> Evaluator::binary(unsigned level) {
  if (level == 7)
    return unary();
  Expected<TestValue> left = binary(level + 1);
  while (left) {
    skipSpace();
    const LineColumn at = here();
    const std::string op = takeOperator(level);
    if (op.empty())
      return left;
    Expected<TestValue> right = binary(level + 1);
    if (!right)
      return right;
    left = functions.operate(op, *left, *right, at);
  }
  return left;
}

Expected<TestValue> Evaluator::unary() {
  std::vector<std::pair<char, LineColumn>> signs;
  for (; peek() == '-' || peek() == '+' || peek() == '~'; ++pos)
    signs.push_back({peek(), here()});
  Expected<TestValue> value = power();
  for (; value && !signs.empty(); signs.pop_back()) {
    const auto [sign, at] = signs.back();
    if (sign == '+')
      continue;
    const bool inverts = sign == '~';
    if (value->isWeak())
      value = inverts ? plainInverse(*value) : plainNegative(*value);
    else
      value = functions.call(inverts ? "invert" : "negative", {*value}, at);
  }
  return value;
}

Expected<TestValue> Evaluator::power() {
  Expected<TestValue> base = primary();
  skipSpace();
  const LineColumn at = here();
  if (!base || !take("**"))
    return base;
  auto exponent = unary();
  return exponent ? functions.operate("**", *base, *exponent, at) : exponent;
}

Expected<TestValue> evaluate(const DocTest &test, TestFunctions &functions,
                             TestNames &names) {
  const Assignment assignment = assignmentOf(test.expression);
  Expected<TestValue> value =
      Evaluator(test, assignment.valueAt, functions, names).run();
  std::vector<std::string> bound = assignment.names;
  if (bound.empty())
    return value;
  if (!value)
    return value;
  for (std::string &name : bound)
    name = compiler::syntax::normalName(name);
  if (bound.size() == 1) {
    names[bound[0]] = *value;
    return value;
  }
  if (!value->isTuple || value->tuple.size() != bound.size())
    return Error{KERN_ERROR_ARGUMENT,
                 std::to_string(bound.size()) + " names for " +
                     std::to_string(value->isTuple ? value->tuple.size() : 1) +
                     " values"};
  for (size_t i = 0; i < bound.size(); ++i)
    names[bound[i]] = value->tuple[i];
  return value;
}

} // namespace kern::cli
