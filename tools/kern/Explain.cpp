//===- Explain.cpp - kern explain -----------------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/diagnostics/ForeignNames.h"
#include "tools/kern/CommandLine.h"
#include "tools/kern/Console.h"
#include "tools/kern/Explanations.h"
#include "tools/kern/Verb.h"

#include <cctype>
#include <cstdio>

namespace kern::cli {
namespace {

/// The title of a page without its `# `.
std::string title(std::string_view page) {
  return std::string(page.substr(2, page.find('\n') - 2));
}

std::string upperCase(std::string text) {
  for (char &c : text)
    c = char(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

/// Words of the language and functions: `where` is both.
std::vector<std::string> terms() {
  std::vector<std::string> list = words();
  for (std::string &name : libraryNames())
    list.push_back(std::move(name));
  return list;
}

std::vector<std::string> codesAndTerms() {
  std::vector<std::string> list = terms();
  for (std::string_view code : errorCodes())
    list.emplace_back(code);
  return list;
}

/// A name as bodies may write it, without the `np.` before it.
std::string withoutPrefix(const std::string &name) {
  for (std::string_view prefix : {"np.", "numpy.", "math.", "cmath."})
    if (name.starts_with(prefix))
      return name.substr(prefix.size());
  return name;
}

/// What is written in place of a name of another language: of NumPy's function,
/// of its method `add.reduce`, or of an array's, `x.tolist`. "" for other
/// names.
std::string foreignText(const std::string &name) {
  const size_t dot = name.rfind('.');
  const std::string last = dot == name.npos ? name : name.substr(dot + 1);
  const std::string before = dot == name.npos ? "" : name.substr(0, dot);
  std::string instead;
  if (!libraryPage(before).empty())
    instead = compiler::insteadOfMethod(before, last);
  if (instead.empty())
    instead = compiler::insteadOf(last);
  if (const std::string_view near = compiler::kernNameOf(last);
      instead.empty() && !near.empty())
    instead = "it is `" + std::string(near) + "`";
  return instead.empty() ? "" : "Kern has no `" + name + "`: " + instead + "\n";
}

/// "" for what is neither a code nor a word nor a function.
std::string explanation(const std::string &given) {
  const std::string operand = withoutPrefix(given);
  if (const std::string_view page = errorPage(upperCase(operand));
      !page.empty())
    return pageText(page);
  // `x.view` and `a.shape` are explained as `view` and `shape`.
  const size_t dot = operand.rfind('.');
  std::string text = wordPage(operand);
  if (text.empty() && dot != operand.npos && dot > 0 &&
      dot + 1 < operand.size())
    text = wordPage(operand.substr(dot + 1));
  if (const std::string page = libraryPage(operand); !page.empty())
    text += (text.empty() ? "" : "\n") + page;
  return text.empty() ? foreignText(operand) : text;
}

/// The term or the code that was probably meant.
std::string nearTo(const std::string &operand) {
  std::string near = suggestion(operand, terms());
  if (!near.empty())
    return near;
  const std::vector<std::string_view> codes = errorCodes();
  return suggestion(upperCase(operand),
                    std::vector<std::string>(codes.begin(), codes.end()));
}

int run(const CommandLine &line) {
  if (line.operands().empty()) {
    for (std::string_view code : errorCodes())
      std::printf("%s\n", title(errorPage(code)).c_str());
    return finishOutput(Done);
  }
  int status = Done;
  bool isFirst = true;
  for (const std::string &operand : line.operands()) {
    const std::string text = explanation(operand);
    if (text.empty()) {
      printError("there is no code, word or function '" + operand + "'" +
                 nearTo(operand));
      status = Refused;
      continue;
    }
    std::printf("%s%s", isFirst ? "" : "\n", text.c_str());
    isFirst = false;
  }
  return finishOutput(status);
}

} // namespace

const Verb explainVerb = {
    "explain",
    "[CODE|WORD|FUNCTION…]",
    "explain an error, a word of the language or a function",
    "Explains an error, a warning or a remark (K0201): what it means, an "
    "example that causes it, and how to fix it. Explains a word of the "
    "language (for, gufunc, @fastmath, f32), and shows the types and the "
    "docstring of a function of the standard library (sqrt, linalg.norm). "
    "Without an operand it lists the codes.",
    nullptr,
    run,
    codesAndTerms};

} // namespace kern::cli
