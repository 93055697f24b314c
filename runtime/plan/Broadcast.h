//===- Broadcast.h - shapes of a call ---------------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// NumPy's broadcasting over loop dimensions, and the binding of core
// dimensions, which never broadcast. Pure.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/array/StridedView.h"
#include "runtime/artefact/Manifest.h"
#include "runtime/plan/Axes.h"

#include <optional>
#include <span>

namespace kern::runtime {

/// The shape of one operand, for messages with its name.
struct NamedShape {
  std::string_view name;
  Extents shape;
};

/// Right-aligned broadcasting. KERN_ERROR_SHAPE names the two operands that do
/// not broadcast, with both shapes; also for more elements than 63 bits can
/// count.
Expected<Extents> broadcast(std::span<const NamedShape> shapes);

/// The byte strides with which an operand of `shape` and `strides` walks over
/// `loopShape`: 0 where it is broadcast. It must be broadcastable to it.
Strides broadcastStrides(std::span<const int64_t> shape,
                         std::span<const int64_t> strides,
                         std::span<const int64_t> loopShape);

/// The shapes of the caller's arrays, for messages: `axis`, `axes`, `keepdims`
/// and missing dimensions rearrange them. A list is empty where nothing is
/// rearranged.
struct CallerShapes {
  std::span<const Extents> inputs;
  std::span<const std::optional<Extents>> outputs;
  std::span<const AxisMap> results;
};

/// The sizes that follow from the arguments' shapes.
struct ShapeBinding {
  Extents loopShape;
  /// The value of each of `FunctionInfo::dims`.
  std::vector<int64_t> dims;
  /// The whole shape of each result: loop dimensions, then core dimensions.
  std::vector<Extents> results;
};

/// Binds a call's shapes. `inputs` has one shape for each parameter that is
/// not a `dim`, `dimValues` one value for each that is, `outputs` the shape of
/// each `out` array that was given. A `mask` broadcasts with the inputs, and
/// all of them to the loop dimensions of `out` arrays, as in NumPy. Messages
/// show the shapes of `caller`. `asked` is the shape of the first result: the
/// arguments broadcast to its loop dimensions, and what only results name is as
/// its core dimensions say.
///
/// KERN_ERROR_SHAPE, naming the operands and the sizes: too few dimensions for
/// the core dimensions, a core dimension that differs between operands or from
/// its constant, loop shapes that do not broadcast, a negative or undecided
/// dimension of a result, an `out` array or an `inout` argument that would have
/// to be broadcast.
Expected<ShapeBinding>
bindShapes(const FunctionInfo &function, std::span<const Extents> inputs,
           std::span<const int64_t> dimValues,
           std::span<const std::optional<Extents>> outputs,
           const std::optional<Extents> &mask = std::nullopt,
           const CallerShapes &caller = {},
           const std::optional<Extents> &asked = std::nullopt);

} // namespace kern::runtime
