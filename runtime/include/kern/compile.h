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
|* Memory. A compilation that runs out of memory gives KERN_ERROR_MEMORY, as  *|
|* any function does, and leaks nothing. There is one exception: LLVM ends    *|
|* the process when one of its own allocations fails. Each compilation step,  *|
|* including those that a call starts, therefore first checks that the        *|
|* process can get twice the memory that such steps were measured to take:    *|
|* 16 MiB, and more for longer sources and larger functions. Two cases        *|
|* remain: another thread takes that memory in between, or the system         *|
|* overcommits memory and kills the process.                                  *|
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
                            `@fastmath` takes effect */
  KERN_FP_PRECISE = 1  /**< neither: CPU and GPU agree bit for bit on
                            + - * / sqrt fma of real numbers */
} kern_fp_mode;

/** What a program checks while it runs; bits. A call in which a check fails
    gives KERN_ERROR_CHECK; the message names the function, the place in its
    source and what was wrong. Its results are then undefined; everything else
    stays usable. Checked calls are slower, and may group sums of floats in
    another way. On a GPU they block, and cannot be prepared or captured in a
    graph. By default nothing is checked. */
typedef enum kern_check {
  KERN_CHECK_BOUNDS = 1,  /**< indices and bounds of slices */
  KERN_CHECK_ASSERT = 2,  /**< conditions of `assert` */
  KERN_CHECK_RESULTS = 4, /**< that array results are written completely */
  /** That no iteration of a `prange` accesses an element that another writes */
  KERN_CHECK_RACES = 8,
  KERN_CHECK_ALL = 15
} kern_check;

typedef struct kern_compile_options {
  size_t size; /**< sizeof(kern_compile_options) */
  kern_fp_mode fp_mode;
  unsigned checks; /**< of kern_check */
  int remarks;     /**< not 0: the module's diagnostics also say what makes its
                        functions slow. The source is then read and its loops
                        analysed again, even if the cache has them */
  int reserved;    /**< 0 */
  /** Folders in which imported modules are looked for, separated by `:`: after
      the file's own, before those of kern_set_include_path() and KERN_PATH.
      NULL or "" is none. */
  const char *include_path;
} kern_compile_options;

/** kern_compile_source with options; NULL: the default ones. Threads: any. */
KERN_API kern_status kern_compile_source_with(
    const char *text, size_t length, const char *file_name,
    const kern_compile_options *options, kern_module **module);
/** The same of a file. Threads: any. */
KERN_API kern_status kern_compile_file_with(const char *path,
                                            const kern_compile_options *options,
                                            kern_module **module);

/** Why this process could not use the cache on disk, as far as it knows: a
    folder that cannot be written to, a full disk, a folder that others can
    write to, or a KERN_CACHE_SIZE that is not a size. "" if nothing is wrong.
   Valid until the calling thread asks again. Threads: any. */
KERN_API const char *kern_cache_problem(void);

#ifdef __cplusplus
}
#endif
#endif
