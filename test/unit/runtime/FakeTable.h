//===- FakeTable.h - the functions of a driver's double ------- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/device/cuda/Driver.h"

namespace kern::test {

class FakeDriver;

/// The driver's functions. Each counts itself and may fail as
/// FakeDriver::enter() says, and acts on the driver that is served.
runtime::cuda::Driver makeFakeTable();

/// Those of page-locked memory and copies.
void addFakeTransfers(runtime::cuda::Driver &table);

/// Those of streams, events and graphs.
void addFakeStreamFunctions(runtime::cuda::Driver &table);

/// The driver on which the table's functions act; null when it is gone. A new
/// driver finds no context current on this thread.
void serveFakeDriver(FakeDriver *driver);

} // namespace kern::test
