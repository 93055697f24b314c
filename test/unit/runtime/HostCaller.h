//===- HostCaller.h - calls on the CPU ------------------------ -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Arrays.h"

namespace kern::test {

class HostCaller : public testing::Test, public Caller {
protected:
  void SetUp() override { options = onTheHost(); }
};

} // namespace kern::test
