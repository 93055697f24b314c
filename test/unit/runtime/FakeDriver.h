//===- FakeDriver.h - a CUDA driver without a GPU ---------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the functions of FakeTable act on. Device memory is host memory whose
// addresses are moved out of the address space, so that code which mistakes one
// for the other crashes. Any call can be made to fail, and everything that is
// created is counted.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "FakeStreams.h"
#include "runtime/device/cuda/Platform.h"

#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace kern::test {

class FakeDriver;

struct FakeLaunch {
  FakeDriver *driver;
  std::string symbol;
  unsigned grid, blockX, blockY;
  void *stream;
  std::vector<int64_t> words;
  bool isEarly = false; ///< may start while what is before it still runs
  int device = 0;       ///< of the context that was current
};
using FakeKernel = std::function<void(const FakeLaunch &)>;

/// The kernels of FakeCode.cpp.
const std::map<std::string, FakeKernel> &fakeKernels();

/// Stands in for the driver as long as it lives. One at a time. One class,
/// since the functions of the table share its state, and tests look at it.
class FakeDriver {
public:
  struct Options {
    int devices = 1;
    bool hasPools = true;
    size_t memory = size_t(1) << 40; ///< bytes that can be allocated
    CUresult initResult = CUDA_SUCCESS;
    int version = 13000;                 ///< 12030 for CUDA 12.3
    size_t hostMemory = size_t(1) << 40; ///< that can be page-locked at once
    bool hasPeers = true;                ///< devices reach one another's memory
    /// What a transfer between host and device takes at least.
    std::chrono::microseconds transferTime{0};
  };
  FakeDriver() : FakeDriver(Options()) {}
  explicit FakeDriver(Options options);
  ~FakeDriver();

  /// Makes call number `occurrence` (from 1) of a function fail.
  void failAt(std::string function, int occurrence, CUresult result);
  /// Makes the n-th call of all from here on fail, but for those that free
  /// something or restore a state, whose failure leaves it as it is.
  void failCall(int n, CUresult result);
  /// Makes the n-th call of all and those after it fail, but for those that
  /// only restore a thread's state.
  void loseDevice(int n, CUresult result);
  /// The first function that has failed so; "" if none has yet.
  const std::string &failed() const { return failedFunction; }
  /// Everything that exists: allocations, pinned memory, events, streams,
  /// modules.
  int live();
  /// The memory at a device address; crashes if there is none.
  template <typename T> T *at(int64_t address) {
    return static_cast<T *>(resolve(address, sizeof(T)));
  }

  /// The number of driver calls so far, of all functions.
  int total() const;

  std::vector<FakeLaunch> launches;
  bool keepsLaunches = true;
  void *captured = nullptr; ///< a stream that a graph is made of
  CUstreamCaptureMode captureMode = CU_STREAM_CAPTURE_MODE_GLOBAL;
  std::vector<void *> freedOn;      ///< the streams of cuMemFreeAsync
  std::map<std::string, int> calls; ///< by function
  std::string badPtx;               ///< a text that the driver refuses
  std::set<std::string> refused;    ///< functions that find a value invalid

  /// For the functions of the table.
  void *resolve(int64_t address, size_t bytes);
  CUresult enter(const std::string &function);
  CUresult allocate(CUdeviceptr *pointer, size_t bytes, CUcontext owner);
  /// The context in which the memory at a device address was allocated; NULL
  /// if there is none.
  CUcontext ownerOf(CUdeviceptr pointer) const;
  CUresult release(CUdeviceptr pointer);
  /// Work enqueued there is recorded for a graph, and not executed.
  bool isRecorded(CUstream stream) const;
  /// For a call that a thread may not make while another one records a graph,
  /// unless it says so: whether that is so now. The graph is spoiled then.
  bool isDisturbed();
  /// For a call that nobody may make on a stream while a graph is recorded
  /// there: the same.
  bool isDisturbed(CUstream stream);
  bool isSpoiled = false; ///< the graph that is being recorded
  Options options;
  std::map<int64_t, std::vector<std::byte>> memory;
  std::map<int64_t, CUcontext> owners; ///< of memory
  std::map<void *, std::vector<std::byte>> pinned;
  std::set<CUdeviceptr> pooled; ///< those of memory that a pool gave
  size_t used = 0;
  size_t poolKeeps = 0; ///< bytes that a pool has and nobody uses
  std::map<void *, size_t> registered;
  std::set<CUevent> capturedEvents; ///< marks in a graph, not in time
  std::set<CUdeviceptr> ofGraphs;   ///< memory that a graph has made
  int events = 0, pools = 0, contexts = 0, graphs = 0;
  /// The work of graphs that can be launched.
  std::map<CUgraphExec, std::vector<FakeStreams::Work>> launchable;
  FakeStreams streams;
  std::atomic<int> pushed = 0; ///< contexts pushed and not popped
  std::map<int64_t, std::string> modules;
  std::map<int64_t, std::string> functions;
  int64_t nextHandle = 1;
  std::recursive_mutex mutex; ///< held by every call of the driver

private:
  std::string failing;
  int failOccurrence = 0;
  CUresult failResult = CUDA_SUCCESS;
  int callsUntilFailure = 0;
  bool losesDevice = false; ///< with that failure
  std::string failedFunction;
  std::shared_ptr<runtime::cuda::Platform> previous;
};

} // namespace kern::test
