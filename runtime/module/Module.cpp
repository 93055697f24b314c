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
  auto loop = std::make_shared<Loop>(*info, std::move(found), module->source);
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
