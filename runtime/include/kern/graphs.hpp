//===- graphs.hpp - chains of calls as one launch ---------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Graphs. Included by kern.hpp.
//
//===----------------------------------------------------------------------===//
#ifndef KERN_GRAPHS_HPP
#define KERN_GRAPHS_HPP

#include "kern/graphs.h"
#include "kern/streams.hpp"

#include <memory>
#include <utility>

namespace kern {
inline namespace api {

/// Calls that were recorded on a stream, and run again by one launch.
/// Move-only. kern/graphs.h says what it keeps and what has to live.
///
///     kern::Stream stream;
///     kern::Graph graph = kern::Graph::record(stream, [&] {
///       kern::Array t = f(x).stream(stream);
///       g(t).stream(stream).into(y);
///     });
///     for (int i = 0; i < 1000; ++i)
///       graph.launch(stream);
class Graph {
public:
  /// Records what `body()` enqueues on `stream`. If it throws, the recording
  /// ends.
  template <typename Body>
  static Graph record(const Stream &stream, Body &&body) {
    kern_graph *made = nullptr;
    detail::check(kern_graph_begin(stream.get(), &made));
    Graph out(made);
    std::forward<Body>(body)();
    detail::check(kern_graph_end(made));
    return out;
  }
  /// Enqueues the calls, on any stream of their device.
  void launch(const Stream &stream) const {
    detail::check(kern_graph_launch(graph.get(), stream.get()));
  }
  kern_graph *get() const { return graph.get(); }

private:
  explicit Graph(kern_graph *made) : graph(made) {}
  struct Release {
    void operator()(kern_graph *one) const { kern_graph_release(one); }
  };
  std::unique_ptr<kern_graph, Release> graph;
};

} // namespace api
} // namespace kern

#endif
