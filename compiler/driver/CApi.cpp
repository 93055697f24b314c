//===- CApi.cpp - compilation in the C interface --------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/driver/JitSource.h"
#include "compiler/driver/ReadFile.h"
#include "runtime/error/LastError.h"
#include "runtime/launch/Module.h"

using namespace kern;

static Status compile(std::string text, std::string name,
                      kern_module **module) {
  auto unit = std::make_unique<Unit>(std::move(name), std::move(text));
  if (unit->diagnostics.hasErrors())
    return Error{KERN_ERROR_COMPILE, unit->diagnostics.renderText()};
  *module = makeModule(std::make_shared<JitSource>(std::move(unit)));
  return {};
}

kern_status kern_compile_source(const char *text, size_t length,
                                const char *file_name, kern_module **module) {
  return guarded([&]() -> Status {
    if (!module || (!text && length))
      return Error{KERN_ERROR_ARGUMENT,
                   "kern_compile_source: text and module must not be NULL"};
    *module = nullptr;
    return compile(std::string(text ? text : "", length),
                   file_name ? file_name : "<source>", module);
  });
}

kern_status kern_compile_file(const char *path, kern_module **module) {
  return guarded([&]() -> Status {
    if (!module || !path)
      return Error{KERN_ERROR_ARGUMENT,
                   "kern_compile_file: path and module must not be NULL"};
    *module = nullptr;
    Expected<std::string> text = readFile(path);
    if (!text)
      return text.error();
    return compile(std::move(*text), path, module);
  });
}
