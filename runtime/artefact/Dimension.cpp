//===- Dimension.cpp - arithmetic on core dimensions ----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/artefact/Dimension.h"

#include "runtime/error/Counted.h"

#include <algorithm>
#include <charconv>

using namespace kern::runtime;

using Token = DimToken::Kind;

namespace {
struct DimWord {
  std::string_view text;
  Token kind;
};
constexpr DimWord words[] = {
    {"+", Token::Add},       {"-", Token::Subtract},
    {"*", Token::Multiply},  {"//", Token::FloorDivide},
    {"%", Token::Remainder}, {"min", Token::Min},
    {"max", Token::Max},     {">=0", Token::NonNegative},
    {"==", Token::Equal}};

std::string_view wordOf(Token kind) {
  const auto *found = std::ranges::find(words, kind, &DimWord::kind);
  return found == std::end(words) ? std::string_view() : found->text;
}

/// Whether a token combines the two operands before it.
bool isBinary(const DimToken &token) {
  return (token.kind >= Token::Add && token.kind <= Token::Max) ||
         token.kind == Token::Equal;
}

int precedence(Token kind) {
  return kind == Token::Equal                            ? 0
         : kind == Token::Add || kind == Token::Subtract ? 1
         : kind == Token::Min || kind == Token::Max      ? 3
                                                         : 2;
}

/// The text of a subexpression and its precedence.
struct DimTerm {
  std::string text;
  int binding;
};

/// Nothing on overflow or division by zero.
std::optional<int64_t> apply(Token kind, int64_t a, int64_t b) {
  int64_t out = 0;
  switch (kind) {
  case Token::Min:
    return std::min(a, b);
  case Token::Max:
    return std::max(a, b);
  case Token::Add:
    return __builtin_add_overflow(a, b, &out) ? std::nullopt
                                              : std::optional(out);
  case Token::Subtract:
    return __builtin_sub_overflow(a, b, &out) ? std::nullopt
                                              : std::optional(out);
  case Token::Multiply:
    return __builtin_mul_overflow(a, b, &out) ? std::nullopt
                                              : std::optional(out);
  default:
    break;
  }
  if (b == 0 || (a == INT64_MIN && b == -1))
    return std::nullopt;
  int64_t quotient = a / b, remainder = a % b;
  if (remainder != 0 && (remainder < 0) != (b < 0)) {
    --quotient;
    remainder += b;
  }
  return kind == Token::FloorDivide ? quotient : remainder;
}
} // namespace

DimToken::DimToken(std::string_view text) : name(text) {
  const auto *word = std::ranges::find(words, text, &DimWord::text);
  if (word != std::end(words)) {
    kind = word->kind;
    name.clear();
    return;
  }
  if (text.empty() || text == "$")
    return;
  if (text[0] < '0' || text[0] > '9') {
    kind = Token::Name;
    name = text.substr(text[0] == '$');
    return;
  }
  auto [end, failure] =
      std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc() || end != text.data() + text.size())
    return;
  kind = Token::Integer;
  name.clear();
}

std::string DimToken::text() const {
  switch (kind) {
  case Token::Integer:
    return std::to_string(value);
  case Token::Name: {
    const bool isWord =
        std::ranges::find(words, name, &DimWord::text) != std::end(words);
    return (isWord ? "$" : "") + name;
  }
  case Token::Malformed:
    return name;
  default:
    return std::string(wordOf(kind));
  }
}

bool kern::runtime::isWellFormed(const DimExpr &expr) {
  size_t depth = 0;
  for (const DimToken &token : expr.tokens) {
    if (token.kind == Token::Malformed)
      return false;
    const size_t operands = isBinary(token)                    ? 2
                            : token.kind == Token::NonNegative ? 1
                                                               : 0;
    if (depth < operands)
      return false;
    depth = depth - operands + 1;
  }
  return depth == 1;
}

std::optional<std::string> kern::runtime::nameOf(const DimExpr &expr) {
  if (expr.tokens.size() != 1 || expr.tokens[0].kind != Token::Name)
    return std::nullopt;
  return expr.tokens[0].name;
}

