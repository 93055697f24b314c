//===- Function.h - what the handles of the C interface hold ----*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/module/Loop.h"
#include "runtime/module/PlanTable.h"
#include "runtime/plan/Resolve.h"

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

struct kern_function {
  const kern::runtime::FunctionInfo *info = nullptr;
  kern_module *module = nullptr;
  std::string signature;

  /// The loop that these arguments take, or that is asked for. Loops are kept:
  /// a second call finds them and their kernels.
  kern::runtime::Expected<std::shared_ptr<kern::runtime::Loop>>
  loopFor(std::span<const kern::runtime::ArgType> arguments,
          const kern::runtime::LoopRequest &request);

  /// The gufunc of a method, which is kept. It belongs to this function.
  kern::runtime::Expected<kern_function *>
  method(const kern::runtime::MethodGufunc &wanted);

  /// Of calls made so far.
  kern::runtime::PlanTable plans;

private:
  std::mutex mutex;
  std::mutex methodMutex; ///< held while one is made
  std::map<kern::runtime::MethodGufunc, std::shared_ptr<kern_module>> methods;
  std::map<std::string, std::shared_ptr<kern::runtime::Loop>>
      loops; ///< by types
};

struct kern_module {
  std::shared_ptr<kern::runtime::CodeSource> source;
  std::string manifest; ///< as JSON
  std::vector<std::unique_ptr<kern_function>> functions;
};
