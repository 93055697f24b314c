//===- Module.cpp - the file that a verb works on -------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/kern/Module.h"

#include "tools/kern/Console.h"
#include "tools/kern/ExitStatus.h"

#include "compiler/syntax/UnicodeLetters.h"
#include "runtime/cache/CacheSettings.h"
#include "runtime/device/host/Cpu.h"

#include <cstdlib>
#include <filesystem>
#include <mutex>

namespace kern::cli {

bool isCompiled(const std::string &path) { return path.ends_with(".ptx"); }

void warnOfSettings() {
  static std::once_flag once;
  std::call_once(once, [] {
    auto environment = [](const char *name) -> const char * {
      return std::getenv(name);
    };
    for (const std::string &problem :
         {cacheSettings(environment).problem,
          host::threadSetting(environment("KERN_NUM_THREADS")).problem})
      if (!problem.empty())
        printWarning(problem);
  });
}

std::optional<int> openModule(const std::string &path, Module &module) {
  kern_compile_options options{};
  options.size = sizeof options;
  return openModule(path, module, options);
}

std::optional<int> openModule(const std::string &path, Module &module,
                              const kern_compile_options &options) {
  if (!isCompiled(path) && !path.ends_with(".kern")) {
    std::error_code error;
    printError("'" + path + "' is " +
               (std::filesystem::is_directory(path, error)
                    ? "a folder: name a .kern or a .ptx file"
                    : "neither a .kern nor a .ptx file"));
    return Refused;
  }
  if (isCompiled(path) && options.fp_mode != KERN_FP_DEFAULT) {
    printError("'" + path + "' is compiled: --fp-mode is for its source");
    return Refused;
  }
  if (isCompiled(path) && options.checks) {
    printError("'" + path + "' is compiled: --check is for its source");
    return Refused;
  }
  if (!isCompiled(path))
    warnOfSettings();
  kern_module *opened = nullptr;
  const kern_status status =
      isCompiled(path)
          ? kern_load_file(path.c_str(), &opened)
          : kern_compile_file_with(path.c_str(), &options, &opened);
  if (status != KERN_OK)
    return reportFailure(status);
  module.reset(opened);
  return std::nullopt;
}

std::optional<int> openFunction(const std::vector<std::string> &operands,
                                Module &module, kern_function *&function,
                                const kern_compile_options &options) {
  if (std::optional<int> status = openModule(operands[0], module, options))
    return status;
  // As the source writes it.
  const std::string name = syntax::normalName(operands[1]);
  const kern_status status =
      kern_module_find(module.get(), name.c_str(), &function);
  if (status != KERN_OK)
    return reportFailure(status);
  return std::nullopt;
}

} // namespace kern::cli
