/*===- kern/threads.h - the threads of calls on the CPU -----------*- C -*-===*\
|*                                                                            *|
|* Part of Kern, under the Apache License v2.0 with LLVM Exceptions.          *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* Calls on the CPU share one pool of threads, which starts when a call first *|
|* needs it. A call takes as many of them as its work is worth, and as its    *|
|* options allow (`threads` of kern_call_request, kern/options.h).            *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/
#ifndef KERN_THREADS_H
#define KERN_THREADS_H

#include "kern/kern.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The most threads that one call on the CPU uses, its own among them. At first
    KERN_NUM_THREADS, else OMP_NUM_THREADS, else as many as the process may use
    cores. Starts no thread. Threads: any. */
KERN_API int kern_get_num_threads(void);
/** Sets that number for the process, from 1 to KERN_MAX_THREADS. More threads
    than before start when a call first needs them. Prepared calls use no more
    than they were prepared with, and no more than this. KERN_ERROR_ARGUMENT for
    another number. Threads: any; a call that runs at the same time uses either
    the old or the new number. */
KERN_API kern_status kern_set_num_threads(int count);

#define KERN_MAX_THREADS 1024

#ifdef __cplusplus
}
#endif
#endif
