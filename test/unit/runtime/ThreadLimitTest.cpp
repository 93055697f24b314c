//===- ThreadLimitTest.cpp - the number of threads that is set ------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "HostCaller.h"
#include "kern/threads.h"
#include "runtime/device/host/ThreadPool.h"

#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace kern::runtime;
using namespace kern::test;

namespace {
class ThreadLimit : public HostCaller {
protected:
  ~ThreadLimit() override { kern_set_num_threads(before); }

  /// Threads of a call that is worth ten of them, and may have `most`.
  unsigned used(int most = 0) {
    options->threads = most;
    EXPECT_EQ(call("add", {value(x.get()), weak(1)}, {out.get()}), KERN_OK)
        << kern_last_error();
    EXPECT_EQ(sums.front(), 1);
    EXPECT_EQ(sums.back(), numbers.back() + 1);
    return report.grid;
  }

  int before = kern_get_num_threads();
  std::vector<float> numbers = iota<float>(1 << 20);
  std::vector<float> sums = std::vector<float>(1 << 20);
  Tensor<float> x{numbers.data(), {1 << 20}}, out{sums.data(), {1 << 20}};
};
} // namespace

// A call that was planned for one number is planned anew for another.
TEST_F(ThreadLimit, DecidesEachCall) {
  for (int count : {1, 3, 1, 2}) {
    ASSERT_EQ(kern_set_num_threads(count), KERN_OK);
    EXPECT_EQ(kern_get_num_threads(), count);
    unsigned most = 0; // a thread that wakes late does not join
    for (int i = 0; i < 1000 && most < unsigned(count); ++i)
      most = std::max(most, used());
    EXPECT_EQ(most, unsigned(count));
  }
}

// Of a call alone: the next one has its own, and its own plan.
TEST_F(ThreadLimit, OfACall) {
  ASSERT_EQ(kern_set_num_threads(3), KERN_OK);
  for (int count : {1, 2, 0, 1, 9}) {
    const unsigned allowed = count == 0 || count > 3 ? 3 : unsigned(count);
    for (int i = 0; i < 100; ++i)
      EXPECT_LE(used(count), allowed) << "of " << count;
  }
  EXPECT_EQ(kern_get_num_threads(), 3);
  for (int count : {-1, 1025}) {
    options->threads = count;
    EXPECT_EQ(call("add", {value(x.get()), weak(1)}, {out.get()}),
              KERN_ERROR_ARGUMENT);
    EXPECT_NE(std::string(kern_last_error())
                  .find("the number of threads is from 1 to 1024, not " +
                        std::to_string(count)),
              std::string::npos);
  }
}

TEST_F(ThreadLimit, HoldsForPreparedCalls) {
  ASSERT_EQ(kern_set_num_threads(4), KERN_OK);
  kern_value inputs[] = {value(x.get()), weak(1)};
  const DLTensor *output = out.get();
  kern_prepared *made = nullptr;
  ASSERT_EQ(kern_prepare(find("add"), inputs, 2, &output, 1, nullptr, &made),
            KERN_OK);
  std::unique_ptr<kern_prepared, void (*)(kern_prepared *)> prepared(
      made, kern_prepared_release);
  ASSERT_EQ(kern_set_num_threads(1), KERN_OK);
  int64_t one = 1;
  const void *places[] = {numbers.data(), &one};
  void *results[] = {sums.data()};
  ASSERT_EQ(kern_prepared_launch(made, places, 2, results, 1, nullptr),
            KERN_OK);
  EXPECT_EQ(sums.back(), numbers.back() + 1);
}

TEST_F(ThreadLimit, RefusesOtherNumbers) {
  for (int count : {0, -1, 1025, INT32_MAX}) {
    EXPECT_EQ(kern_set_num_threads(count), KERN_ERROR_ARGUMENT);
    EXPECT_EQ(std::string(kern_last_error()),
              "the number of threads is from 1 to 1024, not " +
                  std::to_string(count));
  }
  EXPECT_EQ(kern_get_num_threads(), before);
  EXPECT_EQ(kern_set_num_threads(1024), KERN_OK) << "starts none of them";
}

TEST(ThreadPoolSize, Changes) {
  host::ThreadPool pool(1);
  auto most = [&] {
    unsigned seen = 0;
    for (int i = 0; i < 200; ++i)
      seen = std::max(seen, pool.run(100, 100, [](int64_t, int64_t) {
        std::this_thread::sleep_for(std::chrono::microseconds(100));
      }));
    return seen;
  };
  EXPECT_EQ(most(), 1u);
  pool.resize(3);
  EXPECT_EQ(most(), 3u);
  pool.resize(2);
  EXPECT_EQ(most(), 2u);
  pool.resize(0);
  EXPECT_EQ(pool.size(), 1u);
}

// A process that is forked before any thread has started has its own.
TEST(ThreadPoolSize, ThreadsStartInAForkedProcess) {
  host::ThreadPool pool(2);
  pid_t child = ::fork();
  if (child == 0) {
    unsigned used = 0;
    for (int i = 0; i < 1000 && used < 2; ++i)
      used = pool.run(100, 2, [](int64_t, int64_t) {
        std::this_thread::sleep_for(std::chrono::microseconds(100));
      });
    ::_exit(used == 2 ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}
