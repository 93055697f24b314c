//===- Function.h - what the handles of the C interface hold ----*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/device/cuda/Context.h"
#include "runtime/device/cuda/Module.h"
#include "runtime/launch/CodeSource.h"
#include "runtime/plan/Resolve.h"

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace kern {

/// Code of one loop, ready to run on one device.
struct LoadedLoop {
  std::shared_ptr<const LoopCode> code;
  std::shared_ptr<cuda::Module> module; ///< on a GPU
  std::vector<CUfunction> functions;    ///< one for each kernel, likewise
};

} // namespace kern

struct kern_function {
  const kern::FunctionInfo *info = nullptr;
  kern_module *module = nullptr;
  std::string signature;

  /// The loop that these arguments take, loaded for the GPU of `context`, or
  /// for the host if it is NULL. Loops are kept: a second call finds them.
  kern::Expected<std::shared_ptr<const kern::LoadedLoop>>
  loopFor(std::span<const kern::ResolveArgument> arguments,
          const std::shared_ptr<kern::cuda::Context> &context);

private:
  std::mutex mutex;
  std::map<std::string, std::shared_ptr<const kern::LoadedLoop>> loaded;
};

struct kern_module {
  std::shared_ptr<kern::CodeSource> source;
  std::string manifest; ///< as JSON
  std::vector<std::unique_ptr<kern_function>> functions;
};
