//===- CutCall.h - a call cut into pieces -----------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/launch/BoundOperands.h"
#include "runtime/plan/Pieces.h"
#include "runtime/transfer/Array.h"
#include "runtime/transfer/Lane.h"

namespace kern::runtime {

/// An array of a call over host arrays, and how it gets to the device and back.
/// One record, since it is decided once and read at each step of each piece.
struct Travel {
  StridedView host;
  size_t coreRank = 0;
  std::string label; ///< for messages
  bool goesUp = false, comesDown = false;
  bool isCleared = false; ///< on the device, before each piece
  bool isKept = false;    ///< there for all pieces
  bool isDirect = false;  ///< moved from and to where it is
  /// On the device: of each slot of the lane; the same if it is kept.
  std::array<std::byte *, Lane::pieces> device = {};
  size_t offset = 0; ///< in staging memory
};

/// One piece of a call, over arrays on the device.
struct PieceCall {
  std::vector<Argument> arguments;
  std::vector<std::optional<StridedView>> outputs;
  BoundCall call; ///< refers to them
};

/// A call over host arrays on a GPU, and the pieces that it is cut into.
class CutCall : BoundOperands {
public:
  /// `space` is the GPU, with the caller's stream.
  CutCall(const BoundCall &call, Space &space) : BoundOperands(call, space) {}

  /// Whether the call is to be cut. Fails as a call does before it runs.
  Expected<bool> plan();
  /// Makes pieces of half the size; false if they have one element.
  bool halve();
  /// Makes the arrays of new results, or asks the caller for them.
  Status makeResults();
  /// One for each result; NULL where the caller has the array.
  std::vector<ManagedArray> takeResults() { return std::move(made); }
  /// Decides, for the present pieces, which operands stay on the device, and
  /// which are moved from and to where they are. After makeResults().
  void decideMoves(const cuda::Context &context);

  const Pieces &pieces() const { return *cut; }
  const BoundCall &whole() const { return call; }
  /// The mask, if the call has one, is the last one.
  std::vector<Travel> travels;

  /// The part of an array that belongs to a piece, on the host and where its
  /// slot has it on the device.
  StridedView hostPart(const Travel &travel, int64_t number) const;
  StridedView devicePart(const Travel &travel, int64_t number) const;
  PieceCall callOf(int64_t number) const;
  static size_t slotOf(int64_t number) { return size_t(number % Lane::pieces); }

private:
  bool overwritesLaterPieces() const;
  Status gatherTravels();
  Status makeResult(const BoundOperand &operand, Travel &travel);

  std::optional<Pieces> cut; ///< since plan()
  int64_t most = 0;          ///< loop elements of a piece
  /// For each argument and result: its place among `travels`.
  std::vector<std::optional<size_t>> places;
  std::vector<ManagedArray> made;
};

} // namespace kern::runtime
