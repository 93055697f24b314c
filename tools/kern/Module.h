//===- Module.h - the file that a verb works on -----------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "kern/compile.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kern::cli {

struct ModuleRelease {
  void operator()(kern_module *module) const { kern_module_release(module); }
};
using Module = std::unique_ptr<kern_module, ModuleRelease>;

struct ArrayRelease {
  void operator()(DLManagedTensor *array) const {
    if (array->deleter)
      array->deleter(array);
  }
};
using Array = std::unique_ptr<DLManagedTensor, ArrayRelease>;

/// Warns, once, of variables of the environment that are set to what they
/// cannot be: another bound of the cache or number of threads was meant.
void warnOfSettings();

/// Whether a path names a compiled file and not a source.
bool isCompiled(const std::string &path);

/// Compiles a `.kern` file or loads a `.ptx` file, by the path's ending. On
/// failure, which is reported, `module` stays empty and the exit status is
/// returned.
std::optional<int> openModule(const std::string &path, Module &module);
/// The same with options, which only a source listens to: asking for the
/// precise mode or for checks of a compiled file is refused.
std::optional<int> openModule(const std::string &path, Module &module,
                              const kern_compile_options &options);
/// The same, and finds a function: `operands` begin with the path and its name.
std::optional<int> openFunction(const std::vector<std::string> &operands,
                                Module &module, kern_function *&function,
                                const kern_compile_options &options);

} // namespace kern::cli
