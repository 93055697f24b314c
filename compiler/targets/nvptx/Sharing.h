//===- Sharing.h - bodies that stay functions ------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

namespace kern::nvptx {

/// Of a kernel's body, after optimisation.
struct BodyFacts {
  unsigned instructions = 0;
  unsigned values = 0; ///< arguments and results
  unsigned calls = 0;  ///< places that call it, in all forms together
};

/// Whether the elements of a thread, and all forms, share one copy of the body
/// as a function, instead of having it inlined. A call costs a few moves for
/// each value, which large bodies do not feel; in exchange the driver and
/// code generation see the body once.
bool sharesBody(BodyFacts facts);

} // namespace kern::nvptx
