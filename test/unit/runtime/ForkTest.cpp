//===- ForkTest.cpp - CUDA in a forked process ----------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FakeDriver.h"
#include "GpuCaller.h"

#include <sys/wait.h>
#include <unistd.h>

using namespace kern::runtime;
using namespace kern::test;

namespace {
class Fork : public GpuCaller {
protected:
  /// What `ask` says in a forked process.
  template <typename Ask> std::string inChild(Ask ask) {
    int ends[2] = {};
    EXPECT_EQ(::pipe(ends), 0);
    pid_t child = ::fork();
    if (child == 0) {
      std::string said = ask();
      bool isSaid =
          ::write(ends[1], said.data(), said.size()) == ssize_t(said.size());
      ::_exit(isSaid ? 0 : 1);
    }
    ::close(ends[1]);
    std::string said;
    char buffer[256];
    for (ssize_t n; (n = ::read(ends[0], buffer, sizeof buffer)) > 0;)
      said.append(buffer, size_t(n));
    ::close(ends[0]);
    int status = -1;
    EXPECT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    return said;
  }

  ManagedArray there = device({1, 2, 3});
  static constexpr const char *why =
      "CUDA was in use when this process was forked";
};
} // namespace

TEST_F(Fork, TheChildHasNoGpu) {
  EXPECT_EQ(kern_cuda_device_count(), 1);
  std::string said = inChild([] {
    return std::to_string(kern_cuda_device_count()) + " " +
           kern_cuda_unavailable_reason();
  });
  EXPECT_TRUE(said.starts_with("0 " + std::string(why))) << said;
  EXPECT_EQ(kern_cuda_device_count(), 1) << "the parent still has it";
}

TEST_F(Fork, TheChildsCallsSayWhy) {
  auto onTheArray = [&] {
    return call("add", {value(&there->dl_tensor), weak(1)}) == KERN_OK
               ? std::string("no error")
               : std::string(kern_last_error());
  };
  EXPECT_NE(inChild(onTheArray).find(why), std::string::npos);
  ASSERT_EQ(call("add", {value(&there->dl_tensor), weak(1)}), KERN_OK);
  // A call that is known by then, whose launch a driver refuses in the child.
  gpu.failAt("cuLaunchKernel", 1, CUDA_ERROR_NOT_INITIALIZED);
  EXPECT_NE(inChild(onTheArray).find(why), std::string::npos);
}

TEST(ForkOfAnotherLibrary, IsTheLikelyCause) {
  FakeDriver::Options options;
  options.initResult = CUDA_ERROR_NOT_INITIALIZED;
  FakeDriver driver(options);
  EXPECT_EQ(kern_cuda_device_count(), 0);
  EXPECT_NE(std::string(kern_cuda_unavailable_reason())
                .find("in a process that was forked after CUDA had been"),
            std::string::npos);
}
