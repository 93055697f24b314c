//===- CApi.cpp - compilation in the C interface --------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/driver/CApiOptions.h"
#include "compiler/driver/CachedSource.h"
#include "compiler/driver/ModuleFiles.h"
#include "runtime/capi/SizedStruct.h"
#include "runtime/module/Module.h"

using namespace kern::compiler;
using namespace kern::runtime;

static constexpr size_t optionsSizes[] = {
    offsetof(kern_compile_options, include_path), sizeof(kern_compile_options)};
static constexpr StructVersions optionsVersions = {"kern_compile_options",
                                                   optionsSizes};

/// The caller's options, or the defaults for NULL. KERN_ERROR_ARGUMENT for
/// invalid options.
static Expected<kern_compile_options>
readOptions(const kern_compile_options *given) {
  kern_compile_options options = {};
  if (!given)
    return options;
  if (Status status = readSized(optionsVersions, given, &options); !status)
    return status.error();
  if (Status status = checkMode(options.fp_mode, options.checks); !status)
    return status.error();
  if (options.reserved)
    return Error{KERN_ERROR_ARGUMENT, "kern_compile_options.reserved is " +
                                          std::to_string(options.reserved) +
                                          ", not 0"};
  return options;
}

static Status compile(std::string text, std::string name,
                      const kern_compile_options &options,
                      kern_module **module) {
  auto source = CachedSource::open(
      {std::move(name), std::move(text), options.fp_mode == KERN_FP_PRECISE,
       checksOf(options.checks), options.remarks != 0,
       options.include_path ? options.include_path : ""},
      Cache::shared());
  if (!source)
    return source.error();
  *module = makeModule(std::move(*source));
  return {};
}

const char *kern_cache_problem(void) {
  static thread_local std::string problem;
  problem.clear();
  guarded([&]() -> Status {
    problem = Cache::shared().problem();
    return {};
  });
  return problem.c_str();
}

kern_status kern_set_include_path(const char *folders) {
  return guarded([&]() -> Status {
    setIncludePath(folders ? folders : "");
    return {};
  });
}

kern_status kern_compile_source_with(const char *text, size_t length,
                                     const char *file_name,
                                     const kern_compile_options *options,
                                     kern_module **module) {
  return guarded([&]() -> Status {
    if (!module)
      return missing("the place for the module");
    *module = nullptr;
    if (!text && length)
      return missing("the text");
    Expected<kern_compile_options> known = readOptions(options);
    if (!known)
      return known.error();
    return compile(std::string(text ? text : "", length),
                   file_name ? file_name : "<source>", *known, module);
  });
}

kern_status kern_compile_source(const char *text, size_t length,
                                const char *file_name, kern_module **module) {
  return kern_compile_source_with(text, length, file_name, nullptr, module);
}

kern_status kern_compile_file_with(const char *path,
                                   const kern_compile_options *options,
                                   kern_module **module) {
  return guarded([&]() -> Status {
    if (!module)
      return missing("the place for the module");
    *module = nullptr;
    if (!path)
      return missing("the path");
    Expected<kern_compile_options> known = readOptions(options);
    if (!known)
      return known.error();
    Expected<std::string> text = readFile(path);
    if (!text)
      return text.error();
    return compile(std::move(*text), path, *known, module);
  });
}

kern_status kern_compile_file(const char *path, kern_module **module) {
  return kern_compile_file_with(path, nullptr, module);
}
