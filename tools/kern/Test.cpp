//===- Test.cpp - kern test -----------------------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/driver/StandardModules.h"
#include "runtime/array/StridedView.h"
#include "runtime/error/Counted.h"
#include "tools/kern/CommandLine.h"
#include "tools/kern/Console.h"
#include "tools/kern/Module.h"
#include "tools/kern/SharedOptions.h"
#include "tools/kern/SourceFiles.h"
#include "tools/kern/Verb.h"
#include "tools/kern/calls/CallRequest.h"
#include "tools/kern/doctest/DocTests.h"
#include "tools/kern/doctest/TestExpression.h"
#include "tools/kern/doctest/TestValue.h"

#include <algorithm>
#include <cstdio>
#include <unistd.h>

namespace kern::cli {

using runtime::Expected;
using runtime::Status;

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

/// How one test failed on one device; "" if it passed.
std::string failureOf(const DocTest &test, TestFunctions &functions,
                      TestNames &names) {
  if (test.expression.empty())
    return "the >>> has no expression";
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
               : "it failed with another message: " + message;
  }
  if (!assignmentOf(test.expression).names.empty())
    return test.expected.empty() ? std::string()
                                 : "an assignment gives no value";
  if (expectsError)
    return "it gave " + valueText(*value);
  if (test.expected.empty())
    return "the docstring shows no result; it gave " + valueText(*value);
  const std::string found = difference(*value, test.expected);
  return found.empty() ? std::string()
                       : found + "\n  got      " + valueText(*value);
}

/// A file with tests, and the text whose functions they call.
struct Tested {
  std::string path, source;
  std::vector<DocTest> tests;
};

/// The files of the built-in standard library. The prelude is visible
/// everywhere, so its tests need no text.
void addStandardLibrary(std::vector<Tested> &files) {
  for (unsigned i = 0; i < compiler::preludeFileCount; ++i)
    files.push_back({"stdlib/prelude/" +
                         std::string(compiler::preludeFiles[i].name) + ".kern",
                     "", docTests(compiler::preludeFiles[i].text)});
  for (std::string_view name : compiler::standardModules()) {
    const std::string text(*compiler::standardModule(name));
    files.push_back(
        {"stdlib/" + std::string(name) + ".kern", text, docTests(text)});
  }
}

/// Adds the sources that an operand stands for, up to one that cannot be read.
Status addFiles(const CommandLine &line, const std::string &operand,
                std::vector<Tested> &files) {
  Expected<std::vector<std::string>> paths = sourceFiles(operand);
  if (!paths)
    return paths.error();
  for (const std::string &path : *paths) {
    Expected<std::string> source = readText(path);
    if (!source)
      return source.error();
    files.push_back(
        {path == "-" ? streamName(line) : path, *source, docTests(*source)});
  }
  return {};
}

/// Runs the tests of one file on one device and prints the failures; with the
/// warnings of the file if this is the first device.
void runTests(const CommandLine &line, const Tested &file, kern_device device,
              bool isFirst, const kern_compile_options &options,
              Counts &counts) {
  const auto &[path, source, tests] = file;
  auto fail = [&](const char *why) {
    std::printf("FAILED %s on %s: %s\n", path.c_str(),
                runtime::text(device).c_str(), why);
    std::fflush(stdout);
    counts.failed += unsigned(tests.size());
  };
  TestFunctions functions(path, source, device, options);
  if (Status status = functions.open(); !status) {
    fail("it does not compile");
    printDiagnostics(status.error().message);
    return;
  }
  if ((isFirst || deniesWarnings(line)) &&
      reportWarnings(line, functions.compiled(), {path, source}))
    return fail("it has warnings");
  TestNames names;
  for (const DocTest &test : tests) {
    const std::string failure = failureOf(test, functions, names);
    ++(failure.empty() ? counts.passed : counts.failed);
    if (!failure.empty())
      std::printf("FAILED %s:%u on %s\n  >>> %s\n  expected %s\n  %s\n",
                  path.c_str(), test.line, runtime::text(device).c_str(),
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

void declare(CommandLine &line) {
  line.add({"device",
            "Where to run: all, auto, cpu, cuda, cuda:N or cuda:all (default: "
            "all, one after the other)",
            "D",
            {"all", "auto", "cpu", "cuda", "cuda:all"}});
  line.add({"stdlib", "Run the tests of the standard library too"});
  declareCompileOptions(line);
  declareDenyWarnings(line);
  declareSourceOptions(line);
}

/// The devices of --device. Returns the exit status if it names none.
std::optional<int> readDevices(const CommandLine &line,
                               std::vector<kern_device> &devices) {
  devices = allDevices();
  const std::string name = line.value("device", "all");
  if (name == "all")
    return std::nullopt;
  Expected<kern_device> chosen = parseDevice(name);
  if (!chosen)
    return line.refuse(chosen.error().message);
  devices = {*chosen};
  return std::nullopt;
}

/// Runs the tests of all files on all devices.
Counts runAll(const CommandLine &line, const std::vector<Tested> &files,
              const std::vector<kern_device> &devices,
              const kern_compile_options &options) {
  Counts counts;
  const bool showsProgress = isatty(STDERR_FILENO) && !line.isQuiet();
  for (const Tested &file : files)
    for (size_t i = 0; i < devices.size(); ++i) {
      if (showsProgress)
        std::fprintf(stderr, "\r\033[K%s on %s", file.path.c_str(),
                     runtime::text(devices[i]).c_str());
      runTests(line, file, devices[i], i == 0, options, counts);
    }
  if (showsProgress)
    std::fprintf(stderr, "\r\033[K");
  return counts;
}

int run(const CommandLine &line) {
  if (std::optional<int> status = readSourceOptions(line))
    return *status;
  const bool withLibrary = line.has("stdlib");
  if (line.operands().empty() && !withLibrary)
    return line.refuse("name a file to test");
  kern_compile_options compile{};
  if (std::optional<int> status = readCompileOptions(line, compile))
    return *status;
  std::vector<kern_device> devices;
  if (std::optional<int> status = readDevices(line, devices))
    return *status;

  warnOfSettings();
  int status = Done;
  std::vector<Tested> files;
  for (const std::string &operand : line.operands())
    if (Status read = addFiles(line, operand, files); !read) {
      printError(read.error().message);
      status = Refused;
    }
  if (withLibrary)
    addStandardLibrary(files);
  size_t found = 0;
  for (const Tested &file : files)
    found += file.tests.size();
  const Counts counts = runAll(line, files, devices, compile);
  if (found == 0 && status == Done) {
    printError("there is no test in " + (line.operands().size() == 1
                                             ? "'" + line.operands()[0] + "'"
                                             : std::string("these files")));
    return Refused;
  }
  std::string names;
  for (kern_device device : devices)
    names += (names.empty() ? "" : ", ") + runtime::text(device);
  if (!line.isQuiet() || counts.failed)
    std::printf("%s on %s: %u passed, %u failed\n",
                runtime::counted(found, "test").c_str(), names.c_str(),
                counts.passed, counts.failed);
  return finishOutput(counts.failed ? std::max(status, int(Refused)) : status);
}

} // namespace

const Verb testVerb = {
    "test",
    "F.kern|FOLDER…|-",
    "run the tests in the docstrings of .kern files",
    "Runs the tests in the docstrings of .kern files: each `>>> expression` is "
    "computed on every device and compared with the next line, to the digits "
    "shown there. A folder stands for all .kern files below it, - for the "
    "standard input.",
    declare,
    run};

} // namespace kern::cli
