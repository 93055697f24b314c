//===- Dlpack.h - DLPack 1.3 beside the 0.6 of kern.h -----------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What DLPack has added since the header that kern.h includes: tensors with a
// version and flags, and the table of functions that a framework's array type
// carries as `__dlpack_c_exchange_api__`. The layouts are those of DLPack's
// specification (https://dmlc.github.io/dlpack/latest/c_api.html).
//
//===----------------------------------------------------------------------===//
#pragma once

#include <dlpack/dlpack.h>

namespace kern::python::dlpack {

struct Version {
  uint32_t major, minor;
};

constexpr uint64_t readOnlyFlag = 1;
constexpr uint64_t copiedFlag = 2;

/// DLManagedTensorVersioned.
struct ManagedTensor {
  Version version;
  void *managerContext;
  void (*deleter)(ManagedTensor *self);
  uint64_t flags;
  DLTensor tensor;
};

/// DLPackExchangeAPI: what a framework does for others, without
/// synchronisation. Functions return 0, or -1 with a Python exception; the GIL
/// is held.
struct ExchangeApi {
  Version version;
  ExchangeApi *previous; ///< of an older major version, or NULL
  int (*allocate)(DLTensor *prototype, ManagedTensor **out, void *errorContext,
                  void (*setError)(void *errorContext, const char *kind,
                                   const char *message));
  int (*fromObject)(void *object, ManagedTensor **out);
  int (*toObject)(ManagedTensor *tensor, void **object); ///< takes `tensor`
  /// Borrows; may be NULL.
  int (*viewOf)(void *object, DLTensor *out);
  int (*currentStream)(DLDeviceType type, int32_t id, void **stream);
};

/// The names of capsules.
constexpr const char *exchangeName = "dlpack_exchange_api";
constexpr const char *tensorName = "dltensor";
constexpr const char *usedTensorName = "used_dltensor";
constexpr const char *versionedName = "dltensor_versioned";
constexpr const char *usedVersionedName = "used_dltensor_versioned";

} // namespace kern::python::dlpack
