//===- Main.cpp - kern, the command line tool -----------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "kern/kern.h"
#include "tools/kern/CommandLine.h"
#include "tools/kern/Console.h"
#include "tools/kern/Help.h"
#include "tools/kern/Verb.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fcntl.h>
#include <new>
#include <unistd.h>

using namespace kern::cli;

namespace {

/// If a standard stream is closed, a file opened later would take its number. A
/// file that can be neither read nor written takes it here, so that a later
/// message names the problem.
void fillStandardStreams() {
  for (int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(stream, F_GETFD) == -1 && errno == EBADF)
      (void)open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

/// The number of leading arguments that are options of every verb, which may
/// precede the verb: `kern -q check F.kern`.
size_t optionsBeforeVerb(const std::vector<std::string> &arguments) {
  size_t count = 0;
  while (count < arguments.size()) {
    const std::string &argument = arguments[count];
    if (argument == "-q" || argument == "--quiet" ||
        argument.starts_with("--color="))
      ++count;
    else if (argument == "--color")
      count += 2;
    else
      break;
  }
  return count;
}

int refuseVerb(const std::string &name) {
  std::vector<std::string> candidates;
  for (const Option &option : toolOptions())
    candidates.push_back("--" + option.name());
  for (const Verb *verb : verbs())
    candidates.emplace_back(verb->name);
  printError(std::string("unknown ") +
             (name.starts_with("-") ? "option" : "verb") + " '" + name + "'" +
             suggestion(name, candidates));
  std::fprintf(stderr, "kern --help lists the verbs.\n");
  return WrongLine;
}

int dispatch(std::vector<std::string> arguments) {
  const size_t before = optionsBeforeVerb(arguments);
  if (before >= arguments.size()) {
    std::fputs(helpText().c_str(), stderr);
    return WrongLine;
  }
  const std::string first = arguments[before];
  if (first == "-h" || first == "--help") {
    std::fputs(helpText().c_str(), stdout);
    return finishOutput(Done);
  }
  if (first == "-V" || first == "--version") {
    std::printf("kern %s\n", kern_version());
    return finishOutput(Done);
  }
  const Verb *verb = verbNamed(first);
  if (!verb)
    return refuseVerb(first);
  arguments.erase(arguments.begin() + std::ptrdiff_t(before));
  CommandLine line(*verb);
  if (std::optional<int> status = line.parse(arguments))
    return *status;
  return verb->run(line);
}

} // namespace

int main(int argc, char **argv) {
  fillStandardStreams();
  // An output beyond the size limit is an error, like a full disk.
  std::signal(SIGXFSZ, SIG_IGN);
  // What the tool shows and measures is the kernel that calls have for good.
  ::setenv("KERN_BACKGROUND", "0", 0);
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
