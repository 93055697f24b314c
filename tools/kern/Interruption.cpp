//===- Interruption.cpp - Ctrl-C during a long call -----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/kern/Interruption.h"

#include <csignal>

namespace kern::cli {

static volatile std::sig_atomic_t wasInterrupted = 0;

/// Until the next signal, which has its usual effect.
static void note(int) { wasInterrupted = 1; }

int Interruption::step(void *context, uint64_t, uint64_t) {
  auto &self = *static_cast<Interruption *>(context);
  if (!self.isListening) {
    wasInterrupted = 0;
    struct sigaction action = {};
    action.sa_handler = note;
    action.sa_flags = int(SA_RESETHAND | SA_RESTART);
    self.isListening = sigaction(SIGINT, &action, nullptr) == 0;
  }
  return wasInterrupted;
}

Interruption::~Interruption() {
  if (isListening)
    std::signal(SIGINT, SIG_DFL);
}

} // namespace kern::cli
