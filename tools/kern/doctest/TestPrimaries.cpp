//===- TestPrimaries.cpp - numbers, lists and calls of tests --------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/kern/doctest/TestEvaluator.h"

#include "compiler/syntax/UnicodeLetters.h"
#include "runtime/array/DType.h"
#include "tools/kern/doctest/PlainArithmetic.h"
#include "tools/kern/values/Value.h"

#include <algorithm>

namespace kern::cli {

using runtime::Error;
using runtime::Expected;
using runtime::Status;

/// Calls, lists and parentheses inside one another.
static constexpr unsigned nestingLimit = 64;

static Expected<TestValue> plain(std::string_view literal) {
  Expected<kern_value> value = parseValue(literal);
  if (!value)
    return value.error();
  TestValue result;
  result.value = *value;
  return result;
}

Expected<TestValue> Evaluator::primary() {
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

Expected<TestValue> Evaluator::parenthesized() {
  take("(");
  Expected<TestValue> value = expressionList();
  if (value && !take(")"))
    return refuse();
  return value;
}

Expected<TestValue> Evaluator::number() {
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

Expected<TestValue> Evaluator::named() {
  const size_t begin = pos;
  const std::string name = word();
  if (peek() == '(')
    return call(name, begin);
  if (auto bound = names.find(compiler::syntax::normalName(name));
      bound != names.end())
    return bound->second;
  static constexpr std::pair<std::string_view, std::string_view> constants[] = {
      {"True", "True"},
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
  return refuse(begin, "'" + name +
                           "' is not a value here: tests know numbers, lists, "
                           "calls, and names bound by an earlier `>>> name = "
                           "…`");
}

Expected<TestValue> Evaluator::call(const std::string &name, size_t begin) {
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
  const size_t dot = name.rfind('.');
  if (dot != name.npos)
    if (auto bound =
            names.find(compiler::syntax::normalName(name.substr(0, dot)));
        bound != names.end())
      return functions.callMethod(bound->second, name.substr(dot + 1),
                                  arguments, test.placeOf(begin), keywords);
  return functions.call(name, arguments, test.placeOf(begin), keywords);
}

std::string Evaluator::takeKeyword() {
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

Expected<TestValue> Evaluator::list() {
  std::vector<int64_t> shape;
  std::vector<TestValue> leaves;
  if (Status status = readList(0, shape, leaves); !status)
    return status.error();
  return makeArray(shape, leaves);
}

Status Evaluator::readList(size_t depth, std::vector<int64_t> &shape,
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

} // namespace kern::cli
