//===- DefaultTarget.cpp - the default architecture -----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/driver/DefaultTarget.h"

#include "runtime/cache/CacheFile.h"
#include "runtime/include/kern/kern.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>

namespace kern::compiler {

using runtime::Cache;
using runtime::CacheFile;
using runtime::CacheKey;
using runtime::CodeTarget;

/// 0 without a GPU.
static int askDriver() {
  kern_device_info info = {};
  info.size = sizeof info;
  if (kern_cuda_device_count() > 0 &&
      kern_device_describe({kDLCUDA, 0}, &info) == KERN_OK)
    return info.compute_capability;
  return 0;
}

static std::string contents(const std::string &path) {
  CacheFile file = CacheFile::open(path);
  return file ? file.read(4096) : "";
}

/// What Linux reports about driver and GPUs; "" if nothing.
static std::string describeGpus() {
  std::vector<std::string> folders;
  std::error_code error;
  for (std::filesystem::directory_iterator
           at("/proc/driver/nvidia/gpus", error),
       end;
       !error && at != end; at.increment(error))
    folders.push_back(at->path().string());
  std::ranges::sort(folders);
  std::string text;
  for (const std::string &folder : folders)
    text += folder + "\n" + contents(folder + "/information");
  return text.empty() ? "" : text + contents("/proc/driver/nvidia/version");
}

/// The compute capability of this machine's first GPU; 0 without one.
static int computeCapability(Cache &cache) {
  std::string gpus = describeGpus();
  if (gpus.empty())
    return askDriver();
  const char *visible = std::getenv("CUDA_VISIBLE_DEVICES");
  const char *order = std::getenv("CUDA_DEVICE_ORDER");
  CacheKey key = CacheKey("gpu")
                     .add("gpus", runtime::contentHash(gpus))
                     .add("visible", visible ? visible : "all")
                     .add("order", order ? order : "");
  int capability = 0;
  if (auto known = cache.find(key)) {
    auto [end, failure] = std::from_chars(
        known->data(), known->data() + known->size(), capability);
    if (failure == std::errc() && end == known->data() + known->size())
      return capability;
    cache.remove(key);
  }
  capability = askDriver();
  // If the driver does not answer now, it may later: cache only answers.
  if (kern_cuda_device_count() > 0)
    cache.store(key, std::to_string(capability));
  return capability;
}

std::string defaultArch(const Target &target, Stage stage, Cache &cache) {
  if (target.facts.device == CodeTarget::Kind::Cuda)
    if (int capability = computeCapability(cache))
      return target.archOf({CodeTarget::Kind::Cuda, capability});
  return target.defaultArch(stage);
}

} // namespace kern::compiler
