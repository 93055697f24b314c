//===- CpuLevel.h - which CPUs code is for -------------------- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <string_view>

namespace kern::runtime {

/// The levels of the x86-64 ABI, lowest first. Code for a level runs on every
/// CPU that has the level.
inline constexpr std::string_view cpuLevels[] = {"x86-64", "x86-64-v2",
                                                 "x86-64-v3", "x86-64-v4"};
/// Whether this CPU has a level; false for an unknown one.
bool cpuHasLevel(std::string_view level);
/// The highest one that this CPU has.
std::string_view highestCpuLevel();

} // namespace kern::runtime
