//===- Verb.cpp - the verbs of the command line ---------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/kern/Verb.h"

#include "tools/kern/CommandLine.h"
#include "tools/kern/Console.h"
#include "tools/kern/Help.h"

#include <cstdio>

namespace kern::cli {

std::span<const Verb *const> verbs() {
  static constexpr const Verb *all[] = {
      &compileVerb, &runVerb,     &checkVerb,       &infoVerb,
      &fmtVerb,     &testVerb,    &benchVerb,       &explainVerb,
      &cacheVerb,   &devicesVerb, &completionsVerb, &helpVerb};
  return all;
}

const Verb *verbNamed(std::string_view name) {
  for (const Verb *verb : verbs())
    if (verb->name == name)
      return verb;
  return nullptr;
}

//===----------------------------------------------------------------------===//
// kern help
//===----------------------------------------------------------------------===//

static std::vector<std::string> verbNames() {
  std::vector<std::string> names;
  for (const Verb *verb : verbs())
    names.emplace_back(verb->name);
  return names;
}

static void declareHelp(CommandLine &line) {
  line.add({"man", "Print the manual page, kern(1), in man's macros"});
}

static int runHelp(const CommandLine &line) {
  if (line.operands().size() > 1)
    return line.refuse("one verb at a time: unexpected operand '" +
                       line.operands()[1] + "'");
  std::string text = line.has("man") ? manualPage() : helpText();
  if (!line.operands().empty()) {
    const std::string &name = line.operands()[0];
    const Verb *verb = verbNamed(name);
    if (!verb)
      return line.refuse("unknown verb '" + name + "'" +
                         suggestion(name, verbNames()));
    text = helpText(*verb, CommandLine(*verb).options());
  }
  std::fputs(text.c_str(), stdout);
  return finishOutput(Done);
}

const Verb helpVerb = {
    "help",
    "[VERB]",
    "show this text, or what a verb does",
    "Shows the help of `kern --help`, or with a verb that of "
    "`kern VERB --help`.",
    declareHelp,
    runHelp,
    verbNames};

} // namespace kern::cli
