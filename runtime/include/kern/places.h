/*===- kern/places.h - where calls over host arrays run -----------*- C -*-===*\
|*                                                                            *|
|* Part of Kern, under the Apache License v2.0 with LLVM Exceptions.          *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* A call over host arrays runs on the CPU, unless it asks for GPUs. It       *|
|* passes through them in pieces then: each is uploaded, computed and         *|
|* downloaded, several at a time.                                             *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/
#ifndef KERN_PLACES_H
#define KERN_PLACES_H

#include "kern/kern.h"

#ifdef __cplusplus
extern "C" {
#endif

/** In place of a GPU's number, in the device that a call asks for. Arrays on a
    GPU stay where they are: with KERN_ALL_GPUS they are KERN_ERROR_ARGUMENT,
   and with KERN_AUTO the call runs there. */
enum {
  /** {kDLCUDA, KERN_ALL_GPUS}: the pieces of the call are shared by all GPUs,
      with the same results as on one of their kind. A call that is not cut into
      pieces runs on the first one. */
  KERN_ALL_GPUS = -1,
  /** {kDLCUDA, KERN_AUTO}: the CPU or the first GPU, whichever is expected to
      be faster, transfers included. The first such call of a machine measures
      it (kern_device_rates()), the first of a loop its kernel on the CPU.
      Numbers alone, prepared calls that a GPU cannot have, and code for CPUs
      run on the CPU, code for GPUs on the GPU. Results of library functions may
      differ in their last bits between the two. */
  KERN_AUTO = -2
};

/** The device of a name: "cpu", "cuda" (that of the thread's current context,
    else the first), "cuda:1", "cuda:all" or "auto". KERN_ERROR_ARGUMENT for
    another name. Does not ask whether the device exists. The environment
    variable KERN_DEVICE has such a name: calls over host arrays that ask for no
    device run there, but in a thread's device scope (kern/streams.h); it is
    read once. Threads: any. */
KERN_API kern_status kern_device_named(const char *name, kern_device *device);

/** What a GPU and the machine around it do in a second: what KERN_AUTO's
    estimates begin with. */
typedef struct kern_rates {
  size_t size;      /**< sizeof(kern_rates) */
  double to_device; /**< bytes from page-locked memory to the GPU */
  double to_host;   /**< bytes from there to page-locked memory */
  double copied;    /**< bytes that the CPU copies from memory to memory, on all
                         threads of kern_get_num_threads() */
  double start;     /**< seconds that a call takes which moves almost nothing */
} kern_rates;

/** Fills `rates`. They are measured, which takes some 0.1 s, once for a
   machine: the cache keeps them, for the GPU, its driver, the CPU and the
   number of threads. With `measures` 0 nothing is measured, and all rates are 0
   if that was not done yet. KERN_ERROR_NOT_FOUND if there is no such GPU.
   Threads: any.
 */
KERN_API kern_status kern_device_rates(kern_device gpu, int measures,
                                       kern_rates *rates);

/** Told how far a call over host arrays on GPUs is. */
typedef struct kern_progress {
  void *context; /**< for `step` */
  /** Called with 0 bytes before the first piece, then after each that is
      complete, with the bytes of all operands that have been moved, both ways
      together, and that will be. Not 0: the call ends, and is
      KERN_ERROR_CANCELLED; results may be written in part. In the thread that
      makes the call. A call that is not cut into pieces does not call it. */
  int (*step)(void *context, uint64_t done, uint64_t total);
} kern_progress;

#ifdef __cplusplus
}
#endif
#endif
