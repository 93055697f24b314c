//===- SizeSignal.h - files that grow too large are an error ----*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <csignal>
#include <ctime>
#include <pthread.h>

namespace kern::runtime {

/// Blocks SIGXFSZ in this thread while it lives, so that a write beyond
/// RLIMIT_FSIZE fails with EFBIG and does not end the process. Other threads
/// are not affected.
class NoSizeSignal {
public:
  NoSizeSignal() {
    sigemptyset(&signals);
    sigaddset(&signals, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &signals, &before);
  }
  ~NoSizeSignal() {
    if (!sigismember(&before, SIGXFSZ)) {
      const timespec now = {};
      sigtimedwait(&signals, nullptr, &now); // takes one that is pending
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }
  NoSizeSignal(const NoSizeSignal &) = delete;
  NoSizeSignal &operator=(const NoSizeSignal &) = delete;

private:
  sigset_t signals, before;
};

} // namespace kern::runtime