std::vector<std::string> kern::runtime::namesIn(const DimExpr &expr) {
  std::vector<std::string> names;
  for (const DimToken &token : expr.tokens)
    if (token.kind == Token::Name)
      names.push_back(token.name);
  return names;
}

std::optional<int64_t> kern::runtime::constantOf(const DimExpr &expr) {
  if (expr.tokens.size() != 1 || expr.tokens[0].kind != Token::Integer)
    return std::nullopt;
  return expr.tokens[0].value;
}

std::string kern::runtime::text(const DimExpr &expr) {
  std::vector<DimTerm> stack;
  for (const DimToken &token : expr.tokens) {
    if (token.kind == Token::NonNegative)
      continue;
    if (!isBinary(token) || stack.size() < 2) {
      stack.push_back(
          {token.kind == Token::Name ? token.name : token.text(), 4});
      continue;
    }
    DimTerm right = std::move(stack.back());
    stack.pop_back();
    DimTerm &left = stack.back();
    const std::string word(wordOf(token.kind));
    int binding = precedence(token.kind);
    if (binding == 3) {
      left = {word + "(" + left.text + ", " + right.text + ")", 4};
      continue;
    }
    if (left.binding < binding)
      left.text = "(" + left.text + ")";
    if (right.binding <= binding)
      right.text = "(" + right.text + ")";
    left = {left.text + " " + word + " " + right.text, binding};
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
    const DimToken &token = expr.tokens[at];
    if (token.kind == Token::NonNegative) {
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
    if (isBinary(token)) {
      if (stack.size() < 2)
        return malformed();
      int64_t right = stack.back();
      const size_t beginOfRight = begins.back();
      stack.pop_back();
      begins.pop_back();
      auto textOf = [&](size_t begin, size_t end) {
        auto tokens = expr.tokens.begin();
        return text(
            DimExpr{{tokens + ptrdiff_t(begin), tokens + ptrdiff_t(end)}});
      };
      if (token.kind == Token::Equal) {
        // A slice that ends before it begins is empty.
        const int64_t one = std::max<int64_t>(stack.back(), 0);
        const int64_t other = std::max<int64_t>(right, 0);
        if (one != other)
          return Error(ErrorCode::extents_differ,
                       {textOf(begins.back(), beginOfRight), one,
                        textOf(beginOfRight, at), other});
        stack.back() = one;
        continue;
      }
      std::optional<int64_t> value = apply(token.kind, stack.back(), right);
      if (!value)
        return Error(right == 0 ? ErrorCode::dimension_divides_by_zero
                                : ErrorCode::dimension_too_large,
                     {text(expr)});
      stack.back() = *value;
      continue;
    }
    if (token.kind == Token::Malformed)
      return malformed();
    std::optional<int64_t> value =
        token.kind == Token::Integer ? token.value : lookup(token.name);
    if (!value)
      return Error(ErrorCode::dimension_unbound, {text(expr), token.name});
    stack.push_back(*value);
    begins.push_back(at);
  }
  if (stack.size() != 1)
    return malformed();
  return stack.back();
}

Status kern::runtime::checkExtents(const KernelInfo &kernel,
                                   const FunctionInfo &function,
                                   std::span<const int64_t> dims) {
  const DimLookup lookup = dimensionLookup(function, dims);
  for (const LeastExtent &needed : kernel.leastExtents) {
    Expected<int64_t> extent = evaluate(needed.extent, lookup);
    const Expected<int64_t> least = evaluate(needed.least, lookup);
    if (!extent || !least)
      continue; // it divides by zero, or is larger than any array
    *extent = std::max<int64_t>(*extent, 0);
    if (*extent < *least)
      return Error(ErrorCode::array_too_short,
                   {function.name, needed.place, needed.array,
                    counted(size_t(*extent), "element"), needed.axis,
                    text(needed.extent),
                    std::to_string(*least) + (*least == 1 ? " is" : " are")});
  }
  // `min`, `max`, `argmin` … of an empty range have no value.
  for (const DimExpr &dim : kernel.nonEmpty) {
    Expected<int64_t> extent = evaluate(dim, lookup);
    if (!extent)
      return extent.error().in(function.name);
    if (*extent < 1)
      return Error(ErrorCode::empty_reduction, {text(dim), *extent})
          .in(function.name);
  }
  return {};
}
