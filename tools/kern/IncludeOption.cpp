//===- IncludeOption.cpp - -I, where imported modules lie -----------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/kern/IncludeOption.h"

#include <kern/kern.h>

namespace kern::cli {

void declareIncludeOption(CommandLine &line) {
  line.options()("I,include",
                 "A folder in which imported modules are looked for, after the "
                 "file's own; can be repeated",
                 cxxopts::value<std::vector<std::string>>(), "FOLDER");
}

void applyIncludeOption(const CommandLine &line) {
  std::string folders;
  for (const std::string &folder : line.values("include"))
    folders += (folders.empty() ? "" : ":") + folder;
  kern_set_include_path(folders.c_str());
}

} // namespace kern::cli
