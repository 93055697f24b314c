//===- Module.cpp - modules of the C interface ----------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/module/Module.h"
#include "runtime/module/Function.h"

#include <algorithm>

using namespace kern::runtime;

kern_module *kern::runtime::makeModule(std::shared_ptr<CodeSource> source) {
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

std::string kern::runtime::nearestName(std::string_view wanted,
                                       std::span<const std::string> names) {
  std::string nearest;
  size_t best = std::max<size_t>(1, wanted.size() / 3) + 1;
  if (wanted.size() > 256) // not a typing mistake
    return nearest;
  for (const std::string &name : names)
    if (size_t distance = editDistance(wanted, name); distance < best) {
      best = distance;
      nearest = name;
    }
  return nearest;
}

Expected<std::shared_ptr<Loop>>
kern_function::loopFor(std::span<const ArgType> arguments,
                       const LoopRequest &request) {
  std::string key;
  size_t index = 0;
  std::vector<ArgType> types;
  if (info->isGeneric) {
    types = typesAskedFor(arguments, request);
    for (ArgType type : types)
      key += {char('A' + int(type.weakness)), char('a' + int(type.dtype))};
  } else {
    bool isStrict = request.namesLoop() || request.casting < Casting::Safe;
    Expected<size_t> resolved =
        isStrict ? resolveNamedLoop(*info, arguments, request)
                 : resolveLoop(*info, arguments);
    if (!resolved)
      return resolved.error();
    index = *resolved;
    key = std::to_string(index);
  }
  {
    std::lock_guard lock(mutex);
    if (auto at = loops.find(key); at != loops.end())
      return at->second;
  }
  LoopInfo found;
  if (info->isGeneric) {
    Expected<LoopInfo> made = module->source->specialise(*info, types);
    if (!made)
      return made.error();
    found = std::move(*made);
  } else {
    found = info->loops[index];
  }
  auto loop = std::make_shared<Loop>(*info, std::move(found), *module->source);
  std::lock_guard lock(mutex);
  return loops.try_emplace(key, std::move(loop)).first->second;
}

Expected<kern_function *> kern_function::method(const MethodGufunc &wanted) {
  std::lock_guard lock(methodMutex);
  auto known = methods.find(wanted);
  if (known == methods.end()) {
    auto made = module->source->method(*info, wanted);
    if (!made)
      return made.error();
    known =
        methods
            .emplace(wanted,
                     std::shared_ptr<kern_module>(makeModule(std::move(*made))))
            .first;
  }
  return known->second->functions.back().get();
}
