//===- DiagnosticsOption.cpp - --diagnostics=text|json --------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/kern/DiagnosticsOption.h"

namespace kern::cli {

void declareDiagnosticsOption(CommandLine &line) {
  line.options()("diagnostics",
                 "How errors are written: text, or json for editors, one "
                 "object a line",
                 cxxopts::value<std::vector<std::string>>(), "text|json");
}

std::optional<int> readDiagnosticsOption(const CommandLine &line, bool &json) {
  const std::string form = line.value("diagnostics", "text");
  if (form != "text" && form != "json")
    return line.refuse("--diagnostics is text or json, not '" + form + "'");
  json = form == "json";
  return std::nullopt;
}

} // namespace kern::cli
