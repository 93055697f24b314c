/*===- kern/graphs.h - chains of calls as one launch --------------*- C -*-===*\
|*                                                                            *|
|* Part of Kern, under the Apache License v2.0 with LLVM Exceptions.          *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* A graph records calls on a stream, without running them, and runs them     *|
|* again by one launch: many small calls cost the program less so.            *|
|*                                                                            *|
|*     kern_graph_begin(stream, &graph);                                      *|
|*     kern_call(…); …                  // on that stream                     *|
|*     kern_graph_end(graph);                                                 *|
|*     kern_graph_launch(graph, stream); // as often as wanted                *|
|*                                                                            *|
|* Each launch reads and writes the arrays that the calls were given, at the  *|
|* same addresses, with the numbers that they were given.                     *|
|*                                                                            *|
|* Results that were made while the graph was recorded hold what its last     *|
|* launch has written. Their memory belongs to the graph too and lives as     *|
|* long as either; if such an array ends before the recording does, calls     *|
|* recorded later may have its memory. Arrays of Kern's that were made before *|
|* must live: a launch is refused once one of them has ended. Arrays of       *|
|* others are not known: they must live until the last launch is done.        *|
|* Modules need not live: the graph keeps the code.                           *|
|*                                                                            *|
|* kern_call() says what cannot be recorded. All arrays are on the stream's   *|
|* GPU.                                                                       *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/
#ifndef KERN_GRAPHS_H
#define KERN_GRAPHS_H

#include "kern/streams.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct kern_graph kern_graph;

/** Begins to record what is enqueued on `stream`, by Kern and others, until
    kern_graph_end(). The stream does nothing meanwhile and must not be waited
    for. KERN_ERROR_ARGUMENT for the default stream, and for a stream that is
    being recorded. Threads: any, one for a stream at a time. */
KERN_API kern_status kern_graph_begin(kern_stream *stream, kern_graph **graph);
/** Ends the recording and makes the graph ready to launch. After a failure it
    can only be released: KERN_ERROR_DEVICE if the recording was disturbed,
    KERN_ERROR_ARGUMENT if it had ended. Threads: any, but with no call on the
    graph's stream. */
KERN_API kern_status kern_graph_end(kern_graph *graph);
/** Enqueues all calls of the graph, in their order, on a stream of its device.
    It is ordered after other streams' uses of its arrays as a call is. Two
    launches of one graph do not run at once, also on two streams.
    KERN_ERROR_ARGUMENT for a graph that is not complete, for a stream of
    another device, and if an array of Kern's that the graph uses has ended.
    Threads: any. */
KERN_API kern_status kern_graph_launch(kern_graph *graph, kern_stream *stream);
/** NULL: nothing. Ends a recording. Waits for all work on the device, so that
    launches that are enqueued run to their end; nothing may be captured there
    meanwhile. Threads: last. */
KERN_API void kern_graph_release(kern_graph *graph);

#ifdef __cplusplus
}
#endif
#endif
