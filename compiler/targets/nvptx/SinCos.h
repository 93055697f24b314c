//===- SinCos.h - the sine and cosine of one angle --------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

namespace llvm {
class Module;
} // namespace llvm

namespace kern::nvptx {

/// Replaces libdevice's sine and cosine of one angle by its sincos, which
/// reduces the angle's range once and gives the same bits. The two calls may
/// be anywhere in a function, as long as one is on every path to the other; an
/// angle that is computed twice counts as one. To be run before libdevice is
/// linked.
void fuseSinCos(llvm::Module &module);

} // namespace kern::nvptx
