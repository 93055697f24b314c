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
  /// Nothing of the call's arguments is lost where a trial fails.
  bool mayMove = false;
  bool expectsGpu = false; ///< to be faster
  std::chrono::steady_clock::time_point begin = {};

  /// Keeps the time since the choice, if this is a trial. `bound` is the
  /// call, which has just ended.
  void keepTime(const BoundArguments &bound) const;
  /// After a trial on a GPU that failed: whether the CPU should run the call
  /// instead. So it should where the GPU has no memory for it, and after any
  /// failure where the CPU is expected to be faster: without trials the call
  /// would have run there. Then no later call of its kind tries that GPU, and
  /// `bound` is on the CPU.
  bool movesToCpu(BoundArguments &bound, const Error &error) const;
};

/// For a call whose device is open (CallDevice::candidate): decides between the
/// host and that GPU, and sets the device. Makes the host's kernel, whose work
/// the estimate needs. With `mayTry` the call may be a trial. One on a GPU
/// waits for its kernel: what another one takes until then decides nothing.
Expected<PlaceChoice> choosePlace(BoundArguments &bound, bool mayTry);

} // namespace kern::runtime
