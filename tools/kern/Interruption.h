//===- Interruption.h - Ctrl-C during a long call ---------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "kern/places.h"

#include <csignal>

namespace kern::cli {

/// Lets a call that passes through GPUs piece by piece end after the piece when
/// the user presses Ctrl-C; a second one ends the process at once, as the first
/// does before and after the pieces, and in any other call. Where the signal is
/// ignored it stays so. One at a time.
class Interruption {
public:
  Interruption() = default;
  ~Interruption() { stop(); }
  Interruption(const Interruption &) = delete;
  Interruption &operator=(const Interruption &) = delete;

  const kern_progress *progress() const { return &listener; }

private:
  static int step(void *context, uint64_t done, uint64_t total);
  void start();
  void stop();

  kern_progress listener = {this, step};
  struct sigaction before = {};
  bool isListening = false;
};

} // namespace kern::cli
