//===- ThreadCount.cpp - how many threads a process uses ------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/device/host/ThreadCount.h"

#include <algorithm>
#include <charconv>
#include <sched.h>
#include <string_view>
#include <thread>

using namespace kern;

static unsigned availableCores() {
  cpu_set_t cores;
  if (sched_getaffinity(0, sizeof cores, &cores) == 0)
    return unsigned(std::max(CPU_COUNT(&cores), 1));
  return std::max(std::thread::hardware_concurrency(), 1u);
}

host::ThreadSetting host::threadSetting(const char *value) {
  constexpr unsigned long most = 1024;
  const std::string_view text = value ? value : "";
  if (text.empty())
    return {availableCores(), ""};
  unsigned long wanted = 0;
  auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), wanted);
  const bool isWhole = end == text.data() + text.size();
  if (error == std::errc::result_out_of_range && isWhole)
    return {unsigned(most), ""};
  if (error == std::errc() && isWhole && wanted > 0)
    return {unsigned(std::min(wanted, most)), ""};
  return {availableCores(), "KERN_NUM_THREADS is not a number of threads: '" +
                                std::string(text) +
                                "' (write a positive number)"};
}
