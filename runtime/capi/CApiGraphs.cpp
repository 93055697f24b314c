//===- CApiGraphs.cpp - chains of calls as one launch ---------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "kern/graphs.h"
#include "runtime/capi/Streams.h"
#include "runtime/device/cuda/Graph.h"
#include "runtime/error/LastError.h"

using namespace kern::runtime;

struct kern_graph {
  std::unique_ptr<cuda::Graph> graph;
};

static Error missing(const char *what) {
  return Error(ErrorCode::null_pointer, {what});
}

extern "C" kern_status kern_graph_begin(kern_stream *stream,
                                        kern_graph **graph) {
  return guarded([&]() -> Status {
    if (!graph)
      return missing("the place for the graph");
    *graph = nullptr;
    if (!stream)
      return missing("the stream");
    return makeInto(*stream->context, std::make_unique<kern_graph>(),
                    &kern_graph::graph, graph, [&] {
                      return cuda::Graph::begin(stream->context,
                                                stream->stream.handle());
                    });
  });
}

extern "C" kern_status kern_graph_end(kern_graph *graph) {
  return guarded([&]() -> Status {
    if (!graph)
      return missing("the graph");
    return withContext(*graph->graph->owner(),
                       [&] { return graph->graph->end(); });
  });
}

extern "C" kern_status kern_graph_launch(kern_graph *graph,
                                         kern_stream *stream) {
  return guarded([&]() -> Status {
    if (!graph)
      return missing("the graph");
    if (!stream)
      return missing("the stream");
    cuda::Context &context = *graph->graph->owner();
    if (&context != stream->context.get())
      return Error(ErrorCode::graph_of_other_device,
                   {text(context.device()), text(stream->context->device())});
    return withContext(
        context, [&] { return graph->graph->launch(stream->stream.handle()); });
  });
}

extern "C" void kern_graph_release(kern_graph *graph) {
  std::unique_ptr<kern_graph> owner(graph);
}
