//===- Window.h - threads that compute neighbouring results -----*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/LoopMappings/Windows.h"

namespace kern::ir::loop {

/// Makes each thread of a group compute a few neighbouring items: the last flat
/// indices of the kernel then number tiles. As long as branches go the same way
/// for all of a thread's items, it runs their code together and reads each
/// element once. Otherwise it runs them one after the other, from the
/// beginning.
void window(KernelOp flattened, const Windows &windows,
            const WindowPlan &shape);

} // namespace kern::ir::loop
