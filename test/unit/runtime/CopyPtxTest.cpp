//===- CopyPtxTest.cpp - every copy kernel is accepted by ptxas -----------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/transfer/CopyPtx.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <unistd.h>

using namespace kern::runtime;

TEST(CopyPtx, EveryConversionAssembles) {
  if (!std::filesystem::exists(KERN_PTXAS))
    GTEST_SKIP() << "ptxas is not installed here";
  std::map<std::string, std::string> kernels; // by symbol
  auto add = [&](DType from, DType to, unsigned dims, bool wide) {
    for (bool masked : {false, true}) {
      CopyKind kind = {from, to, dims, wide, masked};
      kernels[copySymbol(kind)] = copyPtxKernel(kind);
    }
  };
  for (unsigned from = 0; from < dtypeCount; ++from)
    for (unsigned to = 0; to < dtypeCount; ++to)
      if (!isComplex(DType(from)) || isComplex(DType(to)))
        add(DType(from), DType(to), 1 + (from + to) % 6, (from + to) % 2);
  EXPECT_EQ(kernels.size(), 2 * (15u * 15 - 2 * 13));
  for (unsigned dims = 1; dims <= maxCopyDims; ++dims)
    for (bool wide : {false, true})
      add(DType::F32, DType::F16, dims, wide);
  auto path = std::filesystem::temp_directory_path() /
              ("kern-copy-" + std::to_string(::getpid()) + ".ptx");
  std::ofstream file(path);
  file << copyPtxHeader();
  for (const auto &[symbol, text] : kernels)
    file << text;
  file.close();
  std::string command = std::string(KERN_PTXAS) +
                        " -O0 -arch=sm_75 -o /dev/null " + path.string();
  // NOLINTNEXTLINE(bugprone-command-processor): no part comes from outside.
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
  std::filesystem::remove(path);
}
