//===- Timing.cpp - the time of each compilation stage --------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/diagnostics/Timing.h"

#include <algorithm>
#include <cstdio>

using namespace kern::compiler;

void Timing::add(const char *stage, double milliseconds) {
  auto at = std::find_if(rows.begin(), rows.end(),
                         [&](const auto &row) { return row.first == stage; });
  if (at == rows.end())
    rows.emplace_back(stage, milliseconds);
  else
    at->second += milliseconds;
}

std::string Timing::table() const {
  std::string text;
  auto line = [&](const std::string &stage, double milliseconds) {
    char number[32];
    std::snprintf(number, sizeof number, "%9.3f ms  ", milliseconds);
    text += number + stage + "\n";
  };
  double sum = 0;
  for (const auto &[stage, milliseconds] : rows) {
    line(stage, milliseconds);
    sum += milliseconds;
  }
  line("in all", sum);
  return text;
}

void StageTimer::next(const char *stage) {
  if (!timing)
    return;
  auto now = std::chrono::steady_clock::now();
  if (current)
    timing->add(current,
                std::chrono::duration<double, std::milli>(now - began).count());
  current = stage;
  began = now;
}
