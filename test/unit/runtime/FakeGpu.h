//===- FakeGpu.h - the driver's double under the public header --*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Nothing of the library's own headers, whose names are those of kern.hpp.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <memory>
#include <string>

namespace kern::test {

class FakeDriver;

/// A FakeDriver as long as it lives.
class FakeGpu {
public:
  explicit FakeGpu(int devices = 1);
  ~FakeGpu();
  int liveAllocations() const;

private:
  std::unique_ptr<FakeDriver> driver;
};

/// FakeCode's functions as the text of a compiled file.
std::string fakeArtefact();

} // namespace kern::test
