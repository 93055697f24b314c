//===- TestExpression.cpp - the expressions of tests ----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/kern/doctest/TestExpression.h"

#include "compiler/syntax/UnicodeLetters.h"
#include "runtime/array/DType.h"
#include "tools/kern/doctest/PlainArithmetic.h"
#include "tools/kern/values/Value.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace kern::cli {

using compiler::LineColumn;
using runtime::Error;
using runtime::Expected;
using runtime::Status;

namespace {

/// Calls, lists and parentheses inside one another.
constexpr unsigned nestingLimit = 64;

/// Reads and evaluates in one pass. After an error it reads no further.
class Evaluator {
public:
  /// Of the expression from `begin` on.
  Evaluator(const DocTest &test, size_t begin, TestFunctions &functions,
            TestNames &names)
      : test(test), text(test.expression), pos(begin), functions(functions),
        names(names) {}

  Expected<TestValue> run() {
    Expected<TestValue> value = expressionList();
    skipSpace();
    if (value && pos < text.size())
      return refuse();
    return value;
  }

private:
  Error refuse(size_t at, const std::string &why) const {
    return {KERN_ERROR_ARGUMENT, functions.text(test.placeOf(at)) + ": " + why};
  }
  Error refuse() const {
    const std::string rest(text.substr(pos, 20));
    return refuse(
        pos,
        "this is not an expression that a test can have: " +
            (rest.empty() ? "it ends too early" : "at '" + rest + "'") +
            (rest.starts_with('.') ? "; a method is a call: `sum(x)`" : ""));
  }
  void skipSpace() {
    while (pos < text.size() && (text[pos] == ' ' || text[pos] == '\t'))
      ++pos;
  }
  char peek() {
    skipSpace();
    return pos < text.size() ? text[pos] : '\0';
  }
  bool take(std::string_view symbol) {
    skipSpace();
    if (!text.substr(pos).starts_with(symbol))
      return false;
    pos += symbol.size();
    return true;
  }
  std::string word() {
    const size_t begin = pos;
    while (pos < text.size() && (isWordChar(text[pos]) || text[pos] == '.'))
      ++pos;
    return std::string(text.substr(begin, pos - begin));
  }

