//===- AutomaticPlace.h - calls that let Kern choose ------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/launch/Bind.h"
#include "runtime/plan/PlaceTrials.h"

#include <chrono>

namespace kern::runtime {

/// How choosePlace() decided.
struct PlaceChoice {
  /// A line that says what was expected or measured; "" if nothing was open.
  std::string text;
  /// The call is one of those whose times decide where later ones run.
  std::optional<CallKind> trial;
  /// Nothing of the call's arguments is lost where a GPU has no memory for it.
  bool mayMove = false;
  std::chrono::steady_clock::time_point begin = {};

  /// Keeps the time since the choice, if this is a trial. `bound` is the
  /// call, which has just ended.
  void keepTime(const BoundArguments &bound) const;
  /// After a trial on a GPU that failed: whether the CPU should run the call
  /// instead. Then no later call of its kind tries that GPU, and `bound` is on
  /// the CPU.
  bool movesToCpu(BoundArguments &bound, const Error &error) const;
};

/// For a call whose device is open (CallDevice::candidate): decides between the
/// host and that GPU, and sets the device. Makes the host's kernel, whose work
/// the estimate needs.
Expected<PlaceChoice> choosePlace(BoundArguments &bound);

} // namespace kern::runtime
