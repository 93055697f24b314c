//===- InterruptionTest.cpp - Ctrl-C during a long call -------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/kern/Interruption.h"

#include <gtest/gtest.h>

using namespace kern::cli;

namespace {
int calls = 0;
void count(int) { ++calls; }

/// Counts the signals that have their usual effect, as long as it lives.
class Signals {
public:
  explicit Signals(void (*handler)(int)) {
    calls = 0;
    struct sigaction action = {};
    action.sa_handler = handler;
    sigaction(SIGINT, &action, &before);
  }
  ~Signals() { sigaction(SIGINT, &before, nullptr); }
  Signals(const Signals &) = delete;
  Signals &operator=(const Signals &) = delete;

private:
  struct sigaction before = {};
};

int tell(const Interruption &interruption, uint64_t done) {
  const kern_progress *progress = interruption.progress();
  return progress->step(progress->context, done, 100);
}
} // namespace

TEST(Interruption, EndsACallAfterThePiece) {
  const Signals signals(count);
  const Interruption interruption;
  std::raise(SIGINT);
  EXPECT_EQ(calls, 1) << "before the pieces";
  EXPECT_EQ(tell(interruption, 0), 0);
  EXPECT_EQ(tell(interruption, 10), 0);
  std::raise(SIGINT);
  EXPECT_EQ(calls, 1);
  EXPECT_NE(tell(interruption, 20), 0);
  std::raise(SIGINT);
  EXPECT_EQ(calls, 2) << "after it has ended";
}

TEST(Interruption, LeavesACompleteCallAlone) {
  const Signals signals(count);
  const Interruption interruption;
  EXPECT_EQ(tell(interruption, 0), 0);
  EXPECT_EQ(tell(interruption, 100), 0);
  std::raise(SIGINT);
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(tell(interruption, 0), 0) << "another call";
  std::raise(SIGINT);
  EXPECT_NE(tell(interruption, 50), 0);
}

TEST(Interruption, OfAnIgnoredSignal) {
  const Signals signals(SIG_IGN);
  const Interruption interruption;
  EXPECT_EQ(tell(interruption, 0), 0);
  std::raise(SIGINT);
  EXPECT_EQ(tell(interruption, 50), 0);
}
