/*===- kern/memory.h - memory of GPUs, and page-locked memory -----*- C -*-===*\
|*                                                                            *|
|* Part of Kern, under the Apache License v2.0 with LLVM Exceptions.          *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* Kern keeps memory that was freed for later arrays: for each GPU, and for   *|
|* page-locked memory that was made for it. These functions say how much it   *|
|* has, set a limit, give back what is not in use, and put an allocator of    *|
|* the caller's in its place. A device is {kDLCUDA, n}, the memory of GPU n,  *|
|* or {kDLCUDAHost, n}, page-locked memory of the host that was made for GPU  *|
|* n. Others are KERN_ERROR_ARGUMENT, or KERN_ERROR_NOT_FOUND if there is no  *|
|* such GPU.                                                                  *|
|*                                                                            *|
|* When an allocation fails, Kern gives back what is not in use and tries     *|
|* once more. The message of the KERN_ERROR_MEMORY that follows says how much *|
|* was asked for, how much is free, and how much Kern holds.                  *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/
#ifndef KERN_MEMORY_H
#define KERN_MEMORY_H

#include "kern/kern.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Bytes of a device's memory that Kern has. */
typedef struct kern_memory_info {
  size_t size;     /**< sizeof(kern_memory_info) */
  uint64_t in_use; /**< of arrays and of what calls need meanwhile */
  uint64_t cached; /**< kept for later ones */
  uint64_t peak;   /**< the most that was in use at once; small blocks that are
                        kept, at most 64 MiB, count as used */
  uint64_t limit;  /**< kern_memory_set_limit(); 0: none */
} kern_memory_info;

/** Fills `info`. Threads: any. */
KERN_API kern_status kern_memory_describe(kern_device device,
                                          kern_memory_info *info);
/** Sets `peak` to what is in use now. Threads: any. */
KERN_API kern_status kern_memory_reset_peak(kern_device device);
/** The most bytes that may be in use at once; 0 for no limit. What is in use
    already stays. An allocation beyond it is KERN_ERROR_MEMORY, with the limit
    in its message. Threads: any. */
KERN_API kern_status kern_memory_set_limit(kern_device device, uint64_t bytes);
/** Gives back to the driver what is not in use. Of a GPU it waits for all work
    there; nothing may be captured on it meanwhile. Threads: any. */
KERN_API kern_status kern_memory_trim(kern_device device);

/** Where Kern takes memory from: a framework's pool. */
typedef struct kern_memory_allocator {
  size_t size;   /**< sizeof(kern_memory_allocator) */
  void *context; /**< for both functions */
  /** Returns new memory of `bytes`, not 0, for use in the order of `stream` (a
      CUstream; NULL the default stream, and for page-locked memory), or NULL,
      with which what needs it is KERN_ERROR_MEMORY. The address is a multiple
      of 64. Called by any thread, by several at once. It must not call Kern. */
  void *(*allocate)(void *context, size_t bytes, kern_device device,
                    void *stream);
  /** Takes it back, with the same `bytes`, `device` and `stream`. What calls
      have done with it on other streams is complete or comes before what is
      enqueued on `stream` from now on. `stream` may have ended if the caller's
      streams end before their arrays. Called by any thread. It must neither
      fail nor call Kern. */
  void (*free)(void *context, void *memory, size_t bytes, kern_device device,
               void *stream);
} kern_memory_allocator;

/** Takes the memory of a device's new arrays, and what calls need meanwhile,
    from `allocator`, which is copied. NULL: Kern's own pools again. Memory goes
    back to where it came from: `context` must be there until the last array of
    it has ended. Kern keeps none of it. Staging memory, through which pageable
    arrays are copied, and the memory of graphs (kern/graphs.h) stay Kern's.
    KERN_ERROR_ARGUMENT if a function is missing. Threads: any. */
KERN_API kern_status kern_memory_set_allocator(
    kern_device device, const kern_memory_allocator *allocator);

/** Page-locks `bytes` of the caller's host memory from `memory` on, for all
    GPUs: arrays in it are moved from and to where they are. It takes as long as
    copying the memory once or more, so register what is used often.
    KERN_ERROR_ARGUMENT if part of it is registered already or is page-locked
    anyway, KERN_ERROR_MEMORY if the system does not lock as much. Needs a GPU,
    as kern_memory_describe() does. Threads: any. */
KERN_API kern_status kern_host_register(void *memory, size_t bytes);
/** Ends that, for the address with which it began. Calls that use the memory
    must be complete. KERN_ERROR_ARGUMENT for memory that is not registered.
    Threads: any. */
KERN_API kern_status kern_host_unregister(void *memory);

#ifdef __cplusplus
}
#endif
#endif
