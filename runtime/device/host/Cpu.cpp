//===- Cpu.cpp - properties of the CPU ------------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/device/host/Cpu.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <sched.h>
#include <string_view>
#include <thread>
#include <unistd.h>

using namespace kern::runtime;

/// The text after the colon in the first line of `path` that begins with `key`;
/// "" if there is none.
static std::string lookUp(const char *path, const char *key) {
  std::unique_ptr<std::FILE, int (*)(std::FILE *)> file(std::fopen(path, "r"),
                                                        &std::fclose);
  char line[512];
  while (file && std::fgets(line, sizeof line, file.get())) {
    const char *colon = std::strchr(line, ':');
    if (!colon || std::strncmp(line, key, std::strlen(key)) != 0)
      continue;
    std::string value(colon + 1);
    size_t first = value.find_first_not_of(" \t");
    size_t last = value.find_last_not_of(" \t\n");
    return first == std::string::npos ? ""
                                      : value.substr(first, last - first + 1);
  }
  return "";
}

host::Cpu host::describeCpu() {
  Cpu cpu;
  cpu.name = lookUp("/proc/cpuinfo", "model name");
  if (cpu.name.empty())
    cpu.name = "CPU";
  cpu.cores = threadSetting(nullptr).count;
  uint64_t page = uint64_t(::sysconf(_SC_PAGESIZE));
  cpu.memory = uint64_t(::sysconf(_SC_PHYS_PAGES)) * page;
  cpu.memoryFree = uint64_t(::sysconf(_SC_AVPHYS_PAGES)) * page;
  // "MemAvailable" includes reclaimable caches.
  std::string available = lookUp("/proc/meminfo", "MemAvailable");
  char *end = nullptr;
  uint64_t kilobytes = std::strtoull(available.c_str(), &end, 10);
  if (end != available.c_str())
    cpu.memoryFree = kilobytes * 1024;
  return cpu;
}

static unsigned availableCores() {
  cpu_set_t cores;
  if (sched_getaffinity(0, sizeof cores, &cores) == 0)
    return unsigned(std::max(CPU_COUNT(&cores), 1));
  return std::max(std::thread::hardware_concurrency(), 1u);
}

host::ThreadSetting host::threadSetting(const char *value) {
  constexpr unsigned long maxThreads = 1024;
  const std::string_view text = value ? value : "";
  if (text.empty())
    return {availableCores(), ""};
  unsigned long wanted = 0;
  auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), wanted);
  const bool isWhole = end == text.data() + text.size();
  if (error == std::errc::result_out_of_range && isWhole)
    return {unsigned(maxThreads), ""};
  if (error == std::errc() && isWhole && wanted > 0)
    return {unsigned(std::min(wanted, maxThreads)), ""};
  return {availableCores(), "KERN_NUM_THREADS is not a number of threads: '" +
                                std::string(text) +
                                "' (write a positive number)"};
}
