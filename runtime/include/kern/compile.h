/*===- kern/compile.h - how a source is compiled ------------------*- C -*-===*\
|*                                                                            *|
|* Part of Kern, under the Apache License v2.0 with LLVM Exceptions.          *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* Options of compilation; the functions are in the library `kern`, not in    *|
|* `kern_runtime`.                                                            *|
|*                                                                            *|
|* Memory. A compilation for which there is not enough gives                  *|
|* KERN_ERROR_MEMORY, as any function does, and leaves nothing behind. One    *|
|* thing cannot be promised: LLVM, of which the compiler is made, ends the    *|
|* process where an allocation of its own fails. Each step of a compilation,  *|
|* also those that a call begins, therefore starts only if the process could  *|
|* get at least twice the memory that such steps were measured to take:       *|
|* 16 MiB, and more by the length of the source and the size of its           *|
|* functions. What is left are other threads that take that memory in         *|
|* between, and a system that gives more than it has and ends processes.      *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/
#ifndef KERN_COMPILE_H
#define KERN_COMPILE_H

#include "kern/kern.h"

#ifdef __cplusplus
extern "C" {
#endif

/** How close floating-point results keep to the operations as written. */
typedef enum kern_fp_mode {
  KERN_FP_DEFAULT = 0, /**< a * b + c may be contracted to one FMA, and
                            `@fastmath` is listened to */
  KERN_FP_PRECISE = 1  /**< neither: the CPU and a GPU agree bit for bit on
                            + - * / sqrt fma of real numbers */
} kern_fp_mode;

/** What a program checks while it runs; bits. A call in which a check fails
    gives KERN_ERROR_CHECK, with the function, the place in its source and what
    was wrong in the message; its results are then undefined, and everything
    else is as usable as before. Checked calls are slower, sums of floats may be
    grouped in another way, a call on a GPU waits for its end, cannot be
    prepared, and cannot be captured in a graph. Without checks nothing is. */
typedef enum kern_check {
  KERN_CHECK_BOUNDS = 1,  /**< indices and bounds of slices */
  KERN_CHECK_ASSERT = 2,  /**< conditions of `assert` */
  KERN_CHECK_RESULTS = 4, /**< that array results are written completely */
  /** That no iteration of a `prange` touches an element which another writes */
  KERN_CHECK_RACES = 8,
  KERN_CHECK_ALL = 15
} kern_check;

typedef struct kern_compile_options {
  size_t size; /**< sizeof(kern_compile_options) */
  kern_fp_mode fp_mode;
  unsigned checks; /**< of kern_check */
  int remarks;     /**< not 0: the module's diagnostics also say what makes its
                        functions slow. The source is then read anew, and its
                        loops are looked through, whatever the cache knows */
  int reserved;    /**< 0 */
} kern_compile_options;

/** kern_compile_source with options; NULL: the default ones. Threads: any. */
KERN_API kern_status kern_compile_source_with(
    const char *text, size_t length, const char *file_name,
    const kern_compile_options *options, kern_module **module);
/** The same of a file. Threads: any. */
KERN_API kern_status kern_compile_file_with(const char *path,
                                            const kern_compile_options *options,
                                            kern_module **module);

/** Why what is compiled is not kept in the cache on disk, or not found there,
    as far as this process met it: a folder that cannot be written to, a full
    disk, a folder that others can write to, a KERN_CACHE_SIZE that is no size.
    "" if nothing is wrong. Valid until the calling thread asks again.
    Threads: any. */
KERN_API const char *kern_cache_problem(void);

#ifdef __cplusplus
}
#endif
#endif
