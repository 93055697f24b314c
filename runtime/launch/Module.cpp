//===- Module.cpp - modules of the C interface ----------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/launch/Module.h"
#include "runtime/launch/Function.h"

#include <algorithm>

using namespace kern;

kern_module *kern::makeModule(std::shared_ptr<CodeSource> source) {
  auto module = std::make_unique<kern_module>();
  module->source = std::move(source);
  module->manifest = toJson(module->source->manifest());
  for (const FunctionInfo &info : module->source->manifest().functions) {
    auto function = std::make_unique<kern_function>();
    function->info = &info;
    function->module = module.get();
    function->signature = info.coreSignature();
    module->functions.push_back(std::move(function));
  }
  return module.release();
}

/// The number of insertions, deletions and replacements between two names.
static size_t editDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j)
    row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      size_t above = row[j];
      row[j] = std::min(
          {above + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1])});
      diagonal = above;
    }
  }
  return row[b.size()];
}

std::string kern::nearestName(std::string_view wanted,
                              std::span<const std::string> names) {
  std::string nearest;
  size_t best = std::max<size_t>(1, wanted.size() / 3) + 1;
  if (wanted.size() > 256) // no typing mistake
    return nearest;
  for (const std::string &name : names)
    if (size_t distance = editDistance(wanted, name); distance < best) {
      best = distance;
      nearest = name;
    }
  return nearest;
}

Expected<std::shared_ptr<const LoadedLoop>>
kern_function::loopFor(std::span<const ResolveArgument> arguments,
                       const std::shared_ptr<cuda::Context> &context) {
  std::string key = context ? context->key() : "host";
  size_t index = 0;
  std::vector<ArgType> types;
  for (const ResolveArgument &argument : arguments)
    types.push_back(argument.type);
  if (info->isGeneric) {
    for (ArgType type : types)
      key += {char('A' + int(type.form)), char('a' + int(type.dtype))};
  } else {
    Expected<size_t> resolved = resolveLoop(*info, arguments);
    if (!resolved)
      return resolved.error();
    index = *resolved;
    key += "#" + std::to_string(index);
  }
  {
    std::lock_guard lock(mutex);
    if (auto at = loaded.find(key); at != loaded.end())
      return at->second;
  }

  CodeTarget target;
  if (context)
    target = {CodeTarget::Kind::Cuda, context->computeCapability()};
  Expected<std::shared_ptr<const LoopCode>> code =
      info->isGeneric ? module->source->specialise(*info, types, target)
                      : module->source->loop(*info, index, target);
  if (!code)
    return code.error();
  auto loop = std::make_shared<LoadedLoop>();
  loop->code = std::move(*code);
  if (context) {
    Expected<std::shared_ptr<cuda::Module>> loadedModule =
        cuda::Module::load(context, loop->code->ptx);
    if (!loadedModule)
      return Error{loadedModule.error().status,
                   "`" + info->name + "`: " + loadedModule.error().message};
    loop->module = std::move(*loadedModule);
    for (const KernelInfo &kernel : loop->code->loop.kernels) {
      Expected<CUfunction> function = loop->module->function(kernel.symbol);
      if (!function)
        return function.error();
      loop->functions.push_back(*function);
    }
  } else if (loop->code->entries.size() != loop->code->loop.kernels.size()) {
    return Error{KERN_ERROR_INTERNAL,
                 "`" + info->name +
                     "`: the code has not one entry point for "
                     "each of its kernels"};
  }
  std::lock_guard lock(mutex);
  return loaded.try_emplace(key, std::move(loop)).first->second;
}
