//===- Dimension.cpp - arithmetic on core dimensions ----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/artefact/Dimension.h"

#include <algorithm>
#include <charconv>

using namespace kern::runtime;

namespace {
/// A unary operator: its operand, which must not be negative.
constexpr std::string_view isSize = ">=0";

bool isOperator(std::string_view token) {
  return token == "+" || token == "-" || token == "*" || token == "//" ||
         token == "%" || token == "min" || token == "max";
}

std::optional<int64_t> integerOf(std::string_view token) {
  int64_t value = 0;
  auto [end, failure] =
      std::from_chars(token.data(), token.data() + token.size(), value);
  if (failure != std::errc() || end != token.data() + token.size() || value < 0)
    return std::nullopt;
  return value;
}

/// The name that a token stands for, if it is not an operator or integer.
std::string unescaped(std::string_view token) {
  return std::string(token.starts_with('$') ? token.substr(1) : token);
}

int precedence(std::string_view op) {
  return op == "+" || op == "-" ? 1 : op == "min" || op == "max" ? 3 : 2;
}

/// The text of a subexpression and its precedence.
struct DimTerm {
  std::string text;
  int binding;
};

/// Nothing on overflow or division by zero.
std::optional<int64_t> apply(std::string_view op, int64_t a, int64_t b) {
  int64_t out = 0;
  if (op == "min" || op == "max")
    return op == "min" ? std::min(a, b) : std::max(a, b);
  if (op == "+" || op == "-" || op == "*") {
    bool overflows = op == "+"   ? __builtin_add_overflow(a, b, &out)
                     : op == "-" ? __builtin_sub_overflow(a, b, &out)
                                 : __builtin_mul_overflow(a, b, &out);
    return overflows ? std::nullopt : std::optional(out);
  }
  if (b == 0 || (a == INT64_MIN && b == -1))
    return std::nullopt;
  int64_t quotient = a / b, remainder = a % b;
  if (remainder != 0 && (remainder < 0) != (b < 0)) {
    --quotient;
    remainder += b;
  }
  return op == "//" ? quotient : remainder;
}
} // namespace

bool kern::runtime::isWellFormed(const DimExpr &expr) {
  size_t depth = 0;
  for (const std::string &token : expr.tokens) {
    if (token == isSize) {
      if (depth < 1)
        return false;
      continue;
    }
    if (isOperator(token)) {
      if (depth < 2)
        return false;
      --depth;
      continue;
    }
    const bool isName =
        !token.empty() && token != "$" && !(token[0] >= '0' && token[0] <= '9');
    if (!isName && !integerOf(token))
      return false;
    ++depth;
  }
  return depth == 1;
}

std::optional<std::string> kern::runtime::nameOf(const DimExpr &expr) {
  if (expr.tokens.size() != 1 || constantOf(expr))
    return std::nullopt;
  return unescaped(expr.tokens[0]);
}

std::vector<std::string> kern::runtime::namesIn(const DimExpr &expr) {
  std::vector<std::string> names;
  for (const std::string &token : expr.tokens)
    if (!isOperator(token) && token != isSize && !integerOf(token))
      names.push_back(unescaped(token));
  return names;
}

std::optional<int64_t> kern::runtime::constantOf(const DimExpr &expr) {
  return expr.tokens.size() == 1 ? integerOf(expr.tokens[0]) : std::nullopt;
}

std::string kern::runtime::text(const DimExpr &expr) {
  std::vector<DimTerm> stack;
  for (const std::string &token : expr.tokens) {
    if (token == isSize)
      continue;
    if (!isOperator(token) || stack.size() < 2) {
      stack.push_back({unescaped(token), 4});
      continue;
    }
    DimTerm right = std::move(stack.back());
    stack.pop_back();
    DimTerm &left = stack.back();
    int binding = precedence(token);
    if (binding == 3) {
      left = {token + "(" + left.text + ", " + right.text + ")", 4};
      continue;
    }
    if (left.binding < binding)
      left.text = "(" + left.text + ")";
    if (right.binding <= binding)
      right.text = "(" + right.text + ")";
    left = {left.text + " " + token + " " + right.text, binding};
  }
  return stack.empty() ? "" : stack.back().text;
}

DimLookup kern::runtime::dimensionLookup(const FunctionInfo &function,
                                         std::span<const int64_t> values) {
  return
      [&function, values](const std::string &name) -> std::optional<int64_t> {
        auto at = std::find(function.dims.begin(), function.dims.end(), name);
        if (at == function.dims.end())
          return std::nullopt;
        return values[size_t(at - function.dims.begin())];
      };
}

Expected<int64_t> kern::runtime::evaluate(const DimExpr &expr,
                                          const DimLookup &lookup) {
  auto malformed = [&] {
    return Error(ErrorCode::dimension_malformed, {text(expr)});
  };
  std::vector<int64_t> stack;
  std::vector<size_t> begins; ///< the first token of each entry
  for (size_t at = 0; at < expr.tokens.size(); ++at) {
    const std::string &token = expr.tokens[at];
    if (token == isSize) {
      if (stack.empty())
        return malformed();
      if (stack.back() < 0) {
        auto tokens = expr.tokens.begin();
        return Error(ErrorCode::local_dimension_negative,
                     {text(DimExpr{{tokens + ptrdiff_t(begins.back()),
                                    tokens + ptrdiff_t(at)}}),
                      stack.back()});
      }
      continue;
    }
    if (isOperator(token)) {
      if (stack.size() < 2)
        return malformed();
      int64_t right = stack.back();
      stack.pop_back();
      begins.pop_back();
      std::optional<int64_t> value = apply(token, stack.back(), right);
      if (!value)
        return Error(right == 0 ? ErrorCode::dimension_divides_by_zero
                                : ErrorCode::dimension_too_large,
                     {text(expr)});
      stack.back() = *value;
      continue;
    }
    std::optional<int64_t> value = integerOf(token);
    if (!value)
      value = lookup(unescaped(token));
    if (!value)
      return Error(ErrorCode::dimension_unbound,
                   {text(expr), unescaped(token)});
    stack.push_back(*value);
    begins.push_back(at);
  }
  if (stack.size() != 1)
    return malformed();
  return stack.back();
}
