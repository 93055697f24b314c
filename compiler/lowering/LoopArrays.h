//===- LoopArrays.h - arrays that a loop binds again ---------- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   for _ in range(steps):
//       before = x
//       x = (x[1:] + x[:-1]) / 2        # makes an array in each iteration
//       prev, cur = cur, prev           # names change places
//
// Each such name has a place of its own, a local array made before the loop. A
// new value is computed in that place if no other name needs what is there,
// else in an array of the iteration. At the end of the iteration what is not in
// its place is moved there. A loop is written out several times if all is in
// place then: after two iterations with `prev` and `cur`. So nothing moves but
// once, after the last one.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/lowering/FunctionLowering.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace kern::compiler {

/// The arrays that a loop binds to its names again.
class LoopArrays {
public:
  /// Whether a name is read after the loop.
  using IsRead = llvm::function_ref<bool(const std::string &)>;

  /// Gives each of these names of arrays a place: the array that it has, if no
  /// other name means it, else a copy. Names of which no local array can be
  /// made are left out.
  LoopArrays(FunctionLowering &fn, const std::set<std::string> &names,
             Span span);

  bool owns(const std::string &name) const { return placeOf(name); }
  /// The place of a name; null for a name without one.
  const ArrayView *placeOf(const std::string &name) const;

  /// In how many iterations more all are in place, as far as one iteration
  /// tells; nothing if it does not.
  std::optional<unsigned> iterationsLeft(FunctionLowering &fn) const;
  /// Moves the arrays to their places, where they can be. Names whose arrays
  /// have other shapes keep these.
  void settle(FunctionLowering &fn, Span span) const {
    settle(fn, [](const std::string &) { return false; }, span);
  }
  /// The same at the ends of paths that leave the loop. Names without a place
  /// that are read later keep what they mean.
  void settle(FunctionLowering &fn, std::vector<Edge> &paths, IsRead isRead,
              Span span) const;

private:
  void settle(FunctionLowering &fn, IsRead isRead, Span span) const;

  struct Place {
    std::string name;
    ArrayView array;
  };
  std::vector<Place> places;
};

/// Whether a view is all of a local array, in its order.
bool isWholeLocal(const ArrayView &view);
/// How many names reach elements of an array, here and in the callers.
size_t namesReaching(const FunctionLowering &fn, mlir::Value array);

/// `x = x + 1` in a loop that binds `x` again: stores the expression to its
/// place, if nothing else needs what is there. False if it cannot.
bool storeToPlace(FunctionLowering &fn, const syntax::Expr &target,
                  const syntax::Expr &value);

} // namespace kern::compiler
