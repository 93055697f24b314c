//===- CallDevice.h - where a call runs and why -----------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/device/cuda/Context.h"
#include "runtime/launch/Arguments.h"

namespace kern::runtime {

/// Where a call runs and where its new results go.
struct CallDevice {
  std::shared_ptr<cuda::Context> context; ///< NULL: the host
  CUstream stream = nullptr;
  bool resultsOnHost = true;
  /// The GPUs that share a call over host arrays with `context`, which is the
  /// first of all.
  std::vector<std::shared_ptr<cuda::Context>> others;
  /// The call runs on the host, or on this GPU if that is expected to be faster
  /// (AutomaticPlace.h).
  std::shared_ptr<cuda::Context> candidate;

  DLDevice device() const { return context ? context->device() : hostDevice(); }
  std::vector<std::shared_ptr<cuda::Context>> contexts() const {
    std::vector<std::shared_ptr<cuda::Context>> all = {context};
    all.insert(all.end(), others.begin(), others.end());
    return all;
  }
};

/// The device of `options` (or NULL), else that of the arrays, else that of the
/// thread's scope, else the first GPU for `code` that is compiled for GPUs,
/// else defaultDevice() (DefaultDevice.h). Results live with the arrays: on the
/// host if none is on a GPU. `outputs` and `mask` are the call's arrays besides
/// its arguments. KERN_ERROR_ARGUMENT if arrays are on several devices, the
/// host being one, or on another GPU than the requested device. Host arrays
/// without dimensions count as numbers. Also fails as opening a device does.
Expected<CallDevice>
chooseDevice(const FunctionInfo &function, const Arguments &arguments,
             std::span<const std::optional<StridedView>> outputs,
             const std::optional<StridedView> &mask,
             const kern_call_options *options, const Manifest &code);

} // namespace kern::runtime
