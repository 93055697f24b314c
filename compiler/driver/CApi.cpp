//===- CApi.cpp - compilation in the C interface --------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/driver/CachedSource.h"
#include "compiler/driver/ModuleFiles.h"
#include "compiler/driver/ReadFile.h"
#include "kern/compile.h"
#include "runtime/error/LastError.h"
#include "runtime/module/Module.h"

#include <cstddef>
#include <cstring>

using namespace kern;

/// Whether the mode is the precise one; KERN_ERROR_ARGUMENT for a number that
/// is none.
static Expected<bool> isPrecise(const kern_compile_options *options) {
  constexpr size_t needed =
      offsetof(kern_compile_options, fp_mode) + sizeof(kern_fp_mode);
  if (!options || options->size < needed)
    return false;
  // A C caller may have passed a number that is no enumerator.
  unsigned mode = 0;
  std::memcpy(&mode, &options->fp_mode, sizeof mode);
  if (mode > KERN_FP_PRECISE)
    return Error{KERN_ERROR_ARGUMENT,
                 "fp_mode " + std::to_string(mode) + " is not a kern_fp_mode"};
  return mode == KERN_FP_PRECISE;
}

/// What is to be checked; KERN_ERROR_ARGUMENT for bits that mean nothing.
static Expected<Checks> checksOf(const kern_compile_options *options) {
  constexpr size_t needed =
      offsetof(kern_compile_options, checks) + sizeof options->checks;
  if (!options || options->size < needed)
    return Checks();
  if (unsigned unknown = options->checks & ~unsigned(KERN_CHECK_ALL))
    return Error{KERN_ERROR_ARGUMENT, "checks has the bits " +
                                          std::to_string(unknown) +
                                          ", which are no kern_check"};
  return Checks{(options->checks & KERN_CHECK_BOUNDS) != 0,
                (options->checks & KERN_CHECK_ASSERT) != 0,
                (options->checks & KERN_CHECK_RESULTS) != 0};
}

static Status compile(std::string text, std::string name,
                      const kern_compile_options *options,
                      kern_module **module) {
  Expected<bool> precise = isPrecise(options);
  if (!precise)
    return precise.error();
  Expected<Checks> checks = checksOf(options);
  if (!checks)
    return checks.error();
  auto source = CachedSource::open(
      {std::move(name), std::move(text), *precise, *checks}, Cache::shared());
  if (!source)
    return source.error();
  *module = makeModule(std::move(*source));
  return {};
}

const char *kern_cache_problem(void) {
  static thread_local std::string problem;
  problem = Cache::shared().problem();
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
    if (!module || (!text && length))
      return Error{KERN_ERROR_ARGUMENT,
                   "kern_compile_source: text and module must not be NULL"};
    *module = nullptr;
    return compile(std::string(text ? text : "", length),
                   file_name ? file_name : "<source>", options, module);
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
    if (!module || !path)
      return Error{KERN_ERROR_ARGUMENT,
                   "kern_compile_file: path and module must not be NULL"};
    *module = nullptr;
    Expected<std::string> text = readFile(path);
    if (!text)
      return text.error();
    return compile(std::move(*text), path, options, module);
  });
}

kern_status kern_compile_file(const char *path, kern_module **module) {
  return kern_compile_file_with(path, nullptr, module);
}
