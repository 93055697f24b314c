//===- Cpu.cpp - properties of the CPU ------------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/device/host/Cpu.h"
#include "kern/threads.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
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

static unsigned availableCores() {
  cpu_set_t cores;
  if (sched_getaffinity(0, sizeof cores, &cores) == 0)
    return unsigned(std::max(CPU_COUNT(&cores), 1));
  return std::max(std::thread::hardware_concurrency(), 1u);
}

host::Cpu host::describeCpu() {
  Cpu cpu;
  cpu.name = lookUp("/proc/cpuinfo", "model name");
  if (cpu.name.empty())
    cpu.name = "CPU";
  cpu.cores = availableCores();
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

/// A positive number of threads, but at most KERN_MAX_THREADS, that is all of
/// `text`.
static std::optional<unsigned> threadCount(std::string_view text) {
  constexpr unsigned long maxThreads = KERN_MAX_THREADS;
  unsigned long wanted = 0;
  auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), wanted);
  const bool isWhole = end == text.data() + text.size();
  if (error == std::errc::result_out_of_range && isWhole)
    return unsigned(maxThreads);
  if (error == std::errc() && isWhole && wanted > 0)
    return unsigned(std::min(wanted, maxThreads));
  return std::nullopt;
}

host::ThreadSetting host::threadSetting(const char *kern, const char *openMp) {
  const std::string_view text = kern ? kern : "";
  if (text.empty()) {
    // A list has a number for each level of nesting. What is not a number is
    // OpenMP's to complain of.
    std::string_view levels = openMp ? openMp : "";
    return {threadCount(levels.substr(0, levels.find(',')))
                .value_or(availableCores()),
            ""};
  }
  if (std::optional<unsigned> count = threadCount(text))
    return {*count, ""};
  return {availableCores(), "KERN_NUM_THREADS is not a number of threads: '" +
                                std::string(text) +
                                "' (write a positive number)"};
}
