//===- AutomaticPlace.h - calls that let Kern choose ------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/launch/Bind.h"

namespace kern::runtime {

/// For a call whose device is open (CallDevice::candidate): decides between the
/// host and that GPU, and sets the device. Returns a line of text that says
/// what was expected; "" if nothing was open. Makes the host's kernel, whose
/// work the estimate needs.
Expected<std::string> choosePlace(BoundArguments &bound);

} // namespace kern::runtime
