//===- Graph.h - recorded work that is launched again -----------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/device/cuda/Captures.h"

namespace kern::runtime::cuda {

/// What was enqueued on a stream between begin() and end(). The context is
/// current at each use but destruction.
class Graph {
public:
  static Expected<std::unique_ptr<Graph>>
  begin(const std::shared_ptr<Context> &context, CUstream stream);
  explicit Graph(std::shared_ptr<Context> context)
      : context(std::move(context)) {}
  ~Graph();
  Graph(const Graph &) = delete;
  Graph &operator=(const Graph &) = delete;

  Status end();
  /// Enqueues all of it, after other streams' uses of its arrays.
  Status launch(CUstream stream);
  const std::shared_ptr<Context> &owner() const { return context; }

private:
  /// The recorded graph; NULL if the recording was disturbed.
  Status endRecording(CUgraph &recorded);
  Status checkArrays() const;

  std::shared_ptr<Context> context;
  std::mutex mutex; ///< of launches
  std::shared_ptr<Capture> capture;
  CUstream recording = nullptr; ///< the stream, until end()
  CUgraphExec ready = nullptr;
};

} // namespace kern::runtime::cuda
