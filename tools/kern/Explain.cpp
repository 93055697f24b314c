//===- Explain.cpp - kern explain -----------------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/kern/CommandLine.h"
#include "tools/kern/Console.h"
#include "tools/kern/ErrorPages.h"
#include "tools/kern/ExitStatus.h"
#include "tools/kern/LanguagePages.h"
#include "tools/kern/LibraryPages.h"
#include "tools/kern/Suggestion.h"
#include "tools/kern/Verb.h"

#include <cctype>
#include <cstdio>

namespace kern::cli {
namespace {

/// The title of a page without its `# `.
std::string title(std::string_view page) {
  return std::string(page.substr(2, page.find('\n') - 2));
}

} // namespace

int runExplain(const std::vector<std::string> &arguments) {
  CommandLine line("explain", "[CODE|FUNCTION…]",
                   "Tells more about an error, a warning or a remark: what it "
                   "means, an example that\ncauses it, and how that is mended. "
                   "Of a function of the standard library: its\ntypes and what "
                   "it gives. Without an operand lists the codes.");
  if (std::optional<int> status = line.parse(arguments))
    return *status;
  if (line.operands().empty()) {
    for (std::string_view code : errorCodes())
      std::printf("%s\n", title(errorPage(code)).c_str());
    return finishOutput(Done);
  }
  int status = Done;
  bool isFirst = true;
  for (const std::string &operand : line.operands()) {
    std::string code = operand;
    for (char &c : code)
      c = char(std::toupper(static_cast<unsigned char>(c)));
    const std::string_view page = errorPage(code);
    std::string text = page.empty() ? libraryPage(operand) : pageText(page);
    if (text.empty())
      text = languagePage(operand);
    if (text.empty()) {
      std::vector<std::string> known = libraryFunctionNames();
      for (std::string name : languageNames())
        known.push_back(std::move(name));
      std::string near = suggestion(operand, known);
      if (near.empty()) {
        const std::vector<std::string_view> codes = errorCodes();
        known.assign(codes.begin(), codes.end());
        near = suggestion(code, known);
      }
      std::string message = "there is no code and no function of the library '";
      message.append(operand).append("'").append(near);
      printError(message);
      status = Refused;
      continue;
    }
    std::printf("%s%s", isFirst ? "" : "\n", text.c_str());
    isFirst = false;
  }
  return finishOutput(status);
}

} // namespace kern::cli
