//===- FakeCopies.h - the copy kernels of a driver's double --- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

namespace kern::test {

struct FakeLaunch;

/// Does what the kernel of runtime/transfer/CopyPtx.h with the launch's
/// symbol does; false if the symbol is of another kernel.
bool runFakeCopy(const FakeLaunch &launch);

} // namespace kern::test
