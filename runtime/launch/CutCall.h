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

namespace kern::runtime {

/// An array of a call over host arrays, and how it gets to the device and back.
/// One record, since it is decided once and read at each step of each piece.
struct Travel {
  StridedView host;
  size_t coreRank = 0;
  std::string label; ///< for messages
  bool goesUp = false, comesDown = false;
  bool isCleared = false; ///< on the device, before each piece
  bool isCut = false;     ///< pieces have different parts of it
  bool isKept = false;    ///< there for all pieces
  bool isDirect = false;  ///< moved from and to where it is
  size_t offset = 0;      ///< in staging memory

  /// The CPU copies each piece's part to staging memory.
  bool isGathered() const { return goesUp && !isKept && !isDirect; }
};

/// One piece of a call, over arrays on the device.
struct PieceCall {
  std::vector<Argument> arguments;
  std::vector<std::optional<StridedView>> outputs;
  BoundCall call; ///< refers to them
};

/// A call over host arrays on GPUs, and the pieces that it is cut into. One
/// class, since what is decided once is read at each step of each piece.
class CutCall : BoundOperands {
public:
  /// `space` is one of the GPUs, with the caller's stream.
  CutCall(const BoundCall &call, Space &space) : BoundOperands(call, space) {}

  /// Whether the call is to be cut. Fails as a call does before it runs.
  Expected<bool> plan();
  /// Lets the device need less memory: an operand that is kept moves with the
  /// pieces, or they get half their size, or those of one element go in turn.
  /// False if nothing is left to do.
  bool needLess();
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
  /// Staging memory for a piece, in bytes.
  size_t staged = 0;
  /// Whether a piece, though it cannot be made smaller, is so large that the
  /// device has one at a time, which passes through the chunks of Staging.h.
  bool goesInTurn = false;
  /// What all pieces move, both ways together, in bytes.
  uint64_t bytesInAll() const;

  /// The part of an array that belongs to a piece: on the host, and on a device
  /// that has it at `memory`.
  StridedView hostPart(const Travel &travel, int64_t number) const;
  StridedView devicePart(const Travel &travel, int64_t number, DLDevice device,
                         std::byte *memory) const;
  /// `memory` is where the device has the part of each of the travels.
  PieceCall callOf(int64_t number, DLDevice device,
                   std::span<std::byte *const> memory) const;

private:
  bool overwritesLaterPieces() const;
  Status gatherTravels();
  Status makeResult(const BoundOperand &operand, Travel &travel);

  std::optional<Pieces> cut;  ///< since plan()
  int64_t most = 0;           ///< loop elements of a piece
  bool isMemoryShort = false; ///< for several pieces of one element
  /// The most memory of an operand that stays on the device for all pieces
  /// where its parts could be uploaded again and again instead.
  size_t mostKept = size_t(1) << 30;
  /// For each argument and result: its place among `travels`.
  std::vector<std::optional<size_t>> places;
  std::vector<ManagedArray> made;
};

} // namespace kern::runtime
