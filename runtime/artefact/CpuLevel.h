//===- CpuLevel.h - which CPUs code is for -------------------- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <string_view>

namespace kern::runtime {

/// The levels of the x86-64 ABI, least first: code for one runs on every CPU
/// that has it.
inline constexpr std::string_view cpuLevels[] = {"x86-64", "x86-64-v2",
                                                 "x86-64-v3", "x86-64-v4"};
/// Whether this CPU has a level; no CPU has one that is unknown.
bool cpuHasLevel(std::string_view level);
/// The highest one that this CPU has.
std::string_view highestCpuLevel();

} // namespace kern::runtime
