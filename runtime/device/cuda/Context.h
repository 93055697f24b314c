//===- Context.h - one GPU's context ----------------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/array/StridedView.h"
#include "runtime/device/cuda/BlockCache.h"
#include "runtime/device/cuda/Driver.h"
#include "runtime/device/cuda/StartupBlocks.h"
#include "runtime/device/cuda/StreamTable.h"

#include <array>
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <typeindex>
#include <utility>
#include <vector>

namespace kern::runtime::cuda {

class Module;
class Context;
class Captures;
class MemorySettings;
class PinnedPool;

/// A resource of a higher layer that belongs to a context and is released
/// before it.
class ContextResource {
public:
  virtual ~ContextResource() = default;
};

/// 90 for sm_90.
Expected<int> computeCapabilityOf(const Driver &driver, int ordinal);

/// The primary context of one device, which the whole process shares, and the
/// memory pool for stream-ordered allocations. Retained as long as this lives.
/// One class, since what lives as long as a device is open has one owner, which
/// releases it in order; each resource has a class of its own.
class Context {
public:
  static Expected<std::shared_ptr<Context>>
  open(std::shared_ptr<const Driver> driver, int ordinal, int capability);
  /// For open() alone: nothing is retained yet.
  Context(std::shared_ptr<const Driver> driver, int ordinal, int capability);
  ~Context();
  Context(const Context &) = delete;
  Context &operator=(const Context &) = delete;

  const Driver &driver() const { return *table; }
  CUcontext handle() const { return context; }
  int ordinal() const { return index; }
  DLDevice device() const { return {kDLCUDA, index}; }
  int computeCapability() const { return capability; }
  int multiprocessors() const { return processors; }
  /// The shared memory of a multiprocessor.
  int sharedMemory() const { return sharedBytes; }
  /// Threads that can be resident on the device at once.
  int64_t residentThreads() const { return int64_t(processors) * 2048; }
  /// Whether blocks of one launch may wait for one another.
  bool launchesTogether() const { return table->cuLaunchKernelEx != nullptr; }
  /// Whether a kernel that waits for its predecessor itself may be launched
  /// while that one runs. Not if KERN_EARLY_LAUNCH is 0.
  bool launchesEarly() const { return early.load(std::memory_order_relaxed); }
  /// Called after the driver has rejected such a launch.
  void launchInTurn() { early.store(false, std::memory_order_relaxed); }
  /// Unique among all contexts ever opened in this process.
  const std::string &key() const { return name; }
  /// NULL where the device has no memory pools.
  CUmemoryPool pool() const { return memoryPool; }
  /// Small blocks, most of them of that pool.
  BlockCache &blocks() const { return kept; }
  StartupBlocks &startupBlocks() { return first; }
  /// All device memory of Kern's, blocks that are kept among it.
  Regions &regions() const { return *memoryRegions; }
  StreamTable &streams() const { return *streamTable; }
  /// Graphs of Kern's that are being recorded.
  Captures &captures() const { return *recordings; }
  /// Limit and allocator of its memory.
  MemorySettings &settings() const { return *asked; }
  PinnedPool &pinned() const { return *pinnedPool; }
  /// Returns the unused memory of pool and blocks to the driver. The context
  /// must be current; waits for all work on the device, and does nothing more
  /// where that fails.
  Status releaseUnused();

  /// This context's T: made by T(Context &) on first use, destroyed before the
  /// context is released. Thread-safe.
  template <typename T> T &resource() {
    return static_cast<T &>(resource(
        typeid(T), [](Context &self) -> std::unique_ptr<ContextResource> {
          return std::make_unique<T>(self);
        }));
  }

  /// One copy of each function's name, which lives as long as this.
  const std::string *intern(std::string_view function);
  /// Records the function of a launch, for errors that are reported later.
  /// `function` came from intern(). Takes no lock.
  void noteLaunch(const std::string *function) {
    for (const auto &recent : launched)
      if (recent.load(std::memory_order_relaxed) == function)
        return;
    launched[nextLaunched.fetch_add(1, std::memory_order_relaxed) %
             launched.size()]
        .store(function, std::memory_order_relaxed);
  }
  /// Adds to a device error the functions launched since the last
  /// synchronisation that succeeded.
  Status attribute(Status status);
  /// Makes this the current context of a thread that has none, as CUDA's
  /// runtime does.
  void ensureCurrent() const;
  /// The same at a thread's first call; later calls do nothing. A thread may
  /// change its current context afterwards.
  void ensureCurrentOnce() const {
    static thread_local const Context *ensured = nullptr;
    if (ensured == this)
      return;
    ensured = this;
    ensureCurrent();
  }
  /// Waits for all work on the device.
  Status synchronize();

  /// Modules by their PTX text, while they are in use.
  std::mutex moduleMutex;
  std::map<const std::string *, std::weak_ptr<Module>> modules;

private:
  /// Nothing on the device may use what is kept.
  void freeKept();
  ContextResource &
  resource(std::type_index type,
           std::unique_ptr<ContextResource> (*make)(Context &));

  std::shared_ptr<const Driver> table;
  int index, capability;
  int processors = 1;
  int sharedBytes = 0;
  std::atomic<bool> early = false;
  std::string name;
  CUdevice deviceHandle = 0;
  CUcontext context = nullptr;
  CUmemoryPool memoryPool = nullptr;
  std::unique_ptr<Regions> memoryRegions = std::make_unique<Regions>();
  std::unique_ptr<StreamTable> streamTable =
      std::make_unique<StreamTable>(*this, *memoryRegions);
  std::unique_ptr<MemorySettings> asked;
  std::unique_ptr<PinnedPool> pinnedPool;
  std::unique_ptr<Captures> recordings;
  mutable BlockCache kept;
  StartupBlocks first;
  std::mutex resourceMutex;
  std::vector<std::pair<std::type_index, std::unique_ptr<ContextResource>>>
      resources;
  std::mutex nameMutex;
  std::set<std::string, std::less<>> names;
  /// The functions launched last; a ring.
  std::array<std::atomic<const std::string *>, 8> launched = {};
  std::atomic<unsigned> nextLaunched = 0;
};

/// Makes a context current for a scope, and the caller's again after it.
class ContextScope {
public:
  explicit ContextScope(const Context &context);
  ~ContextScope();
  ContextScope(const ContextScope &) = delete;
  ContextScope &operator=(const ContextScope &) = delete;
  /// Whether it became current.
  Status status;

private:
  const Driver &driver;
};

} // namespace kern::runtime::cuda
