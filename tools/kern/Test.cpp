//===- Test.cpp - kern test -----------------------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/driver/StandardModules.h"
#include "runtime/array/StridedView.h"
#include "runtime/error/Counted.h"
#include "tools/kern/CheckOption.h"
#include "tools/kern/CommandLine.h"
#include "tools/kern/Console.h"
#include "tools/kern/DeviceName.h"
#include "tools/kern/ExitStatus.h"
#include "tools/kern/FpModeOption.h"
#include "tools/kern/IncludeOption.h"
#include "tools/kern/Module.h"
#include "tools/kern/SourceFiles.h"
#include "tools/kern/TextFile.h"
#include "tools/kern/Verb.h"
#include "tools/kern/doctest/DocTests.h"
#include "tools/kern/doctest/ExpectedText.h"
#include "tools/kern/doctest/TestExpression.h"

#include <algorithm>
#include <cstdio>
#include <unistd.h>

namespace kern::cli {
namespace {

constexpr std::string_view errorMark = "error:";

struct Counts {
  unsigned passed = 0, failed = 0;
};

std::string trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(' ');
  return begin == std::string_view::npos ? std::string()
                                         : std::string(text.substr(begin));
}

/// A message on one line, as it is compared and shown.
std::string flat(std::string_view message) {
  std::string line;
  for (char c : message)
    if (c != '\n')
      line += c;
    else if (!line.ends_with(' '))
      line += ' ';
  while (line.ends_with(' '))
    line.pop_back();
  return line;
}

/// What went wrong with one test on one device; "" if nothing did.
std::string failureOf(const DocTest &test, TestFunctions &functions,
                      TestNames &names) {
  if (test.expression.empty())
    return "there is nothing after the >>>";
  const bool expectsError = test.expected.starts_with(errorMark);
  Expected<TestValue> value = evaluate(test, functions, names);
  if (!value) {
    const std::string message = flat(value.error().message);
    if (!expectsError)
      return "it failed: " + message;
    const std::string wanted =
        trimmed(std::string_view(test.expected).substr(errorMark.size()));
    return message.find(wanted) != std::string::npos
               ? std::string()
               : "it failed otherwise: " + message;
  }
  if (isAssignment(test.expression))
    return test.expected.empty() ? std::string()
                                 : "an assignment gives no value";
  if (expectsError)
    return "it gave " + valueText(*value);
  if (test.expected.empty())
    return "the docstring does not show what it gives: " + valueText(*value);
  const std::string found = difference(*value, test.expected);
  return found.empty() ? std::string()
                       : found + "\n  got      " + valueText(*value);
}

/// A file with tests, and the text whose functions they call.
struct Tested {
  std::string path, source;
  std::vector<DocTest> tests;
};

/// The files of the standard library that is built in. What the prelude has is
/// visible everywhere, so that an empty text does for its tests.
void addStandardLibrary(std::vector<Tested> &files) {
  for (unsigned i = 0; i < preludeFileCount; ++i)
    files.push_back(
        {"stdlib/prelude/" + std::string(preludeFiles[i].name) + ".kern", "",
         docTests(preludeFiles[i].text)});
  for (std::string_view name : standardModules()) {
    const std::string text(*standardModule(name));
    files.push_back(
        {"stdlib/" + std::string(name) + ".kern", text, docTests(text)});
  }
}

/// Adds the sources that an operand stands for, up to one that cannot be read.
Status addFiles(const std::string &operand, std::vector<Tested> &files) {
  Expected<std::vector<std::string>> paths = sourceFiles(operand);
  if (!paths)
    return paths.error();
  for (const std::string &path : *paths) {
    Expected<std::string> source = readText(path);
    if (!source)
      return source.error();
    files.push_back({path, *source, docTests(*source)});
  }
  return {};
}

/// Runs the tests of one file on one device and prints the failures.
void runTests(const Tested &file, kern_device device,
              const kern_compile_options &options, Counts &counts) {
  const auto &[path, source, tests] = file;
  TestFunctions functions(path, source, device, options);
  if (Status status = functions.open(); !status) {
    std::printf("FAILED %s on %s: it does not compile\n", path.c_str(),
                text(device).c_str());
    std::fflush(stdout);
    printDiagnostics(status.error().message);
    counts.failed += unsigned(tests.size());
    return;
  }
  TestNames names;
  for (const DocTest &test : tests) {
    const std::string failure = failureOf(test, functions, names);
    ++(failure.empty() ? counts.passed : counts.failed);
    if (!failure.empty())
      std::printf("FAILED %s:%u on %s\n  >>> %s\n  expected %s\n  %s\n",
                  path.c_str(), test.line, text(device).c_str(),
                  test.expression.c_str(), test.expected.c_str(),
                  failure.c_str());
  }
}

std::vector<kern_device> allDevices() {
  std::vector<kern_device> devices = {{kDLCPU, 0}};
  for (int i = 0; i < kern_cuda_device_count(); ++i)
    devices.push_back({kDLCUDA, i});
  return devices;
}

} // namespace

