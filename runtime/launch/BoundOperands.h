//===- BoundOperands.h - the operands of one call ---------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/launch/Bind.h"
#include "runtime/plan/Overlap.h"
#include "runtime/space/Space.h"

namespace kern::runtime {

/// One operand of a call, prepared for the kernel. One record, since a call
/// makes it once and each of its steps adds what it decides.
struct BoundOperand {
  const OperandInfo *info = nullptr;
  std::string label; ///< for messages
  DType dtype = DType::F64;
  bool isOutput = false;
  bool isMask = false; ///< where results are written
  /// It shares memory with a result, and the launch's order reads each element
  /// before it overwrites it.
  bool isOverwritten = false;
  bool isScalar = false;
  Value value = {};
  std::optional<IntegerRange> range = std::nullopt; ///< in place of an array
  /// The caller's array; for an output only if one was given.
  std::optional<StridedView> given;
  /// What the kernel uses. If it is not `given`, `owner` has its memory.
  StridedView used;
  Buffer owner;
  bool copyBack = false; ///< `used` to `given`, after the launch
  /// A new result that is copied under a mask after the launch. `given` is then
  /// an array of ours.
  Buffer masked;

  bool isWritten() const { return isOutput || info->isInout; }
  size_t coreRank() const { return info->core.size(); }
};

/// A call's operands, their overlap, and the launch over them. CallExecution
/// and CallPlan share it.
class BoundOperands {
public:
  BoundOperands(const BoundCall &call, Space &space)
      : call(call), space(space), can(space.capabilities(*call.loop)) {
    maskInfo.name = "where";
  }

protected:
  /// Fills `operands` (inputs, outputs, and the mask if the launch takes it)
  /// and `order`. Fails for arrays that are written and overlap themselves or
  /// each other.
  Status gather();
  /// The result among the outputs.
  size_t indexOf(const BoundOperand &output) const {
    return size_t(&output - operands.data()) - call.arguments.size();
  }
  bool isHere(const StridedView &view) const {
    return sameDevice(view.device, space.device());
  }
  /// Whether the launch can use an array in place.
  bool isUsable(const BoundOperand &operand) const;
  /// Whether the launch itself applies the call's mask.
  bool isMaskedLaunch() const {
    return !operands.empty() && operands.back().isMask;
  }
  /// Uses an input in place, if the kernel can.
  bool useInPlace(BoundOperand &operand);
  /// The byte strides of a new result: its loop dimensions in the order that
  /// the call asks for, and within them its core dimensions in C order. If the
  /// call says where these are, both in the memory order of inputs like it.
  Strides resultStrides(const BoundOperand &operand) const;
  /// Takes the place and the form of a result; returns its size in bytes.
  Expected<size_t> shapeResult(BoundOperand &operand, const Extents &shape,
                               const Strides &strides);
  /// A result of the call as its caller sees it.
  StridedView resultView(const BoundOperand &operand,
                         const StridedView &view) const {
    return call.resultAxes.empty()
               ? view
               : toCaller(view, call.resultAxes[indexOf(operand)]);
  }
  /// The shape of an operand for messages; for a result, the caller's shape.
  std::string shapeText(const BoundOperand &operand,
                        const Extents &shape) const {
    const bool isTransposed = operand.isOutput && !call.resultAxes.empty();
    return text(isTransposed
                    ? toCaller(shape, call.resultAxes[indexOf(operand)])
                    : shape);
  }
  Launch planLaunch() const;

  const BoundCall &call;
  Space &space;
  const LaunchCapabilities can;
  std::vector<BoundOperand> operands;
  /// The loop dimensions in the order of new results, innermost first.
  std::vector<unsigned> order;
  /// No operand that is written shares memory with another one.
  bool disjoint = true;

private:
  void findOrder();
  bool canMask() const;
  Status checkWrites() const;
  Strides loopStrides(const BoundOperand &operand,
                      const StridedView &view) const;
  std::vector<unsigned> loopOrder() const;
  std::vector<Strides> axesLike(const BoundOperand &result) const;
  Overlap overwritten(const BoundOperand &input) const;
  bool mustBeCopied(const BoundOperand &input, Overlap overlap) const;
  bool isFortranAsked() const;

  OperandInfo maskInfo;
  TileOrder tileOrder = TileOrder::Any;
};

} // namespace kern::runtime
