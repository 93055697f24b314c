//===- Signature.cpp - signatures of the command line ---------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/driver/Signature.h"

#include "compiler/syntax/UnicodeLetters.h"

#include "runtime/error/Counted.h"
#include "runtime/error/NearestName.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace kern::compiler {

using runtime::DType;
using runtime::FunctionInfo;

namespace {
/// Parses names, commas and parentheses.
struct Reader {
  std::string_view rest;

  void skipSpace() {
    while (!rest.empty() && (rest.front() == ' ' || rest.front() == '\t'))
      rest.remove_prefix(1);
  }
  bool take(char c) {
    skipSpace();
    if (rest.empty() || rest.front() != c)
      return false;
    rest.remove_prefix(1);
    return true;
  }
  std::string_view word() {
    skipSpace();
    size_t end = rest.find_first_of(" \t(),:");
    std::string_view word = rest.substr(0, end);
    rest.remove_prefix(word.size());
    return word;
  }
  /// Consumes nothing if there is no type.
  std::optional<DType> type() {
    skipSpace();
    const std::string_view before = rest;
    std::optional<DType> type = runtime::parseDType(word());
    if (!type)
      rest = before;
    return type;
  }
  bool atEnd() {
    skipSpace();
    return rest.empty();
  }
  /// `(a, b)`, possibly empty or with a trailing comma.
  bool types(std::vector<DType> &list) {
    if (!take('('))
      return false;
    while (!take(')')) {
      std::optional<DType> type = this->type();
      if (!type)
        return false;
      list.push_back(*type);
      if (!take(',')) {
        if (take(')'))
          return true;
        return false;
      }
    }
    return true;
  }
};
} // namespace

/// On failure, `reader` stays at the mistake.
static std::optional<Signature> read(Reader &reader) {
  Signature signature;
  std::string_view text = reader.rest;
  if (text.find(':') != std::string_view::npos) {
    signature.function = syntax::normalName(reader.word());
    if (signature.function.empty() || !reader.take(':'))
      return std::nullopt;
  }
  reader.skipSpace();
  std::vector<DType> first;
  if (!reader.rest.empty() && reader.rest.front() == '(') {
    if (!reader.types(first))
      return std::nullopt;
    if (reader.atEnd()) { // only parameters
      signature.parameters = std::move(first);
      return signature;
    }
    signature.results = std::move(first);
  } else {
    std::optional<DType> result = reader.type();
    if (!result)
      return std::nullopt;
    signature.results = {*result};
  }
  if (!reader.types(signature.parameters) || !reader.atEnd())
    return std::nullopt;
  return signature;
}

std::optional<Signature> parseSignature(std::string_view text,
                                        size_t *mistake) {
  Reader reader{text};
  std::optional<Signature> signature = read(reader);
  if (!signature && mistake)
    *mistake = text.size() - reader.rest.size();
  return signature;
}

size_t inputsOf(const FunctionInfo &function) {
  return size_t(
      llvm::count_if(function.parameters,
                     [](const runtime::OperandInfo &p) { return !p.isDim; }));
}

static std::string parameters(size_t count) {
  return runtime::counted(count, "parameter");
}

bool canBeOf(const Signature &signature,
             const std::vector<FunctionInfo> &functions, Span place,
             DiagnosticEngine &diagnostics) {
  const FunctionInfo *meant = nullptr;
  std::vector<std::string_view> names;
  for (const FunctionInfo &function : functions) {
    names.push_back(function.name);
    if (signature.function.empty() ? functions.size() == 1
                                   : function.name == signature.function)
      meant = &function;
  }
  if (!meant && !signature.function.empty()) {
    Diagnostic &diagnostic =
        diagnostics.report(Diag::unknown_function, place, {signature.function});
    if (std::string_view near = runtime::nearestName(signature.function, names);
        !near.empty())
      diagnostic.help = "did you mean `" + std::string(near) + "`?";
    else if (!names.empty())
      diagnostic.help = "the file has " + llvm::join(names, ", ");
    return false;
  }
  const size_t given = signature.parameters.size();
  if (!meant || inputsOf(*meant) == given)
    return true;
  diagnostics.report(
      Diag::specialization_arity, place,
      {parameters(given), meant->name, parameters(inputsOf(*meant))});
  return false;
}

} // namespace kern::compiler
