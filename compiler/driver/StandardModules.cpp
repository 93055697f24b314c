//===- StandardModules.cpp - the texts of stdlib/ -------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/driver/StandardModules.h"

namespace kern::compiler {

std::optional<std::string_view> standardModule(std::string_view name) {
  for (unsigned i = 0; i < standardModuleCount; ++i)
    if (standardModuleTexts[i].name == name)
      return standardModuleTexts[i].text;
  return std::nullopt;
}

const std::vector<std::string_view> &standardModules() {
  static const std::vector<std::string_view> names = [] {
    std::vector<std::string_view> list;
    for (unsigned i = 0; i < standardModuleCount; ++i)
      list.push_back(standardModuleTexts[i].name);
    return list;
  }();
  return names;
}

const PreludeFile *preludeFileOf(std::string_view function) {
  for (unsigned i = 0; i < preludeFunctionCount; ++i)
    if (preludeFunctions[i].name == function)
      return &preludeFiles[preludeFunctions[i].file];
  return nullptr;
}

} // namespace kern::compiler
