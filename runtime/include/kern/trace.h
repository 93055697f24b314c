/*===- kern/trace.h - what the library spends time on -------------*- C -*-===*\
|*                                                                            *|
|* Part of Kern, under the Apache License v2.0 with LLVM Exceptions.          *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* A callback that learns of compilations, look-ups in the cache, transfers   *|
|* and launches, each with its times. While nobody listens, each of them      *|
|* costs the test of one flag.                                                *|
|*                                                                            *|
|* The same work is shown as ranges of NVTX, in the domain "kern", if a tool  *|
|* such as Nsight Systems listens to them: if NVTX_INJECTION64_PATH names its *|
|* library when the process first has something to tell.                      *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/
#ifndef KERN_TRACE_H
#define KERN_TRACE_H

#include "kern/kern.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The kind of event; `step` of kern_trace_event says more. */
typedef enum kern_trace_kind {
  /** Making code. "parse": reading and checking a source. "specialise": the
      types of a generic function's loop. "kernel": the code of one kernel.
      "load": the driver's part, from PTX to the GPU's machine code. */
  KERN_TRACE_COMPILE = 1,
  /** The cache of compilations. "find", which may not succeed; "store". */
  KERN_TRACE_CACHE = 2,
  /** Copies of arrays with a GPU. "to device", "to host", "on device", "between
      devices". Host copies are counted in the operation that they belong to. */
  KERN_TRACE_TRANSFER = 3,
  /** Kernels. "run": on the CPU, from begin to end. "enqueue": on a GPU, where
      the work itself begins and ends later. */
  KERN_TRACE_LAUNCH = 4
} kern_trace_kind;

/** One traced operation. All text is UTF-8. It is valid during the callback
   only, and so is the struct. Operations nest: the event of a launch comes
   after that of its compilation. */
typedef struct kern_trace_event {
  size_t size; /**< of this struct, as the library has it */
  kern_trace_kind kind;
  const char *step;
  const char *name;   /**< of the function; of the file for "parse"; or "" */
  kern_device device; /**< where; for transfers and "load" the GPU */
  int64_t begin, end; /**< nanoseconds of CLOCK_MONOTONIC */
  uint64_t bytes;     /**< of a transfer and of "store"; else 0 */
  uint64_t elements;  /**< of a launch: elements of its loop; else 0 */
  int has_succeeded;  /**< of "find": whether the cache had it */
} kern_trace_event;

/** Called at the end of each operation by the thread that did it; one call at a
    time, in the whole process. It may be called while the library holds
    locks: it must not call the library, nor wait for a thread that does. It
   must not throw. */
typedef void (*kern_trace_callback)(void *context,
                                    const kern_trace_event *event);

/** A registered callback. Several may be active. */
typedef struct kern_trace kern_trace;

/** Registers `callback`, with `context`, for all events of the process. Release
    what `*trace` is set to with kern_trace_stop(). Threads: any. */
KERN_API kern_status kern_trace_start(kern_trace_callback callback,
                                      void *context, kern_trace **trace);
/** Unregisters the callback. It waits for a call in another thread; after it
    there are none. NULL is fine. Threads: any, once for each `trace`. */
KERN_API void kern_trace_stop(kern_trace *trace);

#ifdef __cplusplus
}
#endif
#endif
