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

#include "compiler/driver/Combination.h"

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
      : source(source), function(function), wanted(wanted),
        combination(combinationOf(source, function.name)), prefix("k_") {
    auto isTaken = [&](const std::string &name) {
      return source.find(name) != source.npos;
    };
    for (unsigned i = 1; isTaken(prefix); ++i)
      prefix = "k" + std::to_string(i) + "_";
    gufunc = function.name + "_" + std::string(name(wanted.method));
    while (isTaken(gufunc))
      gufunc += "_";
  }

  std::string reduce() const;
  std::string accumulate() const;
  std::string reduceat() const;
  std::string at() const;

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

  /// An element, as the function takes it.
  std::string element(const std::string &index) const {
    return std::string(name(wanted.taken)) + filled("({0}v[" + index + "])");
  }
  std::string reduceColumns(const std::string &before) const;
  std::string withRows(unsigned count) const;

  std::string_view source;
  const FunctionInfo &function;
  const MethodGufunc &wanted;
  Combination combination;
  std::string prefix, gufunc;
};

// Only `fold`, `sum` and `prod` may regroup their elements, and so run in
// parallel.
constexpr std::string_view regroupedText = R"(
gufunc {1}({5}{0}v: {4}[{0}n]{8}) -> {3}:
    return {9}
)";

constexpr std::string_view reduceText = R"(
gufunc {1}({5}{0}v: {4}[{0}n]{8}) -> {3}:
    {0}acc: {3} = {6}
    for {0}i in range({7}{0}n):
        {9}
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
            {0}y[{0}j] = {9}
)";

// The same with several rows at once, so that the results are read and written
// less often. {7}: " + 1" if the results begin with a row, {8}: " - 1".
constexpr std::string_view reduceFourRowsText = R"(
gufunc {1}({5}{0}v: {4}[{0}n, {0}m]) -> ({0}y: {3}[{0}m]):
    for {0}j in prange({0}m):
        {0}y[{0}j] = {6}
    {0}fours = ({0}n{8}) // 4
    for {0}k in range({0}fours):
        {0}i = 4 * {0}k{7}
        for {0}j in prange({0}m):
            {0}y[{0}j] = {9}
    for {0}i in range(4 * {0}fours{7}, {0}n):
        for {0}j in prange({0}m):
            {0}y[{0}j] = )";

// Runs in order. A function that may be regrouped can use a scan instead.
constexpr std::string_view accumulateText = R"(
gufunc {1}({0}v: {4}[{0}n]) -> ({0}y: {3}[{0}n]):
    if {0}n > 0:
        {0}acc: {3} = {3}({0}v[0])
        {0}y[0] = {0}acc
        for {0}i in range(1, {0}n):
            {0}acc = {2}({0}acc, {3}({0}v[{0}i]))
            {0}y[{0}i] = {0}acc
)";

constexpr std::string_view accumulateColumnsText = R"(
gufunc {1}({0}v: {4}[{0}n, {0}m]) -> ({0}y: {3}[{0}n, {0}m]):
    if {0}n > 0:
        for {0}j in prange({0}m):
            {0}y[0, {0}j] = {3}({0}v[0, {0}j])
        for {0}i in range(1, {0}n):
            for {0}j in prange({0}m):
                {0}y[{0}i, {0}j] = {2}({0}y[{0}i - 1, {0}j], {3}({0}v[{0}i, {0}j]))
)";

constexpr std::string_view reduceatText = R"(
gufunc {1}({0}v: {4}[{0}n], {0}at: i64[{0}k]) -> ({0}y: {3}[{0}k]):
    for {0}j in prange({0}k):
        {0}end = {0}n
        if {0}j + 1 < {0}k:
            {0}end = {0}at[{0}j + 1]
        {0}acc: {3} = {3}({0}v[{0}at[{0}j]])
        for {0}i in range({0}at[{0}j] + 1, {0}end):
            {0}acc = {2}({0}acc, {3}({0}v[{0}i]))
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

/// "+=" for a function that adds; likewise "&=", "|=" and "^="; "" for others.
std::string_view augmentedOf(Combination combination) {
  switch (combination) {
  case Combination::Add:
    return "+=";
  case Combination::And:
    return "&=";
  case Combination::Or:
    return "|=";
  case Combination::Xor:
    return "^=";
  default:
    return "";
  }
}

/// The reduction of the language that `fold` with the function is, from its
/// identity on: "sum" or "prod" for floats; "" for others. A fold of these has
/// one accumulator, since only the compiler's own sums are known to regroup.
/// Those of 16 bits are added up in 32.
std::string_view totalOf(std::string_view source, Combination combination,
                         const std::string &identity, DType type) {
  if (!isFloat(type))
    return "";
  std::string_view total;
  if (combination == Combination::Add && (identity == "0" || identity == "0.0"))
    total = "sum";
  if (combination == Combination::Multiply &&
      (identity == "1" || identity == "1.0"))
    total = "prod";
  return definesName(source, total) ? "" : total;
}

