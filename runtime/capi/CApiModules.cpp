//===- CApiModules.cpp - modules and functions ----------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/code/Artefact.h"
#include "runtime/error/LastError.h"
#include "runtime/error/NearestName.h"
#include "runtime/module/Function.h"
#include "runtime/module/Module.h"

#include <algorithm>

using namespace kern::runtime;

static Error missing(const char *what) {
  return Error(ErrorCode::null_pointer, {what});
}

// The header's version is checked in, so that the header works from the source
// tree.
static_assert(std::string_view(KERN_VERSION) == KERN_PROJECT_VERSION,
              "kern/kern.h and CMakeLists.txt say different versions");
static_assert(KERN_VERSION_AT_LEAST(KERN_VERSION_MAJOR, KERN_VERSION_MINOR,
                                    KERN_VERSION_PATCH));

extern "C" const char *kern_version(void) { return KERN_VERSION; }

static Status finish(Expected<std::shared_ptr<CodeSource>> source,
                     kern_module **module) {
  if (!source)
    return source.error();
  *module = makeModule(std::move(*source));
  return {};
}

extern "C" kern_status kern_load_file(const char *path, kern_module **module) {
  return guarded([&]() -> Status {
    if (!module)
      return missing("the place for the module");
    *module = nullptr;
    if (!path)
      return missing("the path");
    return finish(loadArtefactFile(path), module);
  });
}

extern "C" kern_status kern_load_text(const char *ptx, size_t length,
                                      kern_module **module) {
  return guarded([&]() -> Status {
    if (!module)
      return missing("the place for the module");
    *module = nullptr;
    if (!ptx)
      return missing("the text");
    return finish(loadArtefact(std::string(ptx, length)), module);
  });
}

extern "C" kern_status kern_load_native(const kern_native_code *code,
                                        kern_module **module) {
  return guarded([&]() -> Status {
    if (!module)
      return missing("the place for the module");
    *module = nullptr;
    if (!code)
      return missing("the code");
    return finish(loadNative(*code), module);
  });
}

extern "C" void kern_module_release(kern_module *module) {
  std::unique_ptr<kern_module> owner(module);
}

extern "C" size_t kern_module_function_count(const kern_module *module) {
  return module ? module->functions.size() : 0;
}

extern "C" kern_function *kern_module_function_at(kern_module *module,
                                                  size_t index) {
  return index < kern_module_function_count(module)
             ? module->functions[index].get()
             : nullptr;
}

extern "C" kern_status kern_module_find(kern_module *module, const char *name,
                                        kern_function **function) {
  return guarded([&]() -> Status {
    if (!function)
      return missing("the place for the function");
    *function = nullptr;
    if (!module || !name)
      return missing(module ? "the name" : "the module");
    for (const auto &candidate : module->functions)
      if (candidate->info->name == name) {
        *function = candidate.get();
        return {};
      }
    std::vector<std::string_view> names;
    for (const auto &candidate : module->functions)
      names.push_back(candidate->info->name);
    Error error(ErrorCode::unknown_function, {name});
    if (std::string_view nearest = nearestName(name, names); !nearest.empty())
      return error.add(Addition::did_you_mean, {nearest});
    if (names.empty())
      return error.add(Addition::module_has_none);
    constexpr size_t shown = 20;
    std::string list;
    for (size_t i = 0; i < std::min(names.size(), shown); ++i)
      (list += i ? ", " : "") += names[i];
    return error.add(Addition::module_has,
                     {list + (names.size() > shown ? ", …" : "")});
  });
}

extern "C" const char *kern_module_manifest(const kern_module *module) {
  return module ? module->manifest.c_str() : "";
}

extern "C" const char *kern_function_name(const kern_function *function) {
  return function ? function->info->name.c_str() : "";
}

extern "C" size_t kern_function_input_count(const kern_function *function) {
  return function ? function->info->parameters.size() : 0;
}

extern "C" size_t kern_function_output_count(const kern_function *function) {
  return function ? function->info->results.size() : 0;
}

extern "C" const char *kern_function_signature(const kern_function *function) {
  return function ? function->signature.c_str() : "";
}