  /// `a, b`: a tuple, as in Python.
  Expected<TestValue> expressionList() {
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

  /// Takes an operator of one level of precedence, if one comes next.
  std::string takeOperator(unsigned level) {
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

  Expected<TestValue> expression() {
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

  Expected<TestValue> binary(unsigned level) {
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

  Expected<TestValue> unary() {
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

  Expected<TestValue> power() {
    Expected<TestValue> base = primary();
    skipSpace();
    const LineColumn at = here();
    if (!base || !take("**"))
      return base;
    auto exponent = unary();
    return exponent ? functions.operate("**", *base, *exponent, at) : exponent;
  }

  Expected<TestValue> primary() {
    const char c = peek();
    if (nesting == nestingLimit)
      return Error{KERN_ERROR_ARGUMENT, "this is nested too deeply"};
    ++nesting;
    Expected<TestValue> value = c == '['                 ? list()
                                : c == '('               ? parenthesized()
                                : isDigit(c) || c == '.' ? number()
                                : isWordChar(c)          ? named()
                                                         : refuse();
    --nesting;
    return value;
  }

  Expected<TestValue> parenthesized() {
    take("(");
    Expected<TestValue> value = expressionList();
    if (value && !take(")"))
      return refuse();
    return value;
  }

  Expected<TestValue> number() {
    const size_t begin = pos;
    while (pos < text.size()) {
      const char c = text[pos];
      const bool sign = (c == '+' || c == '-') && pos > begin &&
                        (text[pos - 1] == 'e' || text[pos - 1] == 'E') &&
                        text.substr(begin, 2) != "0x";
      if (!isWordChar(c) && c != '.' && !sign)
        break;
      ++pos;
    }
    const std::string_view literal = text.substr(begin, pos - begin);
    Expected<TestValue> value = plain(literal);
    if (!value)
      if (Expected<TestValue> wide = plainInteger(literal))
        return wide;
    return value;
  }

  static Expected<TestValue> plain(std::string_view literal) {
    Expected<kern_value> value = parseValue(literal);
    if (!value)
      return value.error();
    TestValue result;
    result.value = *value;
    return result;
  }

  /// A constant, a bound name, a call, or a type around a number.
  Expected<TestValue> named() {
    const size_t begin = pos;
    const std::string name = word();
    if (peek() == '(')
      return call(name, begin);
    if (auto bound = names.find(compiler::syntax::normalName(name));
        bound != names.end())
      return bound->second;
    static constexpr std::pair<std::string_view, std::string_view> constants[] =
        {{"True", "True"},
         {"False", "False"},
         {"inf", "inf"},
         {"nan", "nan"},
         {"pi", "3.141592653589793"},
         {"e", "2.718281828459045"},
         {"tau", "6.283185307179586"},
         {"eulergamma", "0.5772156649015329"}};
    for (auto [constant, value] : constants)
      if (name == constant)
        return plain(value);
    return refuse(begin,
                  "'" + name +
                      "' is not a value here: tests know numbers, lists, "
                      "calls, and names bound by an earlier `>>> name = "
                      "…`");
  }

  Expected<TestValue> call(const std::string &name, size_t begin) {
    // A literal is converted as it is written, not by way of f64 or i64.
    const size_t end = std::min(text.find(')', pos), text.size() - 1) + 1;
    const std::string_view inside = text.substr(pos, end - pos);
    const bool literal = inside.find_first_of("([,*/ ", 1) == inside.npos;
    if (runtime::parseDType(name) && literal)
      if (auto value = plain(name + std::string(inside))) {
        pos = end;
        return value;
      }
    take("(");
    std::vector<TestValue> arguments;
    std::vector<std::string> keywords;
    while (peek() != ')') {
      const std::string keyword = takeKeyword();
      if (keyword.empty() && !keywords.empty())
        return refuse(pos, "an argument without a name comes after one with a "
                           "name");
      if (!keyword.empty())
        keywords.push_back(compiler::syntax::normalName(keyword));
      Expected<TestValue> argument = expression();
      if (!argument)
        return argument;
      arguments.push_back(*argument);
      if (!take(",") && peek() != ')')
        return refuse();
    }
    take(")");
    return functions.call(name, arguments, test.placeOf(begin), keywords);
  }

  /// Takes `name=` of an argument, if it comes next.
  std::string takeKeyword() {
    skipSpace();
    const size_t begin = pos;
    if (pos < text.size() && !isDigit(text[pos]))
      if (std::string name = word();
          !name.empty() && peek() == '=' && text.substr(pos, 2) != "==") {
        ++pos;
        return name;
      }
    pos = begin;
    return {};
  }

  Expected<TestValue> list() {
    std::vector<int64_t> shape;
    std::vector<TestValue> leaves;
    if (Status status = readList(0, shape, leaves); !status)
      return status.error();
    return makeArray(shape, leaves);
  }

  /// One bracket of a nested list. The first list of a level says how long the
  /// others are.
  Status readList(size_t depth, std::vector<int64_t> &shape,
                  std::vector<TestValue> &leaves) {
    const Error ragged{KERN_ERROR_ARGUMENT,
                       "the lists inside a list have one length and depth"};
    if (depth == 32)
      return Error{KERN_ERROR_ARGUMENT, "this list is nested too deeply"};
    take("[");
    const bool isFirst = shape.size() == depth;
    if (isFirst)
      shape.push_back(-1);
    const bool deeper = peek() == '[';
    // Numbers where earlier lists of this level hold lists, or the reverse.
    if (!isFirst && peek() != ']' && deeper != (shape.size() > depth + 1))
      return ragged;
    int64_t count = 0;
    while (peek() != ']') {
      if ((peek() == '[') != deeper)
        return ragged;
      if (deeper) {
        if (Status status = readList(depth + 1, shape, leaves); !status)
          return status;
      } else {
        Expected<TestValue> leaf = expression();
        if (!leaf)
          return leaf.error();
        leaves.push_back(*leaf);
      }
      ++count;
      if (!take(",") && peek() != ']')
        return refuse();
    }
    take("]");
    if (shape[depth] >= 0 && shape[depth] != count)
      return ragged;
    shape[depth] = count;
    return {};
  }

  LineColumn here() const { return test.placeOf(pos); }
  const DocTest &test;
  std::string_view text;
  size_t pos;
  unsigned nesting = 0;
  TestFunctions &functions;
  TestNames &names;
};

} // namespace

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
