//===- Stage.cpp - what kern compile can emit, and for what ---------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/kern/Stage.h"
#include "tools/kern/Console.h"
#include "tools/kern/values/Arguments.h"

#include "compiler/targets/nvptx/Architectures.h"
#include "runtime/artefact/CpuLevel.h"

#include <algorithm>
#include <iterator>
#include <span>

namespace kern::cli {

using compiler::StageInfo;
using compiler::stages;
using runtime::cpuLevels;

namespace {

std::string nameOf(const compiler::nvptx::Architecture &architecture) {
  return "sm_" + std::to_string(architecture.computeCapability);
}

} // namespace

std::vector<std::string> stageNames() {
  std::vector<std::string> names;
  for (const StageInfo &stage : stages)
    names.emplace_back(stage.name);
  return names;
}

std::string stageList() { return joined(stageNames(), ", "); }

std::string misnamed(const StageInfo &stage, const std::string &path) {
  const std::string end = ending(path);
  const std::string made = "--emit " + std::string(stage.name);
  if (end == ".npy" || end == ".kern")
    return made + " makes no " + end + " file";
  std::string others;
  for (const StageInfo &other : stages) {
    if (end.empty() || !other.ending.ends_with(end))
      continue;
    if (stage.ending.ends_with(end))
      return "";
    others += (others.empty() ? "--emit " : " or ") + std::string(other.name);
  }
  return others.empty()
             ? ""
             : made + " makes no " + end + " file; " + others +
                   (others.find(" or ") == others.npos ? " does" : " do");
}

bool isSystemHeader(std::string_view name) {
  static constexpr std::string_view names[] = {
      // C23
      "assert", "complex", "ctype", "errno", "fenv", "float", "inttypes",
      "iso646", "limits", "locale", "math", "setjmp", "signal", "stdalign",
      "stdarg", "stdatomic", "stdbit", "stdbool", "stdckdint", "stddef",
      "stdint", "stdio", "stdlib", "stdnoreturn", "string", "tgmath", "threads",
      "time", "uchar", "wchar", "wctype",
      // POSIX
      "aio", "cpio", "devctl", "dirent", "dlfcn", "endian", "fcntl", "fmtmsg",
      "fnmatch", "ftw", "glob", "grp", "iconv", "langinfo", "libgen", "libintl",
      "monetary", "mqueue", "ndbm", "netdb", "nl_types", "poll", "pthread",
      "pwd", "regex", "sched", "search", "semaphore", "spawn", "strings",
      "stropts", "syslog", "tar", "termios", "trace", "ulimit", "unistd",
      "utime", "utmpx", "wordexp",
      // included by glibc's own headers, or common
      "alloca", "byteswap", "elf", "err", "error", "features", "getopt", "link",
      "malloc", "memory", "obstack", "sysexits", "values"};
  return std::ranges::find(names, name) != std::end(names);
}

std::optional<int> computeCapability(std::string_view target) {
  for (const compiler::nvptx::Architecture &row :
       compiler::nvptx::architectures)
    if (target == nameOf(row))
      return int(row.computeCapability);
  return std::nullopt;
}

bool isCpuLevel(std::string_view target) {
  return std::find(std::begin(cpuLevels), std::end(cpuLevels), target) !=
         std::end(cpuLevels);
}

std::vector<std::string> gpuNames() {
  std::vector<std::string> names;
  for (const compiler::nvptx::Architecture &row :
       compiler::nvptx::architectures)
    names.push_back(nameOf(row));
  return names;
}

std::vector<std::string> targetNames() {
  std::vector<std::string> names(std::begin(cpuLevels), std::end(cpuLevels));
  for (std::string &name : gpuNames())
    names.push_back(std::move(name));
  return names;
}

std::string targetList() { return joined(targetNames(), ", "); }

std::string gpuList() { return joined(gpuNames(), ", "); }

} // namespace kern::cli
