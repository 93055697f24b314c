//===- MethodText.cpp - the source of a method's gufunc -------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Methods are written in Kern, so that every target and every mapping of
// gufuncs serves them.
//
//===----------------------------------------------------------------------===//
#include "compiler/driver/MethodText.h"

#include "compiler/syntax/Parser.h"

#include <algorithm>

namespace kern::compiler {

using namespace runtime;
using Start = MethodGufunc::Start;
using Second = MethodGufunc::Second;

namespace {
/// Fills the places of a text:
///   {0}  the prefix of local names   {1}  the gufunc's name
///   {2}  the ufunc                   {3}  the type of values
///   {4}  the type of elements        {5}  parameters before others
///   {6} the initial value          {7}  the first index and ", ", or ""
///   {8}  parameters after others     {9} see each text
class Writer {
public:
  Writer(std::string_view source, const FunctionInfo &function,
         const MethodGufunc &wanted)
      : function(function), wanted(wanted), prefix("k_") {
    auto isTaken = [&](const std::string &name) {
      return source.find(name) != source.npos;
    };
    for (unsigned i = 1; isTaken(prefix); ++i)
      prefix = "k" + std::to_string(i) + "_";
    gufunc = function.name + "_" + std::string(name(wanted.method));
    while (isTaken(gufunc))
      gufunc += "_";
  }

  std::string reduce(std::string_view source) const;
  std::string accumulate() const;
  std::string reduceat() const;
  std::string at(std::string_view source) const;

private:
  std::string filled(std::string_view text, std::string before = "",
                     std::string start = "", std::string first = "",
                     std::string after = "", std::string other = "") const {
    return fill(text,
                {prefix, gufunc, function.name, std::string(name(wanted.value)),
                 std::string(name(wanted.element)), std::move(before),
                 std::move(start), std::move(first), std::move(after),
                 std::move(other)});
  }
  /// The initial value of a reduction that does not begin with an element.
  std::string begin() const {
    return wanted.start == Start::Given ? prefix + "initial"
                                        : std::string(name(wanted.value)) +
                                              "(" + function.identity + ")";
  }

  const FunctionInfo &function;
  const MethodGufunc &wanted;
  std::string prefix, gufunc;
};

// Only `fold` may regroup its elements, and so run in parallel.
constexpr std::string_view foldText = R"(
gufunc {1}({5}{0}v: {4}[{0}n]{8}) -> {3}:
    return fold({2}, {6}, {9})
)";

// A sum or a product, whose code has several accumulators.
constexpr std::string_view totalText = R"(
gufunc {1}({5}{0}v: {4}[{0}n]{8}) -> {3}:
    return {6}({9})
)";

constexpr std::string_view reduceText = R"(
gufunc {1}({5}{0}v: {4}[{0}n]{8}) -> {3}:
    {0}acc: {3} = {6}
    for {0}i in range({7}{0}n):
        {9}{0}acc = {2}({0}acc, {0}v[{0}i])
    return {0}acc
)";

// Reduces columns row by row: for arrays whose columns are contiguous side by
// side, and whose elements along a column are far apart.
constexpr std::string_view reduceColumnsText = R"(
gufunc {1}({5}{0}v: {4}[{0}n, {0}m]) -> ({0}y: {3}[{0}m]):
    for {0}j in prange({0}m):
        {0}y[{0}j] = {6}
    for {0}i in range({7}{0}n):
        for {0}j in prange({0}m):
            {0}y[{0}j] = {2}({0}y[{0}j], {0}v[{0}i, {0}j])
)";

// Runs in order. A function that may be regrouped can use a scan instead.
constexpr std::string_view accumulateText = R"(
gufunc {1}({0}v: {3}[{0}n]) -> ({0}y: {3}[{0}n]):
    if {0}n > 0:
        {0}acc: {3} = {0}v[0]
        {0}y[0] = {0}acc
        for {0}i in range(1, {0}n):
            {0}acc = {2}({0}acc, {0}v[{0}i])
            {0}y[{0}i] = {0}acc
)";

constexpr std::string_view accumulateColumnsText = R"(
gufunc {1}({0}v: {3}[{0}n, {0}m]) -> ({0}y: {3}[{0}n, {0}m]):
    if {0}n > 0:
        for {0}j in prange({0}m):
            {0}y[0, {0}j] = {0}v[0, {0}j]
        for {0}i in range(1, {0}n):
            for {0}j in prange({0}m):
                {0}y[{0}i, {0}j] = {2}({0}y[{0}i - 1, {0}j], {0}v[{0}i, {0}j])
)";

