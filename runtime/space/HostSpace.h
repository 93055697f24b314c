//===- HostSpace.h - calls on the CPU ---------------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/space/Space.h"

namespace kern::runtime {

class HostSpace final : public Space {
public:
  DLDevice device() const override { return hostDevice(); }
  LaunchCapabilities capabilities(const Loop &) const override {
    return {true, true, true, true};
  }
  bool goesInOrder(int64_t elements) const override;
  Expected<bool> canTransfer() const override { return true; }
  Expected<Buffer> allocate(size_t bytes) override;
  Status copy(const StridedView &destination,
              const StridedView &source) override;
  Status copyWhere(const StridedView &destination, const StridedView &source,
                   const StridedView &mask) override;
  Status clear(void *memory, size_t bytes) override;
  Status launch(const Launch &launch, kern_call_report &report) override;
  Expected<std::optional<LaunchTemplate>>
  prepare(const Launch &launch) override;
};

/// Copies a text into one of a report's fields, cut to fit.
void copyText(std::span<char> field, std::string_view text);

} // namespace kern::runtime
