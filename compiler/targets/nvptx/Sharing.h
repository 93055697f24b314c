//===- Sharing.h - bodies that stay functions ------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>

namespace kern::nvptx {

/// Of a kernel's body, after optimisation.
struct BodyFacts {
  unsigned instructions = 0;
  unsigned values = 0; ///< arguments and results
  unsigned calls = 0;  ///< places that call it, in all forms together
  uint64_t frame = 0;  ///< bytes of memory of its own: local arrays
};

/// Whether the elements of a thread, and all forms, share one copy of the body
/// as a function, instead of having it inlined. A call costs a few moves for
/// each value, which large bodies do not feel; in exchange the driver and
/// code generation see the body once. What is inlined has its local arrays
/// anew at every place, and a GPU reserves them for each thread that it can
/// hold.
bool sharesBody(BodyFacts facts);

} // namespace kern::nvptx
