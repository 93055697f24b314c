//===- Casting.cpp - NumPy's casting rules --------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/array/Casting.h"

using namespace kern;

bool kern::canCast(DType from, DType to, Casting casting) {
  switch (casting) {
  case Casting::No:
  case Casting::Equiv:
    return from == to;
  case Casting::Safe:
    return canCastSafely(from, to);
  case Casting::SameKind:
    return canCastSameKind(from, to);
  case Casting::Unsafe:
    return true;
  }
  return false;
}

std::string_view kern::name(Casting casting) {
  static constexpr std::string_view names[] = {"no", "equiv", "safe",
                                               "same_kind", "unsafe"};
  return names[unsigned(casting)];
}
