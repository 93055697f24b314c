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
#include "runtime/device/cuda/FirstBlocks.h"

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

namespace kern::cuda {

class Module;
class Context;

/// What a layer above this one keeps in a context, and must give back while
/// the context still exists.
class ContextResource {
public:
  virtual ~ContextResource() = default;
};

/// 90 for sm_90.
Expected<int> computeCapabilityOf(const Driver &driver, int ordinal);

/// The primary context of one device, which the whole process shares, retained
/// as long as this lives; the memory pool of stream-ordered allocations.
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
  /// Threads that can be resident on the device at once.
  int64_t residentThreads() const { return int64_t(processors) * 2048; }
  /// Whether kernels that wait themselves for the one before them can be
  /// launched while that one still runs; not where KERN_EARLY_LAUNCH is 0.
  bool launchesEarly() const { return early.load(std::memory_order_relaxed); }
  /// The driver has refused such a launch.
  void launchInTurn() { early.store(false, std::memory_order_relaxed); }
  /// Differs for every context ever opened in this process.
  const std::string &key() const { return name; }
  /// NULL where the device has no memory pools.
  CUmemoryPool pool() const { return memoryPool; }
  /// Small blocks, most of them of that pool.
  BlockCache &blocks() { return kept; }
  FirstBlocks &firstBlocks() { return first; }
  /// Gives back to the driver what pool and blocks keep unused. The context
  /// must be current; waits for all work on the device.
  void releaseUnused();

  /// This context's T, which is made by T(Context &) when it is first asked for
  /// and destroyed before the context is released. Any thread may call it.
  template <typename T> T &resource() {
    return static_cast<T &>(resource(
        typeid(T), [](Context &self) -> std::unique_ptr<ContextResource> {
          return std::make_unique<T>(self);
        }));
  }

  /// One text for each function's name, which lives as long as this.
  const std::string *intern(std::string_view function);
  /// Remembers whose work is under way, for errors that surface later. Takes
  /// what intern() gave, and no lock.
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
  Status blame(Status status);
  /// Makes this the current context of a thread that has none, as CUDA's own
  /// runtime does, so that its next launch need not.
  void adoptThread() const;
  /// The same when a thread comes for the first time, without a call of the
  /// driver at other times. What the thread's owner does later is his own.
  void greetThread() const {
    static thread_local const Context *greeted = nullptr;
    if (greeted == this)
      return;
    greeted = this;
    adoptThread();
  }
  /// Waits for all work on the device.
  Status synchronize();

  /// Modules by their PTX text, while someone uses them.
  std::mutex moduleMutex;
  std::map<const std::string *, std::weak_ptr<Module>> modules;

private:
  ContextResource &
  resource(std::type_index type,
           std::unique_ptr<ContextResource> (*make)(Context &));

  std::shared_ptr<const Driver> table;
  int index, capability;
  int processors = 1;
  std::atomic<bool> early = false;
  std::string name;
  CUdevice deviceHandle = 0;
  CUcontext context = nullptr;
  CUmemoryPool memoryPool = nullptr;
  BlockCache kept;
  FirstBlocks first;
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

} // namespace kern::cuda
