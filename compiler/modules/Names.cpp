//===- Names.cpp - names of the standard library --------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/modules/Names.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

#include <limits>
#include <numbers>

namespace kern::compiler {

using namespace ir;
using runtime::DType;

namespace {
struct Alias {
  llvm::StringLiteral name, function;
};
} // namespace

/// Aliases: names of Python's math module, NumPy's aliases, and C's names.
static constexpr Alias aliases[] = {
#define KERN_ALIAS(NAME, FUNCTION) {#NAME, #FUNCTION},
#include "dialects/Kern/ScalarFunctions.def"
};

/// In the order of LanguageFunction.
static constexpr llvm::StringLiteral languageFunctions[] = {
    "sum",        "prod",       "min",       "max",       "any",
    "all",        "argmin",     "argmax",    "mean",      "range",
    "prange",     "zip",        "enumerate", "reversed",  "len",
    "fold",       "cumsum",     "cumprod",   "cummax",    "cummin",
    "accumulate", "zeros",      "empty",     "ones",      "full",
    "zeros_like", "empty_like", "ones_like", "full_like", "array",
    "transpose",  "arange",     "dot",       "matmul",    "outer",
    "cross"};
static_assert(std::size(languageFunctions) ==
              size_t(LanguageFunction::Cross) + 1);

const ScalarFunctionInfo *scalarFunctionNamed(llvm::StringRef name) {
  return findScalarFunction(unaliased(name));
}

llvm::StringRef unaliased(llvm::StringRef name) {
  for (const Alias &alias : aliases)
    if (alias.name == name)
      return alias.function;
  return name;
}

bool takesMore(ScalarFunction function) {
  using enum ScalarFunction;
  return function == gcd || function == hypot || function == lcm;
}

bool takes(const ScalarFunctionInfo &function, size_t arguments) {
  return arguments == function.inputs ||
         (arguments > function.inputs && takesMore(function.function));
}

ScalarFunction functionOf(syntax::BinaryOp op) {
  using syntax::BinaryOp;
  switch (op) {
  case BinaryOp::Add:
    return ScalarFunction::add;
  case BinaryOp::Sub:
    return ScalarFunction::subtract;
  case BinaryOp::Mul:
    return ScalarFunction::multiply;
  case BinaryOp::TrueDiv:
    return ScalarFunction::true_divide;
  case BinaryOp::FloorDiv:
    return ScalarFunction::floor_divide;
  case BinaryOp::Mod:
    return ScalarFunction::remainder;
  case BinaryOp::Pow:
    return ScalarFunction::power;
  case BinaryOp::BitAnd:
    return ScalarFunction::bitwise_and;
  case BinaryOp::BitOr:
    return ScalarFunction::bitwise_or;
  case BinaryOp::BitXor:
    return ScalarFunction::bitwise_xor;
  case BinaryOp::ShiftLeft:
    return ScalarFunction::left_shift;
  case BinaryOp::ShiftRight:
    return ScalarFunction::right_shift;
  case BinaryOp::MatMul:
    break; // of arrays
  }
  llvm_unreachable("an operator of numbers");
}

ScalarFunction functionOf(syntax::UnaryOp op) {
  using syntax::UnaryOp;
  switch (op) {
  case UnaryOp::Plus:
    return ScalarFunction::positive;
  case UnaryOp::Minus:
    return ScalarFunction::negative;
  case UnaryOp::Invert:
    return ScalarFunction::invert;
  case UnaryOp::Not:
    return ScalarFunction::logical_not;
  }
  llvm_unreachable("all operators are handled");
}

ScalarFunction functionOf(syntax::CompareOp op) {
  using syntax::CompareOp;
  switch (op) {
  case CompareOp::Lt:
    return ScalarFunction::less;
  case CompareOp::Le:
    return ScalarFunction::less_equal;
  case CompareOp::Gt:
    return ScalarFunction::greater;
  case CompareOp::Ge:
    return ScalarFunction::greater_equal;
  case CompareOp::Eq:
    return ScalarFunction::equal;
  case CompareOp::Ne:
    return ScalarFunction::not_equal;
  case CompareOp::In:
  case CompareOp::NotIn:
    break; // these compare types, not numbers
  }
  llvm_unreachable("all operators are handled");
}

bool hasMembership(const syntax::Compare &compare) {
  return llvm::any_of(compare.rest, [](const auto &part) {
    return part.first == syntax::CompareOp::In ||
           part.first == syntax::CompareOp::NotIn;
  });
}

llvm::StringRef spelling(syntax::BinaryOp op) {
  static constexpr llvm::StringLiteral text[] = {
      "+", "-", "*", "/", "//", "%", "**", "&", "|", "^", "<<", ">>", "@"};
  return text[unsigned(op)];
}

llvm::StringRef operatorOf(ScalarFunction function, bool isUnary) {
  if (isUnary)
    return function == ScalarFunction::negative   ? "-"
           : function == ScalarFunction::positive ? "+"
           : function == ScalarFunction::invert   ? "~"
                                                  : "";
  for (auto op = unsigned(syntax::BinaryOp::Add);
       op <= unsigned(syntax::BinaryOp::ShiftRight); ++op)
    if (functionOf(syntax::BinaryOp(op)) == function)
      return spelling(syntax::BinaryOp(op));
  return "";
}

bool isCallText(llvm::StringRef text) {
  llvm::StringRef rest = text.drop_while([](char c) {
    return llvm::isAlnum(c) || c == '_' || c == '.' || (c & 0x80);
  });
  if (rest.size() == text.size() || !rest.starts_with("("))
    return false;
  int depth = 0;
  for (auto [at, c] : llvm::enumerate(rest)) {
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (depth == 0)
      return at + 1 == rest.size();
  }
  return false;
}

std::optional<Constant> libraryConstant(llvm::StringRef name) {
  auto value = llvm::StringSwitch<std::optional<double>>(name)
                   .Case("pi", std::numbers::pi)
                   .Case("e", std::numbers::e)
                   .Case("tau", 2 * std::numbers::pi)
                   .Case("inf", std::numeric_limits<double>::infinity())
                   .Case("nan", std::numeric_limits<double>::quiet_NaN())
                   .Cases({"eulergamma", "euler_gamma"}, std::numbers::egamma)
                   .Default(std::nullopt);
  if (value)
    return Constant{*value};
  if (name == "infj")
    return Constant{
        std::complex<double>(0, std::numeric_limits<double>::infinity())};
  if (name == "nanj")
    return Constant{
        std::complex<double>(0, std::numeric_limits<double>::quiet_NaN())};
  return std::nullopt;
}

std::optional<DType> typeName(llvm::StringRef name, bool pythonNames) {
  if (pythonNames) {
    auto type = llvm::StringSwitch<std::optional<DType>>(name)
                    .Case("int", DType::I64)
                    .Case("float", DType::F64)
                    .Case("complex", DType::C128)
                    .Default(std::nullopt);
    if (type)
      return type;
  }
  return runtime::parseDType(std::string_view(name));
}

llvm::SmallVector<DType> typeSet(llvm::StringRef name) {
  using enum DType;
  llvm::SmallVector<DType> integers{I8, U8, I16, U16, I32, U32, I64, U64};
  llvm::SmallVector<DType> floats{F16, BF16, F32, F64};
  llvm::SmallVector<DType> complexes{C64, C128};
  if (name == "integers")
    return integers;
  if (name == "signed")
    return {I8, I16, I32, I64};
  if (name == "unsigned")
    return {U8, U16, U32, U64};
  if (name == "floats")
    return floats;
  if (name == "complexes")
    return complexes;
  llvm::SmallVector<DType> set = integers;
  if (name == "reals" || name == "numbers") {
    llvm::append_range(set, floats);
    if (name == "numbers")
      llvm::append_range(set, complexes);
    return set;
  }
  return {};
}

bool isLibraryPrefix(llvm::StringRef name) {
  return name == "math" || name == "cmath" || name == "np" || name == "numpy";
}

std::optional<LanguageFunction> languageFunction(llvm::StringRef name) {
  const auto *found = llvm::find(languageFunctions, name);
  if (found == std::end(languageFunctions))
    return std::nullopt;
  return LanguageFunction(found - std::begin(languageFunctions));
}

llvm::StringRef nameOf(LanguageFunction function) {
  return languageFunctions[size_t(function)];
}

std::vector<std::string_view> libraryNames() {
  std::vector<std::string_view> names;
  for (const ScalarFunctionInfo &function : scalarFunctions())
    names.push_back(function.name);
  for (const Alias &alias : aliases)
    names.push_back(alias.name);
  for (llvm::StringRef name : languageFunctions)
    names.push_back(name);
  for (std::string_view name :
       {"pi", "tau", "inf", "nan", "infj", "nanj", "eulergamma"})
    names.push_back(name);
  return names;
}

} // namespace kern::compiler
