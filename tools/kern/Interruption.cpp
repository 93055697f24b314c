//===- Interruption.cpp - Ctrl-C during a long call -----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/kern/Interruption.h"

namespace kern::cli {

static volatile std::sig_atomic_t wasInterrupted = 0;

static void note(int) { wasInterrupted = 1; }

void Interruption::start() {
  if (isListening || sigaction(SIGINT, nullptr, &before) != 0 ||
      before.sa_handler == SIG_IGN)
    return;
  wasInterrupted = 0;
  struct sigaction action = {};
  action.sa_handler = note;
  // The next signal has its usual effect.
  action.sa_flags = int(SA_RESETHAND | SA_RESTART);
  isListening = sigaction(SIGINT, &action, nullptr) == 0;
}

void Interruption::stop() {
  if (isListening)
    sigaction(SIGINT, &before, nullptr);
  isListening = false;
}

int Interruption::step(void *context, uint64_t done, uint64_t total) {
  auto &self = *static_cast<Interruption *>(context);
  if (done == 0)
    self.start();
  const bool isOver = self.isListening && wasInterrupted;
  if (isOver || done == total)
    self.stop();
  return isOver;
}

} // namespace kern::cli
