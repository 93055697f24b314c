//===- SharedOptions.cpp - options that several verbs have ----------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/kern/SharedOptions.h"

#include "tools/kern/Console.h"
#include "tools/kern/SourceFiles.h"

#include <algorithm>
#include <array>
#include <sstream>

namespace kern::cli {

using runtime::Expected;

namespace {

struct CheckName {
  std::string_view name;
  kern_check bit;
};
constexpr std::array<CheckName, 4> checks = {{
    {"bounds", KERN_CHECK_BOUNDS},
    {"assert", KERN_CHECK_ASSERT},
    {"results", KERN_CHECK_RESULTS},
    {"races", KERN_CHECK_RACES},
}};

constexpr const char *stream = "-";

} // namespace

void declareCompileOptions(CommandLine &line) {
  line.add({"fp-mode",
            "default may contract a * b + c to one FMA and obeys @fastmath; "
            "precise does neither",
            "default|precise"});
  std::vector<std::string> words;
  for (const CheckName &check : checks)
    words.emplace_back(check.name);
  line.add({"check",
            "Check while running: bounds (of indices), assert, results (that "
            "all of them are written), races (that iterations of a prange "
            "touch different elements); without =LIST all of these",
            "LIST", words, "bounds,assert,results,races", true});
}

std::optional<int> readCompileOptions(const CommandLine &line,
                                      kern_compile_options &options) {
  options.size = sizeof options;
  options.fp_mode = line.value("fp-mode", "default") == "precise"
                        ? KERN_FP_PRECISE
                        : KERN_FP_DEFAULT;
  for (const std::string &list : line.values("check")) {
    std::istringstream words(list);
    for (std::string word; std::getline(words, word, ',');) {
      const auto *check = std::ranges::find(checks, word, &CheckName::name);
      if (check == checks.end())
        return line.refuse(
            "--check takes bounds, assert, results and races, not '" + word +
            "'");
      options.checks |= check->bit;
    }
  }
  return std::nullopt;
}

void declareDenyWarnings(CommandLine &line) {
  line.add({"deny-warnings", "Report warnings as errors"});
}

void declareReportOptions(CommandLine &line) {
  line.add({"diagnostics",
            "How diagnostics are written: text; json, one object a line; or "
            "github, as commands that annotate a pull request",
            "text|json|github"});
  declareDenyWarnings(line);
}

void readReportOptions(const CommandLine &line, BuildOptions &options) {
  const std::string form = line.value("diagnostics", "text");
  options.rest.report = form == "json"     ? KERN_REPORT_JSON
                        : form == "github" ? KERN_REPORT_GITHUB
                                           : KERN_REPORT_TEXT;
  options.rest.deny_warnings = deniesWarnings(line);
}

void declareSourceOptions(CommandLine &line, bool hasStream) {
  line.add({"I,include",
            "A folder to search for imported modules, after that of the file; "
            "can be repeated",
            "FOLDER"});
  if (hasStream)
    line.add({"stdin-filename",
              "What diagnostics call the standard input, and beside which "
              "imported modules are searched for",
              "FILE"});
}

std::optional<int> readSourceOptions(const CommandLine &line) {
  std::string folders;
  for (const std::string &folder : line.values("include"))
    folders += (folders.empty() ? "" : ":") + folder;
  kern_set_include_path(folders.c_str());
  return refuseStreams(line);
}

std::optional<int> refuseStreams(const CommandLine &line) {
  const auto streams = std::ranges::count(line.operands(), stream);
  if (streams > 1)
    return line.refuse("'-' is the standard input, which can be read once");
  if (streams == 0 && line.has("stdin-filename"))
    return line.refuse("--stdin-filename names the standard input, but no "
                       "operand is '-'");
  return std::nullopt;
}

std::string streamName(const CommandLine &line) {
  return line.value("stdin-filename", "<stdin>");
}

Expected<SourceInput> sourceInput(const CommandLine &line,
                                  const std::string &operand) {
  if (operand != stream)
    return SourceInput{operand};
  Expected<std::string> text = readText(operand);
  if (!text)
    return text.error();
  return SourceInput{streamName(line), std::move(*text)};
}

} // namespace kern::cli
