//===- Main.cpp - kern, the command line tool -----------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "kern/kern.h"
#include "tools/kern/Console.h"
#include "tools/kern/ExitStatus.h"
#include "tools/kern/Suggestion.h"
#include "tools/kern/Verb.h"

#include <csignal>
#include <cstdio>
#include <exception>
#include <iterator>
#include <new>

using namespace kern::cli;

namespace {

constexpr Verb verbs[] = {
    {"compile", "compile a .kern file to PTX, or show a stage on the way",
     runCompile},
    {"run", "call a function on .npy files and numbers", runRun},
    {"check", "report what is wrong in .kern files", runCheck},
    {"info", "show the signatures and loops of a .kern or .ptx file", runInfo},
    {"fmt", "put .kern files into their canonical form", runFmt},
    {"test", "run the tests in the docstrings of .kern files", runTest},
    {"bench", "measure a function beside a copy on the same device", runBench},
    {"explain", "tell more about an error or a function of the library",
     runExplain},
    {"cache", "show or remove what was compiled before", runCache},
    {"devices", "list what there is to run on", runDevices},
};

void printHelp(std::FILE *to) {
  std::fprintf(to, "Kern compiles NumPy-style universal functions and runs "
                   "them on the GPU and the CPU.\n\n"
                   "usage: kern VERB [OPTION]… [OPERAND]…\n\nverbs:\n");
  for (const Verb &verb : verbs)
    std::fprintf(to, "  %-10s%s\n", std::string(verb.name).c_str(),
                 std::string(verb.summary).c_str());
  std::fprintf(to, "\noptions:\n"
                   "  -h, --help     Show this text; after a verb, the verb's\n"
                   "      --version  Show the version\n\n"
                   "exit status: 0 done, 1 the input was refused, 2 the "
                   "command line was wrong,\n70 internal error\n");
}

int dispatch(const std::vector<std::string> &arguments) {
  if (arguments.empty()) {
    printHelp(stderr);
    return WrongLine;
  }
  const std::string &first = arguments[0];
  if (first == "-h" || first == "--help") {
    printHelp(stdout);
    return finishOutput(Done);
  }
  if (first == "--version") {
    std::printf("kern %s\n", kern_version());
    return finishOutput(Done);
  }
  for (const Verb &verb : verbs)
    if (first == verb.name)
      return verb.run({arguments.begin() + 1, arguments.end()});

  std::vector<std::string> candidates = {"--help", "--version"};
  for (const Verb &verb : verbs)
    candidates.emplace_back(verb.name);
  printError(std::string("unknown ") +
             (first.starts_with("-") ? "option" : "verb") + " '" + first + "'" +
             suggestion(first, candidates));
  std::fprintf(stderr, "kern --help lists the verbs.\n");
  return WrongLine;
}

} // namespace

int main(int argc, char **argv) {
  // An output that grows too large is an error as a full disk is.
  std::signal(SIGXFSZ, SIG_IGN);
  // The library does not throw; cxxopts and the standard library may.
  try {
    return dispatch({argv + 1, argv + argc});
  } catch (const std::bad_alloc &) {
    printError("out of memory");
    return Refused;
  } catch (const std::exception &error) {
    printError(std::string("internal error in the command line tool: ") +
               error.what());
    return InternalError;
  }
}
