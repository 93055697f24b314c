/*===- kern/exchange.h - tensors of DLPack 1 ----------------------*- C -*-===*\
|*                                                                            *|
|* Part of Kern, under the Apache License v2.0 with LLVM Exceptions.          *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* The other functions take and give DLPack's tensors without a version, as   *|
|* version 0.6 has them. Frameworks exchange DLManagedTensorVersioned today.  *|
|* These functions put one into the other; no element is copied.              *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/
#ifndef KERN_EXCHANGE_H
#define KERN_EXCHANGE_H

#include "kern/kern.h"

#ifdef __cplusplus
extern "C" {
#endif

/* As DLPack 1 has it, where <dlpack/dlpack.h> is older. */
#ifndef DLPACK_MAJOR_VERSION
#define DLPACK_MAJOR_VERSION 1
#define DLPACK_MINOR_VERSION 0
#define DLPACK_FLAG_BITMASK_READ_ONLY (1UL << 0UL)
#define DLPACK_FLAG_BITMASK_IS_COPIED (1UL << 1UL)

typedef struct DLPackVersion {
  uint32_t major;
  uint32_t minor;
} DLPackVersion;

typedef struct DLManagedTensorVersioned {
  DLPackVersion version;
  void *manager_ctx;
  void (*deleter)(struct DLManagedTensorVersioned *self);
  uint64_t flags;
  DLTensor dl_tensor;
} DLManagedTensorVersioned;
#endif

/** `array` with a version, 1.0, and these flags. Takes `array`: the new
    tensor's deleter calls its deleter. KERN_ERROR_ARGUMENT for a flag that
    DLPack 1.0 does not have. After a failure `array` is the caller's.
    Threads: any. */
KERN_API kern_status kern_tensor_to_versioned(
    DLManagedTensor *array, uint64_t flags, DLManagedTensorVersioned **tensor);
/** `tensor` without a version, for kern_value and outputs. Takes `tensor`
    likewise. `writable` not 0: it is going to be written to, and
    KERN_ERROR_ARGUMENT if it is read-only. The flag is lost otherwise: do not
    write to the array. KERN_ERROR_ARGUMENT for a version above 1, whose layout
    is unknown but for version and deleter. After a failure `tensor` is the
    caller's. Threads: any. */
KERN_API kern_status kern_tensor_from_versioned(
    DLManagedTensorVersioned *tensor, int writable, DLManagedTensor **array);

#ifdef __cplusplus
}
#endif
#endif