int runTest(const std::vector<std::string> &arguments) {
  CommandLine line(
      "test", "F.kern|FOLDER…",
      "Runs the tests in the docstrings of .kern files: each `>>> expression` "
      "is computed on\nevery device there is and compared, to the digits "
      "shown, with what the next line says.\nA folder stands for all .kern "
      "files below it.");
  line.options()("device",
                 "Where to run: all, auto, cpu, cuda or cuda:N (all, if not "
                 "given)",
                 cxxopts::value<std::vector<std::string>>(), "D");
  line.options()("stdlib",
                 "The tests of the standard library that is built "
                 "in, beside those of files",
                 cxxopts::value<bool>());
  declareFpModeOption(line);
  declareCheckOption(line);
  declareIncludeOption(line);
  if (std::optional<int> status = line.parse(arguments))
    return *status;
  applyIncludeOption(line);
  const bool withLibrary = line.has("stdlib");
  if (line.operands().empty() && !withLibrary)
    return line.refuse("which file is to be tested?");
  kern_compile_options compile{};
  if (std::optional<int> status = readFpModeOption(line, compile))
    return *status;
  if (std::optional<int> status = readCheckOption(line, compile))
    return *status;
  std::vector<kern_device> devices = allDevices();
  if (const std::string name = line.value("device", "all"); name != "all") {
    Expected<std::optional<kern_device>> chosen = parseDevice(name);
    if (!chosen)
      return line.refuse(chosen.error().message);
    devices = {*chosen ? **chosen : kern_default_device()};
  }

  warnOfSettings();
  Counts counts;
  unsigned found = 0;
  int status = Done;
  std::vector<Tested> files;
  for (const std::string &operand : line.operands()) {
    Status read = addFiles(operand, files);
    if (!read) {
      printError(read.error().message);
      status = Refused;
    }
  }
  if (withLibrary)
    addStandardLibrary(files);
  const bool showsProgress = isatty(STDERR_FILENO);
  for (const Tested &file : files) {
    found += unsigned(file.tests.size());
    for (kern_device device : devices) {
      if (showsProgress)
        std::fprintf(stderr, "\r\033[K%s on %s", file.path.c_str(),
                     text(device).c_str());
      runTests(file, device, compile, counts);
    }
  }
  if (showsProgress)
    std::fprintf(stderr, "\r\033[K");
  std::string names;
  for (kern_device device : devices)
    names += (names.empty() ? "" : ", ") + text(device);
  if (found == 0 && status == Done) {
    printError("there is no test in " + (line.operands().size() == 1
                                             ? "'" + line.operands()[0] + "'"
                                             : std::string("these files")));
    return Refused;
  }
  std::printf("%s on %s: %u passed, %u failed\n",
              counted(found, "test").c_str(), names.c_str(), counts.passed,
              counts.failed);
  return finishOutput(counts.failed ? std::max(status, int(Refused)) : status);
}

} // namespace kern::cli
