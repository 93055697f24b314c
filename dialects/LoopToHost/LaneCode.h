//===- LaneCode.h - operations of all lanes at once -------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/LoopToHost/Divergence.h"
#include "dialects/LoopToLLVM/KernelBuilder.h"

#include <string>

namespace kern::ir::loop {

/// Which lanes do something. Null is all lanes of the vector. What a lane that
/// takes no part computes is never looked at, and may be poison.
using Mask = mlir::Value;

/// Builds the code of a body for all lanes of a vector. A uniform value of the
/// body is a scalar here, one that varies is a vector. A local array of the
/// body has a vector in the place of each element. One class, since loads and
/// stores need the values of addresses, and values those of loads.
class LaneCode {
public:
  LaneCode(KernelBuilder &b, unsigned lanes, const LevelGraph &graph,
           const Divergence &divergence)
      : b(b), lanes(lanes), graph(graph), divergence(divergence) {}

  mlir::VectorType vectorOf(mlir::Type type) const {
    return mlir::VectorType::get({int64_t(lanes)}, type);
  }
  /// The type that a value of the body has here, for a use in a block.
  mlir::Type typeOf(mlir::Value value, mlir::Block *use) const {
    return divergence.varies(value, use) ? vectorOf(value.getType())
                                         : value.getType();
  }
  void set(mlir::Value value, mlir::Value here) { values[value] = here; }
  /// Sets an operand's array, in which each lane has its own element: `offsets`
  /// are in bytes from the address.
  void setArray(mlir::Value array, mlir::Value address, mlir::Value offsets) {
    values[array] = address;
    laneOffsets[array] = offsets;
  }
  /// Sets an array that has a vector in the place of each element.
  void setVectors(mlir::Value array, mlir::Value address) {
    values[array] = address;
    vectorArrays.insert(array);
  }
  /// Where `isSame`, all lanes have the elements of the first one of an array
  /// that is only read.
  void setSame(mlir::Value array, mlir::Value isSame) {
    sameArrays[array] = isSame;
  }
  /// Sets the counter, which is `first` in the first lane and larger by 1 in
  /// each next one. Arrays other than the body's own are those of all lanes.
  /// The second half of the lanes may be `gap` further on, if that is given:
  /// their elements of an array are apart from those of the first half. Of some
  /// lanes that are `present`, if that is given, the others do as the first.
  void setCounter(mlir::Value counter, mlir::Value first, mlir::Value gap,
                  Mask present);
  /// The value as it is, or in each lane of a vector.
  mlir::Value get(mlir::Value value);
  mlir::Value wide(mlir::Value value);

  mlir::Value splat(mlir::Value scalar);
  /// Those lanes whose number is below a count.
  Mask isBelow(mlir::Value count);
  Mask none();
  Mask all();
  /// Those lanes of a mask in which a condition holds, or does not.
  Mask where(Mask mask, mlir::Value condition);
  Mask whereNot(Mask mask, mlir::Value condition);
  mlir::Value isAny(Mask mask);
  mlir::Value poison(mlir::Type type) {
    return mlir::LLVM::PoisonOp::create(b, type);
  }

  /// Makes room for the local arrays of a body, at the beginning of a function.
  void placeArrays(mlir::Region &body);
  /// Emits an operation that is not a terminator. `node` is the innermost one
  /// that the operation is in.
  void emit(mlir::Operation &op, const Node *node, Mask mask);

private:
  mlir::Value notOf(mlir::Value condition);
  mlir::Value numbers(); ///< of the lanes
  mlir::Operation *widened(mlir::Operation &op);
  void emitCall(mlir::Operation &op);
  void emitDivision(mlir::Operation &op, Mask mask);

  /// The place of an element's vector, or of each lane's own element.
  struct Place {
    enum Kind {
      Vector,   ///< one element for each lane, side by side
      Reversed, ///< the same, the last lane's first
      Same,     ///< one element for all lanes
      Scattered,
    };
    Kind kind = Vector;
    mlir::Value address;  ///< of the vector
    mlir::Value second;   ///< of its second half, if that may be apart
    mlir::Value pointers; ///< if they are scattered
    unsigned alignment = 1;
  };
  /// Whether all lanes share the array that an address is in.
  bool isShared(mlir::Value address) const {
    return counter && !localArrayOf(address) &&
           !vectorArrays.contains(operandOf(address));
  }
  Place sharedPlaceOf(mlir::Value address, unsigned bytes, mlir::Block *use);
  /// In the first lane, of a value that advances with the counter.
  /// `firsts` has those that were made for it.
  mlir::Value first(mlir::Value value, mlir::Block *use,
                    mlir::IRMapping &firsts);
  Place placeOf(mlir::Value address, unsigned bytes, mlir::Block *use);
  mlir::Value reversed(mlir::Value vector);
  void emitLoad(mlir::LLVM::LoadOp op, Mask mask);
  mlir::Value loadVector(mlir::LLVM::LoadOp op, const Place &place, Mask mask);
  /// Some lanes of a vector.
  mlir::Value lanesOf(mlir::Value vector, unsigned first, unsigned count);
  mlir::Value loadPresent(mlir::Type element, const Place &place, Mask mask);
  mlir::Value loadHalves(mlir::Type element, const Place &place, Mask mask);
  void storeHalves(mlir::Value value, const Place &place, Mask mask);
  void emitFetch(mlir::LLVM::Prefetch op);
  void emitStore(mlir::LLVM::StoreOp op, const Node *node, Mask mask);
  /// Whether lanes that are not in a node may still use an array.
  bool othersUse(mlir::Value array, const Node *node) const;

  KernelBuilder &b;
  unsigned lanes;
  const LevelGraph &graph;
  const Divergence &divergence;
  llvm::DenseMap<mlir::Value, mlir::Value> values;
  llvm::DenseMap<mlir::Value, mlir::Value> laneOffsets; ///< of operands
  llvm::DenseSet<mlir::Value> vectorArrays;             ///< likewise
  llvm::DenseMap<mlir::Value, mlir::Value> sameArrays;
  mlir::Value counter, firstCount, gap;
  Mask present;
  /// The innermost level with all accesses to an array that is set to zero in
  /// it.
  llvm::DenseMap<mlir::Value, const Level *> homes;
};

/// The function that calls the elementary function of `call` in each lane. It
/// is made at the first call: a loop over the lanes, which LLVM makes a vector
/// function's call where there is one.
mlir::LLVM::LLVMFuncOp functionOfLanes(KernelBuilder &b, mlir::Operation &call,
                                       unsigned lanes);

/// Why emit() has no code for an operation; empty if it has. The text goes on
/// after "the body ".
std::string whyNotInLanes(mlir::Operation &op);
/// Why emit() has no code for an array's accesses; empty if it has.
std::string whyNotInLanes(mlir::LLVM::AllocaOp array, const LevelGraph &graph);
/// Whether emit() makes a function's call of an operation.
bool isFunctionCall(mlir::Operation &op);

} // namespace kern::ir::loop
