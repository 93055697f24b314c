//===- CpuLevel.cpp - x86-64 levels of CPUs -------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/artefact/CpuLevel.h"

using namespace kern::runtime;

bool kern::runtime::cpuHasLevel(std::string_view level) {
  // Each level includes the previous ones
  // (https://gitlab.com/x86-psABIs/x86-64-ABI).
  bool has = true;
  if (level == cpuLevels[0])
    return has;
  has = has && __builtin_cpu_supports("sse4.2") &&
        __builtin_cpu_supports("popcnt");
  if (level == cpuLevels[1])
    return has;
  has = has && __builtin_cpu_supports("avx2") &&
        __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi") &&
        __builtin_cpu_supports("bmi2");
  if (level == cpuLevels[2])
    return has;
  has = has && __builtin_cpu_supports("avx512f") &&
        __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512cd") &&
        __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl");
  return level == cpuLevels[3] && has;
}

std::string_view kern::runtime::highestCpuLevel() {
  std::string_view highest = cpuLevels[0];
  for (std::string_view level : cpuLevels)
    if (cpuHasLevel(level))
      highest = level;
  return highest;
}
