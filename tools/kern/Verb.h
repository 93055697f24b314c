//===- Verb.h - the verbs of the command line -------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kern::cli {

/// One verb; its code is in the file of its name.
struct Verb {
  std::string_view name;
  std::string_view summary; ///< a line for `kern --help`
  /// Takes the arguments after the verb and returns the exit status.
  int (*run)(const std::vector<std::string> &arguments);
};

int runCompile(const std::vector<std::string> &arguments);
int runRun(const std::vector<std::string> &arguments);
int runCheck(const std::vector<std::string> &arguments);
int runInfo(const std::vector<std::string> &arguments);
int runExplain(const std::vector<std::string> &arguments);
int runFmt(const std::vector<std::string> &arguments);
int runTest(const std::vector<std::string> &arguments);
int runBench(const std::vector<std::string> &arguments);
int runCache(const std::vector<std::string> &arguments);
int runDevices(const std::vector<std::string> &arguments);

} // namespace kern::cli
