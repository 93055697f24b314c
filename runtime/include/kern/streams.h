/*===- kern/streams.h - streams, events, and default devices ------*- C -*-===*\
|*                                                                            *|
|* Part of Kern, under the Apache License v2.0 with LLVM Exceptions.          *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* Calls on one stream of a GPU run in order. Between streams, Kern orders    *|
|* calls by the arrays that they use, as far as their memory is Kern's: a     *|
|* call comes after the calls on other streams that have written what it      *|
|* reads or writes, and after those that have read what it writes. As long as *|
|* all calls on a GPU are on one stream, nothing is recorded for this.        *|
|*                                                                            *|
|* Memory that others own, calls that are captured in a graph, and work that  *|
|* is not a call of Kern's are the caller's to order: by events.              *|
|*                                                                            *|
|* A stream may end before the arrays that were made on it. If it is a        *|
|* kern_stream, own or borrowed, calls on it cost nothing more. For other     *|
|* streams, from the second one on, each call that uses memory of Kern's      *|
|* records an event, and the first call on the second stream waits once for   *|
|* the device: nothing may be captured there then.                            *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/
#ifndef KERN_STREAMS_H
#define KERN_STREAMS_H

#include "kern/kern.h"

#ifdef __cplusplus
extern "C" {
#endif

/*--- Streams ---------------------------------------------------------------*/

/** A stream of one GPU: Kern's own, or a view of the caller's. */
typedef struct kern_stream kern_stream;

/** A new stream, which does not wait for the default stream.
    KERN_ERROR_ARGUMENT for a device without streams, as the CPU;
    KERN_ERROR_NOT_FOUND if there is no such GPU. Threads: any. */
KERN_API kern_status kern_stream_new(kern_device device, kern_stream **stream);
/** A view of a stream of the caller's (a CUstream or cudaStream_t), or of the
    default stream for NULL. The stream must be there until the view is
    released. Fails as kern_stream_new() does, and with KERN_ERROR_ARGUMENT
    while a graph is captured on the stream. Threads: any. */
KERN_API kern_status kern_stream_borrow(kern_device device, void *handle,
                                        kern_stream **stream);
/** The CUstream, for `stream` of kern_call_options and for CUDA. It is there
    until kern_stream_release(); NULL for the default stream. Threads: any. */
KERN_API void *kern_stream_handle(const kern_stream *stream);
/** {kDLCPU, 0} for NULL. Threads: any. */
KERN_API kern_device kern_stream_device(const kern_stream *stream);
/** Waits until all work of the stream is complete. Errors of earlier calls are
    reported here, with the functions that may have caused them. Threads: any.
 */
KERN_API kern_status kern_stream_synchronize(kern_stream *stream);
/** Sets `*is_complete` to 1 if all work of the stream is complete, else to 0.
    Does not wait. Threads: any. */
KERN_API kern_status kern_stream_query(kern_stream *stream, int *is_complete);
/** NULL: nothing. Ends an own stream; a view's is the caller's again, who may
    end it. What was enqueued is still done, and this does not wait for it.
    Arrays that calls on the stream have made and used stay valid. Threads:
    last; the handle too is not used any more. */
KERN_API void kern_stream_release(kern_stream *stream);

/*--- Events ----------------------------------------------------------------*/

/** A mark in a stream of one GPU. */
typedef struct kern_event kern_event;

/** A new event, which marks nothing yet. `is_timed` not 0: kern_event_elapsed()
    can be asked for; such events cost more. Fails as kern_stream_new() does.
    Threads: any. */
KERN_API kern_status kern_event_new(kern_device device, int is_timed,
                                    kern_event **event);
/** Marks the end of what is enqueued on `stream`, a stream of the event's
    device. An earlier mark is forgotten, but not by those that wait for it
    already. KERN_ERROR_ARGUMENT for a stream of another device. Threads: any.
 */
KERN_API kern_status kern_event_record(kern_event *event, kern_stream *stream);
/** What is enqueued on `stream`, of any GPU, from now on begins after the mark.
    Without a mark it waits for nothing. Does not block. Threads: any. */
KERN_API kern_status kern_stream_wait_event(kern_stream *stream,
                                            const kern_event *event);
/** Waits until everything before the mark is complete. Returns at once without
    one. Errors are reported as by kern_stream_synchronize(). Threads: any. */
KERN_API kern_status kern_event_synchronize(const kern_event *event);
/** Sets `*is_complete` to 1 if everything before the mark is complete, or if
    there is none, else to 0. Does not wait. Threads: any. */
KERN_API kern_status kern_event_query(const kern_event *event,
                                      int *is_complete);
/** Sets `*milliseconds` to the time between two marks of timed events of one
    device, both complete. KERN_ERROR_ARGUMENT for events that are not timed or
    of two devices; KERN_ERROR_DEVICE if one is not complete or marks nothing.
    Threads: any. */
KERN_API kern_status kern_event_elapsed(const kern_event *begin,
                                        const kern_event *end,
                                        float *milliseconds);
/** The CUevent, until kern_event_release(). Threads: any. */
KERN_API void *kern_event_handle(const kern_event *event);
/** NULL: nothing. Those that wait for the mark still do. Threads: last. */
KERN_API void kern_event_release(kern_event *event);

/*--- The default device of a thread ----------------------------------------*/

/** Makes `device` this thread's default, until kern_device_scope_leave(): calls
    that ask for no device and whose arrays are on the host run there
    (kern_default_device()), whatever KERN_DEVICE names, and kern.hpp makes new
    arrays there. Scopes nest. KERN_ERROR_NOT_FOUND if there is no such device:
    KERN_ALL_GPUS and KERN_AUTO are none. Threads: any, each with its own
   scopes.
    */
KERN_API kern_status kern_device_scope_enter(kern_device device);
/** Ends this thread's innermost scope; without one it does nothing. Threads:
    any. */
KERN_API void kern_device_scope_leave(void);
/** The device of this thread's innermost scope, as it was given; {kDLCPU, 0}
    without one. Threads: any. */
KERN_API kern_device kern_device_scope_current(void);

#ifdef __cplusplus
}
#endif
#endif
