//===- FakeCopies.cpp - the copy kernels of a driver's double -------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FakeCopies.h"
#include "FakeDriver.h"
#include "runtime/array/Convert.h"

#include <cstdlib>

using namespace kern::runtime;
using namespace kern::test;

namespace {
/// "kern_copy_f32_f64_d2" as its types and number of dimensions.
struct CopyName {
  DType from, to;
  unsigned dims;
  bool masked;
};
std::optional<CopyName> parseCopy(const std::string &symbol) {
  static const std::string prefix = "kern_copy_";
  if (!symbol.starts_with(prefix))
    return std::nullopt;
  std::string rest = symbol.substr(prefix.size());
  size_t first = rest.find('_'), second = rest.find("_d");
  return CopyName{*parseDType(rest.substr(0, first)),
                  *parseDType(rest.substr(first + 1, second - first - 1)),
                  unsigned(std::stoul(rest.substr(second + 2))),
                  rest.ends_with("m")};
}

void runCopy(const FakeLaunch &launch, CopyName name) {
  const std::vector<int64_t> &w = launch.words;
  size_t d = name.dims;
  for (int64_t i = 0; i < w[0]; ++i) {
    int64_t rest = i, from = w[1 + d], to = w[2 + 2 * d];
    int64_t mask = name.masked ? w[3 + 3 * d] : 0;
    for (size_t k = 0; k < d; ++k) {
      if (name.masked)
        mask += rest % w[1 + k] * w[4 + 3 * d + k];
      from += rest % w[1 + k] * w[2 + d + k];
      to += rest % w[1 + k] * w[3 + 2 * d + k];
      rest /= w[1 + k];
    }
    if (name.masked && !*static_cast<bool *>(launch.driver->resolve(mask, 1)))
      continue;
    convertLoop(name.from, name.to)(
        1,
        static_cast<std::byte *>(
            launch.driver->resolve(from, itemSize(name.from))),
        0,
        static_cast<std::byte *>(launch.driver->resolve(to, itemSize(name.to))),
        0);
  }
}
} // namespace

bool kern::test::runFakeCopy(const FakeLaunch &launch) {
  auto copy = parseCopy(launch.symbol);
  if (copy)
    runCopy(launch, *copy);
  return copy.has_value();
}