constexpr std::string_view reduceatText = R"(
gufunc {1}({0}v: {3}[{0}n], {0}at: i64[{0}k]) -> ({0}y: {3}[{0}k]):
    for {0}j in prange({0}k):
        {0}end = {0}n
        if {0}j + 1 < {0}k:
            {0}end = {0}at[{0}j + 1]
        {0}acc: {3} = {0}v[{0}at[{0}j]]
        for {0}i in range({0}at[{0}j] + 1, {0}end):
            {0}acc = {2}({0}acc, {0}v[{0}i])
        {0}y[{0}j] = {0}acc
)";

// {5}: dimensions and indices as parameters; {6}: the index of an element; {7}:
// statements that compute it; {9}: the function's arguments, and the store of
// its results.
constexpr std::string_view atText = R"(
gufunc {1}(inout {0}x: {3}[{5}{8}):
    for {0}j in range({0}k):
{7}        {0}old = {0}x[{6}]
        {0}new = {2}({9}
)";

// An integer operation that a `prange` may do in any order.
constexpr std::string_view atAnyOrderText = R"(
gufunc {1}(inout {0}x: {3}[{5}{8}):
    for {0}j in prange({0}k):
{7}        {0}x[{6}] {9}
)";

syntax::File parsed(std::string_view source) {
  SourceManager sources;
  DiagnosticEngine diagnostics(sources);
  return syntax::parse(sources.add("", std::string(source)), diagnostics);
}

/// The operator of a function whose body is `return x + y` or the like of its
/// parameters.
std::optional<syntax::BinaryOp> operatorOf(const syntax::File &tree,
                                           const std::string &name) {
  for (const syntax::Item &item : tree.items) {
    const auto *function = std::get_if<syntax::Function>(&item.node);
    if (!function || function->name.name != name || function->body.size() != 1)
      continue;
    const auto *last = std::get_if<syntax::Return>(&function->body[0]->node);
    const auto *sum = last && last->value
                          ? std::get_if<syntax::Binary>(&last->value->node)
                          : nullptr;
    if (!sum)
      return std::nullopt;
    const auto *left = std::get_if<syntax::Name>(&sum->left->node);
    const auto *right = std::get_if<syntax::Name>(&sum->right->node);
    if (!left || !right || left->name != function->parameters[0].name.name ||
        right->name != function->parameters[1].name.name)
      return std::nullopt;
    return sum->op;
  }
  return std::nullopt;
}

/// Whether the source gives a meaning of its own to a name.
bool hasName(const syntax::File &tree, std::string_view name) {
  return std::ranges::any_of(tree.items, [&](const syntax::Item &item) {
    if (const auto *function = std::get_if<syntax::Function>(&item.node))
      return function->name.name == name;
    if (const auto *constant = std::get_if<syntax::Const>(&item.node))
      return constant->name.name == name;
    const auto &import = std::get<syntax::Import>(item.node);
    return import.module.name == name ||
           (import.alias && import.alias->name == name) ||
           std::ranges::any_of(import.names, [&](const auto &one) {
             return (one.second ? *one.second : one.first).name == name;
           });
  });
}

/// "+=" for a function that adds; likewise "&=", "|=" and "^="; "" for others.
std::string_view augmentedOf(std::string_view source, const std::string &name) {
  switch (operatorOf(parsed(source), name).value_or(syntax::BinaryOp::Sub)) {
  case syntax::BinaryOp::Add:
    return "+=";
  case syntax::BinaryOp::BitAnd:
    return "&=";
  case syntax::BinaryOp::BitOr:
    return "|=";
  case syntax::BinaryOp::BitXor:
    return "^=";
  default:
    return "";
  }
}

/// The reduction of the language that `fold` with the function is, from its
/// identity on: "sum" or "prod" for floats; "" for others. A fold of these has
/// one accumulator, since only the compiler's own sums are known to regroup.
std::string_view totalOf(std::string_view source, const FunctionInfo &function,
                         DType type) {
  if (type != DType::F32 && type != DType::F64)
    return "";
  const syntax::File tree = parsed(source);
  const auto op = operatorOf(tree, function.name);
  const std::string &identity = function.identity;
  std::string_view total;
  if (op == syntax::BinaryOp::Add && (identity == "0" || identity == "0.0"))
    total = "sum";
  if (op == syntax::BinaryOp::Mul && (identity == "1" || identity == "1.0"))
    total = "prod";
  return hasName(tree, total) ? "" : total;
}

/// The expression that converts a value under `unsafe` casting.
std::string converted(std::string value, DType from, DType to) {
  if (from == to)
    return value;
  if (isComplex(from) && !isComplex(to) && to != DType::Bool)
    value = "real(" + value + ")";
  return std::string(name(to)) + "(" + value + ")";
}

std::string Writer::reduce(std::string_view source) const {
  const bool isGiven = wanted.start == Start::Given;
  const bool isFirst = wanted.start == Start::First;
  const std::string before =
      isGiven ? prefix + "initial: " + std::string(name(wanted.value)) + ", "
              : "";
  const std::string after =
      wanted.masked ? ", " + prefix + "where: bool[" + prefix + "n]" : "";
  if (wanted.columns)
    return filled(reduceColumnsText, before,
                  isFirst ? std::string(name(wanted.value)) + "(" + prefix +
                                "v[0, " + prefix + "j])"
                          : begin(),
                  isFirst ? "1, " : "");
  if (wanted.regroups && !isFirst) {
    const std::string elements =
        wanted.masked
            ? filled("({0}v[{0}i] for {0}i in range({0}n) if {0}where[{0}i])")
            : prefix + "v";
    const std::string_view total =
        isGiven ? "" : totalOf(source, function, wanted.value);
    if (!total.empty())
      return filled(totalText, "", std::string(total), "", after, elements);
    return filled(foldText, before, begin(), "", after, elements);
  }
  return filled(
      reduceText, before,
      isFirst ? std::string(name(wanted.value)) + "(" + prefix + "v[0])"
              : begin(),
      isFirst ? "1, " : "", after,
      wanted.masked ? filled("if {0}where[{0}i]:\n            ") : "");
}

std::string Writer::accumulate() const {
  return filled(wanted.columns ? accumulateColumnsText : accumulateText);
}

std::string Writer::reduceat() const { return filled(reduceatText); }

std::string Writer::at(std::string_view source) const {
  const bool isArray = wanted.second == Second::Array;
  std::string extents, parameters, statements, index;
  for (unsigned i = 0; i < wanted.indexCount; ++i) {
    const std::string number = std::to_string(i), comma = i ? ", " : "";
    extents += comma + prefix + "n" + number;
    parameters += ", " + prefix + "at" + number + ": i64[" + prefix + "k]";
    index += comma + prefix + "i" + number;
    statements += fill("        {0}i{1} = {0}at{1}[{0}j]\n"
                       "        if {0}i{1} < 0:\n"
                       "            {0}i{1} += {0}n{1}\n",
                       {prefix, number});
  }
  std::string second;
  if (wanted.second != Second::None)
    second = ", " + prefix + "b: " + std::string(name(wanted.element));
  if (isArray)
    second += "[" + prefix + "k]";
  // Integers of 32 and 64 bits have atomic operations and privatised copies.
  const bool isExact = isInteger(wanted.value) && itemSize(wanted.value) >= 4;
  if (isExact && wanted.second != Second::None &&
      wanted.taken == wanted.value && wanted.element == wanted.value &&
      wanted.returned == wanted.value)
    if (std::string_view operation = augmentedOf(source, function.name);
        !operation.empty())
      return filled(atAnyOrderText, extents + "]" + parameters, index,
                    statements, second,
                    std::string(operation) + " " + prefix + "b" +
                        (isArray ? "[" + prefix + "j]" : ""));
  std::string operands = converted(prefix + "old", wanted.value, wanted.taken);
  if (wanted.second != Second::None)
    operands += ", " + prefix + "b";
  if (isArray)
    operands += "[" + prefix + "j]";
  return filled(atText, extents + "]" + parameters, index, statements, second,
                operands + ")\n        " + prefix + "x[" + index + "] = " +
                    converted(prefix + "new", wanted.returned, wanted.value));
}
} // namespace

std::string methodText(std::string_view source, const FunctionInfo &function,
                       const MethodGufunc &wanted) {
  const Writer writer(source, function, wanted);
  switch (wanted.method) {
  case Method::Reduce:
    return writer.reduce(source);
  case Method::Accumulate:
    return writer.accumulate();
  case Method::Reduceat:
    return writer.reduceat();
  case Method::At:
    return writer.at(source);
  }
  return {};
}

JitText withMethod(const JitText &source, const FunctionInfo &function,
                   const MethodGufunc &wanted) {
  JitText out = source;
  out.text += "\n" + methodText(source.text, function, wanted);
  out.remarks = false;
  out.digest.clear();
  return out;
}

} // namespace kern::compiler
