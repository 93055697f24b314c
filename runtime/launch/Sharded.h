//===- Sharded.h - arrays dealt over several GPUs ---------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/device/cuda/Context.h"
#include "runtime/transfer/Array.h"

namespace kern::runtime {

using Gpus = std::vector<std::shared_ptr<cuda::Context>>;

/// `array` if it is on this GPU, whose context is current, else a copy there:
/// it is made in the order of the default stream, and `copies` keeps it.
/// `label` is for messages.
Expected<const DLTensor *> bringTo(const std::shared_ptr<cuda::Context> &gpu,
                                   const DLTensor *array,
                                   std::string_view label,
                                   std::vector<ManagedArray> &copies);

/// An array in parts along axis 0, or with a copy on each GPU
/// (kern/sharded.h). All functions complete on return, and are thread-safe.
class Sharded {
public:
  struct Part {
    std::shared_ptr<cuda::Context> gpu;
    int64_t begin = 0; ///< along axis 0 of the whole array
    ManagedArray array;
  };

  /// The GPUs that were asked for, or all. Fails as kern_sharded_new() does.
  static Expected<Gpus> gpusOf(std::span<const DLDevice> devices);
  /// With undefined contents.
  static Expected<std::unique_ptr<Sharded>>
  make(DType dtype, const Extents &shape, const Gpus &gpus, bool isReplicated);
  /// Of parts that a call has made, which lie in order.
  Sharded(DType dtype, Extents shape, bool isReplicated,
          std::vector<Part> parts);
  Sharded(const Sharded &) = delete;
  Sharded &operator=(const Sharded &) = delete;
  ~Sharded() = default;

  /// Copies `source` into all parts at once.
  Status fill(const StridedView &source);
  /// Copies all parts at once into `destination`.
  Status gather(const StridedView &destination) const;
  Status synchronize() const;

  DType dtype() const { return type; }
  const Extents &shape() const { return extents; }
  bool isReplicated() const { return isWhole; }
  const std::vector<Part> &parts() const { return all; }
  /// Type and shape alone.
  const DLTensor &form() const { return described; }
  Gpus gpus() const; ///< of the parts, in order
  bool isOn(const Gpus &gpus) const;

private:
  /// `other` is copied here, or else all of this there.
  Status checkForm(const StridedView &other, bool isSource) const;
  /// What of an array of the whole shape a part stands for.
  StridedView sliceOf(const StridedView &whole, const Part &part) const;

  DType type;
  Extents extents;
  bool isWhole;
  std::vector<Part> all;
  DLTensor described = {};
};

} // namespace kern::runtime
