//===- DependencyFile.cpp - rules for Make and Ninja ----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/kern/DependencyFile.h"

namespace kern::cli {
namespace {

std::string escaped(const std::string &name) {
  std::string text;
  size_t backslashes = 0; // just before the character
  for (char c : name) {
    if (c == ' ' || c == '\t' || c == '#' || c == ':')
      text.append(backslashes, '\\').append(1, '\\');
    else if (c == '$')
      text += '$';
    text += c;
    backslashes = c == '\\' ? backslashes + 1 : 0;
  }
  return text;
}

} // namespace

runtime::Expected<std::string>
dependencyText(const std::vector<DependencyRule> &rules) {
  std::string text;
  for (const DependencyRule &rule : rules) {
    for (const auto *names : {&rule.targets, &rule.sources})
      for (const std::string &name : *names)
        if (name.find('\n') != name.npos)
          return runtime::Error{KERN_ERROR_ARGUMENT,
                                "no dependency file can hold the name '" +
                                    name + "', which has a line break"};
    for (const std::string &target : rule.targets)
      text += (&target == &rule.targets.front() ? "" : " ") + escaped(target);
    text += ":";
    for (const std::string &source : rule.sources)
      text += " \\\n  " + escaped(source);
    text += "\n";
  }
  return text;
}

} // namespace kern::cli
