/*===- kern/native.h - code linked into a program ----------------*- C -*-===*\
|*                                                                            *|
|* Part of Kern, under the Apache License v2.0 with LLVM Exceptions.          *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* `kern compile F.kern --emit obj,header` makes F.o, code for CPUs to link   *|
|* into a program, and F.h, which declares it:                                *|
|*                                                                            *|
|*     #include "gaussian.h"                                                  *|
|*     kern_load_native(&gaussian_kern, &module);                             *|
|*                                                                            *|
|* The name comes from the file or from --name. The symbol is hidden: to use  *|
|* it from another library, export a function that returns its address.       *|
|*                                                                            *|
|* Such a program links kern_runtime and libm, and needs no compiler.         *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/
#ifndef KERN_NATIVE_H
#define KERN_NATIVE_H

#include "kern/kern.h"

#ifdef __cplusplus
extern "C" {
#endif

#define KERN_NATIVE_VERSION 1

/** One kernel: its name in the manifest, and its code, which is called as
    docs/explanation/kernel-abi.md says. */
typedef struct kern_native_kernel {
  const char *symbol;
  void (*entry)(const int64_t *words);
} kern_native_kernel;

/** What an object file holds. */
typedef struct kern_native_code {
  uint32_t version;      /**< KERN_NATIVE_VERSION */
  uint32_t kernel_count; /**< of `kernels` */
  const char *manifest;  /**< JSON */
  const kern_native_kernel *kernels;
} kern_native_code;

/** Makes a module of linked code. `code` must outlive it. Its functions run on
    the CPU. KERN_ERROR_ARTEFACT if the code is of another version, or needs
    instructions that this CPU lacks. Threads: any. */
KERN_API kern_status kern_load_native(const kern_native_code *code,
                                      kern_module **module);

#ifdef __cplusplus
}
#endif
#endif