/// The reduction of the language that combining bools is: "any" or "all", which
/// end with the first element that decides; "" for others.
std::string_view truthOf(std::string_view source, Combination combination,
                         const MethodGufunc &wanted) {
  if (wanted.value != DType::Bool || wanted.taken != DType::Bool)
    return "";
  std::string_view truth;
  switch (combination) {
  case Combination::Add:
  case Combination::Or:
  case Combination::Maximum:
  case Combination::LogicalOr:
    truth = "any";
    break;
  case Combination::Multiply:
  case Combination::And:
  case Combination::Minimum:
  case Combination::LogicalAnd:
    truth = "all";
    break;
  case Combination::Xor:
  case Combination::Other:
    break;
  }
  return definesName(source, truth) ? "" : truth;
}

/// The expression that converts a value under `unsafe` casting.
std::string converted(std::string value, DType from, DType to) {
  if (from == to)
    return value;
  if (isComplex(from) && !isComplex(to) && to != DType::Bool)
    value = "real(" + value + ")";
  return std::string(name(to)) + "(" + value + ")";
}

/// The results of a column combined with those of `count` rows from the i-th
/// on.
std::string Writer::withRows(unsigned count) const {
  const bool isAnd = combination == Combination::LogicalAnd;
  const bool isLogical = (isAnd || combination == Combination::LogicalOr) &&
                         wanted.value == DType::Bool;
  std::string all, result = prefix + "y[" + prefix + "j]";
  for (unsigned i = 0; i < count; ++i) {
    const std::string one =
        element("{0}i" + (i ? " + " + std::to_string(i) : "") + ", {0}j");
    result = function.name + "(" + result + ", " + one + ")";
    all += (i ? isAnd ? " & " : " | " : "") + ("bool(" + one + ")");
  }
  // The truth of elements is found first: as many bits as elements have.
  return isLogical ? filled(isAnd ? "{0}y[{0}j] & ({9})" : "{0}y[{0}j] | ({9})",
                            "", "", "", "", all)
                   : result;
}

std::string Writer::reduceColumns(const std::string &before) const {
  const bool isFirst = wanted.start == Start::First;
  const std::string start = isFirst ? filled("{3}({0}v[0, {0}j])") : begin();
  if (combination == Combination::Other)
    return filled(reduceColumnsText, before, start, isFirst ? "1, " : "", "",
                  withRows(1));
  return filled(reduceFourRowsText, before, start, isFirst ? " + 1" : "",
                isFirst ? " - 1" : "", withRows(4)) +
         withRows(1) + "\n";
}

std::string Writer::reduce() const {
  const bool isGiven = wanted.start == Start::Given;
  const bool isFirst = wanted.start == Start::First;
  const std::string before =
      isGiven ? prefix + "initial: " + std::string(name(wanted.value)) + ", "
              : "";
  const std::string after =
      wanted.masked ? ", " + prefix + "where: bool[" + prefix + "n]" : "";
  if (wanted.columns)
    return reduceColumns(before);
  const std::string condition =
      wanted.masked ? filled("if {0}where[{0}i]") : "";
  const bool isWhole = !wanted.masked && wanted.element == wanted.taken;
  const std::string elements =
      isWhole ? prefix + "v"
              : "(" + element("{0}i") + filled(" for {0}i in range({0}n)") +
                    (wanted.masked ? " " + condition : "") + ")";
  if (const std::string truth(truthOf(source, combination, wanted));
      !truth.empty())
    return filled(regroupedText, before, "", "", after,
                  isFirst ? truth + "(" + elements + ")"
                          : filled("{2}({6}, " + truth + "({9}))", "", begin(),
                                   "", "", elements));
  if (wanted.regroups && !isFirst) {
    const std::string total(
        totalOf(source, combination, function.identity, wanted.value));
    std::string result = "fold({2}, {6}, {9})";
    if (!total.empty())
      result = isGiven ? "{2}({6}, " + total + "({9}))" : total + "({9})";
    return filled(regroupedText, before, "", "", after,
                  filled(result, "", begin(), "", "", elements));
  }
  const std::string step =
      filled("{0}acc = {2}({0}acc, {9})", "", "", "", "", element("{0}i"));
  return filled(reduceText, before, isFirst ? filled("{3}({0}v[0])") : begin(),
                isFirst ? "1, " : "", after,
                wanted.masked ? condition + ":\n            " + step : step);
}

std::string Writer::accumulate() const {
  return filled(wanted.columns ? accumulateColumnsText : accumulateText);
}

std::string Writer::reduceat() const { return filled(reduceatText); }

std::string Writer::at() const {
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
    if (std::string_view operation = augmentedOf(combination);
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
    return writer.reduce();
  case Method::Accumulate:
    return writer.accumulate();
  case Method::Reduceat:
    return writer.reduceat();
  case Method::At:
    return writer.at();
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
